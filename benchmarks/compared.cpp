// SPDX-License-Identifier: BSD-3-Clause
// Beside other libraries: rigid chains, and the Canadarm chopped into rigid pieces.

#include <benchmark/benchmark.h>

#include <Eigen/Eigenvalues>
#include <memory>

#include "arms.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/modes.hpp"
#include "limber_chain.hpp"

namespace {

using namespace limber;
using benchmark::RegisterBenchmark;
using peers::Peer;

// Ours behind the peers' interface.
class Ours final : public Peer {
 public:
  Ours(const peers::RigidChain& chain, Kernels kernels) : bench_(peers::limber_model(chain), kernels) {}
  void forward_dynamics(const double* q, const double* v, const double* tau, double* qdd) override {
    copy(q, bench_.q), copy(v, bench_.v), copy(tau, bench_.tau);
    limber::forward_dynamics(bench_.model, bench_.work, bench_.q, bench_.v, bench_.tau, bench_.result);
    std::copy_n(bench_.result.data(), bench_.model.nv(), qdd);
  }
  void inverse_dynamics(const double* q, const double* v, const double* qdd, double* tau) override {
    copy(q, bench_.q), copy(v, bench_.v), copy(qdd, bench_.qdd);
    limber::inverse_dynamics(bench_.model, bench_.work, bench_.q, bench_.v, bench_.qdd, bench_.result);
    std::copy_n(bench_.result.data(), bench_.model.nv(), tau);
  }
  void mass_matrix(const double* q, double* M) override {
    copy(q, bench_.q);
    limber::mass_matrix(bench_.model, bench_.work, bench_.q, bench_.M);
    std::copy_n(bench_.M.data(), bench_.M.size(), M);
  }

 private:
  static void copy(const double* from, Eigen::VectorXd& to) { std::copy_n(from, to.size(), to.data()); }

  limber::benchmarks::Bench bench_;
};

struct Numbers {
  explicit Numbers(int n) : q(n), v(n), tau(n, 0.3), result(n), M(n * n) {
    for (int i = 0; i < n; ++i) {
      q[i] = 0.3 * std::sin(3.0 * i + 1.0);
      v[i] = 0.1 * std::cos(2.0 * i);
    }
  }
  std::vector<double> q, v, tau, result, M;
};

void forward(benchmark::State& state, const std::shared_ptr<Peer>& peer, int n) {
  Numbers x(n);
  for (auto _ : state) peer->forward_dynamics(x.q.data(), x.v.data(), x.tau.data(), x.result.data());
}

void inverse(benchmark::State& state, const std::shared_ptr<Peer>& peer, int n) {
  Numbers x(n);
  for (auto _ : state) peer->inverse_dynamics(x.q.data(), x.v.data(), x.tau.data(), x.result.data());
}

void mass(benchmark::State& state, const std::shared_ptr<Peer>& peer, int n) {
  Numbers x(n);
  for (auto _ : state) peer->mass_matrix(x.q.data(), x.M.data());
}

void register_chain(int joints) {
  const peers::RigidChain chain = peers::make_rigid_chain(joints);
  const std::vector<std::pair<std::string, std::shared_ptr<Peer>>> all = {
      {"limber", std::make_shared<Ours>(chain, Kernels::fixed)},
      {"limber_plain", std::make_shared<Ours>(chain, Kernels::plain)},
      {"kdl", peers::make_kdl(chain)},
      {"mujoco", peers::make_mujoco(chain)},
      {"simbody", peers::make_simbody(chain)}};
  for (const auto& [who, peer] : all) {
    const std::string name = "rigid_chain_" + std::to_string(joints) + "/" + who;
    RegisterBenchmark(("forward_dynamics/" + name).c_str(), forward, peer, joints);
    RegisterBenchmark(("inverse_dynamics/" + name).c_str(), inverse, peer, joints);
    RegisterBenchmark(("mass_matrix/" + name).c_str(), mass, peer, joints);
  }
}

// The lowest bending frequencies [rad/s] of the straight Canadarm, both planes together.
constexpr int compared_frequencies = 6;
enum class Joints { locked, free };

Eigen::VectorXd lowest(const Eigen::VectorXd& squares, Joints joints) {
  const int rigid_modes = joints == Joints::free ? 3 : 0;
  return squares.segment(rigid_modes, compared_frequencies).cwiseSqrt();
}

Eigen::VectorXd chopped_frequencies(const peers::ChoppedArm& arm, Joints joints) {
  const int n = arm.size();
  Eigen::MatrixXd M(n, n);
  peers::make_mujoco(arm)->mass_matrix(Eigen::VectorXd(Eigen::VectorXd::Zero(n)).data(), M.data());
  const std::vector<double> stiffness = arm.stiffness();
  std::vector<int> moving;
  for (int i = 0; i < n; ++i)
    if (joints == Joints::free || stiffness[static_cast<std::size_t>(i)] > 0.0) moving.push_back(i);
  const Eigen::MatrixXd K = Eigen::Map<const Eigen::VectorXd>(stiffness.data(), n).asDiagonal();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K(moving, moving), M(moving, moving),
                                                                         Eigen::EigenvaluesOnly);
  return lowest(solver.eigenvalues().cwiseMax(0.0), joints);
}

Eigen::VectorXd limber_frequencies(const Model& model, Joints joints) {
  const Eigen::VectorXd omega =
      natural_modes(model, Eigen::VectorXd::Zero(model.nq()),
                    joints == Joints::locked ? JointTreatment::locked : JointTreatment::free)
          .angular_frequencies;
  return lowest(omega.cwiseAbs2(), joints);
}

Model canadarm_with_shapes(int per_plane) {
  ModelDescription description = limber::benchmarks::canadarm("_craig_bampton").description();
  for (LinkDescription& link : description.links)
    for (const Direction direction : {Direction::y, Direction::z})
      link.beam->modes.of(direction)->count = per_plane;
  return build_model(description);
}

double error_percent(const Eigen::VectorXd& found, const Eigen::VectorXd& exact) {
  return 100.0 * ((found - exact).array() / exact.array()).abs().maxCoeff();
}

void report_accuracy(benchmark::State& state, const Eigen::VectorXd& locked, const Eigen::VectorXd& free) {
  static const Model refined = canadarm_with_shapes(12);
  state.counters["locked_error_percent"] = error_percent(locked, limber_frequencies(refined, Joints::locked));
  state.counters["free_error_percent"] = error_percent(free, limber_frequencies(refined, Joints::free));
}

void chopped(benchmark::State& state, int elements) {
  const peers::ChoppedArm arm = peers::make_chopped_canadarm(elements);
  const auto peer = peers::make_mujoco(arm);
  Numbers x(arm.size());
  for (double& q : x.q) q *= 0.03;
  for (auto _ : state) peer->forward_dynamics(x.q.data(), x.v.data(), x.tau.data(), x.result.data());
  state.counters["coordinates"] = arm.size();
  report_accuracy(state, chopped_frequencies(arm, Joints::locked), chopped_frequencies(arm, Joints::free));
}

void flexible(benchmark::State& state, const Model& model) {
  limber::benchmarks::Bench b(model);
  for (auto _ : state) limber::forward_dynamics(b.model, b.work, b.q, b.v, b.tau, b.result);
  state.counters["coordinates"] = b.model.nv();
  report_accuracy(state, limber_frequencies(b.model, Joints::locked),
                  limber_frequencies(b.model, Joints::free));
}

const bool registered = [] {
  for (const int joints : {3, 7, 20, 50}) register_chain(joints);
  RegisterBenchmark("accuracy/limber_clamped_free_2", flexible, limber::benchmarks::canadarm("_spatial"));
  for (const int shapes : {2, 3, 4, 5, 6})
    RegisterBenchmark(("accuracy/limber_craig_bampton_" + std::to_string(shapes)).c_str(), flexible,
                      canadarm_with_shapes(shapes));
  for (const int elements : {2, 3, 4, 6, 8, 12, 16, 24, 30})
    RegisterBenchmark(("accuracy/mujoco_chopped/" + std::to_string(elements)).c_str(), chopped, elements);
  return true;
}();

}  // namespace
