// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/resolved_eigenvalues.hpp"

#include <algorithm>
#include <cmath>

#include "limber/analysis/balanced.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

// Schur's form is that of a matrix that differs from A by a few eps |A| (each of its n rotations a column adds to it, at
// random), so that the error is never taken to be smaller.
ResolvedEigenvalues::ResolvedEigenvalues(const MatrixXd& A, double error) : values_(balanced_eigenvalues(A)) {
  constexpr double of_schur = 10.0 * std::numeric_limits<double>::epsilon();
  const VectorXd d = balancing_scale(A);
  A_ = d.cwiseInverse().asDiagonal() * A * d.asDiagonal();
  delta_ = (error + of_schur * std::sqrt(static_cast<double>(A.rows()))) * A_.norm();
  if (A.rows() == 0) return;
  const Eigen::ComplexSchur<MatrixXd> schur(A_, false);
  if (schur.info() != Eigen::Success)
    throw ComputationError("the iteration for eigenvalues did not converge");
  T_ = schur.matrixT();
}

bool ResolvedEigenvalues::is_apart(std::complex<double> s, std::complex<double> p) const {
  if (s == p) return false;
  constexpr double places[] = {0.5, 0.382, 0.641};  // NOLINT
  return std::any_of(std::begin(places), std::end(places),
                     [&](double x) { return smallest_singular_value(s + x * (p - s)) > delta_; });
}

// Inverse iteration on (T - z)^H (T - z). The estimate comes down to sigma_min from above, by a factor in each step unless the
// start misses the singular vector, which numbers without a pattern do not.
double ResolvedEigenvalues::smallest_singular_value(std::complex<double> z) const {
  constexpr int most_iterations = 20;
  constexpr double good_enough = 0.9;
  MatrixXcd shifted = T_;
  shifted.diagonal().array() -= z;
  if (shifted.diagonal().cwiseAbs().minCoeff() == 0.0) return 0.0;
  const auto upper = shifted.triangularView<Eigen::Upper>();
  VectorXcd x(T_.rows());
  for (Index i = 0; i < x.size(); ++i) x[i] = std::polar(1.0, static_cast<double>(i * i));
  double sigma = std::numeric_limits<double>::infinity();
  for (int k = 0; k < most_iterations; ++k) {
    x.normalize();
    x = upper.adjoint().solve(x);
    const double growth = x.norm();
    if (!std::isfinite(growth)) return 0.0;
    x = upper.solve(x);
    if (!x.allFinite()) return 0.0;
    const double before = sigma;
    sigma = std::min(sigma, 1.0 / growth);
    if (sigma > good_enough * before) break;
  }
  return sigma;
}

// With V = [N V1], N the null space: V^T A V = [0 *; 0 V1^T A V1], and a chain of n steps has left one of n - 1 in the corner.
int ResolvedEigenvalues::longest_chain_at_zero() const {
  MatrixXd rest = A_;
  int steps = 0;
  while (rest.rows() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(rest, Eigen::ComputeFullV);
    const Index kept = (svd.singularValues().array() > delta_).count();
    if (kept == rest.rows()) break;
    ++steps;
    const MatrixXd V1 = svd.matrixV().leftCols(kept);
    rest = MatrixXd(V1.transpose() * rest * V1);
  }
  return steps;
}

}  // namespace limber
