// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sine and cosine together, of a number or of all lanes of a register. Each joint that turns needs both, and a call of the C library for them took a quarter of
// the instructions of the mass matrix of a rigid arm, and a third of forward dynamics of several arms at once.
//
//   x = n pi/2 + r + rest,   n = round(2 x/pi),   |r| <= pi/4,   |rest| < ulp(r)                    (1)
//   sin r = r - r^3/3! + ... + r^17/17!,   cos r = 1 - r^2/2! + ... + r^16/16!                      (2)
//   sin(r + rest) = sin r + rest (1 - r^2/2),   cos(r + rest) = cos r - rest r                      (3)
//
// The next terms of (2) are 2e-18 at pi/4. pi/2 is taken in three parts, P1 and P2 with 33 bits each, so that n P1 and n P2 are exact
// for |n| < 2^20; x - n P1 is exact, too, and what the next two subtractions lose is the rest. n mod 4 says which of (2) is which, and its sign. Both are within
// 0.9 units of the last place (0.55 are the C library's; without (3) it would be 2.3).

#include <array>
#include <cmath>
#include <cstdint>

#include "limber/core/detail/inline.hpp"
#include "limber/math/rotation_series.hpp"

namespace limber::detail {

template <typename Number>
struct SineAndCosine {
  Number sine, cosine;
};

namespace sine_cosine {

inline constexpr double largest = 1e5;  // n < 2^17; beyond, the C library knows better
inline constexpr double two_over_pi = 0.6366197723675814;
inline constexpr double P1 = 0x1.921fb544p+0, P2 = 0x1.0b4611a6p-34, P3 = 0x1.3198a2e037073p-69;
inline constexpr double to_integer =
    6755399441055744.0;  // 1.5 2^52: the last bits of a sum with it are those of n

// 1/first!, 1/(first + 2)!, ...
template <std::size_t count>
constexpr std::array<double, count> factorials(int first) {
  std::array<double, count> all{};
  for (std::size_t k = 0; k < count; ++k)
    all[k] = static_cast<double>(1.0L / rotation_series::detail::factorial(first + 2 * static_cast<int>(k)));
  return all;
}

LIMBER_INLINE std::uint64_t bits_of(double x) {
  std::uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof x);
  return bits;
}

// (1), and n plus to_integer.
template <typename Number>
struct Reduced {
  Number r, rest, shifted;

  LIMBER_INLINE explicit Reduced(const Number& x) : shifted(x * two_over_pi + to_integer) {
    const Number n = shifted - to_integer;
    const Number exact = x - n * P1, second = n * P2;
    const Number nearly = exact - second;
    const Number third = n * P3 - ((exact - nearly) - second);
    r = nearly - third;
    rest = (nearly - r) - third;
  }
  // (2), (3)
  LIMBER_INLINE SineAndCosine<Number> sine_and_cosine() const {
    constexpr std::array<double, 8> sines = factorials<8>(3), cosines = factorials<8>(4);
    const Number s = r * r, half = 0.5 * s;
    Number sine = sines[7] - Number{}, cosine = cosines[6] - Number{};
    for (std::size_t k = 7; k-- > 0;) sine = sines[k] - s * sine;
    for (std::size_t k = 6; k-- > 0;) cosine = cosines[k] - s * cosine;
    const Number near_one = 1.0 - half;  // what it loses goes along with the small terms
    return {r - (r * s * sine - rest * near_one),
            near_one + (((1.0 - near_one) - half) + (s * s * cosine - r * rest))};
  }
};

}  // namespace sine_cosine

/// Scalars with functions of their own.
template <typename Scalar>
LIMBER_INLINE SineAndCosine<Scalar> sine_and_cosine(const Scalar& x) {
  using std::cos;
  using std::sin;
  return {sin(x), cos(x)};
}

LIMBER_INLINE SineAndCosine<double> sine_and_cosine(double x) {
  if (!(std::abs(x) < sine_cosine::largest)) [[unlikely]]
    return {std::sin(x), std::cos(x)};
  const sine_cosine::Reduced<double> reduced(x);
  const SineAndCosine<double> small = reduced.sine_and_cosine();
  const std::uint64_t quarter = sine_cosine::bits_of(reduced.shifted);
  const auto negated_if = [](double a, std::uint64_t sign) {  // its second bit
    const std::uint64_t bits = sine_cosine::bits_of(a) ^ (sign << 62);
    __builtin_memcpy(&a, &bits, sizeof a);
    return a;
  };
  const bool is_odd = (quarter & 1) != 0;
  return {negated_if(is_odd ? small.cosine : small.sine, quarter & 2),
          negated_if(is_odd ? small.sine : small.cosine, (quarter + 1) & 2)};
}

}  // namespace limber::detail
