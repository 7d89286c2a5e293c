// SPDX-License-Identifier: BSD-3-Clause
// The interface to Ipopt, by a problem of the literature: number 71 of W. Hock and K. Schittkowski, "Test examples for nonlinear programming codes" (1981).

#include <gtest/gtest.h>

#include "limber/core/interruption.hpp"
#include "limber/planning/nonlinear_program.hpp"

namespace limber {
namespace {

/// Smallest x1 x4 (x1 + x2 + x3) + x3 with x1 x2 x3 x4 >= 25, |x|^2 = 40 and 1 <= x <= 5.
class Problem71 : public NonlinearProgram {
 public:
  explicit Problem71(double least = 25.0) : least_(least) {}
  Bounds bounds() const override {
    return {Eigen::VectorXd::Constant(4, 1.0), Eigen::VectorXd::Constant(4, 5.0),
            Eigen::Vector2d(least_, 40.0), Eigen::Vector2d(INFINITY, 40.0)};
  }
  Eigen::VectorXd start() const override { return Eigen::Vector4d(1.0, 5.0, 5.0, 1.0); }
  double objective(const Point& x) override { return x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2]; }
  void gradient(const Point& x, Eigen::Ref<Eigen::VectorXd> slopes) override {
    slopes << x[3] * (2.0 * x[0] + x[1] + x[2]), x[0] * x[3], x[0] * x[3] + 1.0, x[0] * (x[0] + x[1] + x[2]);
  }
  void constraints(const Point& x, Eigen::Ref<Eigen::VectorXd> g) override { g << x.prod(), x.squaredNorm(); }
  void jacobian(const Point& x, SparseEntries& entries) override {
    for (int i = 0; i < 4; ++i) {
      entries.add(0, i, x.prod() / x[i]);
      entries.add(1, i, x[i]);
      entries.add(1, i, x[i]);  // twice the same place: they add up
    }
  }
  void hessian(const Point& x, double factor, const Point& m, SparseEntries& entries) override {
    Eigen::Matrix4d H = Eigen::Matrix4d::Zero();
    H(0, 0) = 2.0 * x[3];
    H(1, 0) = H(2, 0) = x[3];
    H(3, 0) = 2.0 * x[0] + x[1] + x[2];
    H(3, 1) = H(3, 2) = x[0];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j <= i; ++j)
        entries.add(i, j, factor * H(i, j) + (i == j ? 2.0 * m[1] : m[0] * x.prod() / (x[i] * x[j])));
  }

 private:
  double least_;
};

TEST(Solver, FindsAPublishedOptimum) {
  Problem71 problem;
  const SolverOutcome found = solve(problem);
  ASSERT_TRUE(found.is_solved()) << found.words;
  EXPECT_NEAR(found.objective, 17.0140173, 1e-6);
  EXPECT_NEAR((found.x - Eigen::Vector4d(1.0, 4.7429994, 3.8211503, 1.3794082)).norm(), 0.0, 1e-6);
}

TEST(Solver, SaysThatThereIsNothing) {
  Problem71 problem(1000.0);  // |x|^2 = 40 allows 100 at most
  EXPECT_FALSE(solve(problem).is_solved());
}

TEST(Solver, HandsOnWhatIsThrown) {
  struct Broken : Problem71 {
    double objective(const Point&) override { throw std::runtime_error("broken"); }
  };
  Broken problem;
  EXPECT_THROW(solve(problem), std::runtime_error);
}

TEST(Solver, StopsWhenItIsAsked) {
  Problem71 problem;
  ask_to_stop();
  EXPECT_THROW(solve(problem), Interrupted);
  forget_stop();
}

}  // namespace
}  // namespace limber
