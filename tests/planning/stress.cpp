// SPDX-License-Identifier: BSD-3-Clause
// Plans that look at beams' strength: a boom across a rail, whose root bears M = (m L^2/2 + m_tip L) a at an acceleration a along the rail, and so the stress M h/2/I.

#include <gtest/gtest.h>

#include <cmath>

#include "../../src/planning/collocation.hpp"
#include "../../src/planning/plan_task.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/planning/plan.hpp"

namespace limber {
namespace {

constexpr double length = 2.0, width = 0.02, height = 0.05, density = 7800.0, tip = 1.5, strength = 200e6,
                 way = 3.0;

Model boom(const std::string& modes = "", const std::string& more = "strength: 200e6",
           const std::string& gravity = "[0, 0, 0]") {
  return build_model(parse_model_description(R"(limber: 1
name: boom
gravity: )" + gravity + R"(
links:
  - name: boom
    joint: {name: rail, type: prismatic, axis: [0, 1, 0], limits: {effort: 1e5}}
    beam:
      length: 2
      section: {shape: rectangle, width: 0.02, height: 0.05, material: {E: 210e9, nu: 0.3, density: 7800}}
)" + (modes.empty() ? "" : "      modes: " + modes + "\n      damping: {ratio: 0.02}\n") +
                                                 (more.empty() ? "" : "      " + more + "\n") +
                                                 "    tip: {mass: 1.5}\n",
                                             "boom.yaml", ""));
}

// Of the rail's y the width bends.
double utilisation_at(double acceleration) {
  const double m = density * width * height, I = height * std::pow(width, 3) / 12.0;
  const double M = (0.5 * m * length * length + tip * length) * acceleration;
  return M * 0.5 * width / I / strength;
}

PlanProblem slide(const Model& model) {
  PlanProblem problem(model);
  problem.to[0] = way;
  problem.intervals = 20;
  return problem;
}

std::string refusal(const PlanProblem& problem) {
  try {
    plan(problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Constant acceleration at the limit, then against it: T = 2 sqrt(d/a).
TEST(PlanOfStress, TakesTheTimeThatTheRootBears) {
  PlanProblem problem = slide(boom());
  problem.minimise = PlanGoal::time;
  problem.utilisation = 0.4;
  const MotionPlan found = plan(problem);
  const double a = *problem.utilisation / utilisation_at(1.0);
  EXPECT_NEAR(found.duration, 2.0 * std::sqrt(way / a), 3e-4 * found.duration);
  // A table that is smooth between its points cannot follow such corners, and feedback makes more of it: the run has more, and is said to.
  ASSERT_EQ(found.runs.at(0).metrics.beams.size(), 1U);
  EXPECT_GT(*found.runs[0].metrics.beams[0].utilisation, 0.4);
  EXPECT_EQ(found.warnings.size(), 1U);
}

// In a given time the least of the largest accelerations is 4 d/T^2.
TEST(PlanOfStress, HasTheLeastThatThereCanBe) {
  PlanProblem problem = slide(boom());
  problem.minimise = PlanGoal::stress;
  problem.duration = 1.5;
  const MotionPlan found = plan(problem);
  const double least = utilisation_at(4.0 * way / (1.5 * 1.5));
  EXPECT_NEAR(found.cost, least, 1.01e-4);  // (1) of utilisation.hpp is that much less
  EXPECT_NEAR(*found.runs.at(0).metrics.beams.at(0).utilisation, least, 0.03 * least);
}

// A boom that swings: nothing is asked of its shapes but the moment that passes through its root.
TEST(PlanOfStress, KeepsABoomThatBendsWithinItsStrength) {
  const Model bends = boom("{y: {shape: polynomial, count: 1}}");
  PlanProblem problem = slide(bends);
  problem.minimise = PlanGoal::vibration;
  problem.duration = 1.6;
  problem.intervals = 40;
  const MotionPlan free = plan(problem);
  const double used = *free.runs.at(0).metrics.beams.at(0).utilisation;
  problem.utilisation = 0.8 * used;
  const MotionPlan kept = plan(problem);
  EXPECT_NEAR(*kept.runs.at(0).metrics.beams.at(0).utilisation, 0.8 * used, 0.02 * used);
  EXPECT_GT(kept.cost, free.cost);
  EXPECT_TRUE(kept.warnings.empty());
  problem.utilisation.reset();
  problem.minimise = PlanGoal::stress;
  const MotionPlan least = plan(problem);
  EXPECT_LT(least.cost, 0.8 * used);
  EXPECT_NEAR(*least.runs.at(0).metrics.beams.at(0).utilisation, least.cost, 0.1 * least.cost);
}

TEST(PlanOfStress, SaysWhatCannotBe) {
  PlanProblem problem = slide(boom());
  problem.duration = 0.5;
  problem.utilisation = 0.4;
  const std::string found = refusal(problem);
  EXPECT_NE(found.find("utilisation of `boom`"), std::string::npos) << found;
  EXPECT_NE(found.find("0.5 s, which takes"), std::string::npos) << found;
  problem = slide(boom("", ""));
  problem.duration = 2.0;
  problem.minimise = PlanGoal::stress;
  EXPECT_NE(refusal(problem).find("plan.minimise"), std::string::npos);
  problem = slide(boom("", "strength: 200e6", "[0, 0, -9.81]"));  // hangs across its height
  problem.duration = 2.0;
  problem.utilisation = 0.01;
  EXPECT_NE(refusal(problem).find("plan.from"), std::string::npos);
}

// Of what (12) is made: forces of a bent boom that turns as well, against differences of (12) itself.
TEST(PlanOfStress, IsDifferentiatedAsItIs) {
  for (const char* section : {"shape: tube, outer_diameter: 0.06, thickness: 0.004",
                              "shape: rectangle, width: 0.02, height: 0.05"}) {
    const Model model = build_model(parse_model_description(
        std::string(R"(limber: 1
name: arm
links:
  - name: boom
    joint: {name: turn, axis: [0, 0, 1]}
    beam: {length: 2, section: {)") +
            section + R"(, material: {E: 210e9, nu: 0.3, density: 7800}}, strength: 200e6,
           modes: {y: {count: 2}, z: {count: 1}, torsion: {count: 1}}}
  - name: jib
    joint: {name: lift, axis: [0, 1, 0]}
    rigid: {mass: 5, com: [0.6, 0.2, 0], inertia: [0.1, 0.4, 0.4, 0, 0, 0]}
)",
        "arm.yaml", ""));
    Utilisation utilisation(model, {});
    const int n = model.nv();
    ScaledForces::Place at{0.01 * Eigen::VectorXd::LinSpaced(n, 1.0, -2.0),
                           Eigen::VectorXd::LinSpaced(n, 1.0, 0.1), Eigen::VectorXd::LinSpaced(n, 2.0, -1.0),
                           0.7};
    at.q[0] = 0.4;
    at.q[n - 1] = -0.8;
    Eigen::VectorXd U2, above, below;
    Eigen::MatrixXd by;
    utilisation.slopes(at, U2, by);
    for (int c = 0; c <= 3 * n; ++c) {
      double& x = c < n ? at.q[c] : c < 2 * n ? at.v[c - n] : c < 3 * n ? at.a[c - 2 * n] : at.T;
      const double kept = x, h = 1e-4;
      x = kept + h;
      utilisation.squares(at, above);
      x = kept - h;
      utilisation.squares(at, below);
      x = kept;
      const Eigen::VectorXd wanted = (above - below) / (2.0 * h);
      EXPECT_LT((by.col(c) - wanted).cwiseAbs().maxCoeff(), 1e-5 * by.cwiseAbs().maxCoeff()) << c;
    }
  }
}

}  // namespace
}  // namespace limber
