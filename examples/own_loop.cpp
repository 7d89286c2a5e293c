// SPDX-License-Identifier: BSD-3-Clause
// An integration loop of your own: a satellite with a flexible boom tumbles. The Runge-Kutta method of order 4 on the rotations themselves
// (Munthe-Kaas): within a step the configuration is q (+) delta, so that no quaternion drifts. With half the step errors are 16 times less, or better.

#include <cmath>
#include <cstdio>
#include <limber/algorithms/configuration.hpp>
#include <limber/algorithms/energy.hpp>
#include <limber/algorithms/forward_dynamics.hpp>
#include <limber/io/model_file.hpp>

using Eigen::VectorXd;

// What energy and angular momentum change by in ten seconds, as parts of themselves: both should be kept.
static Eigen::Vector2d drift(const limber::Model& model, double h) {
  limber::Workspace<double> work(model);
  const VectorXd none = VectorXd::Zero(model.nv());
  VectorXd q = limber::neutral_configuration(model), v = none, q_within = q, d[4] = {v, v, v, v},
           a[4] = {v, v, v, v};
  v.segment<3>(3) << 0.4, 0.5, -0.3;  // of a free joint: linear, then angular velocity [rad/s]

  const auto rates = [&](int stage, const VectorXd& delta, const VectorXd& velocity) {
    limber::displace(model, q, delta, q_within);
    limber::displacement_rate(model, delta, velocity, d[stage]);
    limber::forward_dynamics(model, work, q_within, velocity, none, a[stage]);
  };
  const limber::Energy<double> energy = limber::energy(model, work, q, v);
  const Eigen::Vector3d spin = limber::momentum(model, work, q, v).angular;

  for (int step = 0; step < std::lround(10.0 / h); ++step) {
    rates(0, none, v);
    rates(1, h / 2.0 * d[0], v + h / 2.0 * a[0]);
    rates(2, h / 2.0 * d[1], v + h / 2.0 * a[1]);
    rates(3, h * d[2], v + h * a[2]);
    limber::displace(model, q, h / 6.0 * (d[0] + 2.0 * d[1] + 2.0 * d[2] + d[3]), q_within);
    q = q_within;
    v += h / 6.0 * (a[0] + 2.0 * a[1] + 2.0 * a[2] + a[3]);
  }
  const limber::Energy<double> end = limber::energy(model, work, q, v);
  const Eigen::Vector3d change = limber::momentum(model, work, q, v).angular - spin;
  return {(end.kinetic + end.strain - energy.kinetic - energy.strain) / energy.kinetic,
          change.norm() / spin.norm()};
}

int main() try {
  const limber::Model satellite = limber::read_model("satellite.yaml");
  const Eigen::Vector2d coarse = drift(satellite, 0.02), fine = drift(satellite, 0.01);
  std::printf("energy drifts by %.2e with steps of 20 ms, %.1f times less with 10 ms\n", coarse[0],
              coarse[0] / fine[0]);
  std::printf("spin drifts by %.2e with steps of 20 ms, %.1f times less with 10 ms\n", coarse[1],
              coarse[1] / fine[1]);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   energy drifts by -1.43e-07 with steps of 20 ms, 31.8 times less with 10 ms
//   spin drifts by 9.11e-10 with steps of 20 ms, 20.6 times less with 10 ms
