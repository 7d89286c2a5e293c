// SPDX-License-Identifier: BSD-3-Clause
// What a run looks out for, and what it was worth.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/simulation/metrics.hpp"
#include "limber/simulation/simulator.hpp"
#include "runs.hpp"

namespace limber {
namespace {

// Turns about its joint's spring: q = cos(omega t), omega^2 = 75/3 = 25.
const std::string swinging = R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: j, stiffness: 75}, rigid: {mass: 2, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}]
initial: {q: {j: 1}}
duration: 2
)";

Scenario watched(const std::string& method, double below, bool stops) {
  const ScenarioFile file = scenario(swinging + "integrator: " + method + "\n");
  Scenario made = build_scenario(file.description, file.model);
  made.watches.push_back({"low", [below](const Instant& now) { return now.q[0] - below; }, stops});
  return made;
}

class Watches : public testing::TestWithParam<const char*> {};

TEST_P(Watches, EndARunWhereTheyHappen) {
  Scenario made = watched(GetParam(), 0.3, true);
  History history;
  const RunSummary summary = simulate(made, &history);
  const double expected = std::acos(0.3) / 5.0;
  ASSERT_TRUE(summary.stopped_by);
  EXPECT_TRUE(summary.finished);
  EXPECT_EQ(summary.stopped_by->name, "low");
  EXPECT_NEAR(summary.stopped_by->t, expected, 1e-10);
  EXPECT_EQ(summary.end, summary.stopped_by->t);
  EXPECT_EQ(history.rows.back().t, summary.end);
  EXPECT_NEAR(summary.q[0], 0.3, 1e-9);
  EXPECT_EQ(summary.last.rows, static_cast<long>(history.rows.size()));
}

// Down through it at (acos(0.3) + 2 pi k)/5, again and again.
// A function that is flat on both sides of its zero: from the end of a step Newton's iteration goes astray, and bisection does not.
TEST_P(Watches, MayBeFlatBesideTheirZero) {
  Scenario made = watched(GetParam(), 0.3, true);
  made.watches.front().value = [](const Instant& now) { return std::atan(200.0 * (now.q[0] - 0.3)); };
  const RunSummary summary = simulate(made);
  ASSERT_TRUE(summary.stopped_by);
  EXPECT_NEAR(summary.stopped_by->t, std::acos(0.3) / 5.0, 1e-8);
}

TEST_P(Watches, AreNotedEachTime) {
  Scenario made = watched(GetParam(), 0.3, false);
  const RunSummary summary = simulate(made);
  ASSERT_EQ(summary.occurrences.size(), 2u);
  for (int k = 0; k < 2; ++k)
    EXPECT_NEAR(summary.occurrences[static_cast<std::size_t>(k)].t,
                (std::acos(0.3) + 2.0 * std::numbers::pi * k) / 5.0, 1e-10);
  EXPECT_FALSE(summary.stopped_by);
  EXPECT_EQ(summary.end, 2.0);
}
INSTANTIATE_TEST_SUITE_P(Methods, Watches,
                         testing::Values("{method: radau9, rtol: 1e-12, atol: 1e-14}",
                                         "{method: rk4, step: 0.0005}",
                                         "{method: radau, rtol: 1e-12, atol: 1e-14}",
                                         "{method: erk, rtol: 1e-12, atol: 1e-14}",
                                         "{method: adams, rtol: 1e-13, atol: 1e-15}"));

TEST(WatchesOfARun, ThatHoldAtTheStartEndTheRunThere) {
  Scenario made = watched("{}", 1.5, true);
  const RunSummary summary = simulate(made);
  ASSERT_TRUE(summary.stopped_by);
  EXPECT_EQ(summary.end, 0.0);
  EXPECT_EQ(summary.last.rows, 1);
}

TEST(WatchesOfARun, StopASimulatorWhichMayGoOn) {
  Simulator arm(watched("{rtol: 1e-10}", 0.3, true));
  arm.advance_to(1.0);
  EXPECT_NEAR(arm.state().t, std::acos(0.3) / 5.0, 1e-8);
  arm.advance_to(1.0);
  EXPECT_EQ(arm.state().t, 1.0);
  EXPECT_NEAR(arm.state().q[0], std::cos(5.0), 1e-7);
  ASSERT_EQ(arm.occurrences().size(), 1u);
}

// The tip is at (cos q, sin q) of a link of 1 m.
TEST(StopWhen, EndsARunWhereASensorComesToAValue) {
  const std::string sensors =
      "sensors: [{name: height, type: point, link: a, axis: [0, 1, 0], noise: 0.1}, {name: speed, type: "
      "velocity, joint: j}]\n"
      "integrator: {method: radau9, rtol: 1e-12, atol: 1e-14}\n";
  const TestRun low = run(swinging + sensors + "stop_when: {sensor: height, below: 0.5}\n");
  ASSERT_TRUE(low.summary.stopped_by);
  EXPECT_EQ(low.summary.stopped_by->name, "height below 0.5");
  EXPECT_NEAR(low.summary.end, std::acos(std::asin(0.5)) / 5.0, 1e-10);
  const TestRun fast = run(swinging + sensors + "stop_when: {sensor: speed, above: 2}\n");
  // v = -5 sin(5 t) comes up to 2 from below where sin(5 t) = -0.4, beyond half a turn.
  EXPECT_NEAR(fast.summary.end, (std::numbers::pi + std::asin(0.4)) / 5.0, 1e-10);
}

TEST(StopWhen, SaysWhatIsWrong) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      scenario(swinging + text);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "nothing";
  };
  const std::string sensors =
      "sensors: [{name: height, type: point, link: a, axis: [0, 1, 0]}, {name: load, type: effort, joint: "
      "j}]\n";
  EXPECT_EQ(message(sensors + "stop_when: {sensor: height, below: 0.5}\n"), "nothing");
  for (const auto& [text, part] : std::initializer_list<std::pair<const char*, const char*>>{
           {"stop_when: {sensor: hight, below: 0.5}", "did you mean `height`?"},
           {"stop_when: {sensor: load, below: 0.5}", "which do not jump"},
           {"stop_when: {sensor: height}", "stop_when"},
           {"stop_when: {sensor: height, below: 0.5, above: 1}", "stop_when"}})
    EXPECT_NE(message(sensors + text + "\n").find(part), std::string::npos) << text << "\n"
                                                                            << message(sensors + text + "\n");
}

// The tip of a rigid link of 1 m turns to 0.5 rad, prescribed until 1 s, and then a spring joint behind it swings for good.
TEST(Metrics, AreTheirDefinitions) {
  const ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - name: a
      joint: {name: j, axis: [0, 0, 1], limits: {lower: -1, upper: 2, effort: 100, velocity: 3}}
      rigid: {mass: 2, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}
actuation: [{joint: j, type: pd, kp: 60, kd: 4, target: {trajectory: up}}]
trajectories: {up: {type: quintic, from: 0, to: 0.5, duration: 1}}
duration: 4
output: {rate: 200}
)");
  Scenario made = build_scenario(file.description, file.model);
  History history;
  MetricsRecorder recorder(made, &history);
  const RunSummary summary = simulate(made, &recorder);
  const RunMetrics metrics = recorder.metrics(summary.last.peaks);
  const std::vector<Sample>& rows = history.rows;
  ASSERT_EQ(rows.size(), 801u);

  const Eigen::Vector3d end = rows.back().end_effector_position, start = rows.front().end_effector_position;
  double settled = 0.0, squared = 0.0, energy = 0.0, peak = 0.0, highest = 0.0, speed = 0.0;
  Eigen::Vector3d low = end, high = end;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Eigen::Vector3d place = rows[i].end_effector_position;
    if ((place - end).norm() > 0.01 * (end - start).norm()) settled = rows[i].t;
    if (rows[i].t >= 1.0) {
      low = low.cwiseMin(place);
      high = high.cwiseMax(place);
    }
    peak = std::max(peak, std::abs(rows[i].efforts[0]));
    speed = std::max(speed, std::abs(rows[i].v[0]));
    highest = std::max(highest, rows[i].q[0]);
    if (i == 0) continue;
    const auto power = [&](std::size_t k) { return std::abs(rows[k].efforts[0] * rows[k].v[0]); };
    squared += 0.0025 * (std::pow(rows[i].efforts[0], 2) + std::pow(rows[i - 1].efforts[0], 2));
    energy += 0.0025 * (power(i) + power(i - 1));
  }
  EXPECT_DOUBLE_EQ(*metrics.settling_time, settled);
  EXPECT_GT(settled, 1.0);
  EXPECT_DOUBLE_EQ(metrics.targets_end.value(), 1.0);
  EXPECT_DOUBLE_EQ(*metrics.residual_vibration, (high - low).maxCoeff());
  EXPECT_GT(*metrics.residual_vibration, 0.001);
  const JointMetrics& joint = metrics.joints.front();
  EXPECT_EQ(joint.name, "j");
  EXPECT_NEAR(*joint.overshoot, highest - 0.5, 1e-12);
  EXPECT_GT(*joint.overshoot, 0.0);
  EXPECT_DOUBLE_EQ(joint.peak_effort, peak);
  EXPECT_NEAR(joint.rms_effort, std::sqrt(squared / 4.0), 1e-9);
  EXPECT_NEAR(joint.energy, energy, 1e-9);
  EXPECT_NEAR(*joint.position_margin, 1.0, 1e-9);  // from the lower limit, where it started
  EXPECT_NEAR(*joint.velocity_margin, 3.0 - speed, 1e-12);
  EXPECT_NEAR(*joint.effort_margin, 100.0 - peak, 1e-12);
  // From -1 to 2 rad: at the start it is 0.5 of 1.5 from the middle, and later nowhere as far.
  EXPECT_LT(highest, 1.0);
  EXPECT_NEAR(*joint.utilisation, std::max({peak / 100.0, speed / 3.0, 0.5 / 1.5}), 1e-12);
  EXPECT_EQ(metrics.largest_utilisation, joint.utilisation);
  EXPECT_EQ(metrics.named().front().first, "settling_time");
}

TEST(Metrics, WhatNeverRestsHasNoResidualVibration) {
  const ScenarioFile file = scenario(R"(limber: 1
model: {gravity: [0, 0, 0], links: [{name: a, joint: {name: j}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}]}
actuation: [{joint: j, type: pd, kp: 60, kd: 4, target: {trajectory: on}}]
trajectories: {on: {type: cycloidal, rate: 0.075, period: 10}}
duration: 2
)");
  Scenario made = build_scenario(file.description, file.model);
  MetricsRecorder recorder(made);
  const RunMetrics metrics = recorder.metrics(simulate(made, &recorder).last.peaks);
  EXPECT_TRUE(metrics.settling_time);
  EXPECT_FALSE(metrics.targets_end);
  EXPECT_FALSE(metrics.residual_vibration);
}

TEST(Metrics, OfWhatDoesNotMoveAreNone) {
  const ScenarioFile file = scenario(R"(limber: 1
model: {gravity: [0, 0, 0], links: [{name: a, joint: {name: j}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]}
duration: 0.1
)");
  Scenario made = build_scenario(file.description, file.model);
  MetricsRecorder recorder(made);
  const RunMetrics metrics = recorder.metrics(simulate(made, &recorder).last.peaks);
  EXPECT_FALSE(metrics.settling_time);
  EXPECT_EQ(metrics.residual_vibration, 0.0);
  EXPECT_FALSE(metrics.joints.front().overshoot);
  EXPECT_FALSE(metrics.largest_utilisation);  // no limits
}

}  // namespace
}  // namespace limber
