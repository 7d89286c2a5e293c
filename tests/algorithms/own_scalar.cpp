// SPDX-License-Identifier: BSD-3-Clause
// A scalar that Limber does not know: Eigen's automatic differentiation.

#include "limber/algorithms/own_scalar.hpp"

#include <gtest/gtest.h>

#include <unsupported/Eigen/AutoDiff>

#include "limber/algorithms/configuration.hpp"
#include "reference/random_arm.hpp"

using Scalar = Eigen::AutoDiffScalar<Eigen::Matrix<double, 3, 1>>;
LIMBER_INSTANTIATE_SCALAR(Scalar)

namespace limber {
namespace {

using Eigen::VectorXd;

TEST(OwnScalar, DifferentiatesForwardDynamics) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 3, order);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.03);
    // Directions: of v, of tau, and of both.
    const VectorXd dv = VectorXd::LinSpaced(model.nv(), 0.3, 1.0),
                   dtau = VectorXd::LinSpaced(model.nv(), -1.0, 0.5);
    VectorX<Scalar> q = state.q.cast<Scalar>(), v(model.nv()), tau(model.nv()), a(model.nv());
    for (int i = 0; i < model.nv(); ++i) {
      v[i] = Scalar(state.v[i], Eigen::Vector3d(dv[i], 0.0, dv[i]));
      tau[i] = Scalar(state.tau[i], Eigen::Vector3d(0.0, dtau[i], dtau[i]));
    }
    Workspace<Scalar> work(model);
    forward_dynamics(model, work, q, v, tau, a);

    Workspace<double> plain(model);
    VectorXd there(model.nv()), here(model.nv()), back(model.nv());
    forward_dynamics(model, plain, state.q, state.v, state.tau, here);
    const auto slope = [&](double of_v, double of_tau) -> VectorXd {
      const double h = 1e-4;  // quadratic in v, linear in tau: central differences are exact but for rounding
      forward_dynamics(model, plain, state.q, state.v + h * of_v * dv, state.tau + h * of_tau * dtau, there);
      forward_dynamics(model, plain, state.q, state.v - h * of_v * dv, state.tau - h * of_tau * dtau, back);
      return (there - back) / (2.0 * h);
    };
    for (int i = 0; i < model.nv(); ++i) EXPECT_NEAR(a[i].value(), here[i], 1e-9 * (1.0 + std::abs(here[i])));
    const VectorXd expected[] = {slope(1, 0), slope(0, 1), slope(1, 1)};  // NOLINT
    for (int d = 0; d < 3; ++d) {
      const double scale = 1.0 + expected[d].cwiseAbs().maxCoeff() + here.cwiseAbs().maxCoeff();
      for (int i = 0; i < model.nv(); ++i) EXPECT_NEAR(a[i].derivatives()[d], expected[d][i], 1e-7 * scale);
    }
  }
}

TEST(OwnScalar, DifferentiatesByPositions) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const ModelDescription description = reference::random_arm(seed, 3, order);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.03);
    const VectorXd along = VectorXd::LinSpaced(model.nv(), 0.3, 1.0);
    VectorXd rate(model.nq()), moved(model.nq()), there(model.nv()), back(model.nv());
    configuration_rate(model, state.q, along, rate);
    VectorX<Scalar> q(model.nq()), forces(model.nv());
    for (int i = 0; i < model.nq(); ++i) q[i] = Scalar(state.q[i], Eigen::Vector3d(0.0, rate[i], 0.0));
    const VectorX<Scalar> v = state.v.cast<Scalar>(), a = state.tau.cast<Scalar>();
    Workspace<Scalar> work(model);
    inverse_dynamics(model, work, q, v, a, forces);
    Workspace<double> plain(model);
    const double h = 1e-5;
    displace(model, state.q, h * along, moved);
    inverse_dynamics(model, plain, moved, state.v, state.tau, there);
    displace(model, state.q, -h * along, moved);
    inverse_dynamics(model, plain, moved, state.v, state.tau, back);
    const VectorXd expected = (there - back) / (2.0 * h);
    const double scale = 1.0 + expected.cwiseAbs().maxCoeff() + there.cwiseAbs().maxCoeff();
    for (int i = 0; i < model.nv(); ++i)
      EXPECT_NEAR(forces[i].derivatives()[1], expected[i], 1e-7 * scale) << seed;
  }
}

TEST(OwnScalar, HasTheOtherAlgorithmsToo) {
  const ModelDescription description = reference::random_arm(4, 3, KinematicOrder::second);
  const Model model = build_model(description);
  const reference::State state = reference::random_state(description, 4, 0.03);
  const VectorX<Scalar> q = state.q.cast<Scalar>(), v = state.v.cast<Scalar>();
  Workspace<Scalar> work(model);
  Workspace<double> plain(model);
  MatrixX<Scalar> M(model.nv(), model.nv());
  Eigen::MatrixXd expected(model.nv(), model.nv());
  mass_matrix(model, work, q, M);
  mass_matrix(model, plain, state.q, expected);
  for (int i = 0; i < model.nv(); ++i)
    for (int j = 0; j < model.nv(); ++j)
      EXPECT_NEAR(M(i, j).value(), expected(i, j), 1e-12 * expected.cwiseAbs().maxCoeff());
  EXPECT_NEAR(energy(model, work, q, v).kinetic.value(), energy(model, plain, state.q, state.v).kinetic,
              1e-9);
  const Frame tip = end_effector_frame(model);
  update_positions(model, work, q);
  update_world_poses(work);
  update_positions(model, plain, state.q);
  update_world_poses(plain);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(frame_pose(model, work, tip).p[i].value(), frame_pose(model, plain, tip).p[i], 1e-12);
}

}  // namespace
}  // namespace limber
