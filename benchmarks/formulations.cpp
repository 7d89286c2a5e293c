// One right-hand side by every formulation: accelerations, and missing forces, which implicit integrators ask for.

#include <benchmark/benchmark.h>

#include <memory>

#include "arms.hpp"
#include "limber/formulations/formulation.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

void accelerations(benchmark::State& state, const Model& model, const std::string& name) {
  Bench b(model);
  const auto formulation = make_formulation(name, b.model);
  DynamicsOutput output{b.result, {}};
  for (auto _ : state) formulation->accelerate({b.q, b.v, b.tau, {}}, output);
}

void missing_forces(benchmark::State& state, const Model& model, const std::string& name) {
  Bench b(model);
  const auto formulation = make_formulation(name, b.model);
  for (auto _ : state)
    if (!formulation->missing_forces({b.q, b.v, b.tau, {}}, b.qdd, b.result))
      return state.SkipWithError("none");
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  for (const std::string arm : {"crane/crane", "crane/crane_second", "canadarm/canadarm_spatial"}) {
    const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/" + arm + ".yaml");
    for (const std::string& name : formulation_names()) {
      RegisterBenchmark(("accelerations/" + arm + "/" + name).c_str(), accelerations, model, name);
      RegisterBenchmark(("missing_forces/" + arm + "/" + name).c_str(), missing_forces, model, name);
    }
  }
  return true;
}();

}  // namespace
