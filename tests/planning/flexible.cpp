// SPDX-License-Identifier: BSD-3-Clause
// Plans of flexible arms: against published optimal times, input shaping and feedback alone.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/io/model_file.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/builder.hpp"
#include "limber/planning/plan.hpp"
#include "limber/simulation/metrics.hpp"
#include "limber/simulation/scenario.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {
namespace {

/// Two masses of 1 kg with a spring of 1 N/m between them; a force of at most 1 N on the first.
Model two_masses(double second = 1.0, double damping = 0.0) {
  RigidDescription one, other;
  one.mass = 1.0;
  other.mass = second;
  ModelBuilder builder("two_masses");
  builder.gravity(Eigen::Vector3d::Zero()).link("first").prismatic({1, 0, 0}, "push").rigid(one);
  builder.current_link().joint.limits = JointLimits{.effort = 1.0};
  builder.link("second").prismatic({1, 0, 0}, "spring").rigid(other);
  builder.current_link().joint.stiffness = 1.0;
  builder.current_link().joint.damping = damping;
  return builder.build();
}

// Rest to rest in the shortest time is full force with three changes of sign, at T/2 and at a time t1 from either end (G. Singh, P. T. Kabamba and N. H. McClamroch, J. Guid.
// Control Dyn. 12 (1989), 71-81). With w = sqrt(2), x = T/2 - t1, masses M = 2 and a way d: the swinging mode ends at rest and the way is gone where
//
//   1 - 2 cos(w x) + cos(w T/2) = 0,    M d/F = T^2/4 - 2 x^2
//
// Q. Liu and B. Wie, J. Guid. Control Dyn. 15 (1992), 597-604, give 4.2178 s for d = 1.
double shortest_time() {
  double x = 1.1;
  for (int i = 0; i < 50; ++i) {  // Newton in x, T from the second equation
    const double w = std::numbers::sqrt2, half = std::sqrt(2.0 + 2.0 * x * x);
    const double f = 1.0 - 2.0 * std::cos(w * x) + std::cos(w * half);
    const double slope = 2.0 * w * std::sin(w * x) - std::sin(w * half) * w * 2.0 * x / half;
    x -= f / slope;
  }
  return 2.0 * std::sqrt(2.0 + 2.0 * x * x);
}

TEST(FlexiblePlan, TakesThePublishedTime) {
  EXPECT_NEAR(shortest_time(), 4.2178, 1e-4);
  PlanProblem problem(two_masses());
  problem.to[0] = 1.0;
  problem.minimise = PlanGoal::time;
  double last = 1.0;
  for (const int intervals : {20, 80}) {
    problem.intervals = intervals;
    const MotionPlan found = plan(problem);
    const double late = found.duration / shortest_time() - 1.0;
    EXPECT_GT(late, -1e-7) << intervals;  // efforts that change with the intervals' ends are never faster
    EXPECT_LT(late, 0.25 * last);
    last = late;
    EXPECT_LT(found.runs.at(0).residual_vibration, 0.1 / intervals / intervals);
    EXPECT_LT(found.runs.at(0).largest_error, 1e-3);
  }
  EXPECT_LT(last, 1e-3);
}

double residual_of(const ScenarioDescription& description, const Model& model) {
  Scenario scenario = build_scenario(description, model);
  MetricsRecorder recorder(scenario);
  const RunSummary summary = simulate(scenario, &recorder);
  return recorder.metrics(summary.last.peaks).residual_vibration.value();
}

/// The same joints along quintics, by the plan's feedback alone.
ScenarioDescription feedback_alone(const PlanProblem& problem, const MotionPlan& motion, bool shaped) {
  ScenarioDescription all = plan_scenario(problem, motion);
  all.actuation.clear();
  all.trajectories.clear();
  for (std::size_t j = 0; j < motion.driven.size(); ++j) {
    const int c = motion.driven[j];
    const std::string joint = problem.model.coordinates()[static_cast<std::size_t>(c)];
    trajectories::Quintic quintic;
    quintic.from = problem.from[c];
    quintic.to = problem.to[c];
    quintic.duration = motion.duration;
    all.trajectories.emplace_back(joint, quintic);
    trajectories::Shaped zv;
    zv.of = joint;
    if (shaped) all.trajectories.emplace_back(joint + "_shaped", zv);
    actuations::Pd pd;
    pd.target.trajectory = shaped ? joint + "_shaped" : joint;
    pd.kp = motion.kp[static_cast<Eigen::Index>(j)];
    pd.kd = motion.kd[static_cast<Eigen::Index>(j)];
    all.actuation.push_back({{joint}, pd});
  }
  return all;
}

TEST(FlexiblePlan, OfTheCanadarmSwingsLessThanAHundredthOfFeedbackAlone) {
  PlanProblem problem(read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm.yaml"));
  for (const auto& [name, way] :
       {std::pair{"joint1", 0.5}, std::pair{"joint2", -0.4}, std::pair{"joint3", 0.3}})
    for (int c = 0; c < problem.model.nv(); ++c)
      if (problem.model.coordinates()[static_cast<std::size_t>(c)] == name) problem.to[c] = way;
  problem.duration = 10.0;
  problem.minimise = PlanGoal::vibration;
  problem.intervals = 100;
  problem.feedback.frequency_hz =
      1.0;  // six times the arm's first: joints follow, and what is left is the arm's swinging
  const MotionPlan found = plan(problem);
  const double planned = found.runs.at(0).residual_vibration;
  const double fed_back = residual_of(feedback_alone(problem, found, false), problem.model);
  EXPECT_GT(fed_back, 1e-2);
  EXPECT_LT(planned, 0.01 * fed_back);
  RecordProperty("planned", std::to_string(planned));
  RecordProperty("fed_back", std::to_string(fed_back));
}

// A quintic through a zero-vibration shaper takes half a period longer than the quintic itself, and that has to keep to the motor's limit.
TEST(FlexiblePlan, IsFasterThanInputShaping) {
  PlanProblem problem(read_model(std::string(LIMBER_MODELS_DIR) + "/lab_link/lab_link.yaml"));
  problem.share = 0.15;  // 3 N m
  problem.to[0] = 0.6;
  problem.minimise = PlanGoal::time;
  problem.intervals = 60;
  const MotionPlan found = plan(problem);
  const double bent = found.runs.at(0).metrics.largest_deflection.at(0).second;
  EXPECT_LT(found.runs[0].residual_vibration, 0.02 * bent);
  // What a quintic of this arm's inertia takes: 5.7735 J way/T^2.
  const double inertia = 0.02 + 0.1 * 0.85 * 0.85 + 0.2592 * (0.05 * 0.05 + 0.05 * 0.8 + 0.64 / 3.0);
  const double quintic = std::sqrt(5.7735 * inertia * 0.6 / 3.0);
  EXPECT_LT(found.duration, 0.95 * (quintic + 0.5 * found.slowest_period));
  EXPECT_GT(found.duration, 2.0 * std::sqrt(0.6 * inertia / 3.0));  // the rigid arm's
  RecordProperty("duration", std::to_string(found.duration));
  RecordProperty("period", std::to_string(found.slowest_period));
  RecordProperty("shaped", std::to_string(quintic + 0.5 * found.slowest_period));
}

// One motion for three masses: each comes to rest, much nearer than where only the middle one was thought of.
TEST(FlexiblePlan, IsRobustAgainstPayloads) {
  PlanProblem problem(two_masses());
  problem.to[0] = 1.0;
  problem.duration = 9.0;
  PlanProblem robust = problem;
  robust.payloads = {two_masses(0.8), two_masses(1.25)};
  const MotionPlan all = plan(robust);
  ASSERT_EQ(all.runs.size(), 3u);
  const MotionPlan one = plan(problem);
  // The nominal plan, with the other masses.
  for (std::size_t i = 0; i < 2; ++i) {
    const double before = residual_of(plan_scenario(problem, one), robust.payloads[i]);
    EXPECT_LT(all.runs[i + 1].residual_vibration, 0.6 * before) << i;
  }
  EXPECT_LT(all.runs[0].residual_vibration, 1e-4);
}

TEST(FlexiblePlan, IsAScenarioThatRuns) {
  const std::string models = LIMBER_MODELS_DIR;
  PlanProblem problem(read_model(models + "/lab_link/lab_link.yaml"));
  problem.to[0] = 0.6;
  problem.duration = 0.8;
  problem.intervals = 20;
  const MotionPlan found = plan(problem);
  for (const std::string& name : {std::string("lab_link/lab_link.yaml"), std::string()}) {
    const ScenarioFile file =
        parse_scenario(plan_scenario_text(problem, found, name, {"A plan."}), "plan.yaml", models);
    const double residual = residual_of(file.description, file.model);
    EXPECT_NEAR(residual, found.runs.at(0).residual_vibration, 1e-9 + 1e-3 * residual) << name;
  }
  const std::string csv = plan_csv(problem, found);
  EXPECT_TRUE(csv.starts_with("time,hub,strip.y1,strip.y2,strip.y3,hub.rate"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 22);
}

// An arm that hangs from an elastic gear in gravity: held where the motors are told, and at rest at both ends.
TEST(FlexiblePlan, KnowsGearsAndGravity) {
  RigidDescription body;
  body.mass = 4.0;
  body.com = {0.5, 0.0, 0.0};
  body.inertia << 0.1, 0.1, 0.1, 0.0, 0.0, 0.0;
  ModelBuilder builder("geared");
  builder.gravity({0, -9.81, 0}).link("arm").revolute({0, 0, 1}, "shoulder").rigid(body);
  DriveDescription drive;
  drive.ratio = 50.0;
  drive.rotor_inertia = 2e-4;
  drive.stiffness = 500.0;
  drive.damping = 1.0;
  builder.current_link().joint.drive = drive;
  PlanProblem problem(builder.build());
  problem.from << -0.5, -0.5;
  problem.to << 0.4, 0.4;
  problem.duration = 1.5;
  const MotionPlan found = plan(problem);
  EXPECT_EQ(found.driven, std::vector<int>{1});
  EXPECT_NEAR(found.q(1, 40), 0.4, 1e-12);
  EXPECT_NEAR(found.q(0, 40), 0.4 - 4.0 * 9.81 * 0.5 * std::cos(found.q(0, 40)) / 500.0, 1e-9);
  EXPECT_NEAR(found.holding[0], 4.0 * 9.81 * 0.5 * std::cos(found.q(0, 40)), 1e-6);
  EXPECT_LT(found.runs.at(0).residual_vibration, 1e-4);
}

TEST(FlexiblePlan, WarnsOfAMotionFasterThanTheArmSwings) {
  PlanProblem problem(two_masses());
  problem.to[0] = 0.05;
  problem.duration = 2.5;
  const MotionPlan found = plan(problem);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.front().find("slowest period"), std::string::npos);
}

}  // namespace
}  // namespace limber
