// SPDX-License-Identifier: BSD-3-Clause
// Runs of arms whose motors sit behind elastic gears.

#include <gtest/gtest.h>

#include <cmath>

#include "runs.hpp"

namespace limber {
namespace {

// A link of 1.1 kg m^2 about its joint, and a rotor of 2 kg m^2 as the joint feels it, on 20 kN m/rad.
const std::string two_inertias = R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: arm
      joint: {name: shoulder, drive: {ratio: 100, rotor_inertia: 2e-4, stiffness: 2e4}}
      rigid: {mass: 5, com: [0.4, 0, 0], inertia: [0, 0.3, 0.3, 0, 0, 0], tip: {xyz: [0.8, 0, 0]}}
)";
constexpr double I = 1.1, J = 2.0, k = 2e4;

// A constant torque u on the rotor: both turn with u / (I + J), and swing against each other about a twist of the gear of I u / (k (I + J)).
TEST(TwoInertias, FollowTheClosedFormUnderATorque) {
  for (const std::string formulation : {"recursive", "dense", "dual-screw", "dae", "generated"})
    for (const std::string integrator :
         {"{rtol: 1e-10, atol: 1e-12}", "{method: bdf, rtol: 1e-9, atol: 1e-12}",
          "{method: generalized-alpha, step: 2e-5}"}) {
      if (formulation == "generated" && integrator != "{rtol: 1e-10, atol: 1e-12}") continue;
      SCOPED_TRACE(formulation + " " + integrator);
      const TestRun done = run(two_inertias + "formulation: " + formulation +
                               "\nactuation: [{joint: shoulder, type: torque, signal: {value: 62}}]\n"
                               "integrator: " +
                               integrator + "\nduration: 0.1\noutput: {rate: 100}\n");
      const double u = 62.0, omega = std::sqrt(k * (1.0 / I + 1.0 / J)), static_twist = I * u / (k * (I + J));
      for (const Sample& row : done.rows) {
        const double mean = 0.5 * u / (I + J) * row.t * row.t,
                     twist = static_twist * (1.0 - std::cos(omega * row.t));  // motor ahead of the joint
        EXPECT_NEAR(row.q[0], mean - J / (I + J) * twist, 2e-6);
        EXPECT_NEAR(row.q[1], mean + I / (I + J) * twist, 2e-6);
        EXPECT_EQ(row.efforts[0], 0.0);
        EXPECT_EQ(row.efforts[1], u);
        EXPECT_NEAR(row.power[1], u * row.v[1], 1e-12);
      }
    }
}

// What is known of a joint says nothing of its gear: it starts at ease.
TEST(TwoInertias, StartWithTheGearAtEaseWhereOneOfThemIsGiven) {
  for (const std::string given : {"{shoulder: 0.3}", "{shoulder.motor: 0.3}"}) {
    const TestRun done =
        run(two_inertias + "initial: {q: " + given + ", v: {shoulder: 0.5}}\nduration: 0.01\n");
    EXPECT_EQ(done.rows.front().q, Eigen::Vector2d(0.3, 0.3));
    EXPECT_EQ(done.rows.front().v, Eigen::Vector2d(0.5, 0.5));
  }
  const TestRun both =
      run(two_inertias + "initial: {q: {shoulder: 0.3, shoulder.motor: 0.1}}\nduration: 0.01\n");
  EXPECT_EQ(both.rows.front().q, Eigen::Vector2d(0.3, 0.1));
}

const std::string damped_gear = R"(
limber: 1
model:
  limber: 1
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, -1, 0], damping: 2, limits: {effort: 400},
              drive: {ratio: 100, rotor_inertia: 2e-4, stiffness: 2e4, damping: 10}}
      beam:
        length: 2
        section: {EI_y: 2e4, mass_per_length: 3}
        modes: {z: {count: 3}}
        damping: {ratio: 0.01}
      tip: {mass: 4}
initial: {settle: true}
trajectories: {up: {type: quintic, from: 0, to: 0.5, start: 0.1, duration: 0.7}}
output: {rate: 100}
)";

// A controller of the joint sees and moves its motor; the ledger closes with the gear's losses in it.
TEST(GearedBoom, IsControlledAtItsMotorAndKeepsItsBooks) {
  for (const std::string formulation : {"recursive", "dense", "dae"}) {
    SCOPED_TRACE(formulation);
    const TestRun done =
        run(damped_gear + "integrator: {rtol: 1e-9, atol: 1e-11}\nduration: 1\nformulation: " + formulation +
            "\nactuation:\n  - {joint: shoulder, type: pd, kp: 3e4, kd: 2e3, target: {trajectory: up}}\n"
            "  - {joint: shoulder, type: rigid-inverse-dynamics, target: {trajectory: up}}\n");
    const Ledger& ledger = done.summary.ledger;
    EXPECT_GT(ledger.dissipated, 0.0);
    EXPECT_LT(std::abs(ledger.error), 1e-5 * (std::abs(ledger.work_actuators) + ledger.dissipated));
    EXPECT_NEAR(done.rows.back().q[1], 0.5, 0.005);
    EXPECT_LT(done.rows.back().q[0], done.rows.back().q[1]);  // the link hangs below its motor
    for (const Sample& row : done.rows) EXPECT_EQ(row.efforts[0], 0.0);
  }
}

TEST(GearedBoom, StartsSaggedOnItsGearAndStaysThere) {
  const TestRun done = run(damped_gear +
                           "actuation: [{joint: shoulder, type: pd, kp: 1e6, kd: 1e4, gravity_compensation: "
                           "target, target: {value: 0}}]\n"
                           "duration: 0.2\n");
  const double weight = 9.81 * (4.0 * 2.0 + 3.0 * 2.0 * 1.0);
  EXPECT_NEAR(done.rows.front().q[0], -weight / 2e4, 2e-3 * weight / 2e4);
  EXPECT_EQ(done.rows.front().q[1], 0.0);
  EXPECT_NEAR(done.rows.back().q[0], done.rows.front().q[0], 1e-4);
}

// A motor that is moved along a trajectory takes its link along on the gear, in every formulation that can prescribe.
TEST(GearedBoom, IsMovedThroughItsGearByAPrescribedMotor) {
  const std::string prescribed =
      damped_gear +
      "actuation: [{joint: shoulder, type: prescribed, target: {trajectory: up}}]\nduration: 1\n";
  const TestRun recursive = run(prescribed), dae = run(prescribed + "formulation: dae\n"),
                dense = run(prescribed + "formulation: dense\n");
  double twist = 0.0;
  for (std::size_t i = 0; i < recursive.rows.size(); ++i) {
    EXPECT_LT((recursive.rows[i].q - dae.rows[i].q).norm(), 1e-5);
    EXPECT_LT((recursive.rows[i].q - dense.rows[i].q).norm(), 1e-5);
    twist = std::max(twist, std::abs(recursive.rows[i].q[0] - recursive.rows[i].q[1]));
  }
  EXPECT_EQ(recursive.rows.back().q[1], 0.5);
  EXPECT_GT(twist, 0.005);
  const Ledger& ledger = recursive.summary.ledger;
  EXPECT_LT(std::abs(ledger.error), 1e-5 * (std::abs(ledger.work_actuators) + ledger.dissipated));
}

// Inverse dynamics of the arm with its gears: the motor follows exactly.
TEST(GearedBoom, FollowsFlexibleFeedForwardAtItsMotor) {
  const TestRun done =
      run(damped_gear +
          "actuation: [{joint: shoulder, type: flexible-feed-forward, target: {trajectory: up}}]\n"
          "integrator: {rtol: 1e-9, atol: 1e-11}\nduration: 1\n");
  for (const Sample& row : done.rows) {
    if (row.t < 0.85) continue;
    EXPECT_NEAR(row.q[1], 0.5, 1e-4);
  }
}

TEST(GearedBoom, IsHeldByLqr) {
  const TestRun done =
      run(damped_gear + "actuation: [{joint: shoulder, type: lqr, target: {trajectory: up}}]\nduration: 3\n");
  EXPECT_NEAR(done.rows.back().q[1], 0.5, 0.01);
}

}  // namespace
}  // namespace limber
