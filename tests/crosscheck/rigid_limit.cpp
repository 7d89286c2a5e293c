// SPDX-License-Identifier: BSD-3-Clause
// Arms of rigid links: KDL, MuJoCo and Simbody must find the same.

#include <gtest/gtest.h>

#include <random>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber_chain.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

peers::RigidChain random_chain(int joints, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  peers::RigidChain chain = peers::make_rigid_chain(joints);
  for (auto& axis : chain.axes) {
    Eigen::Map<Eigen::Vector3d> vector(axis.data());
    vector = Eigen::Vector3d(normal(random), normal(random), normal(random)).normalized();
  }
  chain.gravity = {1.0, -2.0, -9.0};
  return chain;
}

using MakePeer = std::unique_ptr<peers::Peer> (*)(const peers::RigidChain&);
struct Case {
  const char* peer;
  MakePeer make;
  int joints;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.peer << " " << c.joints << " joints"; }

class RigidLimit : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Peers, RigidLimit,
    testing::Values(Case{"kdl", peers::make_kdl, 3}, Case{"kdl", peers::make_kdl, 7},
                    Case{"kdl", peers::make_kdl, 12}, Case{"mujoco", peers::make_mujoco, 3},
                    Case{"mujoco", peers::make_mujoco, 7}, Case{"mujoco", peers::make_mujoco, 12},
                    Case{"simbody", peers::make_simbody, 3}, Case{"simbody", peers::make_simbody, 7},
                    Case{"simbody", peers::make_simbody, 12}),
    [](const auto& test) { return std::string(test.param.peer) + "_" + std::to_string(test.param.joints); });

TEST_P(RigidLimit, EqualsThePeer) {
  const int n = GetParam().joints;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    const peers::RigidChain chain = random_chain(n, seed);
    const Model model = peers::limber_model(chain);
    const auto peer = GetParam().make(chain);
    std::srand(seed);
    const VectorXd q = 2.0 * VectorXd::Random(n), v = VectorXd::Random(n), tau = VectorXd::Random(n);
    VectorXd found(n), expected(n);
    MatrixXd M(n, n), M_expected(n, n);
    Workspace<double> work(model);

    mass_matrix(model, work, q, M);
    peer->mass_matrix(q.data(), M_expected.data());
    EXPECT_LT((M - M_expected).cwiseAbs().maxCoeff(), 1e-12 * M.cwiseAbs().maxCoeff());

    inverse_dynamics(model, work, q, v, tau, found);
    peer->inverse_dynamics(q.data(), v.data(), tau.data(), expected.data());
    EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());

    // Accelerations are known as well as M's condition allows: the forces that they need are compared.
    forward_dynamics(model, work, q, v, tau, found);
    peer->forward_dynamics(q.data(), v.data(), tau.data(), expected.data());
    EXPECT_LT((M * (found - expected)).norm(), 1e-12 * (M * expected).norm());
    EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm());
  }
}

}  // namespace
}  // namespace limber
