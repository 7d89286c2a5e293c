// SPDX-License-Identifier: BSD-3-Clause
// Geometric stiffening of links of finite elements: against closed forms of rotating and of pressed bars, and beside their twins of beams.
#include <gtest/gtest.h>

#include <numbers>

#include "allocations.hpp"
#include "body_arms.hpp"
#include "limber/algorithms/batch.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/fe/body_file.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/dual.hpp"
#include "poison.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using namespace test;

// One link on a joint about z.
Model one(LinkDescription link, double payload = 0.0) {
  link.joint.axis = Vector3d::UnitZ();
  if (payload > 0.0) {
    link.tip.emplace();
    link.tip->mass = payload;
  }
  ModelDescription arm;
  arm.links = {link};
  return build_model(arm);
}

VectorXd spun(const Model& model, double rate) {
  return steady_rotation_modes(model, VectorXd::Zero(model.nq()), {{0, rate}}).angular_frequencies;
}

// Of the first mode phi of a clamped bar of unit length, as large as its tip moves by 1.
struct FirstMode {
  double southwell;       // Int 1/2 (1 - x^2) phi'^2 dx / Int phi^2 dx
  double foreshortening;  // Int phi'^2 dx
};
FirstMode first_mode() {
  const double k = 1.875104068711961, s = (std::cosh(k) + std::cos(k)) / (std::sinh(k) + std::sin(k));
  double pulled = 0.0, square = 0.0, shorter = 0.0;
  constexpr int steps = 20000;
  for (int i = 0; i < steps; ++i) {
    const double x = (i + 0.5) / steps, a = k * x;  // phi(1) = 2 here
    const double phi = 0.5 * (std::cosh(a) - std::cos(a) - s * (std::sinh(a) - std::sin(a)));
    const double slope = 0.5 * k * (std::sinh(a) + std::sin(a) - s * (std::cosh(a) - std::cos(a)));
    pulled += 0.5 * (1.0 - x * x) * slope * slope / steps;
    square += phi * phi / steps;
    shorter += slope * slope / steps;
  }
  return {pulled / square, shorter};
}

// Southwell: omega^2 = omega_0^2 + k Omega^2 while Omega is small, k out of the plane of rotation and k - 1 in it: 1.193 and 0.193.
TEST(BodyStiffening, OfARotatingBarIsSouthwells) {
  const double k = first_mode().southwell;
  ASSERT_NEAR(k, 1.193, 1e-3);
  const Model bar = one(body_link("bar"));
  const VectorXd rest = spun(bar, 0.0);
  // Bends along y, in the plane of rotation, then along z.
  const double Omega = 0.1 * rest[0];
  const VectorXd turning = spun(bar, Omega);
  const auto gain = [&](int mode) {
    return (turning[mode] * turning[mode] - rest[mode] * rest[mode]) / (Omega * Omega);
  };
  EXPECT_NEAR(gain(0), k - 1.0, 0.01 * (k - 1.0));
  EXPECT_NEAR(gain(1), k, 0.01 * k);
  // Without the second order, a bar only gets softer in the plane of rotation.
  const Model first = with_kinematics(bar, KinematicOrder::first);
  const VectorXd plain = spun(first, Omega);
  EXPECT_NEAR((plain[0] * plain[0] - rest[0] * rest[0]) / (Omega * Omega), -1.0, 0.01);
}

// Fast, and with a load on the tip: beside the beam's own foreshortening. Beams without shear are too stiff in higher modes by some tenths of a percent, turning or not.
TEST(BodyStiffening, IsThatOfItsTwinOfBeams) {
  for (const double payload : {0.0, 3.0}) {
    const Model bar = one(body_link("bar"), payload), beam = one(beam_link("bar"), payload);
    const VectorXd own_rest = spun(bar, 0.0), twin_rest = spun(beam, 0.0);
    const double Omega = 2.0 * twin_rest[0];
    const VectorXd own = spun(bar, Omega), twin = spun(beam, Omega);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(own[i] / twin[i], 1.0, 3e-3) << payload << " kg, mode " << i;
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(own[i] / own_rest[i] * twin_rest[i] / twin[i], 1.0, 3e-3)
          << payload << " kg, mode " << i << ", at rest " << own_rest[i] / twin_rest[i];
  }
}

// A column with a weight on its top, P = m g: the massless beam's stiffness is P / (tan(kL)/k - L), k^2 = P / EI.
TEST(BodyStiffening, SoftensAColumnUnderItsLoad) {
  const BarOptions o = slender();
  const double EI = o.E * o.height * std::pow(o.width, 3) / 12.0;
  const double P = 0.5 * std::numbers::pi * std::numbers::pi * EI / (4.0 * o.length * o.length);
  const double mass = P / 9.81, k = std::sqrt(P / EI);
  LinkDescription link = body_link("bar");
  link.tip.emplace();
  link.tip->mass = mass;
  ModelDescription column;
  column.gravity = {-9.81, 0.0, 0.0};
  column.links = {link};
  const double stiffness = P / (std::tan(k * o.length) / k - o.length);
  const double moved = mass + 0.24 * o.density * o.length * o.width * o.height;  // with a quarter of the bar
  const Model model = build_model(column);
  const double found =
      natural_modes(model, VectorXd::Zero(model.nq()), JointTreatment::locked).angular_frequencies[0];
  EXPECT_NEAR(found / std::sqrt(stiffness / moved), 1.0, 3e-3);
}

// Interfaces move at second order as the beam's sections do: the tip comes nearer by -1/2 Int v'^2, whatever holds its nodes together.
TEST(BodyStiffening, ForeshortensAsABeam) {
  const Bar bar(slender());
  const double expected = -first_mode().foreshortening / slender().length;
  for (const Spider spider : {Spider::rigid, Spider::averaging}) {
    const ReducedBody body =
        reduce(bar.mesh(), bar.matrices(),
               {"ROOT", {{"tip", "TIP", spider}}, 8, ElasticMaterial{slender().E, slender().nu}});
    const BeamNode tip = node_of(body, body.interfaces[0], KinematicOrder::second);
    EXPECT_NEAR(tip.Phi2[0](0, 0) / expected, 1.0, 3e-3);
    EXPECT_NEAR(tip.Phi2[0](1, 1) / expected, 1.0, 3e-3);
    EXPECT_NEAR(tip.Phi2[0](0, 1), 0.0, 1e-3);
    EXPECT_FALSE(node_of(body, body.interfaces[0], KinematicOrder::first).is_second_order());
  }
}

// ---- one model in all algorithms ----

// Two bars that stiffen, the second on an interface of the first, with a payload, on joints about several axes; at a state that bends.
struct Moving {
  Moving() : arm(build()), q(VectorXd::Zero(arm.nq())), v(arm.nv()), a(arm.nv()) {
    std::srand(4);
    v = VectorXd::Random(arm.nv());
    a = VectorXd::Random(arm.nv());
    for (const Link& link : arm.links()) {
      q[link.joint.q_index] = 0.7;
      for (int j = 0; j < link.elastic_count; ++j) {
        const MatrixXd& K = link.elastic->integrals.stiffness;
        const double soft = std::sqrt(K.diagonal().minCoeff() / K(j, j));
        q[link.elastic_q_index + j] = 0.05 * soft * (j % 2 == 0 ? 1.0 : -0.7);
        v[link.elastic_v_index + j] *= soft;
        a[link.elastic_v_index + j] *= soft;
      }
    }
  }
  static Model build() {
    ModelDescription two = arm_of(body_link("boom"), body_link("fore"));
    two.kinematics = KinematicOrder::second;
    two.links[0].tip = TipDescription{
        2.0, {0.1, 0.0, 0.05}, (InertiaElements() << 0.1, 0.2, 0.25, 0.0, 0.0, 0.0).finished()};
    two.links[1].interface = "mount";
    two.links[1].joint.axis = Vector3d::UnitZ();
    two.links[1].origin = FrameDescription{{0.0, 0.1, -0.05}, {0.4, 0.0, 0.9}};
    two.links[1].tip.emplace();
    two.links[1].tip->mass = 1.5;
    return build_model(two);
  }

  VectorXd forces(const VectorXd& at, const VectorXd& rate, const VectorXd& acceleration) const {
    Workspace<double> work(arm);
    VectorXd tau(arm.nv());
    inverse_dynamics<double>(arm, work, at, rate, acceleration, tau);
    return tau;
  }

  Model arm;
  VectorXd q, v, a;
};

// The mass matrix is that of the energy, inverse dynamics are linear in the accelerations with it, forward dynamics undo them, and C v is what is left.
TEST(BodyStiffening, IsOneModelInAllAlgorithms) {
  const Moving m;
  const int nv = m.arm.nv();
  Workspace<double> work(m.arm);
  MatrixXd M(nv, nv), C(nv, nv);
  mass_matrix<double>(m.arm, work, m.q, M);
  const double kinetic = energy<double>(m.arm, work, m.q, m.v).kinetic;
  EXPECT_NEAR(0.5 * m.v.dot(M * m.v) / kinetic, 1.0, 1e-12);
  const VectorXd zero = VectorXd::Zero(nv), bias = m.forces(m.q, m.v, zero),
                 gravity = m.forces(m.q, zero, zero);
  const VectorXd tau = m.forces(m.q, m.v, m.a);
  EXPECT_LT((tau - bias - M * m.a).norm(), 1e-12 * tau.norm());
  coriolis_matrix(m.arm, work, m.q, m.v, C);
  EXPECT_LT((C * m.v - (bias - gravity)).norm(), 1e-12 * bias.norm());
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(M, Eigen::EigenvaluesOnly).eigenvalues()[0], 0.0);
  VectorXd again(nv);
  const VectorXd passive = elastic_stiffness(m.arm) * m.q;  // one number a coordinate: no quaternions here
  forward_dynamics<double>(m.arm, work, m.q, m.v, tau + passive, again);
  const VectorXd scale = M.diagonal().cwiseSqrt();
  EXPECT_LT((scale.asDiagonal() * (again - m.a)).norm(), 1e-7 * (scale.asDiagonal() * m.a).norm());
}

// Lagrange: d/dt (M v) - dT/dq + dV/dq are the forces, by differences of energies and momenta alone.
TEST(BodyStiffening, MovesAsLagrangeSays) {
  const Moving m;
  const int nv = m.arm.nv();
  Workspace<double> work(m.arm);
  const auto momentum = [&](const VectorXd& q, const VectorXd& v) {
    MatrixXd M(nv, nv);
    mass_matrix<double>(m.arm, work, q, M);
    return VectorXd(M * v);
  };
  const auto lagrangian = [&](const VectorXd& q) {
    const Energy<double> e = energy<double>(m.arm, work, q, m.v);
    return e.kinetic - e.gravity;
  };
  const double h = 1e-5;
  VectorXd expected =
      (momentum(m.q + h * m.v, m.v + h * m.a) - momentum(m.q - h * m.v, m.v - h * m.a)) / (2.0 * h);
  for (int i = 0; i < nv; ++i)
    expected[i] -=
        (lagrangian(m.q + h * VectorXd::Unit(nv, i)) - lagrangian(m.q - h * VectorXd::Unit(nv, i))) /
        (2.0 * h);
  EXPECT_LT((m.forces(m.q, m.v, m.a) - expected).norm(), 1e-7 * expected.norm());
}

TEST(BodyStiffening, HasTheDerivativesOfFiniteDifferences) {
  const Moving m;
  const int nv = m.arm.nv();
  DerivativeWorkspace work(m.arm);
  ForceDerivatives found;
  force_derivatives(m.arm, work, m.q, m.v, m.a, found);
  const double h = 1e-5;
  for (int i = 0; i < nv; ++i) {
    const VectorXd e = h * VectorXd::Unit(nv, i);
    const VectorXd by_q = (m.forces(m.q + e, m.v, m.a) - m.forces(m.q - e, m.v, m.a)) / (2.0 * h),
                   by_v = (m.forces(m.q, m.v + e, m.a) - m.forces(m.q, m.v - e, m.a)) / (2.0 * h);
    EXPECT_LT((found.dq.col(i) - by_q).norm(), 1e-6 * by_q.norm() + 1e-6) << i;
    EXPECT_LT((found.dv.col(i) - by_v).norm(), 1e-6 * by_v.norm() + 1e-6) << i;
  }
}

// Algorithms count by coordinates in which the field is linear (algorithms/detail/field_coordinates.hpp). Its integrals know every pair of modes on every axis as a term of its own:
// with a load on the tip,
//
//   M = [Int (p_x^2 + p_y^2)   Int (p x p_j)_z]
//       [         .             Int p_j . p_k ]
TEST(BodyStiffening, HasTheMassesOfItsTerms) {
  const Model arm = one(body_link("bar"), 1.5);
  const Elastic& bar = *arm.links()[0].elastic;
  const auto m = static_cast<Eigen::Index>(arm.nv()) - 1;
  ASSERT_TRUE(bar.integrals.lumps.empty());
  std::srand(1);
  VectorXd q = VectorXd::Random(1 + m);
  q.tail(m) *= 0.1;
  const FieldMoments p = field_moments(bar.integrals, q.tail(m));
  MatrixXd expected(1 + m, 1 + m);
  expected(0, 0) = p.second(0, 0) + p.second(1, 1);
  for (Eigen::Index j = 0; j < m; ++j) {
    const Eigen::Matrix3d& p_p_j = p.mixed[static_cast<std::size_t>(j)];
    expected(0, 1 + j) = expected(1 + j, 0) = p_p_j(0, 1) - p_p_j(1, 0);
  }
  expected.bottomRightCorner(m, m) = p.derivatives;
  const VectorXd scale = expected.diagonal().cwiseSqrt().cwiseInverse();
  for (const Kernels kernels : {Kernels::fixed, Kernels::plain}) {
    PoisonedWorkspace<double> work(arm, kernels);
    MatrixXd M(1 + m, 1 + m);
    mass_matrix<double>(arm, work, q, M);
    EXPECT_LT((scale.asDiagonal() * (M - expected) * scale.asDiagonal()).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_EQ(M, M.transpose());
  }
}

TEST(BodyStiffening, HasTheDerivativesOfDualNumbers) {
  const Moving m;
  const int nv = m.arm.nv();
  DerivativeWorkspace work(m.arm);
  ForceDerivatives found;
  force_derivatives(m.arm, work, m.q, m.v, m.a, found);
  MatrixXd dq(nv, nv), dv(nv, nv), da(nv, nv);
  PoisonedWorkspace<Dual> duals(m.arm);
  VectorX<Dual> tau(nv);
  for (int i = 0; i < nv; ++i) {
    VectorX<Dual> q = m.q.cast<Dual>(), v = m.v.cast<Dual>(), a = m.a.cast<Dual>();
    q[i].derivatives()[0] = v[i].derivatives()[1] = a[i].derivatives()[2] = 1.0;
    inverse_dynamics<Dual>(m.arm, duals, q, v, a, tau);
    for (int j = 0; j < nv; ++j) {
      dq(j, i) = tau[j].derivatives()[0];
      dv(j, i) = tau[j].derivatives()[1];
      da(j, i) = tau[j].derivatives()[2];
    }
  }
  // Rows as large as their forces: those of stiff modes are smaller by orders of magnitude.
  for (int j = 0; j < nv; ++j) {
    EXPECT_LT((found.dq.row(j) - dq.row(j)).norm(), 1e-12 * dq.row(j).norm()) << j;
    EXPECT_LT((found.dv.row(j) - dv.row(j)).norm(), 1e-12 * dv.row(j).norm()) << j;
    EXPECT_LT((found.da.row(j) - da.row(j)).norm(), 1e-12 * da.row(j).norm()) << j;
  }
}

TEST(BodyStiffening, IsTheSameInLanesAndTakesNoHeap) {
  const Moving m;
  const int nv = m.arm.nv(), count = 5;
  MatrixXd q(nv, count), v(nv, count), tau(nv, count), forces(nv, count), M(nv, nv * count), own_M(nv, nv);
  for (int i = 0; i < count; ++i) {
    q.col(i) = (1.0 - 0.3 * i) * m.q;
    v.col(i) = (0.2 + 0.4 * i) * m.v;
  }
  BatchWorkspace lanes(m.arm);
  const MatrixXd a = m.a.replicate(1, count);
  inverse_dynamics(lanes, q, v, a, forces);
  mass_matrix(lanes, q, M);
  PoisonedWorkspace<double> work(m.arm);
  DerivativeWorkspace derivative_work(m.arm);
  ForceDerivatives found;
  for (int i = 0; i < count; ++i) {
    const VectorXd expected = m.forces(q.col(i), v.col(i), m.a);
    EXPECT_LT((forces.col(i) - expected).norm(), 1e-13 * expected.norm()) << i;
    mass_matrix<double>(m.arm, work, q.col(i), own_M);
    EXPECT_LT((M.middleCols(i * nv, nv) - own_M).norm(), 1e-13 * own_M.norm()) << i;
  }
  force_derivatives(m.arm, derivative_work, m.q, m.v, m.a, found);
  VectorXd qdd(nv);
  const AllocationCounter allocations;
  forward_dynamics<double>(m.arm, work, m.q, m.v, m.a, qdd);
  inverse_dynamics<double>(m.arm, work, m.q, m.v, m.a, qdd);
  force_derivatives(m.arm, derivative_work, m.q, m.v, m.a, found);
  EXPECT_EQ(allocations.count(), 0);
}

TEST(BodyStiffening, IsKeptInFiles) {
  const auto body = slender_body();
  ASSERT_TRUE(body->stiffens());
  const ReducedBody again = parse_body(body_text(*body));
  EXPECT_EQ(again.second_order, body->second_order);
  ReducedBody broken = *body;
  broken.second_order.conservativeResize(body->size(), 3);
  EXPECT_THROW(require_valid(broken), InputError);
  broken = *body;
  broken.second_order(1, 2) = std::nan("");
  EXPECT_THROW(require_valid(broken), InputError);
}

std::string refusal(const ElasticMaterial& material) {
  const Bar bar({});
  try {
    reduce(bar.mesh(), bar.matrices(), {"ROOT", {{"tip", "TIP"}}, 2, material});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(BodyStiffening, RefusesAMaterialThatTheMatrixHasNot) {
  EXPECT_EQ(refusal({2.1e11, 0.0}), "");
  EXPECT_EQ(refusal({7e10, 0.0}),
            "material: expected the one material of all elements, with which the stiffness matrix was made, "
            "found E = "
            "7e+10 Pa and nu = 0, which make the mesh 0.3333 times as stiff as the matrix (with this nu, E = "
            "2.1e+11 Pa "
            "would fit)");
  EXPECT_NE(refusal({2.1e11, 0.5}), "");
  EXPECT_NE(refusal({-1.0, 0.3}), "");
}

}  // namespace
}  // namespace limber
