// SPDX-License-Identifier: BSD-3-Clause
// The stacked equations beside the recursion, in one run: cost of a right-hand side, and how it grows.

#include <benchmark/benchmark.h>

#include "arms.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/link_by_link.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

void recursive(benchmark::State& state, const Model& model) {
  Bench b(model, Kernels::fixed);
  for (auto _ : state) forward_dynamics(b.model, b.work, b.q, b.v, b.tau, b.result);
}

enum class Elimination { blocks, dense, none };

void link_by_link(benchmark::State& state, const Model& model, Elimination elimination) {
  Bench b(model, Kernels::fixed);
  LinkByLink arm(b.model);
  for (auto _ : state) {
    arm.update(b.q, b.v);
    arm.assemble(b.q, b.v, b.tau, b.result, {});
    if (elimination == Elimination::blocks) arm.solve();
    if (elimination == Elimination::dense) arm.solve_dense();
    if (elimination == Elimination::none)
      arm.missing_forces(b.qdd, b.result);
    else
      arm.accelerations(b.result);
  }
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  for (const int links : {1, 2, 5, 10, 20, 50, 100, 200}) {
    const Model model = limber::benchmarks::bending_chain(links, 2);
    const std::string name = "/links/" + std::to_string(links);
    RegisterBenchmark(("dae_recursive" + name).c_str(), recursive, model);
    RegisterBenchmark(("dae_blocks" + name).c_str(), link_by_link, model, Elimination::blocks);
    RegisterBenchmark(("dae_residual" + name).c_str(), link_by_link, model, Elimination::none);
    if (links <= 50) RegisterBenchmark(("dae_dense" + name).c_str(), link_by_link, model, Elimination::dense);
  }
  return true;
}();

}  // namespace
