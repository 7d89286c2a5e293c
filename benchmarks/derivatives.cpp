// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of inverse and forward dynamics: the recursion differentiated by hand, beside the dual scalar and beside forward dynamics itself.

#include "limber/algorithms/derivatives.hpp"

#include <benchmark/benchmark.h>

#include "arms.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

void of_inverse_dynamics(benchmark::State& state, const Model& model) {
  Bench b(model, Kernels::fixed);
  DerivativeWorkspace work(b.model);
  ForceDerivatives result;
  for (auto _ : state) force_derivatives(b.model, work, b.q, b.v, b.qdd, result);
}

void of_forward_dynamics(benchmark::State& state, const Model& model) {
  Bench b(model, Kernels::fixed);
  DerivativeWorkspace work(b.model);
  DynamicsDerivatives result;
  for (auto _ : state) derivatives(b.model, work, b.q, b.v, b.tau, result);
}

// The same as of_inverse_dynamics, by sweeps of four directions each, and the mass matrix by itself.
void by_dual_scalar(benchmark::State& state, const Model& model) {
  Bench b(model, Kernels::fixed);
  ForceDifferentiator differentiator(b.model);
  const std::vector<int> all = all_coordinates(b.model);
  Eigen::MatrixXd dq, dv;
  for (auto _ : state) {
    differentiator.by_position(b.q, b.v, b.qdd, {}, all, dq);
    differentiator.by_velocity(b.q, b.v, all, dv);
    mass_matrix(b.model, b.work, b.q, b.M);
  }
}

void forward(benchmark::State& state, const Model& model) {
  Bench b(model, Kernels::fixed);
  for (auto _ : state) forward_dynamics(b.model, b.work, b.q, b.v, b.tau, b.result);
}

void add(const std::string& arm, const Model& model) {
  using benchmark::RegisterBenchmark;
  RegisterBenchmark(("derivatives/inverse_dynamics/" + arm).c_str(), of_inverse_dynamics, model);
  RegisterBenchmark(("derivatives/forward_dynamics/" + arm).c_str(), of_forward_dynamics, model);
  RegisterBenchmark(("derivatives/dual_scalar/" + arm).c_str(), by_dual_scalar, model);
  RegisterBenchmark(("derivatives/nothing_but_forward_dynamics/" + arm).c_str(), forward, model);
}

const bool registered = [] {
  for (const int joints : {3, 7, 15, 50})
    add("rigid/" + std::to_string(joints), limber::benchmarks::rigid_chain(joints));
  for (const std::string variant : {"", "_spatial", "_craig_bampton"})
    add("canadarm" + variant, limber::benchmarks::canadarm(variant));
  add("twisting/first", limber::benchmarks::twisting_arm(KinematicOrder::first));
  add("twisting/second", limber::benchmarks::twisting_arm(KinematicOrder::second));
  return true;
}();

}  // namespace
