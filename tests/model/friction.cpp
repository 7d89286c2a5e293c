// SPDX-License-Identifier: BSD-3-Clause
// Laws of friction against the contract's formula, their slopes against differences, and what no joint may have.

#include "limber/model/friction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/model/check.hpp"

namespace limber {
namespace {

// (coulomb + (static - coulomb) exp(-(v/vs)^2)) tanh(v/vt)
TEST(SmoothFriction, IsTheContractsFormula) {
  const FrictionDescription law{
      .coulomb = 20.0, .static_friction = 25.0, .stribeck_velocity = 0.05, .transition_velocity = 1e-3};
  for (const double v : {-1.0, -0.03, -1e-4, 0.0, 1e-4, 2e-3, 0.05, 3.0}) {
    const double expected = (20.0 + 5.0 * std::exp(-std::pow(v / 0.05, 2))) * std::tanh(v / 1e-3);
    EXPECT_NEAR(friction_force(law, v), expected, 1e-13) << v;
  }
  EXPECT_FALSE(sticks(law));
  EXPECT_NEAR(friction_slope(law, 0.0), 25.0 / 1e-3, 1e-9);
}

TEST(Friction, HasTheSlopesOfItsDifferences) {
  for (const bool smooth : {true, false}) {
    FrictionDescription law{.coulomb = 2.0, .static_friction = 3.0, .stribeck_velocity = 0.3, .viscous = 0.4};
    if (smooth) law.transition_velocity = 0.1;
    for (const double v : {-0.7, -0.05, 0.02, 0.2, 1.0}) {
      const double h = 1e-5,
                   difference = (friction_force(law, v + h) - friction_force(law, v - h)) / (2.0 * h);
      EXPECT_NEAR(friction_slope(law, v), difference, 1e-6) << v;
    }
  }
}

TEST(ExactFriction, IsCoulombsBesideItsStribeckCurve) {
  FrictionDescription law{.coulomb = 2.0, .static_friction = 3.0};
  EXPECT_TRUE(sticks(law));
  EXPECT_EQ(friction_force(law, 0.1), 2.0);
  EXPECT_EQ(friction_force(law, -0.1), -2.0);
  EXPECT_EQ(friction_force(law, 0.0), 0.0);
  EXPECT_EQ(slip_force(law, 0.0, -1), -2.0);
  EXPECT_EQ(slip_force(law, -1e-9, 1), 2.0);  // a little beyond the end of slipping it is the same curve
  law.stribeck_velocity = 0.2;
  EXPECT_EQ(slip_force(law, 0.0, 1), 3.0);
  EXPECT_FALSE(sticks(FrictionDescription{.viscous = 1.0}));
}

ModelDescription one_joint(JointType type, const FrictionDescription& friction) {
  ModelDescription description;
  description.name = "one";
  LinkDescription& link = description.links.emplace_back();
  link.name = "a";
  link.joint.type = type;
  link.joint.friction = friction;
  link.rigid.emplace();
  link.rigid->mass = 1.0;
  return description;
}

TEST(FrictionOfAModel, ActsOnWhatItsMotorMoves) {
  ModelDescription description = one_joint(JointType::revolute, {.coulomb = 2.0, .viscous = 1.0});
  EXPECT_EQ(friction_forces(build_model(description), Eigen::VectorXd::Constant(1, 3.0))[0], 5.0);
  description.links[0].joint.drive =
      DriveDescription{.ratio = 10.0, .rotor_inertia = 1e-3, .stiffness = 100.0};
  const Model geared = build_model(description);
  EXPECT_EQ(friction_forces(geared, Eigen::Vector2d(3.0, -1.0)), Eigen::Vector2d(0.0, -3.0));
  EXPECT_EQ(friction_slopes(geared, Eigen::Vector2d(3.0, -1.0)), Eigen::Vector2d(0.0, 1.0));
  EXPECT_TRUE(has_friction(geared));
}

TEST(FrictionOfAModel, IsRefusedWhereItMakesNoSense) {
  const auto path_of = [](JointType type, const FrictionDescription& friction) {
    const auto problems = check(one_joint(type, friction));
    return problems.empty() ? std::string() : problems.front().path;
  };
  EXPECT_EQ(path_of(JointType::revolute, {.coulomb = 2.0, .static_friction = 1.0}),
            "links[0].joint.friction.static");
  EXPECT_EQ(path_of(JointType::revolute, {.coulomb = -2.0}), "links[0].joint.friction.coulomb");
  EXPECT_EQ(path_of(JointType::revolute, {.coulomb = std::nan("")}), "links[0].joint.friction.coulomb");
  EXPECT_EQ(path_of(JointType::revolute, {.coulomb = 1.0, .transition_velocity = 0.0}),
            "links[0].joint.friction.transition_velocity");
  EXPECT_EQ(
      path_of(JointType::revolute, {.coulomb = 1.0, .static_friction = 2.0, .transition_velocity = 0.1}),
      "links[0].joint.friction");
  for (const JointType type :
       {JointType::spherical, JointType::free, JointType::fixed, JointType::cylindrical})
    EXPECT_EQ(path_of(type, {.coulomb = 1.0}), "links[0].joint.friction");
  EXPECT_EQ(path_of(JointType::prismatic, {.coulomb = 1.0}), "");
}

}  // namespace
}  // namespace limber
