// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Second derivatives of c2 and c3 of rotation_series.hpp by s, which only derivatives of accelerations need:
//
//   d2c_n/ds2 = Sum_k (k + 1) (k + 2) (-s)^k / (2k + 4 + n)!                                        (1)
//
// and, from the closed forms of dc2 and dc3, where the series' terms begin to cancel
//
//   d2c2 = (dc1 - 4 dc2) / (2 s),    d2c3 = (dc2 - 5 dc3) / (2 s)                                    (2)

#include "limber/math/rotation_series.hpp"

namespace limber::rotation_series {

namespace detail {

/// Coefficients of (-s)^k in (1).
constexpr Coefficients stumpff_second_derivative(int n) {
  Coefficients c{};
  for (int k = 0; k < term_count; ++k)
    c[k] = static_cast<double>((k + 1) * (k + 2) / factorial(2 * k + 4 + n));
  return c;
}

}  // namespace detail

/// d2c2/ds2
template <typename Scalar>
Scalar d2c2(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff_second_derivative(2);
  if (s < detail::late) return detail::sum(terms, s);
  return (dc1(s) - 4.0 * dc2(s)) / (2.0 * s);
}

/// d2c3/ds2
template <typename Scalar>
Scalar d2c3(const Scalar& s) {
  static constexpr detail::Coefficients terms = detail::stumpff_second_derivative(3);
  if (s < detail::late) return detail::sum(terms, s);
  return (dc2(s) - 5.0 * dc3(s)) / (2.0 * s);
}

/// Both at one s.
template <typename Scalar>
struct SecondValues {
  Scalar d2c2, d2c3;  ///< of the functions with these names
};

/// Up to s = `small` few terms suffice. No branch: s may be several numbers at once.
template <typename Scalar>
SecondValues<Scalar> second_values_at_small(const Scalar& s) {
  constexpr int terms = 7;  // the next is below 1e-16 of the sum at s = 1/4
  static constexpr detail::Coefficients second = detail::stumpff_second_derivative(2),
                                        third = detail::stumpff_second_derivative(3);
  Scalar d2c2(second[terms - 1]), d2c3(third[terms - 1]);
  for (int k = terms - 2; k >= 0; --k) {
    d2c2 = second[k] - s * d2c2;
    d2c3 = third[k] - s * d2c3;
  }
  return {d2c2, d2c3};
}

/// Both at s, by the short series where they serve.
template <typename Scalar>
SecondValues<Scalar> second_values(const Scalar& s) {
  if (s < small) return second_values_at_small(s);
  return {d2c2(s), d2c3(s)};
}

}  // namespace limber::rotation_series
