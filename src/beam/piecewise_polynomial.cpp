// SPDX-License-Identifier: BSD-3-Clause
#include "piecewise_polynomial.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace limber {

PiecewisePolynomial::PiecewisePolynomial(std::vector<double> knots, Eigen::MatrixXd coefficients)
    : knots_(std::move(knots)), coefficients_(std::move(coefficients)) {
  assert(coefficients_.cols() + 1 == static_cast<Eigen::Index>(knots_.size()));
}

Jet PiecewisePolynomial::at(double x) const {
  const auto right = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
  const auto panel = right - knots_.begin() - 1;
  const double h = *right - *(right - 1);
  const double t = (x - *(right - 1)) / h;

  // Horner's scheme for the value and its derivatives divided by k!.
  Jet jet{};
  for (Eigen::Index power = coefficients_.rows() - 1; power >= 0; --power) {
    for (int k = 3; k > 0; --k) jet[k] = jet[k] * t + jet[k - 1];
    jet[0] = jet[0] * t + coefficients_(power, panel);
  }
  return {jet[0], jet[1] / h, 2.0 * jet[2] / (h * h), 6.0 * jet[3] / (h * h * h)};
}

}  // namespace limber
