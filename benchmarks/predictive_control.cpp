// SPDX-License-Identifier: BSD-3-Clause
// One real-time iteration of model predictive control of a flexible arm with three joints: 5 ms samples, a horizon of 125 of them.

#include <benchmark/benchmark.h>

#include <string>

#include "limber/io/scenario_file.hpp"
#include "limber/simulation/predictive_control.hpp"
#include "limber/simulation/simulator.hpp"

namespace {

using namespace limber;

// Two links that bend in both planes, `modes` shapes each: 3 + 4 modes coordinates.
std::string arm(int modes) {
  const std::string shapes =
      "{y: {count: " + std::to_string(modes) + "}, z: {count: " + std::to_string(modes) + "}}";
  return R"(limber: 1
model:
  gravity: [0, 0, -9.81]
  links:
    - name: post
      joint: {name: turn, axis: [0, 0, 1], armature: 0.5, limits: {effort: 60}}
      rigid: {mass: 2, com: [0, 0, 0.1], inertia: [0.02, 0.02, 0.02, 0, 0, 0], tip: {xyz: [0, 0, 0.3]}}
    - name: upper
      joint: {name: lift, axis: [0, -1, 0], armature: 0.5, limits: {effort: 120}}
      beam: {length: 1.0, section: {EI_y: 1200, EI_z: 1200, mass_per_length: 1.5}, modes: )" +
         shapes + R"(, damping: {ratio: 0.005}}
      tip: {mass: 2.5}
    - name: fore
      joint: {name: elbow, axis: [0, -1, 0], armature: 0.2, limits: {effort: 50}}
      beam: {length: 0.9, section: {EI_y: 800, EI_z: 800, mass_per_length: 1.2}, modes: )" +
         shapes + R"(, damping: {ratio: 0.005}}
      tip: {mass: 2}
trajectories:
  way: {type: quintic, from: 0, to: 0.8, duration: 0.9}
initial: {settle: true}
actuation: [{joint: all, type: nmpc, rate: 200, horizon: 0.625, target: {trajectory: way}}]
duration: 10
)";
}

// In the midst of the motion, where limits hold: the state of the sample before, moved on by one sample.
void one_iteration(benchmark::State& state) {
  const ScenarioFile file = parse_scenario(arm(static_cast<int>(state.range(0))), "arm.yaml", ".");
  Scenario scenario = build_scenario(file.description, file.model);
  auto& controller = dynamic_cast<PredictiveController&>(*scenario.controllers.front());
  Eigen::VectorXd memory = Eigen::VectorXd::Zero(controller.memory_size()), efforts(file.model.nv());
  const Eigen::VectorXi free = Eigen::VectorXi::Zero(file.model.nv());
  constexpr double T = 0.005;
  Eigen::VectorXd q = scenario.q, v = scenario.v;
  const auto sample = [&](double t) {
    const Instant now{t, t, q, v, {memory.data(), memory.size()}};
    efforts.setZero();
    controller.add_efforts(now, efforts);
    controller.remember(now, free, memory);
    q = controller.plan().x.col(1).head(file.model.nv());
    v = controller.plan().x.col(1).tail(file.model.nv());
  };
  int k = 0, sweeps = 0;
  constexpr int into_the_motion = 40, through_it = 120;
  const auto go_there = [&] {
    memory.setZero();
    q = scenario.q;
    v = scenario.v;
    for (k = 0; k < into_the_motion; ++k) sample(k * T);
  };
  go_there();
  long iterations = 0;
  for (auto _ : state) {
    if (k == through_it) {
      state.PauseTiming();
      go_there();
      state.ResumeTiming();
    }
    sample(k++ * T);
    sweeps += controller.plan().sweeps;
    ++iterations;
  }
  state.counters["coordinates"] = file.model.nv();
  state.counters["sweeps"] = static_cast<double>(sweeps) / static_cast<double>(iterations);
}
BENCHMARK(one_iteration)
    ->Name("nmpc/125 samples of 5 ms, shapes per plane")
    ->Arg(1)
    ->Arg(2)
    ->Arg(3)
    ->Unit(benchmark::kMillisecond);

}  // namespace
