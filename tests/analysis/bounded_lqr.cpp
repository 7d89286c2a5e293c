// SPDX-License-Identifier: BSD-3-Clause
// Quadratic programs over time, against the conditions that their solutions must fulfil: the slope of the cost as a function of efforts alone.

#include "limber/analysis/bounded_lqr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <random>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// An unstable system of n states that changes from stage to stage.
BoundedLqrProblem some_problem(int n, int m, int N, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> one(-1.0, 1.0);
  const auto matrix = [&](Index rows, Index columns) {
    return MatrixXd(MatrixXd::NullaryExpr(rows, columns, [&] { return one(random); }));
  };
  BoundedLqrProblem problem;
  for (int k = 0; k < N; ++k) {
    problem.A.push_back(MatrixXd::Identity(n, n) + 0.25 * matrix(n, n));
    problem.B.push_back(0.5 * matrix(n, m));
  }
  problem.c = 0.1 * matrix(n, N);
  const MatrixXd half = matrix(n, n), end = matrix(n, n);
  problem.Q = half * half.transpose();
  problem.P = end * end.transpose();
  problem.R = 0.5 * MatrixXd::Identity(m, m);
  problem.R(0, m - 1) = problem.R(m - 1, 0) = m > 1 ? 0.1 : 0.5;
  problem.weight = 0.3;
  problem.r = 0.5 * matrix(n, N + 1);
  problem.h = 0.2 * matrix(m, N);
  problem.x_0 = 2.0 * matrix(n, 1);
  problem.upper = VectorXd::Constant(m, infinite);
  problem.lower = -problem.upper;
  problem.state_upper = VectorXd::Constant(n, infinite);
  problem.state_lower = -problem.state_upper;
  problem.softness = VectorXd::Zero(n);
  return problem;
}

/// (1), by its words.
double cost(const BoundedLqrProblem& problem, const MatrixXd& u) {
  VectorXd x = problem.x_0;
  double sum = 0.0;
  const auto square = [](const MatrixXd& W, const VectorXd& d) { return 0.5 * d.dot(W * d); };
  for (Index k = 0; k <= u.cols(); ++k) {
    for (Index i = 0; i < x.size() && k > 0; ++i) {
      const double beyond = std::max({x[i] - problem.state_upper[i], problem.state_lower[i] - x[i], 0.0});
      sum += 0.5 * problem.softness[i] * beyond * beyond;
    }
    if (k == u.cols()) break;
    sum += problem.weight *
           (square(problem.Q, x - problem.r.col(k)) + square(problem.R, u.col(k) - problem.h.col(k)));
    x = (problem.A[static_cast<std::size_t>(k)] * x + problem.B[static_cast<std::size_t>(k)] * u.col(k) +
         problem.c.col(k))
            .eval();
  }
  return sum + square(problem.P, x - problem.r.col(u.cols()));
}

// Its slope by efforts, from the end on: softness is C1, and has a slope everywhere.
MatrixXd slope(const BoundedLqrProblem& problem, const MatrixXd& u) {
  const Index N = u.cols();
  MatrixXd x(problem.x_0.size(), N + 1), result(u.rows(), N);
  x.col(0) = problem.x_0;
  for (Index k = 0; k < N; ++k) {
    const auto at = static_cast<std::size_t>(k);
    x.col(k + 1) = problem.A[at] * x.col(k) + problem.B[at] * u.col(k) + problem.c.col(k);
  }
  VectorXd p = problem.P * (x.col(N) - problem.r.col(N));
  for (Index k = N; k > 0; --k) {
    for (Index i = 0; i < p.size(); ++i)
      p[i] += problem.softness[i] * (std::max(x(i, k) - problem.state_upper[i], 0.0) -
                                     std::max(problem.state_lower[i] - x(i, k), 0.0));
    const auto at = static_cast<std::size_t>(k - 1);
    result.col(k - 1) =
        problem.weight * problem.R * (u.col(k - 1) - problem.h.col(k - 1)) + problem.B[at].transpose() * p;
    p = (problem.A[at].transpose() * p + problem.weight * problem.Q * (x.col(k - 1) - problem.r.col(k - 1)))
            .eval();
  }
  return result;
}

// It is convex: what fulfils these conditions is its lowest point.
void expect_lowest(const BoundedLqrProblem& problem, const BoundedLqr::Solution& found, int& at_limits) {
  const MatrixXd by_u = slope(problem, found.u);
  // Of the cost, and of states that softness multiplies.
  const double rounding = 1e-10 * std::max(1.0, cost(problem, found.u)) + 1e-13 * problem.softness.maxCoeff();
  for (Index k = 0; k < found.u.cols(); ++k)
    for (Index i = 0; i < found.u.rows(); ++i) {
      const double u = found.u(i, k);
      if (u >= problem.upper[i]) {
        EXPECT_EQ(u, problem.upper[i]);
        EXPECT_LT(by_u(i, k), rounding) << i << " " << k;
        ++at_limits;
      } else if (u <= problem.lower[i]) {
        EXPECT_EQ(u, problem.lower[i]);
        EXPECT_GT(by_u(i, k), -rounding) << i << " " << k;
        ++at_limits;
      } else {
        EXPECT_NEAR(by_u(i, k), 0.0, rounding) << i << " " << k;
      }
    }
}

// The oracle's own: between kinks the cost is a parabola along each number, and central differences are exact.
TEST(BoundedLqr, IsMeasuredByTheSlopeOfItsCost) {
  const BoundedLqrProblem problem = some_problem(4, 2, 12, 9);
  const MatrixXd u = MatrixXd::Constant(2, 12, 0.3), by_u = slope(problem, u);
  for (Index i = 0; i < u.size(); ++i) {
    constexpr double step = 1e-3;
    MatrixXd up = u, down = u;
    up(i) += step;
    down(i) -= step;
    EXPECT_NEAR(by_u(i), (cost(problem, up) - cost(problem, down)) / (2.0 * step),
                1e-12 * cost(problem, u) / step);
  }
}

TEST(BoundedLqr, FindsTheLowestCostWithoutLimitsInOneSweep) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const BoundedLqrProblem problem = some_problem(4, 2, 12, seed);
    BoundedLqr::Solution found;
    BoundedLqr().solve(problem, found);
    int none = 0;
    expect_lowest(problem, found, none);
    EXPECT_TRUE(found.is_settled);
    EXPECT_EQ(found.sweeps, 1);
    EXPECT_EQ(none, 0);
  }
}

TEST(BoundedLqr, FindsTheLowestCostWithinLimits) {
  int at_limits = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    BoundedLqrProblem problem = some_problem(3 + seed % 3, 1 + seed % 3, 15, seed);
    problem.upper.setConstant(0.3 + 0.05 * (seed % 4));
    problem.lower.setConstant(-0.4);
    BoundedLqr::Solution found;
    BoundedLqr().solve(problem, found, 60);
    ASSERT_TRUE(found.is_settled) << seed;
    expect_lowest(problem, found, at_limits);
  }
  EXPECT_GT(at_limits, 200);
}

TEST(BoundedLqr, CountsWhatIsBeyondAStatesLimit) {
  int at_limits = 0, beyond = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    BoundedLqrProblem problem = some_problem(3, 2, 12, seed);
    problem.upper.setConstant(1.5);
    problem.lower.setConstant(-1.5);
    problem.state_upper[0] = 0.4;
    problem.state_lower[1] = -0.5;
    problem.softness << 50.0, 80.0, 0.0;
    BoundedLqr::Solution found;
    BoundedLqr().solve(problem, found, 60);
    ASSERT_TRUE(found.is_settled) << seed;
    expect_lowest(problem, found, at_limits);
    beyond += static_cast<int>((found.x.row(0).array() > 0.4).count());
  }
  EXPECT_GT(at_limits, 20);
  EXPECT_GT(beyond, 20);
}

// A heavy mass with a weak motor that must not be fast: changes of the sets alone go round in circles here.
TEST(BoundedLqr, ComesFromFarAwayToLimitsThatHoldForLong) {
  constexpr double T = 0.02;
  constexpr int N = 75;
  BoundedLqrProblem problem = some_problem(2, 1, N, 1);
  for (int k = 0; k < N; ++k) {
    problem.A[static_cast<std::size_t>(k)] << 1, T, 0, 1;
    problem.B[static_cast<std::size_t>(k)] << 0.5 * T * T / 3, T / 3;
  }
  problem.c.setZero();
  problem.Q = Eigen::Vector2d(4000, 3).asDiagonal();
  problem.P = 10.0 * problem.Q;
  problem.R.setConstant(1, 1, 1e-3);
  problem.weight = T;
  problem.r.row(0).setOnes();
  problem.r.row(1).setZero();
  problem.h.setZero();
  problem.x_0.setZero();
  problem.upper.setConstant(20);
  problem.lower.setConstant(-20);
  problem.state_upper << 1.001, 0.8;
  problem.state_lower << -0.5, -0.8;
  problem.softness << 4e7, 6.5e5;
  BoundedLqr::Solution found;
  BoundedLqr().solve(problem, found);
  ASSERT_TRUE(found.is_settled);
  EXPECT_GT(found.sweeps, 6);
  int at_limits = 0;
  expect_lowest(problem, found, at_limits);
  EXPECT_GE(at_limits, 8);
  EXPECT_NEAR(found.x.row(1).maxCoeff(), 0.8, 2e-4);
  EXPECT_GT((found.x.row(1).array() > 0.8).count(), 30);
}

// As a controller goes on: from the limits that held before, one sweep for the limits and none to find them.
TEST(BoundedLqr, GoesOnFromTheLimitsThatItKnows) {
  BoundedLqrProblem problem = some_problem(4, 2, 20, 3);
  problem.upper.setConstant(0.3);
  problem.lower.setConstant(-0.3);
  BoundedLqr solver;
  BoundedLqr::Solution found;
  solver.solve(problem, found);
  ASSERT_TRUE(found.is_settled);
  ASSERT_GT(found.sweeps, 1);
  const MatrixXd u = found.u;
  solver.solve(problem, found);
  EXPECT_EQ(found.sweeps, 1);
  EXPECT_LT((found.u - u).norm(), 1e-12);
}

// u_0 = K x_0 + ..., as long as nothing comes to a limit.
TEST(BoundedLqr, SaysHowItsFirstEffortsFollowTheState) {
  BoundedLqrProblem problem = some_problem(4, 2, 10, 7);
  BoundedLqr solver;
  BoundedLqr::Solution here, there;
  solver.solve(problem, here);
  VectorXd way(4);
  way << 0.1, -0.2, 0.3, 0.05;
  problem.x_0 += way;
  solver.solve(problem, there);
  EXPECT_LT((there.u.col(0) - here.u.col(0) - here.K * way).norm(), 1e-12);
}

TEST(BoundedLqr, RefusesWhatIsNoProblem) {
  BoundedLqr::Solution found;
  BoundedLqrProblem problem = some_problem(3, 2, 4, 1);
  problem.h.resize(1, 4);
  EXPECT_THROW(BoundedLqr().solve(problem, found), InputError);
  problem = some_problem(3, 2, 4, 1);
  problem.A.pop_back();
  EXPECT_THROW(BoundedLqr().solve(problem, found), InputError);
  problem = some_problem(3, 2, 4, 1);
  problem.R *= -100.0;
  EXPECT_THROW(BoundedLqr().solve(problem, found), ComputationError);
}

}  // namespace
}  // namespace limber
