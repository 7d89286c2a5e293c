// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arms of our own whose state is known, and filters that follow them.

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/estimation/arm_estimator.hpp"
#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/noise.hpp"
#include "limber/simulation/simulator.hpp"
#include "places.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

inline ScenarioFile parsed(const std::string& text) {
  return parse_scenario(text, "scenario.yaml", LIMBER_MODELS_DIR);
}
inline Scenario built(const std::string& text) {
  const ScenarioFile file = parsed(text);
  return build_scenario(file.description, file.model);
}

/// The text with its first `what` replaced.
inline std::string with(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

inline const std::string swing = R"(
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
output: {rate: 100}
)";

/// A motion that is known, and what sensors show of it without noise.
struct Truth {
  ScenarioFile file;
  int rows;
  std::vector<VectorXd> clean, q, v;

  Truth(const std::string& text, int count) : file(parsed(text)), rows(count) {
    ScenarioDescription silent = file.description;
    for (SensorDescription& sensor : silent.sensors) sensor.noise = 0.0;
    Simulator arm(build_scenario(silent, file.model));
    for (int i = 0; i <= rows; ++i) {
      arm.advance_to(time(i));
      clean.push_back(arm.readings());
      q.push_back(arm.state().q);
      v.push_back(arm.state().v);
    }
  }
  static double time(int row) { return 0.01 * row; }
  Scenario scenario() const { return build_scenario(file.description, file.model); }
  std::vector<int> sensors() const {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(file.description.sensors.size()); ++i) all.push_back(i);
    return all;
  }
  VectorXd readings(int row, int seed) const {
    VectorXd shown = clean[static_cast<std::size_t>(row)];
    for (Index s = 0; s < shown.size(); ++s) {
      const SensorDescription& about = file.description.sensors[static_cast<std::size_t>(s)];
      shown[s] +=
          about.noise *
          NormalNoise(static_cast<std::uint32_t>(seed), about.name).at(static_cast<std::uint64_t>(row));
    }
    return shown;
  }
};

/// A start that is off by as much as the covariance says.
inline VectorXd drawn_start(StochasticArm& arm, const VectorXd& x, const MatrixXd& P, int seed) {
  const NormalNoise noise(static_cast<std::uint32_t>(seed), "start");
  VectorXd error(arm.error_size()), moved;
  for (Index c = 0; c < error.size(); ++c)
    error[c] = std::sqrt(P(c, c)) * noise.at(static_cast<std::uint64_t>(c));
  arm.displace(x, error, moved);
  return moved;
}

inline std::unique_ptr<StateFilter> make_filter(EstimationMethod method, StochasticArm& arm,
                                                const VectorXd& x, const MatrixXd& P) {
  if (method == EstimationMethod::ekf) return std::make_unique<ExtendedKalmanFilter>(arm, 0.0, x, P);
  return std::make_unique<UnscentedKalmanFilter>(arm, 0.0, x, P);
}

inline ScenarioAt with_payload(const Truth& truth) {
  return [&truth](const VectorXd& p) {
    ScenarioDescription description = truth.file.description;
    description.model.links[0].tip->mass = p[0];
    if (!(p[0] >= 0.0)) throw InputError(Problem{"tip.mass", "a mass >= 0", std::to_string(p[0]), ""});
    return build_scenario(description, build_model(description.model));
  };
}

}  // namespace limber
