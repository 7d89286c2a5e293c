// SPDX-License-Identifier: BSD-3-Clause
// One right-hand side by every formulation: accelerations, and missing forces, which implicit integrators ask for. And
// the dual-screw equations by the truncated scalar, of which LinearArm is the fast version.

#include <benchmark/benchmark.h>

#include <memory>

#include "arms.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "limber/math/detail/small_cholesky.hpp"
#include "limber/model/choices.hpp"

namespace {

using namespace limber;
using limber::benchmarks::Bench;

/// With deflections for which a mass matrix of first order is positive definite.
struct SlightlyBent : Bench {
  explicit SlightlyBent(const Model& arm) : Bench(arm) {
    for (const Link& link : model.links()) q.segment(link.elastic_q_index, link.elastic_count) *= 0.1;
  }
};

void accelerations(benchmark::State& state, const Model& model, const std::string& name,
                   const FormulationOptions& options) {
  SlightlyBent b(model);
  const auto formulation = make_formulation(formulation_named(name), b.model, options);
  DynamicsOutput output{b.result, {}};
  for (auto _ : state) formulation->accelerate({b.q, b.v, b.tau, {}}, output);
}

void missing_forces(benchmark::State& state, const Model& model, const std::string& name,
                    const FormulationOptions& options) {
  SlightlyBent b(model);
  const auto formulation = make_formulation(formulation_named(name), b.model, options);
  for (auto _ : state) formulation->missing_forces({b.q, b.v, b.tau, {}}, b.qdd, b.result);
}

void by_truncated_scalar(benchmark::State& state, const Model& model) {
  SlightlyBent b(model);
  TruncatedArm arm(b.model, {});
  detail::SmallCholesky factor;
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(b.model.nv());
  for (auto _ : state) {
    arm.mass_matrix(b.q, b.M);
    arm.forces(b.q, b.v, zero, {}, b.result);
    factor.compute(b.M);
    factor.solve(b.result, b.result);
  }
}

bool has_missing_forces(const Model& model, const std::string& name) {
  SlightlyBent b(model);
  return make_formulation(formulation_named(name), b.model)
      ->missing_forces({b.q, b.v, b.tau, {}}, b.qdd, b.result);
}

const bool registered = [] {
  using benchmark::RegisterBenchmark;
  for (const std::string arm : {"crane/crane", "crane/crane_second", "canadarm/canadarm_spatial"}) {
    const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/" + arm + ".yaml");
    const auto add = [&](const std::string& name, const std::string& shown,
                         const FormulationOptions& options) {
      RegisterBenchmark(("accelerations/" + arm + "/" + shown).c_str(), accelerations, model, name, options);
      if (has_missing_forces(model, name))
        RegisterBenchmark(("missing_forces/" + arm + "/" + shown).c_str(), missing_forces, model, name,
                          options);
    };
    for (const auto& [kind, name] : choices<FormulationKind>) add(name, name, {});
    add("dual-screw", "dual-screw-consistent", {.consistent = true});
    RegisterBenchmark(("accelerations/" + arm + "/truncated-scalar").c_str(), by_truncated_scalar, model);
  }
  return true;
}();

}  // namespace
