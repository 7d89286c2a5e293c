// SPDX-License-Identifier: BSD-3-Clause
// Controllers, loads and starts: each against something that is known otherwise.

#include "limber/simulation/controller.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "runs.hpp"

namespace limber {
namespace {

// A boom that hangs out horizontally in gravity, one flexible link.
const std::string boom = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], limits: {effort: 500}}
      beam: {length: 2, section: {EI_z: 2e3, mass_per_length: 2}, modes: {y: {count: 2}}, damping: {ratio: 0.02}}
      tip: {mass: 3}
)";

TEST(Settle, StartsInEquilibrium) {
  const ScenarioFile file = scenario(boom + R"(initial: {settle: true}
actuation: [{joint: shoulder, type: prescribed, target: {value: 0}}]
duration: 2
)");
  const Equilibrium still = static_equilibrium(file.model, neutral_configuration(file.model));
  const TestRun result = run(file);
  for (const Sample& row : result.rows) {
    EXPECT_LT((row.q - still.q).norm(), 1e-8);
    EXPECT_NEAR(row.efforts[0], still.efforts[0], 1e-4);  // what holds a prescribed joint
  }
}

TEST(Pd, HoldsWhereItsSpringBalancesGravity) {
  const TestRun result =
      run(boom + R"(actuation: [{joint: shoulder, type: pd, kp: 2000, kd: 200, target: {value: 0.3}}]
duration: 60
)");
  const double q = result.summary.q[0], effort = result.rows.back().efforts[0];
  EXPECT_NEAR(effort, 2000.0 * (0.3 - q), 1e-3);
  EXPECT_LT(std::abs(result.summary.v[0]), 1e-5);
  EXPECT_LT(q, 0.3);
}

// With the weight of the rigid twin compensated, only what bending adds is left.
TEST(Pd, ComesCloserWithGravityCompensation) {
  double deviation[3];  // NOLINT
  int i = 0;
  for (const char* compensation : {"none", "target", "measured"})
    deviation[i++] = 0.3 - run(boom + R"(actuation:
  - {joint: shoulder, type: pd, kp: 2000, kd: 200, target: {value: 0.3}, gravity_compensation: )" +
                               compensation + "}\nduration: 40\n")
                               .summary.q[0];
  EXPECT_GT(std::abs(deviation[0]), 0.03);
  EXPECT_LT(std::abs(deviation[1]), 0.02 * deviation[0]);
  EXPECT_LT(std::abs(deviation[2]), 0.02 * deviation[0]);
}

const std::string rigid_arm = R"(limber: 1
model:
  links:
    - {name: a, joint: {name: j1, axis: [0, 1, 0], damping: 0.5}, rigid: {mass: 3, com: [0.3, 0, 0], inertia: [0.1, 0.2, 0.2, 0, 0, 0], tip: {xyz: [0.7, 0, 0]}}}
    - {name: b, joint: {name: j2, axis: [0, 0, 1], stiffness: 2}, rigid: {mass: 2, com: [0.2, 0.1, 0], inertia: [0.1, 0.1, 0.2, 0, 0, 0]}}
trajectories:
  r1: {type: quintic, from: 0, to: 1, duration: 1}
  r2: {type: cycloidal, rate: 0.5, period: 1}
)";

// A rigid arm is its own rigid twin: feed-forward and computed torque follow exactly.
TEST(RigidInverseDynamics, FollowsExactlyOnARigidArm) {
  const TestRun result = run(rigid_arm + R"(actuation:
  - {joint: j1, type: rigid-inverse-dynamics, target: {trajectory: r1}}
  - {joint: j2, type: rigid-inverse-dynamics, target: {trajectory: r2}}
integrator: {rtol: 1e-10, atol: 1e-13}
duration: 1.5
)");
  EXPECT_LT(result.summary.last.peaks.deviation[0].value, 1e-7);
  EXPECT_LT(result.summary.last.peaks.deviation[1].value, 1e-7);
}

TEST(RigidInverseDynamics, OfOneJointKnowsWhatTheOthersAreMeantToDo) {
  const TestRun result = run(rigid_arm + R"(actuation:
  - {joint: j1, type: rigid-inverse-dynamics, target: {trajectory: r1}}
  - {joint: j2, type: prescribed, target: {trajectory: r2}}
integrator: {rtol: 1e-10, atol: 1e-13}
duration: 1.5
)");
  EXPECT_LT(result.summary.last.peaks.deviation[0].value, 1e-7);
}

TEST(ComputedTorque, BringsErrorsToZeroAsItsGainsSay) {
  // e'' + 20 e' + 100 e = 0: critically damped from e = -0.2.
  const TestRun result = run(rigid_arm + R"(initial: {q: {j1: 0.2}}
actuation:
  - {joint: j1, type: computed-torque, kp: 100, kd: 20, target: {trajectory: r1}}
  - {joint: j2, type: computed-torque, kp: 100, kd: 20, target: {trajectory: r2}}
integrator: {rtol: 1e-10, atol: 1e-13}
duration: 1.5
)");
  const auto r1 = make_trajectory(trajectories::Quintic{.from = 0.0, .to = 1.0, .duration = 1.0},
                                  [](const std::string&) { return nullptr; });
  for (const Sample& row : result.rows) {
    const double error = -0.2 * (1.0 + 10.0 * row.t) * std::exp(-10.0 * row.t);
    EXPECT_NEAR(r1->at(row.t).position - row.q[0], error, 1e-6) << row.t;
  }
}

TEST(Effort, IsLimited) {
  const TestRun result = run(boom + R"(actuation: [{joint: shoulder, type: torque, signal: {value: 2000}}]
duration: 0.2
)");
  for (const Sample& row : result.rows) EXPECT_EQ(row.efforts[0], 500.0);
  // Work is what was really done.
  EXPECT_LT(result.summary.last.largest_error, 1e-4 * result.summary.last.energy_size);
}

// A quintic excites the boom; shaped by its own frequency, the same motion leaves (almost) nothing.
TEST(Shaper, SuppressesTheArmsOwnFrequency) {
  const std::string arm = R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1]}
      beam: {length: 2, section: {EI_z: 200, mass_per_length: 1}, modes: {y: {count: 3}}}
      tip: {mass: 2}
trajectories:
  fast: {type: quintic, from: 0, to: 0.3, duration: 0.4}
  zv: {type: shaped, of: fast, shaper: zv}
  zvd: {type: shaped, of: fast, shaper: zvd}
  both: {type: shaped, of: fast, shaper: zv, modes: 2}
)";
  const auto residual = [&](const std::string& trajectory) {
    const TestRun result =
        run(arm + "actuation: [{joint: shoulder, type: prescribed, target: {trajectory: " + trajectory +
            "}}]\nintegrator: {rtol: 1e-8}\nduration: 6\n");
    double largest = 0.0;
    for (const Sample& row : result.rows)
      if (row.t > 4.0) largest = std::max(largest, row.ledger.strain + row.ledger.kinetic);
    return std::sqrt(largest);
  };
  const double plain = residual("fast");
  EXPECT_LT(residual("zv"), 0.05 * plain);
  EXPECT_LT(residual("zvd"), 0.05 * plain);
  EXPECT_LT(residual("both"), 0.02 * plain);
}

TEST(Lqr, BringsTheArmToRest) {
  const std::string arm = boom + R"(initial: {q: {shoulder: 0.1}}
duration: 6
integrator: {rtol: 1e-8}
)";
  const TestRun result = run(arm + R"(actuation:
  - {joint: shoulder, type: lqr, position_weight: 100, energy_weight: 1, effort_weight: 1e-4, target: {value: 0.2}}
)");
  EXPECT_NEAR(result.summary.q[0], 0.2, 1e-5);
  EXPECT_LT(std::abs(result.summary.v[0]), 1e-4);
  EXPECT_LT(result.summary.v.norm(), 1e-3);
}

TEST(Lqr, WithoutATargetHoldsTheStart) {
  const TestRun result = run(boom + R"(initial: {q: {shoulder: 0.1}, settle: true}
actuation: [{joint: shoulder, type: lqr}]
duration: 1
)");
  for (const Sample& row : result.rows) EXPECT_NEAR(row.q[0], 0.1, 1e-7);
}

// Impulse of a constant force on a free rigid body, and its work, in each frame.
TEST(Loads, BeginEndAndDoWork) {
  for (const char* frame : {"world", "body", "section"}) {
    const TestRun result = run(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: x, type: prismatic, axis: [1, 0, 0]}, rigid: {mass: 2, inertia: [1, 1, 1, 0, 0, 0]}}
loads:
  - {link: a, frame: )" + std::string(frame) +
                               R"(, force: [3, 0, 0], from: 0.5, to: 1.5}
  - {link: a, force: [1, 0, 0], factor: {trajectory: ramp}, from: 2}
trajectories: {ramp: {type: table, times: [2, 4], values: [0, 2]}}
duration: 4
)");
    const Sample& end = result.rows.back();
    EXPECT_NEAR(end.v[0], 1.5 + 1.0, 1e-9) << frame;  // impulse 3, then Int_2^4 (t - 2) dt = 2, over 2 kg
    EXPECT_NEAR(end.ledger.work_loads, 0.5 * 2.0 * 2.5 * 2.5, 1e-8) << frame;
    EXPECT_LT(result.summary.last.largest_error, 1e-8) << frame;
  }
}

// On a bent beam, away from the tip, with an offset: the ledger closes only if power and force belong together.
TEST(Loads, CloseTheLedgerOnABentBeam) {
  for (const char* frame : {"world", "body", "section"}) {
    const TestRun result = run(boom + R"(loads:
  - {link: boom, at: 0.6, force: [5, 40, 0], moment: [0, 0, 9], offset: [0.1, 0.2, 0], frame: )" +
                               frame + R"(}
integrator: {rtol: 1e-9, atol: 1e-12}
duration: 1
)");
    EXPECT_GT(std::abs(result.rows.back().ledger.work_loads), 1.0);
    EXPECT_LT(result.summary.last.largest_error, 1e-7 * result.summary.last.energy_size) << frame;
  }
}

TEST(Damping, IsInTheLedger) {
  const TestRun result = run(boom + "integrator: {rtol: 1e-9, atol: 1e-12}\nduration: 2\n");
  EXPECT_GT(result.rows.back().ledger.dissipated, 1e-3);
  EXPECT_LT(result.summary.last.largest_error, 1e-7 * result.summary.last.energy_size);
}

// A motor on a shape with a slope at its root turns the root section: its work must include that.
TEST(Motor, TurnsTheRootSectionOfPinnedShapes) {
  const TestRun result = run(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - name: a
      joint: {name: j}
      beam: {length: 1, section: {EI_z: 20, mass_per_length: 1}, modes: {y: {shape: pinned-pinned, count: 2}}}
actuation: [{joint: j, type: torque, signal: {trajectory: u}}]
trajectories: {u: {type: quintic, from: 0, to: 2, duration: 1}}
integrator: {rtol: 1e-9, atol: 1e-12}
duration: 2
)");
  EXPECT_GT(std::abs(result.rows.back().q[1]), 1e-4);
  EXPECT_LT(result.summary.last.largest_error, 1e-6 * result.summary.last.energy_size);
}

// Users' own controllers.
class Bang : public Controller {
 public:
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override {
    efforts[0] += now.within < 0.5 ? 1.0 : -1.0;
  }
  std::vector<double> corners() const override { return {0.5}; }
};

TEST(Controller, CanBeWrittenByUsers) {
  ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: j, armature: 1}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}]
duration: 1
)");
  Scenario built = build_scenario(file.description, file.model);
  built.controllers.push_back(std::make_unique<Bang>());
  const RunSummary summary = simulate(built);
  EXPECT_NEAR(summary.q[0], 0.125, 1e-9);
  EXPECT_NEAR(summary.v[0], 0.0, 1e-9);
}

TEST(Progress, CanStopARun) {
  const ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  Scenario built = build_scenario(file.description, file.model);
  RunOptions options;
  options.progress = [](const Progress& progress) { return progress.t < 3.0; };
  History history;
  const RunSummary first = simulate(built, &history, options);
  EXPECT_FALSE(first.finished);
  EXPECT_GE(first.end, 3.0);
  EXPECT_LT(first.end, 3.5);
  // Going on from there gives what one run gives.
  RunOptions rest;
  rest.resume = first.last;
  const RunSummary second = simulate(built, &history, rest);
  const TestRun whole = run(file);
  ASSERT_EQ(history.rows.size(), whole.rows.size());
  EXPECT_LT((second.q - whole.summary.q).cwiseAbs().maxCoeff(), 1e-5);
  EXPECT_NEAR(second.last.peaks.deviation[3].value, whole.summary.last.peaks.deviation[3].value, 1e-6);
  EXPECT_LT(second.last.largest_error, 1e-5 * 314.0);
}

}  // namespace
}  // namespace limber
