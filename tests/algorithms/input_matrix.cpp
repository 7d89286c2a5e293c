// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/input_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "limber/model/builder.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

ModelBuilder pinned_arm() {
  ModelBuilder builder("pinned");
  builder.link("arm").revolute({0, 0, 1}, "hinge");
  builder.beam(2.0, {.EI_y = 10.0, .EI_z = 10.0, .mass_per_length = 1.5});
  builder.modes(Direction::y, 3, ShapeFamily::pinned_pinned);
  return builder;
}

// sin(k pi x / L) has the slope k pi / L at the root.
TEST(InputMatrix, HasTheSlopesOfPinnedShapesAtTheRoot) {
  const MatrixXd B = input_matrix(pinned_arm().build());
  ASSERT_EQ(B.rows(), 4);
  ASSERT_EQ(B.cols(), 1);
  EXPECT_EQ(B(0, 0), 1.0);
  for (int k = 1; k <= 3; ++k) EXPECT_NEAR(B(k, 0), k * std::numbers::pi / 2.0, 1e-12);
}

// The beam's y, turned by 90 deg about x, is B's z: a hinge about z does not bend it, one about -y does.
TEST(InputMatrix, CountsSlopesAboutTheAxisOnly) {
  ModelBuilder builder = pinned_arm();
  RootDescription root;
  root.rpy = {std::numbers::pi / 2.0, 0.0, 0.0};
  builder.root(root);
  EXPECT_NEAR(input_matrix(builder.build()).bottomRows(3).norm(), 0.0, 1e-14);
  builder.current_link().joint.axis = Vector3d(0, -1, 0);
  EXPECT_NEAR(input_matrix(builder.build())(1, 0), std::numbers::pi / 2.0, 1e-12);
}

// w = sin(pi x / L) turns the root by -w' about y.
TEST(InputMatrix, HasTheSignOfTheSectionsRotation) {
  ModelBuilder builder("pinned");
  builder.link("arm").revolute({0, 1, 0}).beam(2.0, {.EI_y = 10.0, .mass_per_length = 1.5});
  builder.modes(Direction::z, 1, ShapeFamily::pinned_pinned);
  EXPECT_NEAR(input_matrix(builder.build())(1, 0), -std::numbers::pi / 2.0, 1e-12);
}

TEST(InputMatrix, TurnsTheFirstAxisOfAUniversalJoint) {
  ModelBuilder builder = pinned_arm();
  builder.current_link().joint = {
      .name = "cardan", .type = JointType::universal, .axes = {{Vector3d::UnitZ(), Vector3d::UnitX()}}};
  const Model model = builder.build();
  VectorXd q = VectorXd::Zero(5);
  q[1] = 0.3;
  const MatrixXd B = input_matrix(model, q);
  EXPECT_NEAR(B(2, 0), std::cos(0.3) * std::numbers::pi / 2.0, 1e-12);
  EXPECT_NEAR(B(2, 1), 0.0, 1e-14);
  EXPECT_NEAR(input_matrix(model)(2, 0), std::numbers::pi / 2.0, 1e-12);
}

// Clamped roots: every effort on its own coordinate and nowhere else, exactly.
TEST(InputMatrix, IsASelectionForClampedShapes) {
  for (const ShapeFamily family :
       {ShapeFamily::craig_bampton, ShapeFamily::clamped_free, ShapeFamily::clamped_mass,
        ShapeFamily::clamped_pinned, ShapeFamily::polynomial, ShapeFamily::finite_element}) {
    ModelBuilder builder("clamped");
    builder.link("a").revolute({0, 0, 1}).beam(3.0,
                                               {.EI_y = 5.0, .EI_z = 7.0, .GJ = 3.0, .mass_per_length = 2.0});
    builder.modes(Direction::y, 8, family).modes(Direction::z, 4, family).modes(Direction::torsion, 3);
    const MatrixXd B = input_matrix(builder.build());
    EXPECT_EQ(B, MatrixXd::Identity(16, 1)) << static_cast<int>(family);
  }
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Model model = build_model(reference::random_arm(seed, 4, KinematicOrder::second));
    const MatrixXd B = input_matrix(model);
    Eigen::Index column = 0;
    for (const Link& link : model.links())
      for (int j = 0; j < link.joint.nv; ++j, ++column)
        EXPECT_EQ(VectorXd(B.col(column)), VectorXd(VectorXd::Unit(model.nv(), link.joint.v_index + j)))
            << seed;
    EXPECT_EQ(column, B.cols());
  }
}

}  // namespace
}  // namespace limber
