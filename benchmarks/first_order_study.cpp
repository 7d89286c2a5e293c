// SPDX-License-Identifier: BSD-3-Clause
// The dual-screw equations by the ordinary sweeps with a truncated scalar on lanes (first_order.hpp), beside LinearArm, which computes them by
// constants of its own: is the second derivation worth its lines? One row of JSON for each arm, the fastest of REPETITIONS rounds, in turns.
//   limber_first_order_study [REPETITIONS]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "first_order.hpp"
#include "limber/algorithms/own_scalar.hpp"
#include "limber/formulations/linear_arm.hpp"
#include "limber/io/model_file.hpp"

LIMBER_INSTANTIATE_SCALAR(limber::benchmarks::FirstOrder)

namespace {

using namespace limber;
using limber::benchmarks::FirstOrder;

/// (1) of truncated_arm.hpp.
class SweptArm {
 public:
  explicit SweptArm(const Model& model)
      : model_(model),
        work_(model),
        q_(model.nq()),
        v_(model.nv()),
        a_(model.nv()),
        tau_(model.nv()),
        M_(model.nv(), model.nv()) {}

  void set(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::VectorXd& a) {
    for (int i = 0; i < model_.nq(); ++i) q_[i] = q[i];
    for (int i = 0; i < model_.nv(); ++i) {
      v_[i] = v[i];
      a_[i] = a[i];
    }
    for (const Link& link : model_.links())
      for (int j = 0; j < link.elastic_count; ++j) {
        q_[link.elastic_q_index + j] = {0.0, q[link.elastic_q_index + j]};
        v_[link.elastic_v_index + j] = {0.0, v[link.elastic_v_index + j]};
      }
  }
  void mass_matrix(Eigen::MatrixXd& M) {
    limber::mass_matrix(model_, work_, q_, M_);
    M = M_.unaryExpr([](const FirstOrder& x) { return x.total(); });
  }
  void forces(Eigen::VectorXd& tau) {
    inverse_dynamics(model_, work_, q_, v_, a_, tau_);
    for (int i = 0; i < model_.nv(); ++i) tau[i] = tau_[i].total();
  }

 private:
  Model model_;
  Workspace<FirstOrder> work_;
  VectorX<FirstOrder> q_, v_, a_, tau_;
  MatrixX<FirstOrder> M_;
};

struct Least {
  double ns = 1e300;
  template <typename Action>
  void time(Action&& action) {
    constexpr int calls = 200;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) action();
    ns = std::min(
        ns, 1e9 / calls * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
};

void study(const std::string& name, bool consistent, int repetitions, bool last) {
  const Model model = with_kinematics(read_model(std::string(LIMBER_MODELS_DIR) + "/" + name + ".yaml"),
                                      consistent ? KinematicOrder::second : KinematicOrder::first);
  Eigen::VectorXd q(model.nq()), v(model.nv()), a = Eigen::VectorXd::Zero(model.nv()), tau(model.nv()),
                                                swept_tau(model.nv());
  for (int i = 0; i < model.nq(); ++i) q[i] = 0.3 * std::sin(3.0 * i);
  for (int i = 0; i < model.nv(); ++i) v[i] = 0.1 * std::cos(2.0 * i);
  for (const Link& link : model.links()) q.segment(link.elastic_q_index, link.elastic_count) *= 0.01;
  Eigen::MatrixXd M(model.nv(), model.nv()), swept_M(model.nv(), model.nv());

  LinearArm linear(model, consistent);
  SweptArm swept(model);
  Least equations, forces, swept_equations, swept_forces;
  for (int i = 0; i < repetitions; ++i) {
    equations.time([&] { linear.equations(q, v, a, {}, M, tau); });
    swept_equations.time([&] {
      swept.set(q, v, a);
      swept.mass_matrix(swept_M);
      swept.forces(swept_tau);
    });
    forces.time([&] { linear.forces(q, v, a, {}, tau); });
    swept_forces.time([&] {
      swept.set(q, v, a);
      swept.forces(swept_tau);
    });
  }
  // As published, screws of elastic coordinates are constant, which the sweeps here do not know: elastic rows of the two differ then.
  linear.mass_matrix(q, M);
  const double M_difference = (M - swept_M).norm() / M.norm(),
               difference = (tau - swept_tau).norm() / tau.norm();
  std::printf(
      "  {\"arm\": \"%s\", \"consistent\": %s, \"coordinates\": %d, \"linear_ns\": %.0f, \"swept_ns\": %.0f, "
      "\"ratio\": %.2f, "
      "\"linear_forces_ns\": %.0f, \"swept_forces_ns\": %.0f, \"forces_ratio\": %.2f, \"difference\": [%.1e, "
      "%.1e]}%s\n",
      name.c_str(), consistent ? "true" : "false", model.nv(), equations.ns, swept_equations.ns,
      swept_equations.ns / equations.ns, forces.ns, swept_forces.ns, swept_forces.ns / forces.ns,
      M_difference, difference, last ? "" : ",");
}

}  // namespace

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? std::atoi(argv[1]) : 200;
  std::printf("[\n");
  for (const char* arm : {"canadarm/canadarm", "canadarm/canadarm_spatial", "crane/crane", "ella/ella"})
    for (const bool consistent : {false, true})
      study(arm, consistent, repetitions, consistent && std::string(arm) == "ella/ella");
  std::printf("]\n");
}
