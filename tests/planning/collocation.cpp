// SPDX-License-Identifier: BSD-3-Clause
// Plans with known optima, and plans against the simulator.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/analysis/modes.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "limber/planning/plan.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {
namespace {

constexpr double mass = 3.0, force = 12.0, way = 2.0;

/// A mass on a rail.
PlanProblem slide(JointLimits limits = {}) {
  RigidDescription cart;
  cart.mass = mass;
  ModelBuilder builder("slide");
  builder.gravity(Eigen::Vector3d::Zero()).link("cart").prismatic({1, 0, 0}, "rail").rigid(cart);
  builder.current_link().joint.limits = limits;
  PlanProblem problem(builder.build());
  problem.to[0] = way;
  return problem;
}

// Full force for half of the way, full force back for the other: T = 2 sqrt(d m/F). Where a switch falls into the middle of an interval, the best is none in that
// interval: with n = (N - 1)/2 intervals on either side T = N sqrt(d m/(F n (n + 1))).
TEST(Plan, OfADoubleIntegratorIsBangBang) {
  PlanProblem problem = slide({.effort = force});
  problem.minimise = PlanGoal::time;
  const double best = 2.0 * std::sqrt(way * mass / force);
  for (const int intervals : {4, 10, 40}) {
    problem.intervals = intervals;
    const MotionPlan even = plan(problem);
    EXPECT_NEAR(even.duration, best, 1e-6 * best) << intervals;
    EXPECT_NEAR(even.cost, best, 1e-6 * best);
    problem.intervals = intervals + 1;
    const double n = intervals / 2;
    const double expected = (intervals + 1) * std::sqrt(way * mass / (force * n * (n + 1.0)));
    EXPECT_NEAR(plan(problem).duration, expected, 1e-6 * best) << intervals;
    EXPECT_LE(even.efforts.cwiseAbs().maxCoeff(), force * (1.0 + 1e-9));
  }
}

// Bang, coast at the limit of speed w, bang: T = d/w + w m/F.
TEST(Plan, KeepsToALimitOfSpeed) {
  const double speed = 1.0;
  PlanProblem problem = slide({.effort = force, .velocity = speed});
  problem.minimise = PlanGoal::time;
  problem.intervals = 90;  // T = 2.25: the corners at 0.25 and 2 lie on ends of intervals
  const MotionPlan found = plan(problem);
  EXPECT_NEAR(found.duration, way / speed + speed * mass / force, 1e-5);
  EXPECT_LE(found.v.row(0).maxCoeff(), speed * (1.0 + 1e-7));
  ASSERT_EQ(found.runs.size(), 1u);
  EXPECT_NEAR(found.runs[0].metrics.joints[0].velocity_margin.value(), 0.0, 1e-4);
  EXPECT_NEAR(found.runs[0].metrics.joints[0].effort_margin.value(), 0.0, 1e-3 * force);
}

// u = 6 d m/T^2 (1 - 2 t/T), x the cubic, Int u^2/m dt = 12 d^2 m/T^3. With u constant in N intervals it is as in their middles, times 1/(1 - 1/N^2).
TEST(Plan, OfLeastEffortOfADoubleIntegratorIsACubic) {
  PlanProblem problem = slide();
  const double T = 1.7;
  problem.duration = T;
  for (const int intervals : {4, 8, 16, 32}) {
    problem.intervals = intervals;
    const MotionPlan found = plan(problem);
    const double N = intervals, expected = 12.0 * way * way * mass / std::pow(T, 3) / (1.0 - 1.0 / (N * N));
    EXPECT_NEAR(found.cost, expected, 1e-8 * expected) << intervals;
    for (int k = 0; k < intervals; ++k)
      EXPECT_NEAR(found.efforts(0, k),
                  6.0 * way * mass / (T * T) * (1.0 - (2.0 * k + 1.0) / N) / (1.0 - 1.0 / (N * N)), 1e-5);
    const double s = 0.5;
    EXPECT_NEAR(found.q(0, intervals / 2), way * s * s * (3.0 - 2.0 * s), 1e-8);  // by symmetry exactly
  }
}

TEST(Plan, GoesThroughPlacesOnTheWay) {
  PlanProblem problem = slide();
  problem.duration = 2.0;
  problem.via = {{0.5, {{0, 3.0}}}};
  const MotionPlan found = plan(problem);
  EXPECT_NEAR(found.q(0, 20), 3.0, 1e-9);
  EXPECT_NEAR(found.q(0, 40), way, 1e-9);
  // Not at rest there: least effort passes by.
  EXPECT_GT(std::abs(found.v(0, 20)), 0.1);
}

Model lab_link() { return read_model(std::string(LIMBER_MODELS_DIR) + "/lab_link/lab_link.yaml"); }

// What the simulator, which knows nothing of collocation, makes of the plan's efforts.
TEST(Plan, OfAFlexibleLinkLeavesItAtRest) {
  const Model arm = lab_link();
  PlanProblem problem(arm);
  problem.to[0] = 0.6;
  problem.duration = 0.8;
  const MotionPlan found = plan(problem);
  const PlanRun& run = found.runs.at(0);
  double deflection = 0.0;
  for (const auto& [name, most] : run.metrics.largest_deflection) deflection = std::max(deflection, most);
  EXPECT_GT(deflection, 1e-3);
  EXPECT_LT(run.residual_vibration, 1e-3 * deflection);
  EXPECT_LT(run.largest_error, 1e-4 * 0.6);
  EXPECT_TRUE(found.warnings.empty()) << found.warnings.front();
}

// Each of them is better than the others in what it was asked for.
TEST(Plan, HasLittleOfWhatWasAskedFor) {
  PlanProblem problem(lab_link());
  problem.to[0] = 0.6;
  problem.duration = 0.8;
  const MotionPlan best = plan(problem);
  problem.minimise = PlanGoal::vibration;
  const MotionPlan calm = plan(problem);
  problem.minimise = PlanGoal::deflection;
  const MotionPlan straight = plan(problem);
  const auto bend = [](const MotionPlan& motion) {
    return motion.runs.at(0).metrics.largest_deflection.at(0).second;
  };
  EXPECT_LT(bend(straight), bend(best));
  EXPECT_LT(bend(straight), bend(calm));
  EXPECT_LT(best.efforts.squaredNorm(), calm.efforts.squaredNorm());
  EXPECT_LT(best.efforts.squaredNorm(), straight.efforts.squaredNorm());
}

}  // namespace
}  // namespace limber
