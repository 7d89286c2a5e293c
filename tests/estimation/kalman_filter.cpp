// SPDX-License-Identifier: BSD-3-Clause
// The filter against the closed form of a linear one, and against arms of our own whose state is known: errors must be as large as it says.

#include "limber/estimation/kalman_filter.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/input_error.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/noise.hpp"
#include "limber/simulation/simulator.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Scenario built(const std::string& text) {
  const ScenarioFile file = parse_scenario(text, "scenario.yaml", LIMBER_MODELS_DIR);
  return build_scenario(file.description, file.model);
}

// A wheel that nothing moves: x+ = [1 h; 0 1] x, and the filter is Kalman's own.
TEST(KalmanFilter, IsTheLinearOneForAFreeWheel) {
  KalmanOptions options;
  options.position_deviation = 0.3;
  options.velocity_deviation = 0.2;
  options.process_noise = 0.05;
  options.longest_step = 0.1;
  KalmanFilter filter(built(R"(
limber: 1
model:
  limber: 1
  links:
    - name: wheel
      joint: {name: axle, type: revolute, axis: [0, 0, 1]}
      rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}
initial: {q: {axle: 0.2}, v: {axle: -0.1}}
sensors: [{name: angle, type: position, joint: axle, noise: 0.05}]
duration: 5
)"),
                      options);
  Eigen::Vector2d x(0.2, -0.1);
  Eigen::Matrix2d P = Eigen::Vector2d(0.09, 0.04).asDiagonal(), Phi;
  const double h = 0.1;
  Phi << 1.0, h, 0.0, 1.0;
  const Eigen::Vector2d g(0.5 * h / 2.0, 1.0 / 2.0);  // inertia 2
  const Eigen::RowVector2d H(1.0, 0.0);
  for (int k = 1; k <= 10; ++k) {
    const double reading = 0.2 - 0.08 * k * h + 0.01 * std::sin(3.0 * k);
    filter.predict(k * h);
    const VectorXd left = filter.update({0}, VectorXd::Constant(1, reading));
    x = Phi * x;
    P = Phi * P * Phi.transpose() + h * 0.05 * g * g.transpose();
    const double S = H * P * H.transpose() + 0.0025;
    const Eigen::Vector2d gain = P * H.transpose() / S;
    EXPECT_NEAR(left[0], (reading - x[0]) / std::sqrt(S), 1e-12);
    x += gain * (reading - x[0]);
    P = (Eigen::Matrix2d::Identity() - gain * H) * P;
    EXPECT_NEAR(filter.q()[0], x[0], 1e-12);
    EXPECT_NEAR(filter.v()[0], x[1], 1e-12);
    EXPECT_LE((filter.covariance() - P).norm(), 1e-12);
  }
}

const std::string swing = R"(
limber: 1
model: lab_link/lab_link.yaml
actuation: [{joint: hub, type: torque, signal: {trajectory: push}}]
trajectories:
  push: {type: table, times: [0, 0.1, 0.2, 0.3, 0.4, 1], values: [0, 0.8, 0, -0.8, 0, 0]}
sensors:
  - {name: angle, type: position, joint: hub, noise: 1e-3}
  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], noise: 3e-6}
  - {name: gyro, type: gyroscope, link: strip, at: 1.0, axis: [0, 0, 1], noise: 0.02}
IMU
integrator: {method: radau, rtol: 1e-8}
duration: 1
)";

std::string with_imu(const std::string& imu) {
  std::string text = swing;
  return text.replace(text.find("IMU"), 3, imu);
}

/// What is left of the normalized error squared, on average over seeds, at the end of a second of readings.
struct Consistency {
  double mean = 0.0, tip_error = 0.0, tip_deviation = 0.0, rigid_error = 0.0;
};
Consistency consistency(const std::string& text, int seeds) {
  Simulator arm(built(text));
  const int sensors = static_cast<int>(arm.scenario().sensors.size());
  constexpr int rows = 50;
  constexpr double h = 0.01;
  // The truth once; every seed has a start and readings of its own around it.
  std::vector<VectorXd> clean;
  const ScenarioFile file = parse_scenario(text, "scenario.yaml", LIMBER_MODELS_DIR);
  ScenarioDescription silent = file.description;
  for (SensorDescription& sensor : silent.sensors) sensor.noise = 0.0;
  Simulator truth(build_scenario(silent, file.model));
  for (int i = 0; i <= rows; ++i) {
    truth.advance_to(i * h);
    clean.push_back(truth.readings());
  }
  Consistency all;
  for (int seed = 0; seed < seeds; ++seed) {
    KalmanFilter filter(build_scenario(file.description, file.model));
    const int n = filter.model().nv();
    VectorXd q = filter.q(), v = filter.v();
    const NormalNoise start(static_cast<std::uint32_t>(seed), "start");
    for (int c = 0; c < n; ++c) {
      q[c] += std::sqrt(filter.covariance()(c, c)) * start.at(static_cast<std::uint64_t>(c));
      v[c] += std::sqrt(filter.covariance()(n + c, n + c)) * start.at(static_cast<std::uint64_t>(n + c));
    }
    filter.set_state(q, v, MatrixXd(filter.covariance()));
    std::vector<int> which;
    for (int s = 0; s < sensors; ++s) which.push_back(s);
    for (int i = 0; i <= rows; ++i) {
      filter.predict(i * h);
      VectorXd readings = clean[static_cast<std::size_t>(i)];
      for (int s = 0; s < sensors; ++s) {
        const NormalNoise noise(static_cast<std::uint32_t>(seed),
                                file.description.sensors[static_cast<std::size_t>(s)].name);
        readings[s] += file.description.sensors[static_cast<std::size_t>(s)].noise *
                       noise.at(static_cast<std::uint64_t>(i));
      }
      filter.update(which, readings);
    }
    all.mean += normalized_error_squared(filter, truth.state().q, truth.state().v) / seeds;
    // The tip, beside that of an arm which does not bend and has the encoder alone.
    const double length = 0.85, y = filter.tip().position[1];
    KalmanFilter exact(build_scenario(file.description, file.model));
    exact.set_state(truth.state().q, truth.state().v, MatrixXd(filter.covariance()));
    all.tip_error += std::pow(y - exact.tip().position[1], 2) / seeds;
    all.tip_deviation = filter.tip().standard_deviation[1];
    all.rigid_error += std::pow(length * std::sin(truth.state().q[0]) - exact.tip().position[1], 2) / seeds;
  }
  return all;
}

// Over N seeds the mean of chi-squared numbers with 2 nv = 8 degrees of freedom has the standard deviation sqrt(16 / N): 95 % lie within 1.96 of these.
TEST(KalmanFilter, IsAsWrongAsItSays) {
  constexpr int seeds = 100;
  const Consistency all = consistency(with_imu(""), seeds);
  EXPECT_NEAR(all.mean, 8.0, 1.96 * std::sqrt(16.0 / seeds));
  EXPECT_NEAR(std::sqrt(all.tip_error) / all.tip_deviation, 1.0, 0.2);
  EXPECT_LT(std::sqrt(all.tip_error), 0.2 * std::sqrt(all.rigid_error));
}

// An accelerometer shows what acts, too.
TEST(KalmanFilter, TakesAccelerations) {
  constexpr int seeds = 40;
  const Consistency all = consistency(
      with_imu("  - {name: imu, type: accelerometer, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}"),
      seeds);
  EXPECT_NEAR(all.mean, 8.0, 2.6 * std::sqrt(16.0 / seeds));
}

TEST(KalmanFilter, SaysWhatItCannotTake) {
  const auto refusal = [](const std::string& imu) {
    try {
      KalmanFilter filter(built(with_imu(imu)));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal("  - {name: imu, type: gyroscope, link: strip, axis: [0, 0, 1]}")
                .find("sensors[3].noise: expected a standard deviation > 0"),
            std::string::npos);
  EXPECT_NE(
      refusal(
          "  - {name: imu, type: gyroscope, link: strip, axis: [0, 0, 1], noise: 1, rate: 100, delay: 0.02}")
          .find("sensors[3].delay: expected 0"),
      std::string::npos);
  KalmanFilter filter(built(with_imu("")));
  EXPECT_THROW(filter.predict(-1.0), InputError);
  EXPECT_THROW(filter.update({0, 7}, VectorXd::Zero(2)), InputError);
  EXPECT_THROW(filter.update({0}, VectorXd::Zero(2)), InputError);
  EXPECT_THROW(filter.update({0}, VectorXd::Constant(1, NAN)), InputError);
  EXPECT_THROW(filter.set_state(VectorXd::Zero(1), VectorXd::Zero(4), MatrixXd::Zero(8, 8)), InputError);
}

}  // namespace
}  // namespace limber
