// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

namespace limber {

/// A finite element on 0 <= t <= 1 of polynomial degree `degree`: continuous (order 1) or with continuous
/// slope (order 2). Local functions: those of the left end (value; order 2: slope), of the right end, then
/// bubbles that vanish at both ends with their slopes, the order-fold integrals of Legendre polynomials. The
/// bubbles' strains are orthogonal to each other and to those of the ends' functions, which keeps stiffness
/// matrices well-conditioned.
struct HierarchicalElement {
  HierarchicalElement(int order, int degree);

  int end_functions() const { return 2 * order; }
  int bubbles() const { return degree + 1 - 2 * order; }
  int functions() const { return degree + 1; }
  /// What turns functions of t into functions of x on an element of length h: h for the slopes, else 1.
  Eigen::VectorXd scales(double h) const;

  int order, degree;
  /// Gauss rule on [0, 1], exact for two functions times a polynomial of degree 15 (sections that taper by their sizes).
  Eigen::VectorXd points, weights;
  Eigen::MatrixXd values;   ///< (point, function)
  Eigen::MatrixXd strains;  ///< (point, function): derivative of order `order` with respect to t
  Eigen::MatrixXd powers;   ///< column f: coefficients of 1, t, t^2, ... of function f
};

}  // namespace limber
