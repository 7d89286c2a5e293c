// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/riccati.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "limber/analysis/balanced.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd random_matrix(std::mt19937& dice, int rows, int cols) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  return MatrixXd::NullaryExpr(rows, cols, [&] { return number(dice); });
}

double largest_real_part(const MatrixXd& A) { return balanced_eigenvalues(A).real().maxCoeff(); }

double relative_residual(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R,
                         const MatrixXd& X) {
  const MatrixXd XGX = X * B * R.inverse() * B.transpose() * X, AX = A.transpose() * X;
  return (AX + AX.transpose() - XGX + Q).norm() / (2.0 * AX.norm() + XGX.norm() + Q.norm());
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

TEST(LqrGain, OfTheDoubleIntegratorIsItsClosedForm) {
  const MatrixXd A{{0.0, 1.0}, {0.0, 0.0}}, B{{0.0}, {1.0}};
  for (const double q1 : {1e-6, 1.0, 1e8})
    for (const double q2 : {0.0, 3.0, 1e5})
      for (const double r : {1e-4, 1.0, 1e6}) {
        const MatrixXd L = lqr_gain(A, B, VectorXd{{q1, q2}}.asDiagonal(), MatrixXd::Constant(1, 1, r));
        EXPECT_NEAR(L(0, 0), std::sqrt(q1 / r), 1e-10 * L(0, 0)) << q1 << " " << q2 << " " << r;
        EXPECT_NEAR(L(0, 1), std::sqrt(q2 / r + 2.0 * std::sqrt(q1 / r)), 1e-10 * L(0, 1));
      }
}

// x' = a x + u: X = r (a + sqrt(a^2 + q/r)), also without weight, where the gain mirrors an unstable pole.
TEST(SolveRiccati, OfFirstOrderIsItsClosedForm) {
  const MatrixXd B = MatrixXd::Ones(1, 1);
  for (const double a : {-2.0, 0.0, 5.0})
    for (const double q : {0.0, 1e-3, 4.0}) {
      if (a == 0.0 && q == 0.0) continue;
      const double r = 0.7, expected = r * (a + std::sqrt(a * a + q / r));
      const MatrixXd X = solve_riccati(MatrixXd::Constant(1, 1, a), B, MatrixXd::Constant(1, 1, q),
                                       MatrixXd::Constant(1, 1, r));
      EXPECT_NEAR(X(0, 0), expected, 1e-12 * (1.0 + expected)) << a << " " << q;
    }
}

TEST(SolveRiccati, LeavesNoResidualAndStabilises) {
  std::mt19937 dice(5);
  for (const int n : {2, 5, 12, 30})
    for (int m = 1; m <= 3; ++m) {
      // a few motions grow; with many and one input, no feedback is good
      const MatrixXd A = random_matrix(dice, n, n) - 0.4 * std::sqrt(n) * MatrixXd::Identity(n, n),
                     B = random_matrix(dice, n, m), half = random_matrix(dice, n, n);
      const MatrixXd Q = half * half.transpose(), R = MatrixXd::Identity(m, m) * 0.3;
      const MatrixXd X = solve_riccati(A, B, Q, R);
      EXPECT_LT(relative_residual(A, B, Q, R, X), 1e-12) << n << " " << m;
      EXPECT_LT(largest_real_part(A - B * lqr_gain(A, B, Q, R)), 0.0);
      EXPECT_GT(X.llt().matrixLLT().diagonal().minCoeff(), 0.0);
      EXPECT_EQ(X, MatrixXd(X.transpose()));
    }
}

LinearModel arm(const std::string& name, const std::vector<double>& joints) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/" + name);
  VectorXd q = neutral_configuration(model);
  std::size_t next = 0;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nq; ++j) q[link.joint.q_index + j] = joints.at(next++);
  return linearize(model, settled_point(model, q));
}

// Arms without any damping, the crane unstable as well: every pole moves to the left.
TEST(LqrGain, DampsTheArmsOfTheLiterature) {
  for (const LinearModel& plant :
       {arm("canadarm/canadarm.yaml", {0.0, 0.3, -0.4}), arm("ella/ella.yaml", {0.1, 0.2, 0.3}),
        arm("crane/crane.yaml", {0.0, 0.5236, 2.0944, 0.5236})}) {
    SCOPED_TRACE(plant.states[0]);
    const auto n = plant.A.rows(), m = plant.B.cols();
    for (const double r : {1e-8, 1e-4, 1.0}) {
      const MatrixXd Q = MatrixXd::Identity(n, n), R = r * MatrixXd::Identity(m, m);
      const MatrixXd X = solve_riccati(plant.A, plant.B, Q, R), L = lqr_gain(plant.A, plant.B, Q, R);
      EXPECT_LT((R * L - plant.B.transpose() * X).norm(), 1e-12 * (R * L).norm());
      EXPECT_GT(largest_real_part(plant.A), -1e-9);
      EXPECT_LT(largest_real_part(plant.A - plant.B * L), 0.0);
      // x^T X x is the cost from x on: d/dt of it is -(x^T Q x + u^T R u)
      const MatrixXd closed = plant.A - plant.B * L;
      const MatrixXd cost_rate = closed.transpose() * X + X * closed;
      EXPECT_LT((cost_rate + Q + L.transpose() * R * L).norm(), 1e-8 * cost_rate.norm()) << r;
    }
  }
}

// Upright, the crane's slewing joint turns about the boom's own axis: nothing bends it sideways, nothing damps it.
TEST(LqrGain, SaysThatAnUprightCraneCannotBeDamped) {
  const LinearModel plant = arm("crane/crane.yaml", {0.0, 0.0, 0.0, 0.0});
  const auto n = plant.A.rows(), m = plant.B.cols();
  const std::string message =
      message_of([&] { lqr_gain(plant.A, plant.B, MatrixXd::Identity(n, n), MatrixXd::Identity(m, m)); });
  EXPECT_NE(message.find("the inputs do not act on the motion at"), std::string::npos) << message;
}

TEST(SolveLyapunov, LeavesNoResidual) {
  std::mt19937 dice(9);
  for (const int n : {1, 2, 7, 25}) {
    const MatrixXd A = random_matrix(dice, n, n) - 2.0 * std::sqrt(n) * MatrixXd::Identity(n, n);
    const MatrixXd half = random_matrix(dice, n, n), W = half + half.transpose();
    const MatrixXd X = solve_lyapunov(A, W);
    EXPECT_LT((A.transpose() * X + X * A + W).norm(), 1e-12 * W.norm()) << n;
  }
}

TEST(SolveRiccati, SaysWhichMotionCannotBeStabilised) {
  const MatrixXd A = VectorXd{{3.0, -1.0}}.asDiagonal(), B{{0.0}, {1.0}};
  const MatrixXd Q = MatrixXd::Identity(2, 2), R = MatrixXd::Identity(1, 1);
  EXPECT_THROW(solve_riccati(A, B, Q, R), ComputationError);
  EXPECT_NE(
      message_of([&] { solve_riccati(A, B, Q, R); }).find("the inputs do not act on the motion at s = 3 "),
      std::string::npos);
  // an uncontrollable motion that dies out by itself does no harm
  const MatrixXd stable = VectorXd{{-3.0, -1.0}}.asDiagonal();
  EXPECT_NO_THROW(solve_riccati(stable, B, Q, R));
}

TEST(SolveRiccati, SaysWhichUndampedMotionHasNoWeight) {
  const MatrixXd A{{0.0, 2.0}, {-2.0, 0.0}}, B{{0.0}, {1.0}};
  const std::string message =
      message_of([&] { solve_riccati(A, B, MatrixXd::Zero(2, 2), MatrixXd::Identity(1, 1)); });
  EXPECT_NE(message.find("Q gives no weight"), std::string::npos) << message;
  EXPECT_NE(message.find("2i"), std::string::npos) << message;
}

TEST(SolveRiccati, RefusesWrongWeights) {
  const MatrixXd A = MatrixXd::Identity(2, 2), B = MatrixXd::Ones(2, 1), I1 = MatrixXd::Identity(1, 1);
  EXPECT_THROW(solve_riccati(A, B, MatrixXd::Identity(3, 3), I1), InputError);
  EXPECT_THROW(solve_riccati(A, B, -A, I1), InputError);
  EXPECT_THROW(solve_riccati(A, B, A, -I1), InputError);
  EXPECT_THROW(solve_riccati(A, B, A, 0.0 * I1), InputError);
  EXPECT_THROW(lqr_gain(A, B, A, MatrixXd::Ones(1, 2)), InputError);
  EXPECT_THROW(lqr_gain(A, B, A * std::nan(""), I1), InputError);
  const MatrixXd skewed{{1.0, 2.0}, {0.0, 1.0}};
  EXPECT_NE(message_of([&] { solve_riccati(A, B, skewed, I1); }).find("Q: expected a symmetric"),
            std::string::npos);
}

}  // namespace
}  // namespace limber
