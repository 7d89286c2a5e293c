// SPDX-License-Identifier: BSD-3-Clause
// Arms under filters: derivatives against differences of whole predictions.

#include <gtest/gtest.h>

#include "estimation/followed_arms.hpp"

namespace limber {
namespace {

/// Phi and H of a process at a point, against central differences.
void expect_derivatives(StochasticArm& arm, const VectorXd& x, double from, double to) {
  const Index n = arm.error_size();
  std::vector<int> sensors;
  for (int i = 0; i < arm.reading_count(); ++i) sensors.push_back(i);
  VectorXd after = x, readings, there, error = VectorXd::Zero(n), above, below, shown_above, shown_below;
  MatrixXd Phi = MatrixXd::Identity(n, n), P = MatrixXd::Identity(n, n), H;
  arm.predict(from, to, after, {&P, &Phi});
  EXPECT_LE((P - Phi * Phi.transpose()).norm(), 1e-10 * P.norm());
  arm.read(from, x, sensors, readings, &H);
  for (Index c = 0; c < n; ++c) {
    const double step = 1e-5 * std::max(1.0, c < n / 2 ? 1.0 : std::abs(x[c + x.size() - n]));
    for (const double way : {step, -step}) {
      error[c] = way;
      arm.displace(x, error, there);
      arm.read(from, there, sensors, way > 0.0 ? shown_above : shown_below, nullptr);
      arm.predict(from, to, there, {});
      arm.difference(after, there, way > 0.0 ? above : below);
    }
    error[c] = 0.0;
    const VectorXd column = (above - below) / (2.0 * step), seen = (shown_above - shown_below) / (2.0 * step);
    EXPECT_LE((Phi.col(c) - column).norm(), 2e-7 * (1.0 + column.norm())) << "Phi " << c;
    EXPECT_LE((H.col(c) - seen).norm(), 2e-6 * (1.0 + seen.norm())) << "H " << c;
  }
}

const std::string bent = R"(
limber: 1
model: lab_link/lab_link.yaml
initial: {q: {hub: 0.4, strip.y1: 0.02, strip.y2: -0.01}, v: {hub: 1.5, strip.y1: 0.3}}
CONTROL
sensors:
  - {name: angle, type: position, joint: hub, noise: 1e-3}
  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], noise: 3e-6}
  - {name: gyro, type: gyroscope, link: strip, at: 1.0, axis: [0, 0, 1], noise: 0.02}
  - {name: imu, type: accelerometer, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}
  - {name: height, type: point, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}
  - {name: motor, type: effort, joint: hub, noise: 0.3}
duration: 1
)";

TEST(StochasticArm, KnowsItsDerivatives) {
  StochasticArm free(built(with(bent, "CONTROL", "")));
  expect_derivatives(free, free.start(), 0.0, 0.004);
  // What controllers remember is a state as well ...
  StochasticArm remembering(built(with(bent, "CONTROL",
                                       "actuation: [{joint: hub, type: pid, kp: 20, ki: 30, kd: 2, "
                                       "derivative_filter: 0.05, target: {value: 0.1}}]")));
  VectorXd x = remembering.start();
  EXPECT_EQ(x.size(), 10);
  x.tail(2) << 0.03, -0.2;
  expect_derivatives(remembering, x, 0.0, 0.004);
  // ... and so is what they hold between samples: one at the start, one within.
  StochasticArm sampled(
      built(with(bent, "CONTROL",
                 "actuation: [{joint: hub, type: pid, kp: 20, ki: 30, kd: 2, rate: 500, target: "
                 "{value: 0.1}}]")));
  EXPECT_GT(sampled.point_size(), 8);
  x = sampled.start();
  x.tail(x.size() - 8).setLinSpaced(0.1, 0.5);
  expect_derivatives(sampled, x, 0.0, 0.003);
}

TEST(StochasticArm, KnowsTheDerivativesOfTurningJoints) {
  StochasticArm arm(built(R"(
limber: 1
model:
  limber: 1
  links:
    - name: ball
      joint: {name: socket, type: spherical}
      rigid: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.03, 0, 0, 0], tip: {xyz: [0.6, 0, 0]}}
    - name: strip
      joint: {name: hinge, type: revolute, axis: [0, 1, 0]}
      beam: {length: 0.5, section: {EI_y: 2, EI_z: 3, GJ: 1, EA: 1e5, mass_per_length: 0.5}, modes: {z: {shape: polynomial, count: 1}}}
initial: {v: {socket.1: 3, socket.2: -4, socket.3: 2, hinge: 1}}
sensors:
  - {name: gyro, type: gyroscope, link: ball, axis: [1, 2, 0], noise: 0.02}
  - {name: imu, type: accelerometer, link: strip, axis: [0, 1, 1], noise: 0.3}
duration: 1
)"),
                    {0.1, 0.1, 0.1, 0.0, 0.01});
  expect_derivatives(arm, arm.start(), 0.0, 0.05);
}

TEST(StochasticArm, KnowsTheDerivativesOfCylindersAndOil) {
  for (const std::string name : {"boom_cylinder", "boom_oil"}) {
    StochasticArm arm(
        built("limber: 1\nmodel: boom_cylinder/" + name +
              ".yaml\nsensors: [{name: angle, type: position, joint: pivot, noise: 1e-3}]\nduration: 1\n"),
        {0.01, 0.01, 1e-3, 0.0, 1e-3});
    const Index n = arm.error_size();
    VectorXd x = arm.start(), after = x, there, error = VectorXd::Zero(n), above, below;
    EXPECT_EQ(n, 2 * arm.model().nv() + (name == "boom_oil" ? 2 : 0));
    MatrixXd Phi = MatrixXd::Identity(n, n);
    arm.predict(0.0, 0.004, after, {nullptr, &Phi});
    for (Index c = 0; c < n; ++c) {
      const double step = 1e-5 * (c < 2 * arm.model().nv() ? 1.0 : 1e7);  // [Pa]
      for (const double way : {step, -step}) {
        error[c] = way;
        arm.displace(x, error, there);
        arm.predict(0.0, 0.004, there, {});
        arm.difference(after, there, way > 0.0 ? above : below);
      }
      error[c] = 0.0;
      const VectorXd column = (above - below) / (2.0 * step);
      EXPECT_LE((Phi.col(c) - column).norm(), 1e-5 * (1.0 + column.norm())) << name << c;
    }
  }
}

TEST(StochasticArm, KnowsTheDerivativesByParameters) {
  const Truth truth(with(bent, "CONTROL", ""), 1);
  StochasticArm arm(with_payload(truth), {{"payload", 0.12, 0.02}});
  VectorXd x = arm.start();
  x[x.size() - 1] = 0.127;  // between prepared arms
  expect_derivatives(arm, x, 0.0, 0.004);
  // There it is the arm with that payload.
  StochasticArm exact(with_payload(truth)(VectorXd::Constant(1, 0.127)));
  VectorXd other = exact.start(), shown, shown_other;
  arm.predict(0.0, 0.02, x, {});
  exact.predict(0.0, 0.02, other, {});
  // Forces are linear in a mass, modal damping is not: to the polynomial's accuracy.
  EXPECT_LE((x.head(8) - other).norm(), 2e-6 * other.norm());
  arm.read(0.02, x, {0, 1, 2, 3}, shown, nullptr);
  exact.read(0.02, other, {0, 1, 2, 3}, shown_other, nullptr);
  EXPECT_LE((shown - shown_other).norm(), 2e-4 * shown_other.norm());
}

}  // namespace
}  // namespace limber
