// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The same computation for several numbers at once: a packet is as many doubles as one vector register holds, or
// as many numbers with derivatives. For every other scalar a packet is one number. Code over packets is written once
// and does not branch.

#include <algorithm>
#include <type_traits>

#include "limber/math/detail/lanes.hpp"
#include "limber/math/dual.hpp"

namespace limber::detail {
inline namespace LIMBER_LANES {

/// Doubles, four where registers hold four, else two.
class Doubles {
 public:
#if defined(__AVX__)
  static constexpr int width = 4;
  using Lanes = Lanes4;
  LIMBER_INLINE Doubles(double value) : lanes_{value, value, value, value} {}  // NOLINT: constants convert
#else
  static constexpr int width = 2;
  using Lanes = Lanes2;
  LIMBER_INLINE Doubles(double value) : lanes_{value, value} {}  // NOLINT: constants convert
#endif
  Doubles() = default;
  LIMBER_INLINE explicit Doubles(const Lanes& lanes) : lanes_(lanes) {}
  LIMBER_INLINE static Doubles load(const double* data) {
    Doubles result;
    __builtin_memcpy(&result.lanes_, data, sizeof(Lanes));
    return result;
  }
  LIMBER_INLINE void store(double* data) const { __builtin_memcpy(data, &lanes_, sizeof(Lanes)); }

  LIMBER_INLINE double operator[](int i) const { return lanes_[i]; }
  LIMBER_INLINE void set(int i, double value) { lanes_[i] = value; }
  LIMBER_INLINE double sum() const {
#if defined(__AVX__)
    const Lanes2 halves =
        __builtin_shufflevector(lanes_, lanes_, 0, 1) + __builtin_shufflevector(lanes_, lanes_, 2, 3);
    return halves[0] + halves[1];
#else
    return lanes_[0] + lanes_[1];
#endif
  }
  /// Also false where one is not a number.
  LIMBER_INLINE friend bool all_below(const Doubles& a, double bound) {
    bool below = true;
    for (int i = 0; i < width; ++i) below &= a[i] < bound;
    return below;
  }

  LIMBER_INLINE friend Doubles operator+(const Doubles& a, const Doubles& b) {
    return Doubles(a.lanes_ + b.lanes_);
  }
  LIMBER_INLINE friend Doubles operator-(const Doubles& a, const Doubles& b) {
    return Doubles(a.lanes_ - b.lanes_);
  }
  LIMBER_INLINE friend Doubles operator*(const Doubles& a, const Doubles& b) {
    return Doubles(a.lanes_ * b.lanes_);
  }
  LIMBER_INLINE friend Doubles operator-(const Doubles& a) { return Doubles(-a.lanes_); }

 private:
  Lanes lanes_;
};

/// Duals, as many as Doubles: their values, and their derivatives direction by direction.
class Duals {
 public:
  static constexpr int width = Doubles::width;
  static constexpr int directions = Dual::direction_count;

  Duals() = default;
  LIMBER_INLINE Duals(double value) : Duals(Doubles(value)) {}                               // NOLINT
  LIMBER_INLINE Duals(const Doubles& value) : value_(value), derivatives_{0., 0., 0., 0.} {  // NOLINT
    static_assert(directions == 4);
  }
  LIMBER_INLINE Duals(const Dual& x) : value_(x.value()) {  // NOLINT: constants convert
    for (int d = 0; d < directions; ++d) derivatives_[d] = x.derivatives()[d];
  }
  /// Values, then the derivatives, `stride` numbers apart.
  LIMBER_INLINE static Duals load(const double* data, int stride) {
    return with_derivatives(Doubles::load(data),
                            [&](int d) { return Doubles::load(data + (d + 1) * stride); });
  }
  LIMBER_INLINE void store(double* data, int stride) const {
    value_.store(data);
    for (int d = 0; d < directions; ++d) derivatives_[d].store(data + (d + 1) * stride);
  }

  Dual operator[](int i) const {
    Dual x(value_[i]);
    for (int d = 0; d < directions; ++d) x.derivatives()[d] = derivatives_[d][i];
    return x;
  }
  void set(int i, const Dual& x) {
    value_.set(i, x.value());
    for (int d = 0; d < directions; ++d) derivatives_[d].set(i, x.derivatives()[d]);
  }
  LIMBER_INLINE Dual sum() const {
    Dual x(value_.sum());
    for (int d = 0; d < directions; ++d) x.derivatives()[d] = derivatives_[d].sum();
    return x;
  }
  LIMBER_INLINE friend bool all_below(const Duals& a, double bound) { return all_below(a.value_, bound); }

  LIMBER_INLINE friend Duals operator+(const Duals& a, const Duals& b) {
    return with_derivatives(a.value_ + b.value_,
                            [&](int d) { return a.derivatives_[d] + b.derivatives_[d]; });
  }
  LIMBER_INLINE friend Duals operator-(const Duals& a, const Duals& b) {
    return with_derivatives(a.value_ - b.value_,
                            [&](int d) { return a.derivatives_[d] - b.derivatives_[d]; });
  }
  LIMBER_INLINE friend Duals operator*(const Duals& a, const Duals& b) {
    return with_derivatives(a.value_ * b.value_, [&](int d) {
      return a.value_ * b.derivatives_[d] + b.value_ * a.derivatives_[d];
    });
  }
  LIMBER_INLINE friend Duals operator-(const Duals& a) {
    return with_derivatives(-a.value_, [&](int d) { return -a.derivatives_[d]; });
  }
  // With constants.
  LIMBER_INLINE friend Duals operator+(const Duals& a, const Doubles& b) {
    return with_derivatives(a.value_ + b, [&](int d) { return a.derivatives_[d]; });
  }
  LIMBER_INLINE friend Duals operator+(const Doubles& a, const Duals& b) { return b + a; }
  LIMBER_INLINE friend Duals operator-(const Duals& a, const Doubles& b) { return a + -b; }
  LIMBER_INLINE friend Duals operator-(const Doubles& a, const Duals& b) {
    return with_derivatives(a - b.value_, [&](int d) { return -b.derivatives_[d]; });
  }
  LIMBER_INLINE friend Duals operator*(const Duals& a, const Doubles& b) {
    return with_derivatives(a.value_ * b, [&](int d) { return a.derivatives_[d] * b; });
  }
  LIMBER_INLINE friend Duals operator*(const Doubles& a, const Duals& b) { return b * a; }
  LIMBER_INLINE friend Duals operator+(const Duals& a, double b) { return a + Doubles(b); }
  LIMBER_INLINE friend Duals operator+(double a, const Duals& b) { return b + Doubles(a); }
  LIMBER_INLINE friend Duals operator-(const Duals& a, double b) { return a - Doubles(b); }
  LIMBER_INLINE friend Duals operator-(double a, const Duals& b) { return Doubles(a) - b; }
  LIMBER_INLINE friend Duals operator*(const Duals& a, double b) { return a * Doubles(b); }
  LIMBER_INLINE friend Duals operator*(double a, const Duals& b) { return b * Doubles(a); }

 private:
  template <typename Derivative>
  LIMBER_INLINE static Duals with_derivatives(const Doubles& value, Derivative&& derivative) {
    Duals x;
    x.value_ = value;
    for (int d = 0; d < directions; ++d) x.derivatives_[d] = derivative(d);
    return x;
  }

  Doubles value_;
  Doubles derivatives_[directions];  // NOLINT: an array of constants' size
};

/// What a product of two packets is: with derivatives where one of them has any.
template <typename A, typename B>
using ProductOf = std::conditional_t<std::is_same_v<A, Doubles>, B, A>;

// Vectors of packets of which one has derivatives and the other none.
template <typename A, typename B>
using Mixed = std::enable_if_t<(std::is_same_v<A, Doubles> && std::is_same_v<B, Duals>) ||
                                   (std::is_same_v<A, Duals> && std::is_same_v<B, Doubles>),
                               Duals>;
template <typename A, typename B>
LIMBER_INLINE Vec3<Mixed<A, B>> operator+(const Vec3<A>& a, const Vec3<B>& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
template <typename A, typename B>
LIMBER_INLINE Vec3<Mixed<A, B>> operator*(const Vec3<A>& a, const B& s) {
  return {a[0] * s, a[1] * s, a[2] * s};
}
template <typename A, typename B>
LIMBER_INLINE Mixed<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <typename A, typename B>
LIMBER_INLINE Vec3<Mixed<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// How packets of a type are kept in arrays: `numbers` times as many Numbers as there are values.
template <typename Packet>
struct PacketTraits {
  using Number = Packet;
  using Sum = Packet;
  static constexpr int width = 1, numbers = 1;
  static Packet load(const Number* data, int) { return *data; }
  static void store(const Packet& x, Number* data, int) { *data = x; }
  static Packet sum(const Packet& x) { return x; }
};
template <>
struct PacketTraits<Doubles> {
  using Number = double;
  using Sum = double;
  static constexpr int width = Doubles::width, numbers = 1;
  LIMBER_INLINE static Doubles load(const double* data, int) { return Doubles::load(data); }
  LIMBER_INLINE static void store(const Doubles& x, double* data, int) { x.store(data); }
  LIMBER_INLINE static double sum(const Doubles& x) { return x.sum(); }
};
template <>
struct PacketTraits<Duals> {
  using Number = double;
  using Sum = Dual;
  static constexpr int width = Duals::width, numbers = 1 + Duals::directions;
  LIMBER_INLINE static Duals load(const double* data, int stride) { return Duals::load(data, stride); }
  LIMBER_INLINE static void store(const Duals& x, double* data, int stride) { x.store(data, stride); }
  LIMBER_INLINE static Dual sum(const Duals& x) { return x.sum(); }
};

/// The packets of a scalar: of what depends on the state, and of constants.
template <typename Scalar>
struct PacketsOf {
  using Moving = Scalar;
  using Constant = Scalar;
};
template <>
struct PacketsOf<double> {
  using Moving = Doubles;
  using Constant = Doubles;
};
template <>
struct PacketsOf<Dual> {
  using Moving = Duals;
  using Constant = Doubles;
};

}  // namespace LIMBER_LANES
}  // namespace limber::detail

namespace limber::rotation_series {

using limber::detail::Doubles;
using limber::detail::Duals;

/// values() of every number by itself.
template <typename Packet>
Values<Packet> values_one_by_one(const Packet& s) {
  Values<Packet> result;
  for (int i = 0; i < Packet::width; ++i) {
    const auto one = values(s[i]);
    result.c1.set(i, one.c1);
    result.c2.set(i, one.c2);
    result.c3.set(i, one.c3);
    result.dc2.set(i, one.dc2);
    result.dc3.set(i, one.dc3);
  }
  return result;
}
/// At once where all are small, as elastic slopes are.
template <typename Packet>
LIMBER_INLINE Values<Packet> values_of_each(const Packet& s) {
  if (all_below(s, small)) [[likely]]
    return values_at_small(s);
  return values_one_by_one(s);
}
LIMBER_INLINE Values<Doubles> values(const Doubles& s) { return values_of_each(s); }
LIMBER_INLINE Values<Duals> values(const Duals& s) { return values_of_each(s); }

}  // namespace limber::rotation_series
