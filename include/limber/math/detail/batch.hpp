// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scalar of the algorithms that is one number of each of several arms: the lanes of one vector register. Every lane is computed as if it were alone, so that
// an arm's results do not depend on which arms go with it, nor on its place among them.
//
// Branches on a scalar's value are selections here: both ways are computed where they may differ, and every lane takes its own. There are three of them in the
// sweeps: the series of small rotations (values(), below), sines of large angles, and pivots that are none (is_pivot()).
//
// Sine and cosine of all lanes at once, since a call for each would take a third of forward dynamics:
//
//   x = n pi/2 + r,   n = round(2 x/pi),   |r| <= pi/4                                              (1)
//   sin r = r - r^3/3! + ... + r^17/17!,   cos r = 1 - r^2/2! + ... + r^16/16!                      (2)
//
// The next terms of (2) are 2e-18 at pi/4. pi/2 is taken in three parts, P1 and P2 with 33 bits each, so that n P1 and n P2 are exact
// for |n| < 2^20, and r = ((x - n P1) - n P2) - n P3 keeps its digits where it is small. n mod 4 says which of (2) is which, and its sign.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "limber/core/detail/inline.hpp"
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
  struct SineAndCosine {
    Batch sine, cosine;
  };

  LIMBER_INLINE static bool all(const Integers& truths) {
    std::int64_t together = truths[0];
    for (int i = 1; i < width; ++i) together &= truths[i];
    return together != 0;
  }

  // (1) and (2)
  LIMBER_INLINE SineAndCosine turned() const {
    constexpr double two_over_pi = 0.6366197723675814;
    constexpr double P1 = 0x1.921fb544p+0, P2 = 0x1.0b4611a6p-34, P3 = 0x1.3198a2e037073p-69;
    constexpr double to_integer =
        6755399441055744.0;          // 1.5 2^52: the last bits of a sum with it are those of n
    constexpr double largest = 1e5;  // n < 2^17
    const Lanes shifted = lanes_ * two_over_pi + to_integer;
    const Lanes n = shifted - to_integer;
    const Lanes r = ((lanes_ - n * P1) - n * P2) - n * P3;
    const Lanes s = r * r;
    constexpr std::array<double, 8> sines = factorials<8>(3), cosines = factorials<8>(2);
    Lanes sine = Batch(sines[7]).lanes_, cosine = Batch(cosines[7]).lanes_;
    for (std::size_t k = 7; k-- > 0;) {
      sine = sines[k] - s * sine;
      cosine = cosines[k] - s * cosine;
    }
    sine = r - r * s * sine;
    cosine = 1.0 - s * cosine;
    const Integers quarter = reinterpret_cast<Integers>(shifted);
    const auto is_odd = (quarter & 1) != 0;
    const auto negated_if = [](const Lanes& a, const Integers& sign) {  // its highest bit
      const Integers bits = reinterpret_cast<Integers>(a) ^ (sign << 62);
      return Batch(reinterpret_cast<Lanes>(bits));
    };
    SineAndCosine result{negated_if(is_odd ? cosine : sine, quarter & 2),
                         negated_if(is_odd ? sine : cosine, (quarter + 1) & 2)};
    if (!all((lanes_ < largest) & (lanes_ > -largest))) [[unlikely]]
      take_large(largest, result);
    return result;
  }

  // 1/first!, 1/(first + 2)!, ...
  template <std::size_t count>
  static constexpr std::array<double, count> factorials(int first) {
    std::array<double, count> all{};
    for (std::size_t k = 0; k < count; ++k)
      all[k] =
          static_cast<double>(1.0L / rotation_series::detail::factorial(first + 2 * static_cast<int>(k)));
    return all;
  }

  // Angles of many turns, infinite ones, and what is not a number.
  [[gnu::noinline, gnu::cold]] void take_large(double largest, SineAndCosine& result) const {
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
