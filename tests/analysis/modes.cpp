// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/core/computation_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

ModelBuilder pendulum(double gravity) {
  RigidDescription rod;
  rod.mass = 2.0;
  rod.com = {0.5, 0.0, 0.0};
  rod.inertia << 0.001, 0.1, 0.1, 0, 0, 0;
  ModelBuilder builder("pendulum");
  builder.gravity({gravity, 0, 0}).link("rod").revolute({0, 0, 1}, "hinge").rigid(rod);
  return builder;
}

// A physical pendulum: omega^2 = m g l / (I + m l^2) when it hangs, and minus that when it stands.
TEST(NaturalModes, OfAPendulumAreItsClosedForm) {
  const double expected = std::sqrt(2.0 * 9.81 * 0.5 / (0.1 + 2.0 * 0.25));
  const Model hanging = pendulum(9.81).build(), standing = pendulum(-9.81).build();
  EXPECT_NEAR(natural_modes(hanging, VectorXd::Zero(1), JointTreatment::free).angular_frequencies[0],
              expected, 1e-12);
  EXPECT_NEAR(natural_modes(standing, VectorXd::Zero(1), JointTreatment::free).angular_frequencies[0],
              -expected, 1e-12);
}

TEST(NaturalModes, CountJointSpringsOnlyAsModelled) {
  ModelBuilder builder = pendulum(0.0);
  builder.current_link().joint.stiffness = 5.0;
  const Model model = builder.build();
  EXPECT_NEAR(natural_modes(model, VectorXd::Zero(1), JointTreatment::as_modelled).angular_frequencies[0],
              std::sqrt(5.0 / 0.6), 1e-12);
  EXPECT_NEAR(natural_modes(model, VectorXd::Zero(1), JointTreatment::free).angular_frequencies[0], 0.0,
              1e-12);
  EXPECT_EQ(natural_modes(model, VectorXd::Zero(1), JointTreatment::locked).angular_frequencies.size(), 0);
}

// A pendulum on a ball joint: the derivative along body rates of a quaternion, also away from the identity.
TEST(NaturalModes, TakeQuaternionsAlongBodyRates) {
  ModelBuilder builder = pendulum(9.81);
  builder.current_link().joint = {.name = "ball", .type = JointType::spherical};
  const Model model = builder.build();
  VectorXd turned(4);  // about x, the direction of gravity: an equilibrium like any other
  turned << std::sin(0.4), 0.0, 0.0, std::cos(0.4);
  const double expected = std::sqrt(2.0 * 9.81 * 0.5 / 0.6);
  for (const VectorXd& q : {neutral_configuration(model), turned}) {
    const NaturalModes modes = natural_modes(model, q, JointTreatment::free);
    EXPECT_NEAR(modes.angular_frequencies[0], 0.0, 1e-6);  // spinning about the vertical
    EXPECT_NEAR(modes.angular_frequencies[1], expected, 1e-12);
    EXPECT_NEAR(modes.angular_frequencies[2], expected, 1e-12);
  }
}

// A pull along a straight cantilever stiffens it (second order only): omega^2 = (K + F Int phi'^2) / M for one shape.
TEST(NaturalModes, FeelAxialLoadsAtSecondOrder) {
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    ModelBuilder builder("string");
    builder.gravity(Eigen::Vector3d::Zero()).kinematics(order).link("beam").fixed();
    builder.beam(2.0, {.EI_z = 10.0, .mass_per_length = 1.5}).modes(Direction::y, 1, ShapeFamily::polynomial);
    const Model model = builder.build();
    const double pull = 7.0;
    const std::vector<Load> loads{{0, 0, Axes::world, Eigen::Vector3d(pull, 0, 0), Eigen::Vector3d::Zero()}};
    // phi = (x/L)^2: Int phi''^2 = 4/L^3, Int phi'^2 = 4/(3L), Int phi^2 = L/5
    const double L = 2.0, stretched = order == KinematicOrder::second ? pull * 4.0 / (3.0 * L) : 0.0;
    const double expected = std::sqrt((10.0 * 4.0 / (L * L * L) + stretched) / (1.5 * L / 5.0));
    const NaturalModes modes = natural_modes(model, VectorXd::Zero(1), JointTreatment::locked, 0, loads);
    EXPECT_NEAR(modes.angular_frequencies[0], expected, 1e-12 * expected);
  }
}

TEST(NaturalModes, ParticipationAddsUpToOne) {
  const Model model = read_model(LIMBER_MODELS_DIR "/crane/crane.yaml");
  const NaturalModes modes = natural_modes(model, neutral_configuration(model), JointTreatment::locked, 5);
  ASSERT_EQ(modes.angular_frequencies.size(), 5);
  for (int k = 0; k < 5; ++k) {
    EXPECT_NEAR(modes.participation.col(k).sum(), 1.0, 1e-12);
    EXPECT_DOUBLE_EQ(modes.shapes.col(k).cwiseAbs().maxCoeff(), 1.0);
  }
}

TEST(BasisError, FallsWithMoreShapes) {
  double previous = 1.0;
  for (const char* name :
       {"ella/ella_clamped_free.yaml", "ella/ella_clamped_free_5.yaml", "ella/ella_converged.yaml"}) {
    const double error = basis_error(read_model(std::string(LIMBER_MODELS_DIR "/") + name)).largest;
    EXPECT_LT(error, 0.6 * previous) << name;
    previous = error;
  }
}

TEST(BasisError, IsZeroForARigidArm) { EXPECT_EQ(basis_error(pendulum(9.81).build()).largest, 0.0); }

TEST(NaturalModes, NameTheCoordinateThatMovesNothing) {
  ModelBuilder builder("spinner");
  RigidDescription rod;
  rod.mass = 1.0;
  builder.link("rod").revolute({1, 0, 0}, "spin").rigid(rod);
  const Model model = builder.build();
  try {
    natural_modes(model, VectorXd::Zero(1), JointTreatment::free);
    FAIL() << "no error";
  } catch (const ComputationError& error) {
    EXPECT_NE(std::string(error.what()).find("`spin`"), std::string::npos);
  }
}

}  // namespace
}  // namespace limber
