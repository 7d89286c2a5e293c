// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scalar of the algorithms that is one number of each of several arms: the lanes of one vector register. Every lane is computed as if it were alone, so that
// an arm's results do not depend on which arms go with it, nor on its place among them.
//
// Branches on a scalar's value are selections here: both ways are computed where they may differ, and every lane takes its own. There are three of them in the
// sweeps: the series of small rotations (values(), below), sines of large angles, and pivots that are none (is_pivot()).

#include <cmath>
#include <cstdint>
#include <limits>

#include "limber/core/detail/inline.hpp"
#include "limber/math/detail/sine_cosine.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/rotation_series.hpp"

namespace limber::detail {

/// Registers of doubles, and of integers as wide.
template <int width>
struct Registers;
template <>
struct Registers<4> {
  using Doubles [[gnu::vector_size(32)]] = double;
  using Integers [[gnu::vector_size(32)]] = std::int64_t;
};
template <>
struct Registers<8> {
  using Doubles [[gnu::vector_size(64)]] = double;
  using Integers [[gnu::vector_size(64)]] = std::int64_t;
};

/// One number of each of `arm_count` arms.
template <int arm_count>
class Batch {
 public:
  static constexpr int width = arm_count;
  using Lanes = typename Registers<width>::Doubles;
  using Integers = typename Registers<width>::Integers;

  Batch() = default;
  /// The same for all.
  LIMBER_INLINE Batch(double value) : lanes_(value - Lanes{}) {}  // NOLINT: constants convert
  LIMBER_INLINE explicit Batch(const Lanes& lanes) : lanes_(lanes) {}

  LIMBER_INLINE double operator[](int arm) const { return lanes_[arm]; }
  LIMBER_INLINE void set(int arm, double value) { lanes_[arm] = value; }
  LIMBER_INLINE const Lanes& lanes() const { return lanes_; }

  LIMBER_INLINE friend Batch operator+(const Batch& a, const Batch& b) { return Batch(a.lanes_ + b.lanes_); }
  LIMBER_INLINE friend Batch operator-(const Batch& a, const Batch& b) { return Batch(a.lanes_ - b.lanes_); }
  LIMBER_INLINE friend Batch operator*(const Batch& a, const Batch& b) { return Batch(a.lanes_ * b.lanes_); }
  LIMBER_INLINE friend Batch operator/(const Batch& a, const Batch& b) { return Batch(a.lanes_ / b.lanes_); }
  LIMBER_INLINE friend Batch operator-(const Batch& a) { return Batch(-a.lanes_); }
  LIMBER_INLINE Batch& operator+=(const Batch& b) { return *this = *this + b; }
  LIMBER_INLINE Batch& operator-=(const Batch& b) { return *this = *this - b; }
  LIMBER_INLINE Batch& operator*=(const Batch& b) { return *this = *this * b; }

  LIMBER_INLINE friend SineAndCosine<Batch> sine_and_cosine(const Batch& x) { return x.turned(); }
  LIMBER_INLINE friend Batch sin(const Batch& x) { return x.turned().sine; }
  LIMBER_INLINE friend Batch cos(const Batch& x) { return x.turned().cosine; }

  /// Pivots that are none (forward_dynamics.hpp): the sweep goes on for the others, and such an arm gets what is not a number, by which whoever called knows it.
  LIMBER_INLINE friend bool is_pivot(Batch& pivot, const Batch& bound) {
    pivot.lanes_ =
        pivot.lanes_ > bound.lanes_ ? pivot.lanes_ : Batch(std::numeric_limits<double>::quiet_NaN()).lanes_;
    return true;
  }

  /// Whether each of them is below; what is not a number is not.
  LIMBER_INLINE friend bool all_below(const Batch& a, double bound) {
    return Batch::all(a.lanes_ < Batch(bound).lanes_);
  }

 private:
  LIMBER_INLINE static bool all(const Integers& truths) {
    std::int64_t together = truths[0];
    for (int i = 1; i < width; ++i) together &= truths[i];
    return together != 0;
  }

  LIMBER_INLINE SineAndCosine<Batch> turned() const {
    using sine_cosine::largest;
    const sine_cosine::Reduced<Lanes> reduced(lanes_);
    const auto [sine, cosine] = reduced.sine_and_cosine();
    const Integers quarter = reinterpret_cast<Integers>(reduced.shifted);
    const auto is_odd = (quarter & 1) != 0;
    const auto negated_if = [](const Lanes& a, const Integers& sign) {  // its second bit
      const Integers bits = reinterpret_cast<Integers>(a) ^ (sign << 62);
      return Batch(reinterpret_cast<Lanes>(bits));
    };
    SineAndCosine<Batch> result{negated_if(is_odd ? cosine : sine, quarter & 2),
                                negated_if(is_odd ? sine : cosine, (quarter + 1) & 2)};
    if (!all((lanes_ < largest) & (lanes_ > -largest))) [[unlikely]]
      take_large(largest, result);
    return result;
  }

  // Angles of many turns, infinite ones, and what is not a number.
  [[gnu::noinline, gnu::cold]] void take_large(double largest, SineAndCosine<Batch>& result) const {
    for (int i = 0; i < width; ++i) {
      if (std::abs(lanes_[i]) < largest) continue;
      result.sine.set(i, std::sin(lanes_[i]));
      result.cosine.set(i, std::cos(lanes_[i]));
    }
  }

  alignas(sizeof(double) *
          width) Lanes lanes_;  // left to itself, g++ aligns it as the registers that its flags allow
};

/// Short series for all, then those whose rotations are not small one by one.
template <int width>
LIMBER_INLINE rotation_series::Values<Batch<width>> values_of_lanes(const Batch<width>& s) {
  using namespace rotation_series;
  Values<Batch<width>> result = values_at_small(s);
  if (all_below(s, small)) [[likely]]
    return result;
  for (int i = 0; i < width; ++i) {
    if (s[i] < small) continue;
    const Values<double> one = values(s[i]);
    result.c1.set(i, one.c1);
    result.c2.set(i, one.c2);
    result.c3.set(i, one.c3);
    result.dc2.set(i, one.dc2);
    result.dc3.set(i, one.dc3);
  }
  return result;
}

}  // namespace limber::detail

namespace limber::rotation_series {

template <>
inline Values<limber::detail::Batch<4>> values(const limber::detail::Batch<4>& s) {
  return limber::detail::values_of_lanes(s);
}
template <>
inline Values<limber::detail::Batch<8>> values(const limber::detail::Batch<8>& s) {
  return limber::detail::values_of_lanes(s);
}

}  // namespace limber::rotation_series

// Eigen's matrices of constant size ask for its own alignment, which is less than that of a register: clang refuses that.
template <int width, int size>
struct Eigen::internal::compute_default_alignment<limber::detail::Batch<width>, size> {
  enum { value = 0 };
};
template <int width>
struct Eigen::internal::compute_default_alignment<limber::detail::Batch<width>, Eigen::Dynamic> {
  enum { value = 0 };
};

template <int width>
struct Eigen::NumTraits<limber::detail::Batch<width>> : Eigen::NumTraits<double> {
  using Real = limber::detail::Batch<width>;
  using NonInteger = Real;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
