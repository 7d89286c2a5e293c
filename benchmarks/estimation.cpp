// SPDX-License-Identifier: BSD-3-Clause
// How long a step of a filter takes: a prediction over a millisecond and an update by ten readings, of an arm with 15 coordinates.

#include <benchmark/benchmark.h>

#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/stochastic_arm.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"
#include "limber/io/scenario_file.hpp"

namespace {

using namespace limber;

constexpr int coordinates = 15, readings = 10;

// Three joints with four shapes each: encoders of all joints, and seven strain gauges.
std::string text() {
  std::string links, sensors;
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    links += "    - name: link" + n + "\n      joint: {name: joint" + n +
             ", type: revolute, axis: [0, 0, 1], damping: 0.1}\n"
             "      beam: {length: 1, section: {EI_y: 200, EI_z: 200, GJ: 100, EA: 1e6, mass_per_length: 1}, "
             "modes: {y: {count: 2}, z: "
             "{count: 2}}, damping: {ratio: 0.01}}\n";
    sensors += "  - {name: encoder" + n + ", type: position, joint: joint" + n + ", noise: 1e-4}\n";
  }
  for (int i = 0; i < readings - 3; ++i)
    sensors += "  - {name: gauge" + std::to_string(i) + ", type: strain, link: link" + std::to_string(i % 3) +
               ", at: " + std::to_string(0.1 + 0.1 * (i / 3)) + ", offset: [0.01, 0.005], noise: 1e-6}\n";
  return "limber: 1\nmodel:\n  limber: 1\n  links:\n" + links + "sensors:\n" + sensors + "duration: 1000\n";
}

template <typename Filter>
void step(benchmark::State& state) {
  const ScenarioFile file = parse_scenario(text(), "chain.yaml", ".");
  StochasticArm arm(build_scenario(file.description, file.model));
  if (arm.model().nv() != coordinates) return state.SkipWithError("another arm");
  Filter filter(arm, 0.0, arm.start(), arm.start_covariance());
  std::vector<int> sensors;
  for (int i = 0; i < readings; ++i) sensors.push_back(i);
  const Eigen::VectorXd shown = Eigen::VectorXd::Zero(readings);
  double t = 0.0;
  for (auto _ : state) {
    filter.predict(t += 1e-3);
    filter.update(sensors, shown);
  }
}
BENCHMARK(step<ExtendedKalmanFilter>)->Name("ekf step, 15 coordinates, 10 readings");
BENCHMARK(step<UnscentedKalmanFilter>)->Name("ukf step, 15 coordinates, 10 readings");

}  // namespace

BENCHMARK_MAIN();
