// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm against the position-level oracle of tests/reference, on random trees.

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/model/model.hpp"
#include "node_on.hpp"
#include "poison.hpp"
#include "reference/oracle.hpp"
#include "reference/random_arm.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Case {
  ModelDescription description;
  reference::State state;
  reference::Evaluation expected;
  Model model;
  std::vector<Load> loads;
};

std::vector<Load> place_loads(Model& model, const std::vector<reference::Load>& given) {
  std::vector<Load> loads;
  for (const reference::Load& load : given) {
    int link = 0;
    while (model.links()[link].name != load.link) ++link;
    loads.push_back(
        {link, node_on(model, link, load.at), static_cast<Axes>(load.axes), load.force, load.moment});
  }
  return loads;
}

Case make_case(unsigned seed) {
  const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
  const double scales[] = {0.0, 1e-4, 0.05};
  const ModelDescription arm = reference::random_arm(seed, 1 + static_cast<int>(seed / 2 % 8), order);
  const reference::State state = reference::random_state(arm, seed, scales[seed % 3]);
  Case c{arm, state, reference::evaluate(arm, state), build_model(arm), {}};
  c.loads = place_loads(c.model, c.state.loads);
  return c;
}

double relative(const MatrixXd& got, const MatrixXd& expected) {
  return (got - expected).cwiseAbs().maxCoeff() / std::max(1e-300, expected.cwiseAbs().maxCoeff());
}

class RandomTree : public testing::TestWithParam<unsigned> {};

TEST_P(RandomTree, AgreesWithTheOracle) {
  // Ten arms in each test: a test is a process, and starting one costs more than an arm.
  for (unsigned seed = 10 * GetParam(); seed < 10 * GetParam() + 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Case c = make_case(seed);
    const int nv = c.model.nv();
    PoisonedWorkspace<double> work(c.model);
    const VectorXd &q = c.state.q, &v = c.state.v;

    MatrixXd M(nv, nv);
    mass_matrix(c.model, work, q, M);
    EXPECT_LT(relative(M, c.expected.M), 1e-12);
    EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(M).eigenvalues().minCoeff(), 0.0);
    EXPECT_LT((M - M.transpose()).norm(), 1e-14 * M.norm());

    VectorXd bias(nv), gravity(nv), qdd(nv);
    bias_forces(c.model, work, q, v, bias);
    EXPECT_LT(relative(bias, c.expected.bias), 1e-9);
    gravity_forces(c.model, work, q, gravity);
    EXPECT_LT(relative(gravity, c.expected.gravity), 1e-10);

    forward_dynamics(c.model, work, q, v, c.state.tau, qdd, c.loads);
    EXPECT_LT(relative(qdd, c.expected.acceleration), 1e-9);
    double largest_wrench = 0.0;
    for (const auto& wrench : c.expected.wrenches)
      largest_wrench = std::max(largest_wrench, wrench.cwiseAbs().maxCoeff());
    for (std::size_t i = 0; i < c.model.links().size(); ++i)
      EXPECT_LT((joint_wrench(c.model, work, static_cast<int>(i)).vector() - c.expected.wrenches[i])
                    .cwiseAbs()
                    .maxCoeff(),
                1e-9 * largest_wrench)
          << "link " << i;

    VectorXd tau(nv), passive(nv);
    inverse_dynamics(c.model, work, q, v, c.expected.acceleration, tau, c.loads);
    elastic_and_damping_forces(c.model, work, q, v, passive);
    EXPECT_LT(relative(tau + passive, c.state.tau), 1e-8);

    MatrixXd C(nv, nv);
    coriolis_matrix(c.model, work, q, v, C);
    const VectorXd coriolis = c.expected.bias - c.expected.gravity;
    EXPECT_LT((C * v - coriolis).cwiseAbs().maxCoeff(),
              1e-10 * (1.0 + c.expected.bias.cwiseAbs().maxCoeff()));

    const Energy<double> e = energy(c.model, work, q, v);
    EXPECT_NEAR(e.kinetic, c.expected.kinetic, 1e-12 * (1 + std::abs(c.expected.kinetic)));
    EXPECT_NEAR(e.gravity, c.expected.gravity_energy, 1e-12 * (1 + std::abs(c.expected.gravity_energy)));
    EXPECT_NEAR(e.strain, c.expected.strain, 1e-12 * (1 + std::abs(c.expected.strain)));

    const Momentum<double> p = momentum(c.model, work, q, v);
    EXPECT_LT((p.center_of_mass - c.expected.center_of_mass).norm(), 1e-12);
    EXPECT_LT((p.linear - c.expected.linear_momentum).norm(),
              1e-11 * (1 + c.expected.linear_momentum.norm()));
    EXPECT_LT((p.angular - c.expected.angular_momentum).norm(),
              1e-11 * (1 + c.expected.angular_momentum.norm()));

    const Frame frame = end_effector_frame(c.model);
    const PoseOf<double> pose = frame_pose(c.model, work, frame);
    EXPECT_LT((pose.p - c.expected.end_effector_position).norm(), 1e-12);
    EXPECT_LT((pose.R - c.expected.end_effector_rotation).norm(), 1e-12);
    Matrix6X<double> J(6, nv);
    frame_jacobian(c.model, work, frame, MotionAxes::local_world_aligned, J);
    EXPECT_LT((J - c.expected.jacobian).cwiseAbs().maxCoeff(),
              1e-12 * (1 + c.expected.jacobian.cwiseAbs().maxCoeff()));
    EXPECT_LT((frame_twist(c.model, work, frame, MotionAxes::local_world_aligned).vector() - J * v).norm(),
              1e-11);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTree, testing::Range(0u, 24u));

}  // namespace
}  // namespace limber
