// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All quotients of small angles, in one place.
//
// For a rotation vector theta with s = theta . theta (the squared angle x^2), rotations need
//
//   exp[theta]   = 1 + c1 [theta] + c2 [theta]^2                                           (1)
//   Jl(theta)    = 1 + c2 [theta] + c3 [theta]^2       d/dt exp = [Jl thetadot] exp        (2)
//   Jl^-1(theta) = 1 - 1/2 [theta] + g [theta]^2                                           (3)
//
//   c1 = sin x / x,  c2 = (1 - cos x) / x^2,  c3 = (x - sin x) / x^3,  g = (1 - x/2 cot(x/2)) / x^2
//
// and, for time derivatives, the derivatives of these four with respect to s. As functions of s they are
// smooth at zero (no square root), and c1, c2, c3 are Stumpff's series
//
//   c_n(s) = Sum_k (-s)^k / (2k + n)!,    dc_n/ds = -Sum_k (k + 1) (-s)^k / (2k + 2 + n)!   (4)
//
// whose terms alternate and shrink fast: up to s = 10 sixteen of them reach rounding. g follows without
// cancellation from
//
//   g = h / (2 c2),    h = (2 c2 - c1) / s = Sum_k 2 (k + 1) (-s)^k / (2k + 4)!              (5)
//
// Closed forms take over where the series' terms begin to cancel (a factor of two or three), each function at
// its own place; both branches agree there to 1e-15. Elastic slopes live between 1e-8 and 1e-2, where
// (x - sin x) / x^3 as it is written has no digits left. Accurate to 1e-15 relative for 0 <= x <= pi, and
// valid beyond. The functions work for double, float, and number types that carry derivatives.

#include <array>
#include <cmath>
#include <type_traits>

namespace limber::rotation_series {

namespace detail {

inline constexpr int term_count = 16;
using Coefficients = std::array<double, term_count>;

constexpr long double factorial(int n) { return n <= 1 ? 1.0L : n * factorial(n - 1); }

/// Coefficients of (-s)^k in c_n, the left of (4).
constexpr Coefficients stumpff(int n) {
  Coefficients c{};
  for (int k = 0; k < term_count; ++k) c[k] = static_cast<double>(1.0L / factorial(2 * k + n));
  return c;
}

/// Coefficients of (-s)^k in dc_n/ds, the right of (4).
constexpr Coefficients stumpff_derivative(int n) {
  Coefficients c{};
  for (int k = 0; k < term_count; ++k) c[k] = static_cast<double>(-(k + 1) / factorial(2 * k + 2 + n));
  return c;
}

/// Coefficients of (-s)^k in h and in dh/ds, (5).
constexpr Coefficients h_coefficients() {
  Coefficients c{};
  for (int k = 0; k < term_count; ++k) c[k] = static_cast<double>(2 * (k + 1) / factorial(2 * k + 4));
  return c;
}
constexpr Coefficients h_derivative() {
  Coefficients c{};
  for (int k = 0; k < term_count; ++k)
    c[k] = static_cast<double>(-2 * (k + 1) * (k + 2) / factorial(2 * k + 6));
  return c;
}

/// Coefficients of (-s)^k in dh/ds c2 - h dc2/ds, the numerator of dg/ds; summed here, because there the two
/// products cancel by a factor of five.
constexpr Coefficients g_derivative_numerator() {
  Coefficients c{};
  for (int k = 0; k < term_count; ++k) {
    long double sum = 0;
    for (int i = 0; i <= k; ++i) {
      const int j = k - i;
      sum += -2 * (i + 1) * (i + 2) / factorial(2 * i + 6) / factorial(2 * j + 2);
      sum += 2 * (i + 1) / factorial(2 * i + 4) * (j + 1) / factorial(2 * j + 4);
    }
    c[k] = static_cast<double>(sum);
  }
  return c;
}

/// Sum_k c_k (-s)^k by Horner's rule.
template <typename Scalar>
Scalar sum(const Coefficients& c, const Scalar& s) {
  using Real = std::conditional_t<std::is_same_v<Scalar, float>, float, double>;
  Scalar result(static_cast<Real>(c[term_count - 1]));
  for (int k = term_count - 2; k >= 0; --k) result = static_cast<Real>(c[k]) - s * result;
  return result;
}

// Where the series end and the closed forms begin.
inline constexpr double early = 2.5;
inline constexpr double middle = 6.0;
inline constexpr double late = 10.0;

}  // namespace detail

/// sin(x) / x
template <typename Scalar>
Scalar c1(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff(1);
  if (s < detail::early) return detail::sum(terms, s);
  using std::sin;
  using std::sqrt;
  // sin x = sin(pi - x) with pi - x = (pi^2 - s) / (pi + x): the rounding of sqrt(s) would cost the last
  // digits next to pi. pi^2 is given in two parts.
  constexpr double pi = 3.141592653589793;
  constexpr double pi_squared = 9.869604401089358;
  constexpr double pi_squared_rest = 6.265295508739712e-16;
  const Scalar x = sqrt(s);
  return sin(((pi_squared - s) + pi_squared_rest) / (pi + x)) / x;
}

/// (1 - cos x) / x^2
template <typename Scalar>
Scalar c2(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff(2);
  if (s < detail::middle) return detail::sum(terms, s);
  using std::sin;
  using std::sqrt;
  const Scalar half_sine = sin(0.5 * sqrt(s));
  return 2.0 * half_sine * half_sine / s;
}

/// (x - sin x) / x^3
template <typename Scalar>
Scalar c3(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff(3);
  if (s < detail::late) return detail::sum(terms, s);
  return (1.0 - c1(s)) / s;
}

/// dc1/ds = (x cos x - sin x) / (2 x^3)
template <typename Scalar>
Scalar dc1(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff_derivative(1);
  if (s < detail::early) return detail::sum(terms, s);
  using std::cos;
  using std::sqrt;
  return (cos(sqrt(s)) - c1(s)) / (2.0 * s);
}

/// dc2/ds = (x sin x - 2 (1 - cos x)) / (2 x^4)
template <typename Scalar>
Scalar dc2(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff_derivative(2);
  if (s < detail::middle) return detail::sum(terms, s);
  return (c1(s) - 2.0 * c2(s)) / (2.0 * s);
}

/// dc3/ds = (3 sin x - 2 x - x cos x) / (2 x^5)
template <typename Scalar>
Scalar dc3(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff_derivative(3);
  if (s < detail::late) return detail::sum(terms, s);
  return (c2(s) - 3.0 * c3(s)) / (2.0 * s);
}

/// (2 c2 - c1) / s, the numerator of (5)
template <typename Scalar>
Scalar h(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::h_coefficients();
  if (s < detail::late) return detail::sum(terms, s);
  return (2.0 * c2(s) - c1(s)) / s;
}

/// dh/ds
template <typename Scalar>
Scalar dh(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::h_derivative();
  if (s < detail::late) return detail::sum(terms, s);
  return (2.0 * dc2(s) - dc1(s) - h(s)) / s;
}

/// (1 - x/2 cot(x/2)) / x^2, singular at x = 2 pi as the inverse Jacobian is
template <typename Scalar>
Scalar g(const Scalar& s) {
  return h(s) / (2.0 * c2(s));
}

/// dg/ds
template <typename Scalar>
Scalar dg(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::g_derivative_numerator();
  const Scalar c2_s = c2(s);
  const Scalar numerator = s < detail::late ? detail::sum(terms, s) : Scalar(dh(s) * c2_s - h(s) * dc2(s));
  return numerator / (2.0 * c2_s * c2_s);
}

/// What a rotation and its motion need, at one s.
template <typename Scalar>
struct Values {
  Scalar c1, c2, c3, dc2, dc3;  ///< of the functions with these names
};

/// Up to here, half a radian, the short series of values_at_small serve: elastic slopes.
inline constexpr double small = 0.25;

/// For elastic slopes two short series suffice: from c4 and c5 the others follow by
///
///   c_n = 1/n! - s c_{n+2},    dc_n/ds = (n c_{n+2} - c_{n+1}) / 2                                (6)
///
/// in which nothing cancels. No branch: s may be several numbers at once.
template <typename Scalar>
Values<Scalar> values_at_small(const Scalar& s) {
  using Real = std::conditional_t<std::is_same_v<Scalar, float>, float, double>;
  constexpr int terms = 7;  // the next is 3e-16 of the sum at s = 1/4
  static constexpr detail::Coefficients fourth = detail::stumpff(4), fifth = detail::stumpff(5);
  Scalar c4(static_cast<Real>(fourth[terms - 1])), c5(static_cast<Real>(fifth[terms - 1]));
  for (int k = terms - 2; k >= 0; --k) {
    c4 = static_cast<Real>(fourth[k]) - s * c4;
    c5 = static_cast<Real>(fifth[k]) - s * c5;
  }
  const Real half(0.5);
  const Scalar c3 = static_cast<Real>(1.0 / 6.0) - s * c5, c2 = half - s * c4;
  return {Real(1) - s * c3, c2, c3, c4 - half * c3, half * (Real(3) * c5 - c4)};
}

/// All five at s, by the short series where they serve.
template <typename Scalar>
Values<Scalar> values(const Scalar& s) {
  if (s < small) return values_at_small(s);
  return {c1(s), c2(s), c3(s), dc2(s), dc3(s)};
}

}  // namespace limber::rotation_series
