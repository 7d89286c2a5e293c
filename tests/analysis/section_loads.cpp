// SPDX-License-Identifier: BSD-3-Clause
// Forces and moments in the sections of a beam, and how far its deflection is from the beam's own equation.

#include "limber/analysis/section_loads.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double length = 2.0, EI = 1e3, mass_per_length = 3.0, g = 9.81;

Model cantilever(int shapes, double tip_mass = 0.0) {
  ModelBuilder builder("cantilever");
  builder.gravity({0, -g, 0});
  builder.link("beam")
      .fixed()
      .beam(length, {.EI_y = EI, .EI_z = EI, .mass_per_length = mass_per_length})
      .modes(Direction::y, shapes, ShapeFamily::clamped_free)
      .tip({.mass = tip_mass});
  return builder.build();
}

SectionLoads at_rest(const Model& model, const VectorXd& q, const std::vector<Load>& loads = {}) {
  const VectorXd zero = VectorXd::Zero(model.nv());
  return section_loads(model, 0, q, zero, zero, loads, 11);
}

// Textbook: a uniform beam under its weight, with a weight at its tip.
TEST(SectionLoads, AreTheTextbooksOfACantilever) {
  const Model model = cantilever(2, 1.5);
  const SectionLoads found = at_rest(model, VectorXd::Zero(model.nq()));  // not bent: the balance alone
  for (int i = 0; i < 11; ++i) {
    const double outer = length - found.x[i];
    EXPECT_NEAR(found.force(1, i), -g * (mass_per_length * outer + 1.5), 1e-11);
    EXPECT_NEAR(found.moment(2, i), -g * (mass_per_length * outer * outer / 2 + 1.5 * outer), 1e-10);
    EXPECT_NEAR(found.force(0, i), 0.0, 1e-11);
  }
  EXPECT_EQ(found.elastic_moment.cwiseAbs().maxCoeff(), 0.0);
  EXPECT_NEAR(found.residual, 1.0, 1e-12);  // nothing is carried
}

// A load at the tip alone: a cubic, which two polynomials are. Its curvature carries all of it.
TEST(SectionLoads, AgreeWithTheDeflectionWhereItIsExact) {
  ModelBuilder builder("cantilever");
  builder.gravity({0, 0, 0});
  builder.link("beam")
      .fixed()
      .beam(length, {.EI_y = EI, .EI_z = EI, .mass_per_length = mass_per_length})
      .modes(Direction::y, 2, ShapeFamily::polynomial);
  const Model model = builder.build();
  const std::vector<Load> loads = {{.link = 0, .node = 0, .force = {0, 1e-3, 0}}};
  const Equilibrium rest = static_equilibrium(model, neutral_configuration(model), loads);
  const SectionLoads found = at_rest(model, rest.q, loads);
  EXPECT_LT(found.residual, 1e-6);  // the moment arm shortens by the square of the deflection
  EXPECT_NEAR(found.moment(2, 0), 1e-3 * length, 1e-12);
  EXPECT_NEAR(found.elastic_moment(2, 0), 1e-3 * length, 1e-9);
  EXPECT_NEAR(found.force(1, 5), 1e-3, 1e-12);
}

// The more shapes, the nearer: clamped-free ones carry no moment at the tip, and converge.
TEST(SectionLoads, ResidualFallsAsShapesAreAdded) {
  double before = 1.0;
  for (const int shapes : {1, 2, 4, 8}) {
    const Model model = cantilever(shapes);
    const Equilibrium rest = static_equilibrium(model, neutral_configuration(model));
    const double residual = at_rest(model, rest.q).residual;
    EXPECT_LT(residual, 0.7 * before) << shapes;
    before = residual;
  }
  EXPECT_LT(before, 0.02);
}

// In motion, on random trees: what passes the root section and the root's own body is the wrench in the joint.
TEST(SectionLoads, AtTheRootAreWhatTheJointCarries) {
  int compared = 0;
  for (unsigned seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(seed);
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    const Model model = build_model(reference::random_arm(seed, 3, order));
    VectorXd q = neutral_configuration(model) + 0.3 * VectorXd::LinSpaced(model.nq(), -1.0, 1.0),
             v = VectorXd::LinSpaced(model.nv(), 1.0, -0.7), a = VectorXd::LinSpaced(model.nv(), -2.0, 3.0);
    for (const Link& link : model.links()) {
      q.segment(link.elastic_q_index, link.elastic_count) *= 0.1;
      if (link.joint.has_quaternion()) q.segment(link.joint.quaternion_index(), 4).normalize();
    }
    Workspace<double> work(model);
    VectorXd tau(model.nv());
    inverse_dynamics(model, work, q, v, a, tau);
    std::vector<Wrench> wrenches;
    joint_wrenches(model, work, wrenches);
    for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
      const Link& link = model.links()[static_cast<std::size_t>(i)];
      if (!link.beam) continue;
      const SectionLoads found = section_loads(model, i, q, v, a, {}, 5);
      // what the root's own rigid body takes, in B
      const Model looked = with_node(model, i, 0.0);
      Workspace<double> at_root(looked);
      update_velocities(looked, at_root, q, v);
      update_world_poses(at_root);
      const Frame node{i, node_index(looked, i, 0.0), link.X_BR.inverse()};  // B itself
      Matrix6X<double> J(6, model.nv());
      frame_jacobian(looked, at_root, node, MotionAxes::local_world_aligned, J);
      const Eigen::Matrix3d R = frame_pose(looked, at_root, node).R;
      const Vector3d w =
          R.transpose() *
          Vector3d(frame_twist(looked, at_root, node, MotionAxes::local_world_aligned).angular);
      TwistOf<double> A =
          frame_bias_acceleration(looked, at_root, node, MotionAxes::local_world_aligned, q, v);
      const Vector6<double> Ja = J * a;
      const Vector3d acc = R.transpose() * (Vector3d(A.linear) + Ja.head<3>() - model.gravity()),
                     alpha = R.transpose() * (Vector3d(A.angular) + Ja.tail<3>());
      const Vector3d h = link.rigid.moment;
      const Eigen::Matrix3d I = link.rigid.inertia;
      const Vector3d force = link.rigid.mass * acc + alpha.cross(h) + w.cross(w.cross(h)),
                     moment = h.cross(acc) + I * alpha + w.cross(I * w);
      const Vector3d N = link.X_BR.R * found.force.col(0), M = link.X_BR.R * found.moment.col(0);
      const Vector3d expected_force = force - N, expected_moment = moment - M - link.X_BR.p.cross(N);
      const Wrench& joint = wrenches[static_cast<std::size_t>(i)];
      const double size = 1.0 + joint.force.norm() + joint.moment.norm();
      EXPECT_LT((expected_force - Vector3d(joint.force)).norm(), 1e-9 * size) << i;
      EXPECT_LT((expected_moment - Vector3d(joint.moment)).norm(), 1e-9 * size) << i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 8);
}

TEST(SectionLoads, SayWhatIsWrongWithACall) {
  const Model model = cantilever(2);
  const VectorXd zero = VectorXd::Zero(model.nv());
  EXPECT_THROW(section_loads(model, 1, zero, zero, zero), InputError);
  EXPECT_THROW(section_loads(model, 0, zero, zero, VectorXd::Zero(7)), InputError);
  EXPECT_THROW(section_loads(model, 0, zero, zero, zero, {}, 1), InputError);
  const Model rigid = build_model(
      read_model_description(std::string(LIMBER_MODELS_DIR) + "/lin_lewis_two_link/lin_lewis_two_link.yaml"));
  const VectorXd none = VectorXd::Zero(rigid.nv());
  EXPECT_THROW(section_loads(rigid, 0, none, none, none), InputError);
}

}  // namespace
}  // namespace limber
