// SPDX-License-Identifier: BSD-3-Clause
#include "radau_tables.hpp"

#include <cmath>
#include <utility>

#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Roots of P_s(2 c - 1) - P_(s-1)(2 c - 1), Legendre's polynomials, by bisection; the last is 1.
VectorXd radau_points(int s) {
  const auto f = [s](double c) {
    const double x = 2.0 * c - 1.0;
    double before = 1.0, now = x;
    for (int k = 1; k < s; ++k) before = std::exchange(now, ((2 * k + 1) * x * now - k * before) / (k + 1));
    return now - before;
  };
  VectorXd points(s);
  constexpr int intervals = 200;  // narrower than the least distance of two roots
  for (int i = 0, found = 0; i < intervals && found < s - 1; ++i) {
    double low = static_cast<double>(i) / intervals, high = static_cast<double>(i + 1) / intervals;
    if (f(low) * f(high) > 0.0) continue;
    constexpr int all_digits = 60;  // halvings
    for (int k = 0; k < all_digits; ++k) {
      const double middle = 0.5 * (low + high);
      (f(low) * f(middle) <= 0.0 ? high : low) = middle;
    }
    points[found++] = 0.5 * (low + high);
  }
  points[s - 1] = 1.0;
  return points;
}

void set_eigenvalues(RadauTables& tables) {
  const Eigen::EigenSolver<MatrixXd> eigen(tables.A_inverse);
  const Eigen::MatrixXcd vectors = eigen.eigenvectors();
  tables.T.resize(tables.A.rows(), tables.A.cols());
  Eigen::Index column = 1;
  for (Eigen::Index k = 0; k < tables.A.rows(); ++k) {
    const std::complex<double> value = eigen.eigenvalues()[k];
    constexpr double rounding = 1e-8;  // the others have imaginary parts above 1
    if (std::abs(value.imag()) < rounding) {
      tables.gamma = value.real();
      tables.T.col(0) = vectors.col(k).real();
    } else if (value.imag() > 0.0) {
      tables.lambda.push_back(value);
      tables.T.col(column++) = vectors.col(k).real();
      tables.T.col(column++) = -vectors.col(k).imag();
    }
  }
  tables.T_inverse = tables.T.inverse();
}

}  // namespace

RadauTables radau_tables(int s) {
  RadauTables tables;
  tables.c = radau_points(s);
  // a_ij = Int_0^c_i of the Lagrange polynomial j: exact for powers 0 .. s - 1.
  MatrixXd powers(s, s), integrals(s, s);
  for (int i = 0; i < s; ++i)
    for (int k = 0; k < s; ++k) {
      powers(i, k) = std::pow(tables.c[i], k);
      integrals(i, k) = std::pow(tables.c[i], k + 1) / (k + 1);
    }
  tables.A = integrals * powers.inverse();
  tables.b = tables.A.row(s - 1).transpose();
  tables.A_inverse = tables.A.inverse();
  set_eigenvalues(tables);

  // Weights with 1/gamma at the beginning: Sum_i weight_i c_i^k = 1/(k + 1), less 1/gamma for k = 0.
  VectorXd conditions(s);
  for (int k = 0; k < s; ++k) conditions[k] = 1.0 / (k + 1);
  conditions[0] -= 1.0 / tables.gamma;
  const VectorXd weights = powers.transpose().inverse() * conditions;
  tables.e = tables.gamma * tables.A_inverse.transpose() * (weights - tables.b);

  MatrixXd through = MatrixXd::Zero(s + 1, s + 1);
  through(0, 0) = 1.0;
  for (int i = 0; i < s; ++i)
    for (int k = 0; k <= s; ++k) through(i + 1, k) = std::pow(tables.c[i], k);
  tables.between = through.inverse();
  return tables;
}

}  // namespace limber
