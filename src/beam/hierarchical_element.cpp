// SPDX-License-Identifier: BSD-3-Clause
#include "hierarchical_element.hpp"

#include <cassert>

#include "limber/math/quadrature.hpp"

namespace limber {
namespace {

// Functions of t are given by their coefficients of Legendre polynomials P_k(2t - 1), which are integrated by
//
//   Int_0^t P_k(2t - 1) dt = (P_{k+1} - P_{k-1}) / (2 (2k + 1)),  k >= 1                                  (1)
//
// (The constant and the highest coefficient are zero in all that is integrated here.)
Eigen::VectorXd integral(const Eigen::VectorXd& legendre) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(legendre.size());
  for (Eigen::Index k = 1; k + 1 < legendre.size(); ++k) {
    const double part = legendre[k] / (2.0 * (2.0 * static_cast<double>(k) + 1.0));
    result[k - 1] -= part;
    result[k + 1] += part;
  }
  return result;
}

// P_k(2t - 1) at the points t: (point, k).
Eigen::MatrixXd legendre_values(const Eigen::VectorXd& points, int degree) {
  Eigen::MatrixXd P(points.size(), degree + 1);
  const Eigen::ArrayXd xi = 2.0 * points.array() - 1.0;
  P.col(0).setOnes();
  P.col(1) = xi;
  for (int k = 2; k <= degree; ++k)
    P.col(k) = ((2 * k - 1) * xi * P.col(k - 1).array() - (k - 1) * P.col(k - 2).array()) / k;
  return P;
}

// Column k: the coefficients of 1, t, t^2, ... in P_k(2t - 1), which are integers.
Eigen::MatrixXd legendre_powers(int degree) {
  Eigen::MatrixXd powers = Eigen::MatrixXd::Zero(degree + 1, degree + 1);
  powers(0, 0) = 1.0;
  for (int k = 0; k < degree; ++k) {
    powers.col(k + 1).tail(degree) = 2.0 * (2 * k + 1) * powers.col(k).head(degree);
    powers.col(k + 1) -= (2 * k + 1) * powers.col(k);
    if (k > 0) powers.col(k + 1) -= k * powers.col(k - 1);
    powers.col(k + 1) /= k + 1;
  }
  return powers;
}

// The functions of the two ends by powers of t: hat functions, or Hermite's cubics.
Eigen::MatrixXd end_powers(int order) {
  if (order == 1) return Eigen::Matrix2d{{1, 0}, {-1, 1}};
  return Eigen::Matrix4d{{1, 0, 0, 0}, {0, 1, 0, 0}, {-3, -2, 3, -1}, {2, 1, -2, 1}};
}

}  // namespace

HierarchicalElement::HierarchicalElement(int order_, int degree_) : order(order_), degree(degree_) {
  assert((order == 1 || order == 2) && degree >= 2 * order);
  constexpr int more_points = 8;
  const GaussRule& rule = gauss_legendre(degree + more_points);
  points = 0.5 * (rule.nodes.array() + 1.0);
  weights = 0.5 * rule.weights;
  values.resize(points.size(), functions());
  strains.resize(points.size(), functions());
  powers = Eigen::MatrixXd::Zero(degree + 1, functions());

  const int ends = end_functions();
  powers.topLeftCorner(ends, ends) = end_powers(order);
  for (Eigen::Index i = 0; i < points.size(); ++i) {
    const double t = points[i];
    const Eigen::Vector4d t_powers(1.0, t, t * t, t * t * t), second(0.0, 0.0, 2.0, 6.0 * t);
    values.row(i).head(ends) = t_powers.head(ends).transpose() * powers.topLeftCorner(ends, ends);
    strains.row(i).head(ends) = order == 1
                                    ? Eigen::RowVectorXd(powers.row(1).head(ends))
                                    : Eigen::RowVectorXd(second.transpose() * powers.topLeftCorner(4, 4));
  }

  const Eigen::MatrixXd P = legendre_values(points, degree), to_powers = legendre_powers(degree);
  for (int bubble = 0; bubble < bubbles(); ++bubble) {
    Eigen::VectorXd legendre = Eigen::VectorXd::Unit(degree + 1, order + bubble);
    strains.col(ends + bubble) = P * legendre;
    for (int i = 0; i < order; ++i) legendre = integral(legendre);
    values.col(ends + bubble) = P * legendre;
    powers.col(ends + bubble) = to_powers * legendre;
    powers.col(ends + bubble).head(order).setZero();  // what they are but for rounding
  }
}

Eigen::VectorXd HierarchicalElement::scales(double h) const {
  Eigen::VectorXd result = Eigen::VectorXd::Ones(functions());
  if (order == 2) result[1] = result[3] = h;
  return result;
}

}  // namespace limber
