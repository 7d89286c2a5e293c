// SPDX-License-Identifier: BSD-3-Clause
// Prescribed joints that begin or end in motion: what hangs on them is not carried along at once, and no energy comes from nowhere.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/input_error.hpp"
#include "limber/simulation/run_sensitivity.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

// A cart of 2 kg, and on it 0.5 kg on a spring of 50 N/m: 10 rad/s. Told to go at 0.4 m/s from 1 s to 2 s.
const std::string cart = R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - {name: cart, joint: {name: cart, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2, inertia: [1, 1, 1, 0, 0, 0]}}
    - {name: load, joint: {name: load, type: prismatic, axis: [1, 0, 0], stiffness: 50}, rigid: {mass: 0.5, inertia: [1, 1, 1, 0, 0, 0]}}
duration: 3
output: {rate: 100}
trajectories: {t: {type: table, times: [1, 2], values: [0, 0.4]}}
actuation: [{joint: cart, type: prescribed, target: {trajectory: t}}]
)";

// Its place on the cart: in space the load goes on as it did when the cart sets off, and when it stops.
double load_at(double t) {
  constexpr double w = 10.0, c = 0.4;
  if (t <= 1.0) return 0.0;
  if (t <= 2.0) return -c / w * std::sin(w * (t - 1.0));
  const double x = -c / w * std::sin(w), rate = c - c * std::cos(w);
  return x * std::cos(w * (t - 2.0)) + rate / w * std::sin(w * (t - 2.0));
}

TEST(RateJumps, LeaveALoadOnItsSpringWhereItIs) {
  for (const char* how :
       {"integrator: {method: radau, rtol: 1e-9, atol: 1e-11}", "integrator: {method: rk4, step: 1e-3}",
        "integrator: {method: bdf, rtol: 1e-10, atol: 1e-12}",
        "integrator: {method: ida, rtol: 1e-10, atol: 1e-12}",
        "integrator: {method: rk4, step: 1e-3}\nformulation: dense",
        "integrator: {method: rk4, step: 1e-3}\nformulation: dae"}) {
    SCOPED_TRACE(how);
    const TestRun found = run(cart + how + "\n");
    for (const Sample& row : found.rows) EXPECT_NEAR(row.q[1], load_at(row.t), 1e-7) << row.t;
    // 1/2 M c^2 goes into the cart, and comes back; the motor's work is what the load has at the end.
    const double rate = 0.4 - 0.4 * std::cos(10.0), x = 0.04 * std::sin(10.0);
    // The ledger is integrated beside the motion, and no tolerance watches it.
    EXPECT_NEAR(found.summary.ledger.work_actuators, 0.25 * rate * rate + 25.0 * x * x, 1e-5);
    EXPECT_LT(found.summary.last.largest_error, 1e-5);
  }
}

TEST(RateJumps, AreFoundAgainByARunThatGoesOn) {
  const ScenarioFile file = scenario(cart + "integrator: {method: rk4, step: 1e-2}\n");
  for (const double until : {0.995, 1.0, 1.005}) {
    Scenario first = build_scenario(file.description, file.model),
             second = build_scenario(file.description, file.model);
    RunOptions options;
    options.progress = [&](const Progress& now) { return now.t < until - 1e-9; };
    const RunSummary stopped = simulate(first, nullptr, options);
    ASSERT_FALSE(stopped.finished);
    RunOptions more;
    more.resume = stopped.last;
    History rest;
    const RunSummary whole = simulate(second, &rest, more);
    EXPECT_NEAR(whole.q[1], load_at(3.0), 1e-6) << until;
    EXPECT_LT(std::abs(whole.ledger.error), 1e-6) << until;
  }
}

// A four-bar whose crank is told to turn takes all its bars along; nothing else can be.
TEST(RateJumps, TakeClosedLoopsAlong) {
  const ScenarioFile file = scenario(R"(
limber: 1
model: four_bar/four_bar.yaml
initial: {q: {elbow: -0.4, rocker: 1.3}}
duration: 1
trajectories: {t: {type: table, times: [0.25, 0.75], values: [1.0, 1.5]}}
actuation: [{joint: crank, type: prescribed, target: {trajectory: t}}]
integrator: {method: radau, rtol: 1e-9, atol: 1e-11}
output: {rate: 200}
)");
  const TestRun found = run(file);
  double fastest = 0.0;
  for (std::size_t i = 1; i + 1 < found.rows.size(); ++i) {
    const Sample& row = found.rows[i];
    if (std::abs(row.t - 0.25) < 0.006 || std::abs(row.t - 0.75) < 0.006) continue;
    for (int joint = 0; joint < 3; ++joint) {
      const double slope = (found.rows[i + 1].q[joint] - found.rows[i - 1].q[joint]) / 0.01;
      EXPECT_NEAR(row.v[joint], slope, 1e-4) << row.t;
      fastest = std::max(fastest, std::abs(row.v[joint]));
    }
  }
  EXPECT_GT(fastest, 0.9);
  EXPECT_LT(found.summary.last.largest_error, 1e-6);
}

TEST(RateJumps, OfASaggingArmKeepItsLedger) {
  const TestRun found = run(R"(
limber: 1
model: crane/crane.yaml
initial: {q: {joint2: 0.5, joint3: 2, joint4: 0.5}, settle: true}
actuation: [{joint: all, type: prescribed, target: {trajectory: line}}]
trajectories: {line: {type: cartesian, file: crane/line.csv}}
duration: 6
integrator: {method: auto, rtol: 1e-8}
)");
  EXPECT_LT(found.summary.last.largest_error, 1e-4 * found.summary.last.energy_size);
}

TEST(RateJumps, AreSaidAndHaveNoDerivatives) {
  const ScenarioFile file = scenario(cart);
  const Scenario built = build_scenario(file.description, file.model);
  EXPECT_EQ(
      scenario_warnings(built),
      std::vector<std::string>{"the rate of prescribed `cart` jumps by 0.4 m/s at t = 1 s, where its "
                               "trajectory begins or ends in motion: the motor gives an impulse there"});
  ScenarioFile smooth = file;
  smooth.description.duration = 1.0;
  EXPECT_TRUE(scenario_warnings(build_scenario(smooth.description, smooth.model)).empty());
  try {
    const RunSensitivity sensitivity(build_scenario(file.description, file.model), {});
    FAIL() << "it took it";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().found, "`cart`, whose rate jumps by 0.4 at t = 1 s");
  }
}

}  // namespace
}  // namespace limber
