// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <vector>

#include "limber/beam/mode_shapes.hpp"

namespace limber {

/// A polynomial in each panel between two knots.
///
/// Column i of `coefficients` holds those of 1, t, t^2, ... with t = (x - knots[i]) / (knots[i+1] -
/// knots[i]): powers about the panel's left end, so that a shape is accurate relative to itself next to a
/// clamped root.
class PiecewisePolynomial : public ShapeFunction {
 public:
  PiecewisePolynomial(std::vector<double> knots, Eigen::MatrixXd coefficients);

  Jet at(double x) const override;

 private:
  std::vector<double> knots_;
  Eigen::MatrixXd coefficients_;
};

}  // namespace limber
