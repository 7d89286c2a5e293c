// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/linear_model.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <random>

#include "limber/analysis/balanced.hpp"
#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

MatrixXd random_matrix(std::mt19937& dice, int rows, int cols) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return MatrixXd::NullaryExpr(rows, cols, [&] { return number(dice); });
}

// Oscillators of 1 to 1e6 rad/s in mixed units: unbalanced, the slow ones drown in the rounding of the fast.
TEST(BalancedEigenvalues, KeepTheDigitsOfSlowMotionsBesideFastOnes) {
  constexpr int n = 7;
  std::mt19937 dice(3);
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  VectorXd frequencies(n), units(2 * n);
  for (int i = 0; i < n; ++i) frequencies[i] = std::pow(10.0, i);
  for (int i = 0; i < 2 * n; ++i) units[i] = std::pow(10.0, (i * 5) % 9 - 4);
  A.topRightCorner(n, n).setIdentity();
  // weakly coupled, so that nothing is isolated; lower triangular coupling leaves the eigenvalues alone
  MatrixXd K = frequencies.cwiseAbs2().asDiagonal();
  for (int i = 1; i < n; ++i) K(i, i - 1) = frequencies[i];
  A.bottomLeftCorner(n, n) = -K;
  A = units.cwiseInverse().asDiagonal() * A * units.asDiagonal();
  const VectorXcd s = balanced_eigenvalues(A);
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(s[2 * i].imag(), frequencies[i], 1e-9 * frequencies[i]);
    EXPECT_NEAR(s[2 * i].real(), 0.0, 1e-9 * frequencies[i]);
    EXPECT_EQ(s[2 * i + 1], std::conj(s[2 * i]));
  }
}

// x'' + K x = 0 where nothing pulls back the first coordinates: each a double zero, which no iteration finds better than
// to half of its digits.
TEST(BalancedEigenvalues, FindMultipleZerosThatShowExactly) {
  constexpr int n = 6, drifting = 3;
  std::mt19937 dice(8);
  MatrixXd K = 1e4 * random_matrix(dice, n, n);
  K.leftCols(drifting).setZero();
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -K;
  const VectorXcd s = balanced_eigenvalues(A);
  ASSERT_EQ(s.size(), 2 * n);
  for (int i = 0; i < 2 * drifting; ++i) EXPECT_EQ(s[i], Complex(0.0, 0.0));
  for (int i = 2 * drifting; i < 2 * n; ++i) EXPECT_GT(std::abs(s[i]), 1.0);
  EXPECT_EQ(balanced_eigenvalues(A.transpose()).head(2 * drifting), s.head(2 * drifting));  // rows likewise
}

TEST(BalancedEigenvalues, RefuseWhatIsNotFinite) {
  MatrixXd A = MatrixXd::Zero(2, 2);
  A(0, 1) = std::nan("");
  EXPECT_THROW(balanced_eigenvalues(A), ComputationError);
  EXPECT_EQ(balanced_eigenvalues(MatrixXd(0, 0)).size(), 0);
}

TEST(FrequencyResponse, IsWhatAComplexSolveGives) {
  std::mt19937 dice(1);
  for (const int n : {1, 2, 3, 10, 40}) {
    const VectorXd units =
        VectorXd::NullaryExpr(n, [](Eigen::Index i) { return std::pow(10.0, i % 5 - 2.0); });
    const LinearModel model{
        units.asDiagonal() * random_matrix(dice, n, n) * units.cwiseInverse().asDiagonal(),
        random_matrix(dice, n, 2),
        random_matrix(dice, 3, n),
        random_matrix(dice, 3, 2),
        {},
        {},
        {}};
    for (const double omega : {0.0, 0.3, 20.0}) {
      const MatrixXcd resolvent = Complex(0.0, omega) * MatrixXcd::Identity(n, n) - model.A.cast<Complex>();
      const MatrixXcd expected = model.C * resolvent.fullPivLu().solve(model.B.cast<Complex>()) + model.D;
      EXPECT_LT((frequency_response(model, omega) - expected).norm(), 1e-9 * expected.norm()) << n;
    }
  }
}

// 1/(s^2 + 2 zeta w s + w^2)
TEST(FrequencyResponse, OfAnOscillatorIsItsClosedForm) {
  const double w = 30.0, zeta = 0.02;
  LinearModel model;
  model.A = MatrixXd{{0.0, 1.0}, {-w * w, -2.0 * zeta * w}};
  model.B = MatrixXd{{0.0}, {1.0}};
  model.C = MatrixXd{{1.0, 0.0}};
  model.D = MatrixXd::Zero(1, 1);
  for (const double omega : {0.0, 29.0, 30.0, 31.0, 500.0}) {
    const Complex expected = 1.0 / Complex(w * w - omega * omega, 2.0 * zeta * w * omega);
    EXPECT_LT(std::abs(frequency_response(model, omega)(0, 0) - expected), 1e-12 * std::abs(expected));
  }
  model.A(1, 1) = 0.0;
  EXPECT_THROW(frequency_response(model, w), ComputationError);
  const VectorXcd s = poles(model);
  EXPECT_NEAR(s[0].imag(), w, 1e-12);
}

}  // namespace
}  // namespace limber
