// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

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

// cos x cosh x = -1 near x.
long double clamped_free_root(long double x) {
  for (int i = 0; i < 20; ++i)
    x -= (std::cos(x) + 1.0L / std::cosh(x)) / (-std::sin(x) - std::tanh(x) / std::cosh(x));
  return x;
}

// A hundred shapes in each direction at once: frequencies from 5 Hz to 47 kHz, squares nine decades apart, each as good as the first.
TEST(NaturalModes, OfAHundredShapesInEveryDirectionAreItsClosedForms) {
  constexpr int count = 100;
  constexpr double L = 1.7;
  const Section section{.EI_y = 310.0,
                        .EI_z = 270.0,
                        .GJ = 95.0,
                        .EA = 7.3e6,
                        .mass_per_length = 2.9,
                        .rotary_inertia = {0.031, 0.0, 0.0}};
  ModelBuilder builder("cantilever");
  builder.gravity(Eigen::Vector3d::Zero()).kinematics(KinematicOrder::first).link("beam").fixed();
  builder.beam(L, {.EI_y = section.EI_y,
                   .EI_z = section.EI_z,
                   .GJ = section.GJ,
                   .EA = section.EA,
                   .mass_per_length = section.mass_per_length,
                   .rotary_inertia = section.rotary_inertia});
  std::vector<double> expected;
  constexpr long double pi = std::numbers::pi_v<long double>;
  for (const Direction direction : {Direction::y, Direction::z, Direction::torsion, Direction::axial}) {
    builder.modes(direction, count, ShapeFamily::clamped_free);
    const long double wave_speed = std::sqrt(static_cast<long double>(section.stiffness(direction)) /
                                             static_cast<long double>(section.inertia(direction)));
    for (int k = 0; k < count; ++k) {
      const long double quarter_turns = (k + 0.5L) * pi;
      const long double wavenumber =
          (is_bending(direction) ? clamped_free_root(k == 0 ? 1.875L : quarter_turns) : quarter_turns) /
          static_cast<long double>(L);
      expected.push_back(
          static_cast<double>(wave_speed * (is_bending(direction) ? wavenumber * wavenumber : wavenumber)));
    }
  }
  std::sort(expected.begin(), expected.end());
  const Model model = builder.build();
  const VectorXd found =
      natural_modes(model, VectorXd::Zero(4 * count), JointTreatment::locked).angular_frequencies;
  ASSERT_EQ(found.size(), 4 * count);
  for (int k = 0; k < 4 * count; ++k) {
    const double exact = expected[static_cast<std::size_t>(k)];
    EXPECT_NEAR(found[k], exact, 1e-13 * exact) << k;
  }
}

TEST(NaturalModes, ParticipationAddsUpToOne) {
  const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/crane/crane.yaml");
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
    const double error = basis_error(read_model(std::string(LIMBER_MODELS_DIR) + "/" + name)).largest;
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
