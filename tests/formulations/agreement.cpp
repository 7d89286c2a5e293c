// SPDX-License-Identifier: BSD-3-Clause
// Formulations that solve the same equations agree: on chains up to 100 links, and between kernels.

#include <gtest/gtest.h>

#include "flexible_chain.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/formulations/formulation.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

class Chains : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Links, Chains, testing::Values(1, 2, 5, 10, 20, 40, 60, 100));

TEST_P(Chains, AreSolvedAlikeByRecursionByCholeskyAndLinkByLink) {
  const Model model = flexible_chain(GetParam());
  VectorXd q(model.nv()), v(model.nv()), tau(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    const bool elastic = i % 5 != 0;
    q[i] = (elastic ? 0.01 : 0.3) * std::sin(1.7 * i);
    v[i] = (elastic ? 0.02 : 0.2) * std::cos(1.1 * i);
    tau[i] = elastic ? 0.0 : std::sin(0.5 * i);
  }
  const std::vector<Load> loads{{.link = static_cast<int>(model.links().size()) - 1,
                                 .force = {1.0, -2.0, 3.0},
                                 .moment = {0.1, 0.2, 0.3}}};
  DynamicsOutput recursive, dense, dae;
  make_formulation(FormulationKind::recursive, model)->evaluate({q, v, tau, loads}, recursive);
  make_formulation(FormulationKind::dense, model)->evaluate({q, v, tau, loads}, dense);
  make_formulation(FormulationKind::dae, model)->evaluate({q, v, tau, loads}, dae);
  EXPECT_LT((recursive.acceleration - dae.acceleration).norm(), 1e-11 * dense.acceleration.norm());
  EXPECT_LT((recursive.acceleration - dense.acceleration).norm(), 1e-11 * dense.acceleration.norm());
  // A wrench of `dense` is a sum of inertia forces that nearly cancel. How large they are says how well it can be
  // known: rounding the accelerations moves it by 1e-16 of them.
  Workspace<double> work(model);
  Eigen::MatrixXd M(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  const double cancelling = (M.cwiseAbs() * dense.acceleration.cwiseAbs()).maxCoeff();
  for (std::size_t i = 0; i < dense.wrenches.size(); ++i)
    EXPECT_LT((recursive.wrenches[i] - dense.wrenches[i]).vector().cwiseAbs().maxCoeff(), 1e-13 * cancelling);
  // Those of `dae` are unknowns of their own, and known to as many digits as the accelerations.
  double largest = 0.0;
  for (const Wrench& wrench : recursive.wrenches)
    largest = std::max(largest, wrench.vector().cwiseAbs().maxCoeff());
  for (std::size_t i = 0; i < dae.wrenches.size(); ++i)
    EXPECT_LT((recursive.wrenches[i] - dae.wrenches[i]).vector().cwiseAbs().maxCoeff(), 1e-11 * largest);
}

TEST(Kernels, OfConstantSizeGiveWhatPlainOnesGive) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 1 + static_cast<int>(seed % 6), order);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.03);
    VectorXd with_fixed(model.nv()), with_plain(model.nv());
    Workspace<double> fixed(model, Kernels::fixed), plain(model, Kernels::plain);
    forward_dynamics(model, fixed, state.q, state.v, state.tau, with_fixed);
    forward_dynamics(model, plain, state.q, state.v, state.tau, with_plain);
    EXPECT_LT((with_fixed - with_plain).norm(), 1e-10 * with_plain.norm());
  }
}

}  // namespace
}  // namespace limber
