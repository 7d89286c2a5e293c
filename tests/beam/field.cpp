// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "beam/test_beam.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using test::PolynomialBeam;

VectorXd random_coordinates(int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorXd eta(PolynomialBeam::size);
  for (double& value : eta) value = uniform(random);
  return eta;
}

// The curve itself: R' = R [kappa]x, p' = R e_x with kappa = (a', -w'', v''), from root to x by fourth-order Runge-Kutta.
struct Curve {
  Vector3d p = Vector3d::Zero();
  Matrix3d R = Matrix3d::Identity();
};

Curve exact_curve(const PolynomialBeam& beam, const VectorXd& eta, double x_end) {
  const auto deflections = beam.deflections(eta);
  const auto a1 = deflections[2].derivative();
  const auto v2 = deflections[0].derivative().derivative(), w2 = deflections[1].derivative().derivative();
  const auto slope = [&](double x, const Curve& at) {
    const Vector3d kappa(static_cast<double>(a1(x)), -static_cast<double>(w2(x)), static_cast<double>(v2(x)));
    return Curve{at.R.col(0), at.R * skew(kappa)};
  };
  const auto moved = [](const Curve& at, double step, const Curve& by) {
    return Curve{at.p + step * by.p, at.R + step * by.R};
  };
  const int steps = 400;
  const double h = x_end / steps;
  Curve curve;
  for (int i = 0; i < steps; ++i) {
    const double x = i * h;
    const Curve k1 = slope(x, curve), k2 = slope(x + h / 2, moved(curve, h / 2, k1));
    const Curve k3 = slope(x + h / 2, moved(curve, h / 2, k2)), k4 = slope(x + h, moved(curve, h, k3));
    curve.p += h / 6 * (k1.p + 2 * k2.p + 2 * k3.p + k4.p);
    curve.R += h / 6 * (k1.R + 2 * k2.R + 2 * k3.R + k4.R);
  }
  return curve;
}

TEST(BeamNode, HasTheFieldsQuadraticForms) {
  const PolynomialBeam beam;
  const BeamBasis basis = beam.basis();
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    const VectorXd eta = random_coordinates(1);
    const auto p = beam.position(eta, order), theta = beam.rotation_vector(eta, order);
    for (const BeamNode& node : make_nodes(basis, order, {0.0, 0.3, 0.75, 1.5})) {
      const Vector3d position = node.position<double>(eta), rotation = node.rotation_vector<double>(eta);
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(position[axis], static_cast<double>(p[axis](node.x)), 2e-15) << "x = " << node.x;
        EXPECT_NEAR(rotation[axis], static_cast<double>(theta[axis](node.x)), 2e-15) << "x = " << node.x;
      }
    }
  }
}

TEST(BeamNode, QuadraticFormsAreSymmetric) {
  const BeamNode node = make_nodes(PolynomialBeam().basis(), KinematicOrder::second, {1.1}).front();
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(node.Phi2[axis], node.Phi2[axis].transpose());
    EXPECT_EQ(node.Psi2[axis], node.Psi2[axis].transpose());
  }
}

// The error against the exact curve falls with the amplitude: by 2^3 for `second` in every halving, by 2^2 for `first`.
TEST(DeflectionField, ConvergesToTheExactCurve) {
  const PolynomialBeam beam;
  const BeamBasis basis = beam.basis();
  for (int seed = 2; seed < 6; ++seed) {
    VectorXd eta = random_coordinates(seed);
    eta[PolynomialBeam::size - 1] = 0.0;  // the curve of this test is inextensible
    for (const auto& [order, exponent] :
         {std::pair(KinematicOrder::first, 2), std::pair(KinematicOrder::second, 3)}) {
      const BeamNode node = make_nodes(basis, order, {1.2}).front();
      double previous_position = 0, previous_rotation = 0;
      for (const double amplitude : {0.04, 0.02, 0.01}) {
        const VectorXd scaled = amplitude * eta;
        const Curve curve = exact_curve(beam, scaled, node.x);
        const double position = (node.position<double>(scaled) - curve.p).norm();
        const double rotation = (exp_rotation(node.rotation_vector<double>(scaled)) - curve.R).norm();
        if (previous_position > 0) {
          EXPECT_NEAR(std::log2(previous_position / position), exponent, 0.15) << "seed " << seed;
          EXPECT_NEAR(std::log2(previous_rotation / rotation), exponent, 0.15) << "seed " << seed;
        }
        previous_position = position;
        previous_rotation = rotation;
      }
    }
  }
}

TEST(TipNode, ChordReplacesTheLinearPartOfBendingRotationOnly) {
  const PolynomialBeam beam;
  const BeamBasis basis = beam.basis();
  const BeamNode slope = make_tip_node(basis, KinematicOrder::second, TipRotation::slope);
  const BeamNode chord = make_tip_node(basis, KinematicOrder::second, TipRotation::chord);
  EXPECT_EQ(chord.Phi, slope.Phi);
  EXPECT_EQ(chord.Psi.row(0), slope.Psi.row(0));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(chord.Phi2[axis], slope.Phi2[axis]);
    EXPECT_EQ(chord.Psi2[axis], slope.Psi2[axis]);
  }
  const double v_tip = static_cast<double>(beam.shapes[0][1](beam.length));
  const double w_tip = static_cast<double>(beam.shapes[1][0](beam.length));
  EXPECT_DOUBLE_EQ(chord.Psi(2, 1), v_tip / beam.length);
  EXPECT_DOUBLE_EQ(chord.Psi(1, 2), -w_tip / beam.length);
}

}  // namespace
}  // namespace limber
