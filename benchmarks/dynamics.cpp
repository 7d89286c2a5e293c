// Forward dynamics, inverse dynamics and mass matrix: rigid chains, and the Canadarm with flexible links.

#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace {

using namespace limber;

Model rigid_chain(int links) {
  RigidDescription rod;
  rod.mass = 1.5;
  rod.com = {0.25, 0.01, 0.02};
  rod.inertia << 0.01, 0.04, 0.04, 0.001, 0.002, 0.001;
  rod.tip.xyz = {0.5, 0.0, 0.0};
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.link("link" + std::to_string(i)).revolute(Eigen::Vector3d::Unit(i % 3)).rigid(rod);
  return builder.build();
}

Model flexible_chain(int links, int modes) {
  ModelBuilder builder("chain");
  for (int i = 0; i < links; ++i)
    builder.kinematics(KinematicOrder::first)
        .link("link" + std::to_string(i))
        .revolute(i % 2 == 0 ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitY())
        .beam(1.0, {.EI_z = 2e3, .mass_per_length = 3.0})
        .modes(Direction::y, modes);
  return builder.build();
}

Model canadarm(const std::string& variant) {
  return read_model(std::string(LIMBER_MODELS_DIR) + "/canadarm/canadarm" + variant + ".yaml");
}

struct State {
  explicit State(const Model& model)
      : work(model), q(model.nq), v(model.nv), tau(model.nv), qdd(model.nv), M(model.nv, model.nv) {
    for (int i = 0; i < model.nq; ++i) q[i] = 0.01 * std::sin(3.0 * i);
    for (int i = 0; i < model.nv; ++i) v[i] = 0.1 * std::cos(2.0 * i);
    tau.setConstant(0.3);
    qdd.setConstant(0.2);
  }
  Workspace<double> work;
  Eigen::VectorXd q, v, tau, qdd;
  Eigen::MatrixXd M;
};

void forward(benchmark::State& state, const Model& model) {
  State s(model);
  for (auto _ : state) forward_dynamics(model, s.work, s.q, s.v, s.tau, s.qdd);
  state.SetComplexityN(static_cast<int64_t>(model.links.size()));
}

void inverse(benchmark::State& state, const Model& model) {
  State s(model);
  for (auto _ : state) inverse_dynamics(model, s.work, s.q, s.v, s.qdd, s.tau);
}

void mass(benchmark::State& state, const Model& model) {
  State s(model);
  for (auto _ : state) mass_matrix(model, s.work, s.q, s.M);
}

void register_all(const std::string& name, const Model& model) {
  benchmark::RegisterBenchmark(("forward_dynamics/" + name).c_str(), forward, model);
  benchmark::RegisterBenchmark(("inverse_dynamics/" + name).c_str(), inverse, model);
  benchmark::RegisterBenchmark(("mass_matrix/" + name).c_str(), mass, model);
}

const bool registered = [] {
  for (const int links : {3, 7, 20, 50})
    register_all("rigid_chain/" + std::to_string(links), rigid_chain(links));
  register_all("canadarm_spatial", canadarm("_spatial"));
  register_all("canadarm_craig_bampton", canadarm("_craig_bampton"));
  for (const int links : {1, 10, 100, 1000})
    benchmark::RegisterBenchmark(("forward_dynamics/flexible_chain/" + std::to_string(links)).c_str(),
                                 forward, flexible_chain(links, 4));
  return true;
}();

}  // namespace
