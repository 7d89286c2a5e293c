// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/piedboeuf.hpp"

#include <gtest/gtest.h>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/model/builder.hpp"
#include "poison.hpp"
#include "reference/random_arm.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Model bent_beam(KinematicOrder order) {
  ModelBuilder builder("beam");
  builder.kinematics(order)
      .link("beam")
      .revolute(Vector3d::UnitZ())
      .beam(1.5, {.EI_y = 2.0, .EI_z = 3.0, .GJ = 1.0, .mass_per_length = 1.0})
      .modes(Direction::y, 2)
      .modes(Direction::z, 2)
      .modes(Direction::torsion, 2);
  return builder.build();
}

// The curve whose curvature and twist are exactly those of the coordinates: R' = R [kappa]x, r' = R e_x, by
// Runge-Kutta. Shares nothing with the field but the shapes.
struct ExactTip {
  Matrix3d R;
  Vector3d r;
};
ExactTip exact_tip(const Link& link, const VectorXd& eta) {
  constexpr int steps = 400;
  const double length = link.beam->basis.length(), h = length / steps;
  const auto kappa = [&](double x) {
    Vector3d k = Vector3d::Zero();
    const auto& coordinates = link.beam->basis.coordinates();
    for (std::size_t j = 0; j < coordinates.size(); ++j) {
      const Jet jet = coordinates[j].shape.at(x);
      const double value = eta[static_cast<Eigen::Index>(j)];
      if (coordinates[j].direction == Direction::y) k.z() += value * jet[2];
      if (coordinates[j].direction == Direction::z) k.y() -= value * jet[2];
      if (coordinates[j].direction == Direction::torsion) k.x() += value * jet[1];
    }
    return skew<double>(k);
  };
  ExactTip tip{Matrix3d::Identity(), Vector3d::Zero()};
  for (int i = 0; i < steps; ++i) {
    const double x = i * h;
    const Matrix3d k0 = kappa(x), k1 = kappa(x + 0.5 * h), k2 = kappa(x + h);
    const Matrix3d a = tip.R * k0, R1 = tip.R + 0.5 * h * a, b = R1 * k1, R2 = tip.R + 0.5 * h * b,
                   c = R2 * k1, R3 = tip.R + h * c, d = R3 * k2;
    tip.r += h / 6.0 * (tip.R + 2.0 * R1 + 2.0 * R2 + R3).col(0);
    tip.R += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  return tip;
}

// Its derivative with respect to eta: linear rows, then angular ones, by central differences.
MatrixXd exact_jacobian(const Link& link, const VectorXd& eta) {
  constexpr double h = 1e-5;
  MatrixXd J(6, eta.size());
  for (Eigen::Index j = 0; j < eta.size(); ++j) {
    const VectorXd step = h * VectorXd::Unit(eta.size(), j);
    const ExactTip plus = exact_tip(link, eta + step), minus = exact_tip(link, eta - step);
    J.col(j).head<3>() = (plus.r - minus.r) / (2.0 * h);
    J.col(j).tail<3>() = log_rotation(plus.R * minus.R.transpose()) / (2.0 * h);
  }
  return J;
}

const VectorXd direction = (VectorXd(6) << 0.5, -0.3, 0.4, 0.2, 0.6, -0.35).finished();

// How the error falls when the deflection is halved, as an exponent of two.
template <typename Error>
double order_of(Error&& error) {
  return std::log2(error(0.1) / error(0.05));
}

TEST(LocalJacobians, AreExactToFirstOrder) {
  const Model model = bent_beam(KinematicOrder::second);
  const Link& link = model.links()[0];
  const LocalJacobians local = local_jacobians(link.nodes[0].field);
  const double order = order_of([&](double size) {
    MatrixXd J(6, 6);
    J << local.translation(size * direction), local.rotation(size * direction);
    return (J - exact_jacobian(link, size * direction)).norm();
  });
  EXPECT_NEAR(order, 2.0, 0.1);
}

TEST(FrameJacobian, IsExactToFirstOrderWithSecondOrderKinematicsOnly) {
  for (const auto& [kinematics, expected] :
       {std::pair(KinematicOrder::first, 1.0), std::pair(KinematicOrder::second, 2.0)}) {
    const Model model = bent_beam(kinematics);
    PoisonedWorkspace<double> work(model);
    const double order = order_of([&](double size) {
      VectorXd q(7);
      q << 0.0, size * direction;
      update_positions(model, work, q);
      update_world_poses(work);
      Matrix6X<double> J(6, 7);
      frame_jacobian(model, work, {}, MotionAxes::local_world_aligned, J);
      return (J.rightCols(6) - exact_jacobian(model.links()[0], size * direction)).norm();
    });
    EXPECT_NEAR(order, expected, 0.1);
  }
}

TEST(SecondOrderPose, HasErrorsOfThirdOrder) {
  const Model model = bent_beam(KinematicOrder::second);
  const Link& link = model.links()[0];
  EXPECT_NEAR(order_of([&](double size) {
                return (second_order_rotation(link.nodes[0].field, size * direction) -
                        exact_tip(link, size * direction).R)
                    .norm();
              }),
              3.0, 0.2);
  EXPECT_NEAR(order_of([&](double size) {
                return (link.nodes[0].field.position<double>(VectorXd(size * direction)) -
                        exact_tip(link, size * direction).r)
                    .norm();
              }),
              3.0, 0.2);
}

// The paper's integrals, by Simpson's rule on the shapes.
TEST(LocalJacobians, AreThePapersIntegrals) {
  const Model model = bent_beam(KinematicOrder::second);
  const Link& link = model.links()[0];
  const auto& shapes = link.beam->basis.coordinates();  // v: 0, 1; w: 2, 3; a: 4, 5
  const double length = link.beam->basis.length();
  const auto integral = [&](auto&& function) {
    constexpr int n = 2000;
    double sum = 0.0;
    for (int i = 0; i <= n; ++i)
      sum += function(length * i / n) * (i == 0 || i == n ? 1.0 : i % 2 == 1 ? 4.0 : 2.0);
    return sum * length / n / 3.0;
  };
  const auto product = [&](std::size_t i, int order_i, std::size_t j, int order_j) {
    return integral([&](double x) {
      return shapes[i].shape.at(x)[static_cast<std::size_t>(order_i)] *
             shapes[j].shape.at(x)[static_cast<std::size_t>(order_j)];
    });
  };
  // Int_0^l Int_0^x f = Int_0^l (l - x) f
  const auto double_product = [&](std::size_t i, int order_i, std::size_t j, int order_j) {
    return integral([&](double x) {
      return (length - x) * shapes[i].shape.at(x)[static_cast<std::size_t>(order_i)] *
             shapes[j].shape.at(x)[static_cast<std::size_t>(order_j)];
    });
  };
  const LocalJacobians local = local_jacobians(link.nodes[0].field);
  const auto is = [](double found, double expected) { EXPECT_NEAR(found, expected, 1e-9); };
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      const std::size_t v = i, w = 2 + i, a = 4 + i, vj = j, wj = 2 + j, aj = 4 + j;
      const auto at = [](const MatrixXd& J, std::size_t row, std::size_t column) {
        return J(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
      };
      is(at(local.J_R[0], v, wj), product(v, 1, wj, 2));   // (23): [v, w] = Int v' w''
      is(at(local.J_R[0], w, vj), -product(w, 1, vj, 2));  // [w, v] = -Int w' v''
      is(at(local.J_R[1], v, aj), product(v, 1, aj, 1));   // [v, a] = Int v' a'
      is(at(local.J_R[1], a, vj), -product(a, 0, vj, 2));  // [a, v] = -Int a v''
      is(at(local.J_R[2], w, aj), product(w, 1, aj, 1));   // [w, a] = Int w' a'
      is(at(local.J_R[2], a, wj), -product(a, 0, wj, 2));  // [a, w] = -Int a w''
      is(at(local.J_T[0], v, vj), -product(v, 1, vj, 1));  // (24): -Int v' v'
      is(at(local.J_T[0], w, wj), -product(w, 1, wj, 1));
      is(at(local.J_T[1], a, wj), -double_product(a, 0, wj, 2));  // -Int Int a w''
      is(at(local.J_T[1], w, aj), -double_product(w, 2, aj, 0));
      is(at(local.J_T[2], a, vj), double_product(a, 0, vj, 2));  // Int Int a v''
      is(at(local.J_T[2], v, aj), double_product(v, 2, aj, 0));
    }
}

// On trees: equal to the exact-rotation Jacobian where nothing bends, and to first order where it does.
TEST(PiedboeufJacobian, AgreesWithTheFrameJacobianToFirstOrder) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const ModelDescription description =
        reference::random_arm(seed, 1 + static_cast<int>(seed % 5), KinematicOrder::second);
    const Model model = build_model(description);
    const reference::State state = reference::random_state(description, seed, 0.02);
    PoisonedWorkspace<double> work(model);
    const Frame frame = end_effector_frame(model);
    const auto difference = [&](double size) {
      VectorXd q = state.q;
      for (const Link& link : model.links()) q.segment(link.elastic_q_index, link.elastic_count) *= size;
      update_positions(model, work, q);
      update_world_poses(work);
      Matrix6X<double> J(6, model.nv());
      frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, J);
      return (piedboeuf_jacobian(model, q, frame) - J).norm() / J.norm();
    };
    EXPECT_LT(difference(0.0), 1e-13);
    const double coarse = difference(1.0), fine = difference(0.25);
    EXPECT_TRUE(fine < 1e-12 || std::log2(coarse / fine) > 2.0 * 1.8) << coarse << " " << fine;
  }
}

// (29): the forces that a load at the end effector makes.
TEST(PiedboeufJacobian, TurnsEndpointForcesIntoGeneralizedOnes) {
  const Model model = bent_beam(KinematicOrder::second);
  VectorXd q(7), zero = VectorXd::Zero(7), forces(7);
  q << 0.4, 1e-3 * direction;
  Vector6<double> f;
  f << 1.0, -2.0, 3.0, 0.4, 0.5, -0.6;
  PoisonedWorkspace<double> work(model);
  inverse_dynamics(model, work, q, zero, zero, forces, {{.force = f.head<3>(), .moment = f.tail<3>()}});
  VectorXd gravity(7);
  gravity_forces(model, work, q, gravity);
  const VectorXd Q = piedboeuf_jacobian(model, q, {}).transpose() * f;
  EXPECT_LT((gravity - forces - Q).norm(), 1e-5 * Q.norm());
}

TEST(WrongCallsOfPiedboeuf, SayWhich) {
  const Model model = one_boom("boom");
  const BeamNode& node = model.links()[0].nodes[0].field;
  const LocalJacobians local = local_jacobians(node);
  const VectorXd q = VectorXd::Zero(3), eta = VectorXd::Zero(2);
  expect_said({
      {"LocalJacobians::translation: eta", [&] { local.translation(q); }},
      {"LocalJacobians::rotation: eta", [&] { local.rotation(q); }},
      {"second_order_rotation: eta", [&] { second_order_rotation(node, q); }},
      {"piedboeuf_jacobian: q", [&] { piedboeuf_jacobian(model, eta, {}); }},
      {"piedboeuf_jacobian: frame",
       [&] {
         piedboeuf_jacobian(model, q, {3, 0, {}});
       }},
      {"piedboeuf_jacobian: frame",
       [&] {
         piedboeuf_jacobian(model, q, {0, 9, {}});
       }},
  });
}

}  // namespace
}  // namespace limber
