// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/denoc.hpp"
#include "limber/algorithms/detail/arm_work.hpp"

#include <gtest/gtest.h>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "poison.hpp"
#include "reference/random_arm.hpp"
#include "wrong_calls.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class DeNocOfRandomTrees : public testing::TestWithParam<unsigned> {
 protected:
  static double relative(const MatrixXd& found, const MatrixXd& expected) {
    return (found - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
  }
  unsigned seed = GetParam();
  ModelDescription description = reference::random_arm(
      seed, 1 + static_cast<int>(seed % 7), seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second);
  Model model = build_model(description);
  reference::State state = reference::random_state(description, seed, 0.03);
};
INSTANTIATE_TEST_SUITE_P(Seeds, DeNocOfRandomTrees, testing::Range(0u, 30u));

TEST_P(DeNocOfRandomTrees, MakeTheTwistsFromTheRates) {
  PoisonedWorkspace<double> work(model);
  const DeNoc denoc = make_denoc(model, work, state.q);
  const VectorXd twists = denoc.N_l * (denoc.N_d * state.v);
  update_velocities(model, work, state.q, state.v);
  Eigen::Index at = 0;
  for (const LinkWork<double>& link : work.arm().links) {
    VectorXd expected(6 + link.m);
    expected << link.V_R.vector(), state.v.segment(link.elastic_v(), link.m);
    EXPECT_LT((twists.segment(at, expected.size()) - expected).norm(), 1e-12 * (1.0 + expected.norm()));
    at += expected.size();
  }
  EXPECT_EQ(at, twists.size());
}

TEST_P(DeNocOfRandomTrees, GiveTheMassMatrixInThreeWays) {
  PoisonedWorkspace<double> work(model);
  const DeNoc denoc = make_denoc(model, work, state.q);
  MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, state.q, M);
  EXPECT_LT(relative(denoc.inertia, M), 1e-12);                            // (32)
  EXPECT_LT(relative(denoc.U * denoc.D * denoc.U.transpose(), M), 1e-12);  // (34)
  MatrixXd blocks = MatrixXd::Zero(denoc.N_l.rows(), denoc.N_l.rows()), without_armature = M;
  Eigen::Index at = 0;
  for (const MatrixXd& block : denoc.M) {
    blocks.block(at, at, block.rows(), block.rows()) = block;
    at += block.rows();
  }
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j)
      without_armature(link.joint.v_index + j, link.joint.v_index + j) -= link.joint.armature;
  const MatrixXd N = denoc.N_l * denoc.N_d;
  EXPECT_LT((N.transpose() * blocks * N - without_armature).cwiseAbs().maxCoeff(),
            1e-12 * M.cwiseAbs().maxCoeff());  // (29)
}

TEST_P(DeNocOfRandomTrees, HaveAUnitUpperTriangularFactor) {
  PoisonedWorkspace<double> work(model);
  const DeNoc denoc = make_denoc(model, work, state.q);
  for (const Link& link : model.links()) {
    const int first = link.joint.v_index, n = link.joint.nv + link.elastic_count;
    EXPECT_EQ(denoc.U.block(first, first, n, n), MatrixXd::Identity(n, n));
    EXPECT_EQ(denoc.U.block(first, 0, n, first), MatrixXd::Zero(n, first)) << "left of the diagonal";
  }
}

TEST_P(DeNocOfRandomTrees, PropagateTwistsAlongTheTree) {
  PoisonedWorkspace<double> work(model);
  const DeNoc denoc = make_denoc(model, work, state.q);
  const int count = static_cast<int>(model.links().size());
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      bool carries = false;
      for (int k = i; k >= 0; k = denoc.parent[k]) carries = carries || k == j;
      EXPECT_EQ(denoc.propagation(i, j).isZero(0.0), !carries) << i << " from " << j;
      if (!carries || denoc.parent[j] < 0) continue;
      const MatrixXd product = denoc.propagation(i, j) * denoc.A[j];  // A_ij A_jk = A_ik
      EXPECT_LT((product - denoc.propagation(i, denoc.parent[j])).norm(), 1e-12);
    }
}

TEST_P(DeNocOfRandomTrees, SolveLikeForwardDynamics) {
  PoisonedWorkspace<double> work(model);
  VectorXd expected(model.nv()), bias(model.nv()), passive(model.nv());
  bias_forces(model, work, state.q, state.v, bias);
  elastic_and_damping_forces(model, work, state.q, state.v, passive);
  forward_dynamics(model, work, state.q, state.v, state.tau, expected);
  const VectorXd found = make_denoc(model, work, state.q).solve(state.tau - bias - passive);
  EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm());
}

// (30): rates of the twists' components, against those that a moment later has.
TEST_P(DeNocOfRandomTrees, HaveTheRatesOfTheTwists) {
  PoisonedWorkspace<double> work(model);
  const DeNoc denoc = make_denoc(model, work, state.q);
  const DeNocMotion motion = make_denoc_motion(model, work, denoc, state.q, state.v, state.tau);
  constexpr double h = 1e-5;
  const auto twists = [&](double t) {
    VectorXd moved(model.nq());
    displace(model, state.q, t * state.v, moved);
    const DeNoc there = make_denoc(model, work, moved);
    return VectorXd(there.N_l * (there.N_d * state.v));
  };
  const VectorXd expected = (twists(h) - twists(-h)) / (2.0 * h);
  const VectorXd found = (motion.N_l_rate * denoc.N_d + denoc.N_l * motion.N_d_rate) * state.v;
  EXPECT_LT((found - expected).norm(), 1e-7 * (1.0 + expected.norm()));
}

// (31), (33)
TEST_P(DeNocOfRandomTrees, BalanceTheAccelerationsWithPhi) {
  PoisonedWorkspace<double> work(model);
  VectorXd acceleration(model.nv());
  const std::vector<Load> loads = {
      Load{static_cast<int>(model.links().size()) - 1, 0, Axes::section, {1, -2, 3}, {0.5, 0, 1}}};
  for (const std::vector<Load>& acting : {std::vector<Load>{}, loads}) {
    const DeNoc denoc = make_denoc(model, work, state.q);
    const DeNocMotion motion = make_denoc_motion(model, work, denoc, state.q, state.v, state.tau, acting);
    forward_dynamics(model, work, state.q, state.v, state.tau, acceleration, acting);
    EXPECT_LT((denoc.inertia * acceleration - motion.phi).norm(), 1e-10 * (1.0 + motion.phi.norm()));
    EXPECT_LT((denoc.solve(motion.phi) - acceleration).norm(), 1e-9 * acceleration.norm());
  }
}

TEST(WrongCallsOfDeNoc, SayWhich) {
  const Model model = one_boom("boom"), another = one_boom("other");
  Workspace<double> work(model), other(another);
  const VectorXd q = VectorXd::Zero(3), wrong = VectorXd::Zero(2);
  const DeNoc denoc = make_denoc(model, work, q);
  expect_said({
      {"make_denoc: work", [&] { make_denoc(model, other, q); }},
      {"make_denoc: q", [&] { make_denoc(model, work, wrong); }},
      {"DeNoc::solve: phi", [&] { denoc.solve(wrong); }},
      {"DeNoc::propagation: link", [&] { denoc.propagation(0, 1); }},
      {"DeNoc::propagation: link", [&] { denoc.propagation(-1, 0); }},
      {"make_denoc_motion: work", [&] { make_denoc_motion(model, other, denoc, q, q, q); }},
      {"make_denoc_motion: q", [&] { make_denoc_motion(model, work, denoc, wrong, q, q); }},
      {"make_denoc_motion: v", [&] { make_denoc_motion(model, work, denoc, q, wrong, q); }},
      {"make_denoc_motion: tau", [&] { make_denoc_motion(model, work, denoc, q, q, wrong); }},
      {"make_denoc_motion: loads", [&] { make_denoc_motion(model, work, denoc, q, q, q, {Load{4}}); }},
      {"make_denoc_motion: denoc", [&] { make_denoc_motion(model, work, DeNoc{}, q, q, q); }},
  });
}

}  // namespace
}  // namespace limber
