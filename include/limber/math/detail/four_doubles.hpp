// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Four doubles in as few registers as the compiler's flags allow. Nothing is kept in this form: numbers are loaded, computed with and stored
// again, so that no layout depends on the flags.

#include "limber/core/detail/inline.hpp"

namespace limber::detail {
// What is compiled with and without AVX has names of its own: a program may hold both.
#if defined(__AVX__)
inline namespace one_register {

class FourDoubles {
  using Lanes [[gnu::vector_size(32)]] = double;

 public:
  LIMBER_INLINE explicit FourDoubles(double all) : lanes_{all, all, all, all} {}
  LIMBER_INLINE static FourDoubles load(const double* from) {
    FourDoubles x;
    __builtin_memcpy(&x.lanes_, from, sizeof(Lanes));
    return x;
  }
  LIMBER_INLINE void store(double* to) const { __builtin_memcpy(to, &lanes_, sizeof(Lanes)); }

  LIMBER_INLINE friend FourDoubles operator+(const FourDoubles& a, const FourDoubles& b) {
    return FourDoubles(a.lanes_ + b.lanes_);
  }
  LIMBER_INLINE friend FourDoubles operator-(const FourDoubles& a, const FourDoubles& b) {
    return FourDoubles(a.lanes_ - b.lanes_);
  }
  LIMBER_INLINE friend FourDoubles operator-(const FourDoubles& a) { return FourDoubles(-a.lanes_); }
  LIMBER_INLINE friend FourDoubles operator*(const FourDoubles& a, double b) {
    return FourDoubles(a.lanes_ * b);
  }

 private:
  FourDoubles() = default;
  LIMBER_INLINE explicit FourDoubles(const Lanes& lanes) : lanes_(lanes) {}

  Lanes lanes_;
};

}  // namespace one_register
#else
inline namespace two_registers {

class FourDoubles {
  using Lanes [[gnu::vector_size(16)]] = double;

 public:
  LIMBER_INLINE explicit FourDoubles(double all) : first_{all, all}, last_{all, all} {}
  LIMBER_INLINE static FourDoubles load(const double* from) {
    FourDoubles x;
    __builtin_memcpy(&x.first_, from, sizeof(Lanes));
    __builtin_memcpy(&x.last_, from + 2, sizeof(Lanes));
    return x;
  }
  LIMBER_INLINE void store(double* to) const {
    __builtin_memcpy(to, &first_, sizeof(Lanes));
    __builtin_memcpy(to + 2, &last_, sizeof(Lanes));
  }

  LIMBER_INLINE friend FourDoubles operator+(const FourDoubles& a, const FourDoubles& b) {
    return {a.first_ + b.first_, a.last_ + b.last_};
  }
  LIMBER_INLINE friend FourDoubles operator-(const FourDoubles& a, const FourDoubles& b) {
    return {a.first_ - b.first_, a.last_ - b.last_};
  }
  LIMBER_INLINE friend FourDoubles operator-(const FourDoubles& a) { return {-a.first_, -a.last_}; }
  LIMBER_INLINE friend FourDoubles operator*(const FourDoubles& a, double b) {
    return {a.first_ * b, a.last_ * b};
  }

 private:
  FourDoubles() = default;
  LIMBER_INLINE FourDoubles(const Lanes& first, const Lanes& last) : first_(first), last_(last) {}

  Lanes first_, last_;
};

}  // namespace two_registers
#endif
}  // namespace limber::detail
