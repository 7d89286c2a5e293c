// SPDX-License-Identifier: BSD-3-Clause
// Forward dynamics, inverse dynamics and mass matrix of flexible arms, and how their cost grows.

#include <benchmark/benchmark.h>

#include "arms.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

void forward(benchmark::State& state, const Model& model, Kernels kernels) {
  Bench b(model, kernels);
  for (auto _ : state) forward_dynamics(b.model, b.work, b.q, b.v, b.tau, b.result);
}

// The kernel itself, with no argument looked at: what looking costs is the difference to the above.
void forward_unchecked(benchmark::State& state, const Model& model, Kernels kernels) {
  Bench b(model, kernels);
  detail::ArmWork<double>& arm = b.work.arm();
  const std::vector<Load> none;
  for (auto _ : state)
    arm.kernels->forward_dynamics(b.model, arm, b.q.data(), b.v.data(), b.tau.data(), b.result.data(), none);
}

void inverse(benchmark::State& state, const Model& model, Kernels kernels) {
  Bench b(model, kernels);
  for (auto _ : state) inverse_dynamics(b.model, b.work, b.q, b.v, b.qdd, b.result);
}

void mass(benchmark::State& state, const Model& model, Kernels kernels) {
  Bench b(model, kernels);
  for (auto _ : state) mass_matrix(b.model, b.work, b.q, b.M);
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  for (const std::string variant : {"_spatial", "_craig_bampton"}) {
    const Model model = limber::benchmarks::canadarm(variant);
    for (const auto& [who, kernels] :
         {std::pair("limber", Kernels::fixed), std::pair("limber_plain", Kernels::plain)}) {
      const std::string arm = "canadarm" + variant + "/" + who;
      RegisterBenchmark(("forward_dynamics/" + arm).c_str(), forward, model, kernels);
      RegisterBenchmark(("inverse_dynamics/" + arm).c_str(), inverse, model, kernels);
      RegisterBenchmark(("mass_matrix/" + arm).c_str(), mass, model, kernels);
    }
  }
  for (const auto& [name, order] :
       {std::pair("first", KinematicOrder::first), std::pair("second", KinematicOrder::second)}) {
    const Model model = limber::benchmarks::twisting_arm(order);
    RegisterBenchmark((std::string("forward_dynamics/order/") + name).c_str(), forward, model,
                      Kernels::fixed);
    RegisterBenchmark((std::string("inverse_dynamics/order/") + name).c_str(), inverse, model,
                      Kernels::fixed);
    RegisterBenchmark((std::string("mass_matrix/order/") + name).c_str(), mass, model, Kernels::fixed);
  }
  for (const int joints : {3, 7}) {
    const Model model = limber::benchmarks::rigid_chain(joints);
    RegisterBenchmark(("forward_dynamics/checked/" + std::to_string(joints)).c_str(), forward, model,
                      Kernels::fixed);
    RegisterBenchmark(("forward_dynamics/unchecked/" + std::to_string(joints)).c_str(), forward_unchecked,
                      model, Kernels::fixed);
  }
  for (const int links : {1, 2, 5, 10, 20, 50, 100, 1000, 4000})
    RegisterBenchmark(("forward_dynamics/links/" + std::to_string(links)).c_str(), forward,
                      limber::benchmarks::flexible_chain(links, 4), Kernels::fixed);
  for (const int modes : {1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20})
    RegisterBenchmark(("forward_dynamics/modes/" + std::to_string(modes)).c_str(), forward,
                      limber::benchmarks::flexible_chain(3, modes), Kernels::fixed);
  return true;
}();

}  // namespace
