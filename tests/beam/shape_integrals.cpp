// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/shape_integrals.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "beam/test_beam.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::Polynomial;
using test::PolynomialBeam;

constexpr int m = PolynomialBeam::size;

VectorXd bent() {
  VectorXd eta(m);
  eta << 0.31, -0.22, 0.17, 0.4, -0.35, 0.28, 0.06;
  return eta;
}

ShapeIntegrals integrals_of(const PolynomialBeam& beam, KinematicOrder order,
                            const RigidInertia& tip_body = {}) {
  const BeamBasis basis = beam.basis();
  return make_shape_integrals(basis, order, make_tip_node(basis, order, TipRotation::slope), tip_body);
}

// dp/deta_j: p is quadratic in eta, so the central difference over a step of 1 is exact.
std::array<Polynomial, 3> position_derivative(const PolynomialBeam& beam, const VectorXd& eta, int j,
                                              KinematicOrder order) {
  const VectorXd step = VectorXd::Unit(m, j);
  const auto ahead = beam.position(eta + step, order), behind = beam.position(eta - step, order);
  std::array<Polynomial, 3> derivative;
  for (int axis = 0; axis < 3; ++axis) derivative[axis] = 0.5L * (ahead[axis] - behind[axis]);
  return derivative;
}

class FieldMomentsTest : public testing::TestWithParam<KinematicOrder> {};

TEST_P(FieldMomentsTest, EqualExactPolynomialIntegrals) {
  const PolynomialBeam beam;
  const ShapeIntegrals integrals = integrals_of(beam, GetParam());
  const Polynomial mass = beam.linear(beam.root.mass_per_length, beam.tip.mass_per_length);
  const auto integrate = [&](const Polynomial& f) {
    return static_cast<double>((mass * f).integral()(beam.length));
  };
  for (const VectorXd& eta : {VectorXd(VectorXd::Zero(m)), VectorXd(1e-6 * bent()), bent()}) {
    const FieldMoments moments = field_moments(integrals, eta);
    const auto p = beam.position(eta, GetParam());
    EXPECT_NEAR(integrals.mass, integrate({{1}}), 1e-14);
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(moments.first[a], integrate(p[a]), 1e-14);
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(moments.second(a, b), integrate(p[a] * p[b]), 1e-14);
    }
    for (int j = 0; j < m; ++j) {
      const auto p_j = position_derivative(beam, eta, j, GetParam());
      for (int a = 0; a < 3; ++a) {
        EXPECT_NEAR(moments.first_derivatives(a, j), integrate(p_j[a]), 1e-14);
        for (int b = 0; b < 3; ++b) EXPECT_NEAR(moments.mixed[j](a, b), integrate(p[a] * p_j[b]), 1e-14);
      }
      for (int k = 0; k < m; ++k) {
        const auto p_k = position_derivative(beam, eta, k, GetParam());
        EXPECT_NEAR(moments.derivatives(j, k), integrate(p_j[0] * p_k[0] + p_j[1] * p_k[1] + p_j[2] * p_k[2]),
                    1e-14);
      }
    }
  }
}

TEST_P(FieldMomentsTest, MassOnTheAxisIsFoldedIn) {
  const PolynomialBeam beam;
  const double mass = 3.3;
  const FieldMoments with =
      field_moments(integrals_of(beam, GetParam(), {mass, Vector3d::Zero(), Matrix3d::Zero()}), bent());
  const FieldMoments without = field_moments(integrals_of(beam, GetParam()), bent());
  const auto p = beam.position(bent(), GetParam());
  const auto at_tip = [&](const std::array<Polynomial, 3>& f) {
    return Vector3d(static_cast<double>(f[0](beam.length)), static_cast<double>(f[1](beam.length)),
                    static_cast<double>(f[2](beam.length)));
  };
  const Vector3d tip = at_tip(p);
  EXPECT_LT((with.second - without.second - mass * tip * tip.transpose()).norm(), 1e-13);
  for (int j = 0; j < m; ++j) {
    const Vector3d tip_j = at_tip(position_derivative(beam, bent(), j, GetParam()));
    EXPECT_LT((with.mixed[j] - without.mixed[j] - mass * tip * tip_j.transpose()).norm(), 1e-13);
  }
}

TEST_P(FieldMomentsTest, MassMatrixOfTheFieldIsPositiveSemidefinite) {
  const FieldMoments moments = field_moments(integrals_of(PolynomialBeam(), GetParam()), 3.0 * bent());
  const auto eigenvalues = Eigen::SelfAdjointEigenSolver<MatrixXd>(moments.derivatives).eigenvalues();
  EXPECT_GE(eigenvalues.minCoeff(), -1e-14 * eigenvalues.maxCoeff());
}

INSTANTIATE_TEST_SUITE_P(BothOrders, FieldMomentsTest,
                         testing::Values(KinematicOrder::first, KinematicOrder::second));

TEST(Stiffness, IsTheStrainEnergyOfTheDeflections) {
  const PolynomialBeam beam;
  const MatrixXd K = integrals_of(beam, KinematicOrder::first).stiffness;
  const auto [v, w, a, u] = beam.deflections(bent());
  const auto energy = [&](double at_root, double at_tip, const Polynomial& strain) {
    return 0.5 *
           static_cast<double>((beam.linear(at_root, at_tip) * strain * strain).integral()(beam.length));
  };
  const double expected = energy(beam.root.EI_z, beam.tip.EI_z, v.derivative().derivative()) +
                          energy(beam.root.EI_y, beam.tip.EI_y, w.derivative().derivative()) +
                          energy(beam.root.GJ, beam.tip.GJ, a.derivative()) +
                          energy(beam.root.EA, beam.tip.EA, u.derivative());
  EXPECT_NEAR(0.5 * bent().dot(K * bent()), expected, 1e-12 * expected);
}

// At rest M_ee is the kinetic energy of small motions: distributed mass, sections that turn, and the tip's body.
TEST(RestInertia, IsTheKineticEnergyOfSmallMotions) {
  const PolynomialBeam beam;
  Matrix3d inertia;
  inertia << 0.3, 0.02, -0.01, 0.02, 0.4, 0.03, -0.01, 0.03, 0.5;
  const Vector3d com(0.1, -0.2, 0.15);
  const double mass = 2.5;
  const ShapeIntegrals integrals =
      integrals_of(beam, KinematicOrder::second, RigidInertia::about_com(mass, com, inertia));

  const VectorXd rates = bent();
  const auto velocity = beam.position(rates, KinematicOrder::first);  // minus the x of r0
  const auto w = beam.rotation_vector(rates, KinematicOrder::first);
  const Polynomial axial = velocity[0] - Polynomial{{0, 1}};
  const auto integrate = [&](double at_root, double at_tip, const Polynomial& f) {
    return static_cast<double>((beam.linear(at_root, at_tip) * f * f).integral()(beam.length));
  };
  double energy = 0;
  for (const Polynomial& f : {axial, velocity[1], velocity[2]})
    energy += 0.5 * integrate(beam.root.mass_per_length, beam.tip.mass_per_length, f);
  for (int axis = 0; axis < 3; ++axis)
    energy += 0.5 * integrate(beam.root.rotary_inertia[axis], beam.tip.rotary_inertia[axis], w[axis]);
  const auto value = [&](const Polynomial& f) { return static_cast<double>(f(beam.length)); };
  const Vector3d tip_w(value(w[0]), value(w[1]), value(w[2]));
  const Vector3d com_velocity =
      Vector3d(value(axial), value(velocity[1]), value(velocity[2])) + tip_w.cross(com);
  energy += 0.5 * mass * com_velocity.squaredNorm() + 0.5 * tip_w.dot(inertia * tip_w);

  EXPECT_NEAR(0.5 * rates.dot(integrals.rest_inertia * rates), energy, 1e-13 * energy);
}

// The lumps must carry the sections' inertia also when the beam is bent: Int J = Sum of the lumps, at any rotation.
TEST(RotaryLumps, CarryTheWholeRotaryInertia) {
  const PolynomialBeam beam;
  const ShapeIntegrals integrals = integrals_of(beam, KinematicOrder::second);
  Matrix3d sum = Matrix3d::Zero(), turned = Matrix3d::Zero(), turned_finely = Matrix3d::Zero();
  for (const Lump& lump : integrals.lumps) {
    const Matrix3d R = exp_rotation(lump.node.rotation_vector<double>(bent()));
    sum += lump.body.inertia;
    turned += R * lump.body.inertia * R.transpose();
  }
  const Vector3d expected = 0.5 * beam.length * (beam.root.rotary_inertia + beam.tip.rotary_inertia);
  EXPECT_LT((sum - Matrix3d(expected.asDiagonal())).norm(), 1e-15);

  const auto theta = beam.rotation_vector(bent(), KinematicOrder::second);
  const PanelGrid fine({0.0, beam.length}, beam.length / 8);
  for (int i = 0; i < fine.points().size(); ++i) {
    const double x = fine.points()[i];
    const Matrix3d R =
        exp_rotation<double>({static_cast<double>(theta[0](x)), static_cast<double>(theta[1](x)),
                              static_cast<double>(theta[2](x))});
    const Vector3d J = fine.weights()[i] * beam.profile().at(x).rotary_inertia;
    turned_finely += R * J.asDiagonal() * R.transpose();
  }
  EXPECT_LT((turned - turned_finely).norm(), 1e-6 * turned.norm());
}

// What sections add to the inertia of the whole and to M_ee when the beam is bent.
struct TurnedSections {
  Matrix3d inertia = Matrix3d::Zero();
  MatrixXd M_ee;

  void add(const BeamNode& node, const Vector3d& J, const VectorXd& eta) {
    const Vector3d theta = node.rotation_vector<double>(eta);
    Eigen::Matrix3Xd slopes = node.Psi;
    for (int axis = 0; axis < 3; ++axis) slopes.row(axis) += (node.Psi2[axis] * eta).transpose();
    const Matrix3d E = exp_rotation(theta), turned = E * J.asDiagonal() * E.transpose();
    const Eigen::Matrix3Xd T = left_jacobian(theta) * slopes;
    inertia += turned;
    M_ee += T.transpose() * turned * T;
  }
};

// The spare points suffice for slopes of 0.3 rad of a usual beam, two modes per plane and two of torsion.
TEST(RotaryLumps, AreEnoughForABentBeam) {
  const SectionProfile profile(4.0, {.EI_y = 4e6,
                                     .EI_z = 6e6,
                                     .GJ = 3e6,
                                     .EA = 1e9,
                                     .mass_per_length = 42.0,
                                     .rotary_inertia = {0.38, 0.15, 0.23}});
  BeamBasis basis(profile);
  for (const Direction direction : {Direction::y, Direction::z, Direction::torsion}) {
    ShapeRequest request;
    request.direction = direction;
    request.family = ShapeFamily::clamped_free;
    request.count = 2;
    basis.add(direction, make_shapes(request, profile));
  }
  const ShapeIntegrals integrals = make_shape_integrals(
      basis, KinematicOrder::second, make_tip_node(basis, KinematicOrder::second, TipRotation::slope), {});
  VectorXd eta(6);
  eta << 0.27, -0.18, 0.27, 0.18, 0.18, -0.18;
  double largest = 0.0;

  TurnedSections found{Matrix3d::Zero(), MatrixXd::Zero(6, 6)}, expected = found;
  for (const Lump& lump : integrals.lumps) {
    found.add(lump.node, lump.body.inertia.diagonal(), eta);
    largest = std::max(largest, lump.node.rotation_vector<double>(eta).norm());
  }
  const PanelGrid fine({0.0, 4.0}, 1.0);
  const std::vector<BeamNode> nodes =
      make_nodes(basis, KinematicOrder::second, {fine.points().begin(), fine.points().end()});
  for (std::size_t i = 0; i < nodes.size(); ++i)
    expected.add(nodes[i], fine.weights()[static_cast<Eigen::Index>(i)] * profile.at(0.0).rotary_inertia,
                 eta);
  EXPECT_GT(largest, 0.3);
  EXPECT_LT((found.inertia - expected.inertia).norm(), 1e-13 * expected.inertia.norm());
  EXPECT_LT((found.M_ee - expected.M_ee).norm(), 1e-13 * expected.M_ee.norm());
}

TEST(ModalDamping, GivesEveryModeItsRatio) {
  const ShapeIntegrals integrals = integrals_of(PolynomialBeam(), KinematicOrder::second);
  const MatrixXd &K = integrals.stiffness, &M = integrals.rest_inertia;
  const MatrixXd C = modal_damping(K, M, 0.03);
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> modes(K, M);
  const MatrixXd modal = modes.eigenvectors().transpose() * C * modes.eigenvectors();
  const VectorXd expected = 0.06 * modes.eigenvalues().cwiseSqrt();
  EXPECT_LT((modal - MatrixXd(expected.asDiagonal())).norm(), 1e-9 * expected.norm());
}

TEST(ModalDamping, LeavesCoordinatesWithoutInertiaAlone) {
  const MatrixXd K = Eigen::Vector2d(4.0, 9.0).asDiagonal();
  const MatrixXd M = Eigen::Vector2d(1.0, 0.0).asDiagonal();
  const MatrixXd C = modal_damping(K, M, 0.1);
  EXPECT_NEAR(C(0, 0), 2 * 0.1 * 2.0, 1e-14);
  EXPECT_EQ(C(1, 1), 0.0);
}

}  // namespace
}  // namespace limber
