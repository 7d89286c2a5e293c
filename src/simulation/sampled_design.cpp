// SPDX-License-Identifier: BSD-3-Clause
#include "sampled_design.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "limber/analysis/balanced.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// By squaring a short series: the norm of X/2^k is at most 1/2, whose series ends at rounding after 18 terms. The fewer squarings, the more digits: rows and
// columns are made alike first (a vibration of frequency w has the numbers 1 and w^2, and then w twice).
MatrixXd exponential(const MatrixXd& exponent) {
  const VectorXd d = balancing_scale(exponent);
  MatrixXd X = d.cwiseInverse().asDiagonal() * exponent * d.asDiagonal();
  const double size = X.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(2.0 * size))) : 0;
  X *= std::pow(0.5, halvings);
  MatrixXd power = MatrixXd::Identity(X.rows(), X.rows()), sum = power;
  constexpr int terms = 18;
  for (int k = 1; k <= terms; ++k) {
    power = power * X / k;
    sum += power;
  }
  for (int k = 0; k < halvings; ++k) sum = sum * sum;
  return d.asDiagonal() * sum * d.cwiseInverse().asDiagonal();
}

MatrixXd symmetric(const MatrixXd& X) { return 0.5 * (X + X.transpose()); }

constexpr int most_doublings = 60;  // 10^18 samples
constexpr double negligible = 1e-16;

struct Regulator {
  const MatrixXd &A, &B, &Q, &R;

  MatrixXd gain(const MatrixXd& X) const {
    const MatrixXd XB = X * B;
    return MatrixXd(R + B.transpose() * XB).llt().solve(MatrixXd(XB.transpose() * A));
  }

  // (2), as far as it comes.
  MatrixXd by_doubling() const {
    const MatrixXd one = MatrixXd::Identity(A.rows(), A.rows());
    MatrixXd power = A, G = B * R.llt().solve(B.transpose()), X = Q;
    for (int k = 0; k < most_doublings && X.allFinite(); ++k) {
      const Eigen::PartialPivLU<MatrixXd> lu(one + G * X);
      const MatrixXd VA = lu.solve(power), VG = lu.solve(G), change = power.transpose() * X * VA;
      G += symmetric(power * VG * power.transpose());
      power = power * VA;
      X += symmetric(change);
      constexpr double enough = 1e-13;
      if (change.norm() <= enough * X.norm()) break;
    }
    return X;
  }

  // (3)
  MatrixXd refined(const MatrixXd& X) const {
    const MatrixXd K = gain(X);
    MatrixXd F = A - B * K, sum = Q + K.transpose() * R * K;
    for (int k = 0; k < most_doublings; ++k) {
      const MatrixXd change = symmetric(F.transpose() * sum * F);
      sum += change;
      F = F * F;
      if (!(change.norm() > negligible * sum.norm())) break;
    }
    return sum;
  }

  bool is_solved_by(const MatrixXd& X, const MatrixXd& K) const {
    constexpr double rounding = 1e-9;
    if (!X.allFinite() || !K.allFinite()) return false;
    const MatrixXd F = A - B * K;
    const double off = (A.transpose() * X * F + Q - X).norm();
    return off <= rounding * X.norm() && balanced_eigenvalues(F).cwiseAbs().maxCoeff() < 1.0;
  }
};

}  // namespace

HeldSystem over_a_period(const MatrixXd& F, const MatrixXd& G, double T) {
  const Index n = F.rows(), m = G.cols();
  MatrixXd both = MatrixXd::Zero(n + m, n + m);
  both.topLeftCorner(n, n) = F * T;
  both.topRightCorner(n, m) = G * T;
  const MatrixXd solution = exponential(both);
  return {solution.topLeftCorner(n, n), solution.topRightCorner(n, m)};
}

SampledRegulator sampled_regulator(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q,
                                   const MatrixXd& R) {
  const Regulator regulator{A, B, Q, R};
  constexpr int refinements = 2;
  MatrixXd X = regulator.by_doubling();
  for (int i = 0; i < refinements && X.allFinite(); ++i) X = regulator.refined(X);
  MatrixXd K = regulator.gain(X);
  if (!regulator.is_solved_by(X, K))
    throw ComputationError(
        "no feedback, or no filter, was found for samples of this rate: a motion that does not end by itself "
        "is as fast as the samples, or weights differ by too many orders. Take another `rate`, or none");
  return {std::move(X), std::move(K)};
}

MatrixXd sampled_lqr_gain(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  return sampled_regulator(A, B, Q, R).K;
}

}  // namespace limber
