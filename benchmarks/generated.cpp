// SPDX-License-Identifier: BSD-3-Clause
// Accelerations by code made for one arm, beside the recursion and Cholesky: time, and operations beside those that the counting
// scalar finds in the recursion.

#include <benchmark/benchmark.h>

#include <string>

#include "arms.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/io/model_file.hpp"
#include "limber/math/counting.hpp"
#include "limber/symbolic/equations.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

Model arm(const std::string& name) {
  return read_model(std::string(LIMBER_MODELS_DIR) + "/" + name + "/" + name + ".yaml");
}

void accelerate(benchmark::State& state, const std::string& name, const std::string& formulation,
                const FormulationOptions& options) {
  const Model model = arm(name);
  Bench b(model, Kernels::fixed);
  const auto equations = make_formulation(formulation_named(formulation), b.model, options);
  // A tenth of the usual deflections: the linear model's M is gone beyond a few millimetres.
  Eigen::VectorXd q = b.q;
  for (const Link& link : model.links()) q.segment(link.elastic_q_index, link.elastic_count) *= 0.1;
  DynamicsOutput output;
  for (auto _ : state) equations->accelerate({q, b.v, b.tau, {}}, output);
}

// Derivation of everything that a header has; with the operations of `accelerations`.
void derive(benchmark::State& state, const std::string& name) {
  const Model model = arm(name);
  EquationsOptions options;
  options.parameters = ParameterStyle::numbers;
  OperationCount count;
  for (auto _ : state) {
    Equations equations(model, options);
    benchmark::DoNotOptimize(equations.code());
    const MatrixX<Expression>& a = equations.quantity('a');
    count = equations.arm().graph->count({a.data(), a.data() + a.size()});
  }
  Workspace<Counting> work(model);
  const VectorX<Counting> q = VectorX<Counting>::Constant(model.nq(), 0.01), v = q, tau = q;
  VectorX<Counting> result(model.nv());
  Counting::reset();
  forward_dynamics(model, work, q, v, tau, result);
  state.counters["multiplications"] = static_cast<double>(count.multiplications);
  state.counters["additions"] = static_cast<double>(count.additions);
  state.counters["recursive_multiplications"] = static_cast<double>(Counting::operations().multiplications);
  state.counters["recursive_additions"] = static_cast<double>(Counting::operations().additions);
}

// All formulas, simplified.
void formulas(benchmark::State& state, const std::string& name) {
  const Model model = arm(name);
  for (auto _ : state) {
    Equations equations(model, EquationsOptions());
    benchmark::DoNotOptimize(equations.text());
  }
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  const auto accelerations = [](const std::string& name, const std::string& what,
                                const std::string& formulation, const FormulationOptions& options) {
    RegisterBenchmark(("accelerations/" + name + "/" + what).c_str(), accelerate, name, formulation, options);
  };
  for (const std::string name : {"lin_lewis_rfr", "canadarm", "crane"}) {
    for (const std::string formulation : {"recursive", "dense", "generated"})
      accelerations(name, formulation, formulation, {});
    RegisterBenchmark(("derive_code/" + name).c_str(), derive, name)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  }
  // The linear model as code.
  for (const std::string name : {"canadarm", "crane", "ella"}) {
    if (name == "ella") accelerations(name, "recursive", "recursive", {});
    FormulationOptions options;
    options.generated = true;
    accelerations(name, "dual-screw-generated", "dual-screw", options);
    options.consistent = true;
    accelerations(name, "dual-screw-consistent-generated", "dual-screw", options);
  }
  for (const std::string name : {"lin_lewis_rfr", "canadarm"})
    RegisterBenchmark(("derive_formulas/" + name).c_str(), formulas, name)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(1);
  return true;
}();

}  // namespace
