// SPDX-License-Identifier: BSD-3-Clause
// What is said about a scenario and its run: limits, degrees, gains, and starts that stay where they are.

#include "limber/simulation/run_warnings.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "runs.hpp"

namespace limber {
namespace {

std::string joined(const std::vector<std::string>& warnings) {
  std::string all;
  for (const std::string& warning : warnings) all += warning + "\n";
  return all;
}

bool contains(const std::vector<std::string>& warnings, const std::string& part) {
  return joined(warnings).find(part) != std::string::npos;
}

Scenario built(const std::string& text) {
  ScenarioFile file = scenario(text);
  return build_scenario(file.description, file.model);
}

std::vector<std::string> warnings_of_run(const std::string& text) {
  Scenario scenario = built(text);
  const RunSummary run = simulate(scenario);
  return run_warnings(scenario, run.last, run.doubts);
}

// One rigid link that turns about a vertical axis: nothing but its inertia of 2 kg m^2.
std::string wheel(const std::string& limits) {
  return R"(limber: 1
model:
  links:
    - name: wheel
      joint: {name: elbow, axis: [0, 0, 1])" +
         (limits.empty() ? "" : ", limits: {" + limits + "}") + R"(}
      rigid: {mass: 1, inertia: [2, 2, 2, 0, 0, 0]}
)";
}

TEST(Limits, OfAStartAreNoticedAndDegreesDoubted) {
  const auto warnings = scenario_warnings(
      built(wheel("upper: 0, velocity: 1") + "initial: {q: {elbow: 27.8}, v: {elbow: -3}}\nduration: 1\n"));
  EXPECT_EQ(joined(warnings),
            "`elbow` starts at 27.8 rad at t = 0 s: its limit `upper` is 0 rad. Were degrees meant? 27.8 deg "
            "are 0.4852 "
            "rad: write `q_deg`\n"
            "`elbow` starts with -3 rad/s at t = 0 s: its limit `velocity` is 1 rad/s\n");
}

TEST(Limits, OfATargetAreNoticedWithItsTime) {
  const auto warnings = scenario_warnings(built(wheel("lower: -1, upper: 1, velocity: 0.5") + R"(duration: 4
actuation: [{joint: elbow, type: pd, kp: 10, kd: 10, target: {trajectory: a}}]
trajectories: {a: {type: trapezoidal, from: 0, to: 1.5, velocity: 0.75, acceleration: 10}}
)"));
  EXPECT_TRUE(contains(warnings, "`elbow` has its target at 1.5 rad at t = 2.0")) << joined(warnings);
  EXPECT_TRUE(contains(warnings, "its limit `upper` is 1 rad")) << joined(warnings);
  EXPECT_TRUE(contains(warnings, "`elbow` has a target that moves with 0.75 rad/s at t = 0.0"))
      << joined(warnings);
}

// Without limits, an angle of more than a turn looks like degrees; a target that keeps turning does not.
TEST(Degrees, AreDoubtedWithoutLimits) {
  const std::string pd = "actuation: [{joint: elbow, type: pd, kp: 10, kd: 10, target: ";
  const auto target = [&](const std::string& what) {
    return scenario_warnings(built(wheel("") + pd + what +
                                   "}]\nduration: 20\n"
                                   "trajectories: {s: {type: spin-up, rate: 6, duration: 5}, q: {type: "
                                   "quintic, from: 0, to: 90, duration: 1}}\n"));
  };
  EXPECT_TRUE(contains(target("{value: 45}"),
                       "`elbow` has its target at 45 rad at t = 0 s, more than a turn. Were degrees meant? "
                       "45 deg are 0.7854 rad"))
      << joined(target("{value: 45}"));
  EXPECT_TRUE(contains(target("{trajectory: q}"), "90 deg are 1.571 rad"))
      << joined(target("{trajectory: q}"));
  EXPECT_TRUE(target("{trajectory: s}").empty()) << joined(target("{trajectory: s}"));
  EXPECT_TRUE(target("{value: 3}").empty());
  EXPECT_TRUE(contains(scenario_warnings(built(wheel("") + "initial: {q: {elbow: -120}}\nduration: 1\n")),
                       "-120 deg are -2.094 rad"));
}

// A constant torque T on the inertia I: v = T t / I, q = T t^2 / (2 I).
TEST(Limits, OfTheMotionAreNoticedWithValueAndTime) {
  const auto warnings =
      warnings_of_run(wheel("upper: 0.5, velocity: 1.5") +
                      "actuation: [{joint: elbow, type: torque, signal: {value: 2}}]\nduration: 2\n");
  EXPECT_EQ(joined(warnings),
            "`elbow` moves to 2 rad at t = 2 s: its limit `upper` is 0.5 rad\n"
            "`elbow` moves with 2 rad/s at t = 2 s: its limit `velocity` is 1.5 rad/s\n");
}

// A motor in its limit was asked for kp (target - q) at the start.
TEST(Limits, OfAnEffortAreNoticedWithWhatWasAskedFor) {
  const auto warnings = warnings_of_run(
      wheel("effort: 50") +
      "actuation: [{joint: elbow, type: pd, kp: 260, kd: 30, target: {value: 1}}]\nduration: 0.5\n");
  EXPECT_TRUE(contains(warnings, "`elbow` would need 260 N m at t = 0 s: its limit `effort` is 50 N m"))
      << joined(warnings);
}

TEST(Limits, OfAPrescribedJointAreNoticedToo) {
  const auto warnings = warnings_of_run(wheel("effort: 5") + R"(duration: 1
actuation: [{joint: elbow, type: prescribed, target: {trajectory: a}}]
trajectories: {a: {type: quintic, from: 0, to: 1, duration: 1}}
)");
  // the quintic's largest acceleration: 10/sqrt(3) per duration^2
  EXPECT_TRUE(contains(warnings, "`elbow` would need 11.5")) << joined(warnings);
  EXPECT_TRUE(contains(warnings, "its limit `effort` is 5 N m")) << joined(warnings);
}

TEST(Limits, ThatAreKeptAreSilent) {
  EXPECT_EQ(joined(warnings_of_run(wheel("lower: -3, upper: 3, velocity: 5, effort: 100") + R"(duration: 3
initial: {q: {elbow: 0.2}}
actuation: [{joint: elbow, type: pd, kp: 20, kd: 12, target: {value: 1}}]
)")),
            "");
}

// A gear's spring of 100 N m/rad under 20 N m of weight sags by 0.2 rad, and pd that is to hold the joint at 0 pulls it up again.
TEST(DrivenSprings, AreDoubtedWhereSettlingLeavesTheirTarget) {
  const auto warnings = [](const std::string& hold, const std::string& target, const std::string& more = "") {
    return scenario_warnings(built(R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: arm
      joint: {name: shoulder, axis: [0, 0, 1], stiffness: 100}
      rigid: {mass: 2, com: [1, 0, 0], inertia: [0, 1, 1, 0, 0, 0]}
initial: {settle: true)" + hold + R"(}
actuation: [{joint: shoulder, type: pd, kp: 500, kd: 50, target: )" +
                                   target + "}]\nduration: 1\n" + more));
  };
  EXPECT_TRUE(contains(warnings("", "{value: 0}"),
                       "`shoulder` has a spring and a controller, and `settle` knows of the spring alone: it "
                       "starts at -0.19"))
      << joined(warnings("", "{value: 0}"));
  EXPECT_EQ(joined(warnings(", hold: [shoulder]", "{value: 0}")), "");
  EXPECT_EQ(joined(warnings(", hold: all", "{value: 0}")), "");
  const std::string shaped =
      "trajectories: {a: {type: quintic, from: 0, to: 1, duration: 1}, b: {type: shaped, of: a, shaper: "
      "zv}}\n";
  EXPECT_TRUE(
      contains(warnings("", "{trajectory: b}", shaped), "the input shaper's frequencies are those of"))
      << joined(warnings("", "{trajectory: b}", shaped));
}

TEST(Gains, InAnotherUnitAreDoubted) {
  const auto warnings = scenario_warnings(
      built(wheel("") +
            "actuation: [{joint: elbow, type: pd, kp: 3e12, kd: 10, target: {value: 0}}]\nduration: 1\n"));
  EXPECT_TRUE(contains(warnings, "`elbow`: a stiffness of 3e+12 (kp) on an inertia of 2 swings with"))
      << joined(warnings);
}

// ---- the ledger ----

TEST(Ledger, RaisesNoAlarmWhereNothingMoves) {
  Checkpoint still;
  still.largest_error = 2.8e-33;
  still.energy_size = 1e-33;
  EXPECT_FALSE(ledger_is_off(still));
  Checkpoint heavy;  // rounding of 10 kJ
  heavy.start.gravity = 1e4;
  heavy.largest_error = 2e-12;
  heavy.energy_size = 1e-10;
  EXPECT_FALSE(ledger_is_off(heavy));
  Checkpoint off;
  off.largest_error = 0.43;
  off.energy_size = 1.0;
  EXPECT_TRUE(ledger_is_off(off));
}

TEST(Ledger, ThatIsOffIsAWarningOfTheRun) {
  const auto warnings = warnings_of_run(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - name: wheel
      joint: {name: elbow, stiffness: 8}
      rigid: {mass: 1, inertia: [2, 2, 2, 0, 0, 0]}
initial: {q: {elbow: 0.5}}
integrator: {method: euler, step: 0.01}
duration: 5
)");
  EXPECT_TRUE(contains(warnings, "the energy ledger is off by")) << joined(warnings);
}

// ---- joints on springs ----

// A boom on a gearbox of 20 kN m/rad that carries 260 N m.
const std::string gearbox = R"(limber: 1
model:
  links:
    - name: motor
      joint: {name: motor, axis: [0, 1, 0]}
      rigid: {mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}
    - name: boom
      joint: {name: gearbox, axis: [0, 1, 0], stiffness: 2e4}
      beam: {length: 2, section: {EI_y: 97400, mass_per_length: 3.26}, modes: {z: {count: 4}}}
      tip: {mass: 10}
)";

TEST(SwingingTable, IsDoubted) {
  const auto doubts = [](const std::string& table) {
    return built(gearbox +
                 "actuation: [{joint: motor, type: torque, signal: {trajectory: t}}]\ntrajectories: {t: "
                 "{type: table, " +
                 table + "}}\nduration: 1\n")
        .doubts;
  };
  const std::vector<std::string> found =
      doubts("times: [0, 12, 12.005, 12.045, 12.05, 20], values: [0, 0, 100, 100, 0, 0]");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("trajectory `t` comes to "), std::string::npos) << found[0];
  EXPECT_NE(found[0].find("between points from 0 to 100"), std::string::npos) << found[0];
  EXPECT_TRUE(doubts("times: [0, 1, 2, 3, 4], values: [0, 0, 1, 0, 0]").empty());
}

TEST(PassiveJoint, SettledStaysAtRest) {
  const TestRun result = run(gearbox + R"(initial: {settle: true}
actuation: [{joint: motor, type: prescribed, target: {value: 0}}]
duration: 2
)");
  const Eigen::VectorXd& start = result.rows.front().q;
  EXPECT_NEAR(start[1], 260.0 / 2e4, 1e-4);
  for (const Sample& row : result.rows) {
    EXPECT_LT((row.q - start).cwiseAbs().maxCoeff(), 1e-9) << row.t;
    EXPECT_LT(row.v.cwiseAbs().maxCoeff(), 1e-7) << row.t;
  }
}

TEST(PassiveJoint, IsHeldAtTheStartWhereItIsNamed) {
  const Scenario held = built(gearbox + "initial: {settle: true, hold: gearbox}\nduration: 1\n");
  EXPECT_EQ(held.q[1], 0.0);
  EXPECT_NE(held.q[2], 0.0);
  EXPECT_EQ(built(gearbox + "initial: {settle: true, hold: [motor, gearbox]}\nduration: 1\n").q, held.q);
  EXPECT_EQ(built(gearbox + "initial: {settle: true, hold: all}\nduration: 1\n").q, held.q);
}

// A shaper waits for half a period of the arm as it swings: 3.03 Hz on the spring, 8.955 Hz where that is held.
TEST(PassiveJoint, IsKnownToShapers) {
  const auto second_step = [&](const std::string& initial) {
    const Scenario scenario = built(gearbox + initial + R"(duration: 5
actuation: [{joint: motor, type: pd, kp: 1e5, kd: 1e4, target: {trajectory: s}}]
trajectories:
  a: {type: steps, points: [[0, 0], [1, 0.1]]}
  s: {type: shaped, of: a}
)");
    return scenario.controllers.front()->targets().front().trajectory->corners().back() - 1.0;
  };
  EXPECT_NEAR(0.5 / second_step(""), 3.03, 0.01);
  EXPECT_NEAR(0.5 / second_step("initial: {hold: gearbox}\n"), 8.955, 0.01);
}

// ---- degrees ----

TEST(Initial, TakesDegrees) {
  const Scenario scenario = built(
      gearbox + "initial: {q_deg: {motor: 30}, q: {boom.z1: 0.01}, v_deg: {gearbox: -90}}\nduration: 1\n");
  EXPECT_DOUBLE_EQ(scenario.q[0], M_PI / 6.0);
  EXPECT_DOUBLE_EQ(scenario.q[2], 0.01);
  EXPECT_DOUBLE_EQ(scenario.v[1], -M_PI / 2.0);
}

TEST(Initial, RefusesDegreesOfWhatIsNoAngle) {
  for (const char* initial : {"{q_deg: {boom.z1: 1}}", "{q: {motor: 1}, q_deg: {motor: 1}}",
                              "{settle: true, v_deg: {motor: 1}}", "{hold: [moter]}"})
    EXPECT_THROW(built(gearbox + "initial: " + initial + "\nduration: 1\n"), InputError) << initial;
}

}  // namespace
}  // namespace limber
