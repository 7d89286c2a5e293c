// SPDX-License-Identifier: BSD-3-Clause
// Joints with a spring are passive: they sag, settle and swing on it unless they are held.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double g = 9.81, stiffness = 2e4, length = 2.0, tip_mass = 10.0, per_length = 3.26, EI = 97400.0;

// A boom on a gearbox: 260 N m of weight on 20 kN m/rad.
ModelBuilder boom(double spring = stiffness) {
  ModelBuilder builder("boom");
  builder.link("boom")
      .revolute({0, 1, 0}, "gearbox")
      .beam(length, {.EI_y = EI, .mass_per_length = per_length})
      .modes(Direction::z, 5)
      .tip({.mass = tip_mass});
  builder.current_link().joint.stiffness = spring;
  return builder;
}

// Along x.
RigidDescription rod(double mass, double com, double length_of_rod = 0.0) {
  RigidDescription body;
  body.mass = mass;
  body.com = {com, 0.0, 0.0};
  body.inertia << 0.0, 0.1, 0.1, 0.0, 0.0, 0.0;
  body.tip.xyz = {length_of_rod, 0.0, 0.0};
  return body;
}

double tip_height(const Model& model, const VectorXd& q) {
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  return frame_pose(model, work, end_effector_frame(model)).p.z();
}

// The angle solves k a = M cos a, M the moment of the weight about the joint; the beam's own sag adds to it.
TEST(PassiveJoint, SagsByWhatItsSpringGives) {
  const Model model = boom().build();
  const double moment = g * (tip_mass * length + 0.5 * per_length * length * length);
  double angle = 0.0;
  for (int i = 0; i < 50; ++i) angle = moment * std::cos(angle) / stiffness;
  const VectorXd q = neutral_configuration(model);
  const Equilibrium passive = static_equilibrium(model, q),
                    held = static_equilibrium(model, q, {}, StaticModel::exact, {}, {"all"});
  EXPECT_NEAR(passive.q[0], angle, 1e-5 * angle + 2e-6);  // the beam's tip comes nearer by its sag
  EXPECT_NEAR(tip_height(model, held.q) - tip_height(model, passive.q), 0.0260, 1e-4);
  EXPECT_EQ(held.q[0], 0.0);
  EXPECT_NEAR(passive.efforts[0], 0.0, 1e-8);  // nobody holds it
  EXPECT_NEAR(held.efforts[0], -moment, 1e-3 * moment);
}

TEST(PassiveJoint, IsHeldWhereItIsNamed) {
  ModelBuilder builder = boom();
  builder.link("arm").revolute({0, 1, 0}, "elbow").rigid(rod(1.0, 0.5));
  builder.current_link().joint.stiffness = 300.0;
  const Model model = builder.build();
  const VectorXd q = neutral_configuration(model);
  const int elbow = model.links()[1].joint.q_index;
  const auto settle = [&](const JointNames& hold) {
    return static_equilibrium(model, q, {}, StaticModel::exact, {}, hold).q;
  };
  EXPECT_GT(settle({})[0], 0.01);
  EXPECT_GT(settle({})[elbow], 0.01);
  EXPECT_EQ(settle({"gearbox"})[0], 0.0);
  EXPECT_GT(settle({"gearbox"})[elbow], 0.01);
  EXPECT_EQ(settle({"gearbox", "elbow"}), settle({"all"}));
}

// Far from where it was given, and with a spring at ease elsewhere: a pendulum that turns by half a turn.
TEST(PassiveJoint, FindsItsEquilibriumFromAnyStart) {
  ModelBuilder builder("pendulum");
  builder.link("rod").revolute({0, 1, 0}, "hinge").rigid(rod(2.0, 1));
  builder.current_link().joint.stiffness = 3.0;
  builder.current_link().joint.rest = -0.4;
  const Model model = builder.build();
  for (const double start : {-2.0, 0.0, 1.5, 3.0}) {
    const double a = static_equilibrium(model, VectorXd::Constant(1, start)).q[0];
    EXPECT_NEAR(3.0 * (a + 0.4), 2.0 * g * std::cos(a), 1e-9) << start;
  }
}

TEST(PassiveJoint, IsSettledForLinearModelsToo) {
  const Model model = boom().build();
  const OperatingPoint point = settled_point(model, neutral_configuration(model));
  EXPECT_GT(point.q[0], 0.012);
  EXPECT_NEAR(point.tau[0], 0.0, 1e-8);
  EXPECT_EQ(settled_point(model, neutral_configuration(model), {}, {}, {"all"}).q[0], 0.0);
}

// Reaching is left to the joints that are held.
TEST(PassiveJoint, IsNotMovedByReach) {
  ModelBuilder builder("reach");
  builder.link("upper").revolute({0, 1, 0}, "shoulder").rigid(rod(1.0, 0.5, 1));
  builder.link("lower").revolute({0, 1, 0}, "elbow").rigid(rod(1.0, 0.5, 1));
  builder.link("tool").revolute({0, 1, 0}, "wrist").rigid(rod(1.0, 0.1, 0.2));
  builder.current_link().joint.stiffness = 50.0;
  const Model model = builder.build();
  const Equilibrium e = reach(model, Eigen::Vector3d(0.3, 0.3, 0.0), {1.5, 0.0, -0.5}, std::nullopt);
  Workspace<double> work(model);
  update_positions(model, work, e.q);
  update_world_poses(work);
  EXPECT_LT((frame_pose(model, work, end_effector_frame(model)).p - Eigen::Vector3d(1.5, 0.0, -0.5)).norm(),
            1e-9);
  EXPECT_NEAR(50.0 * e.q[2], g * 0.1 * std::cos(e.q.sum()), 1e-9);  // the wrist hangs on its spring
}

// Locked 8.955 Hz; on the spring 3.03 Hz. Dunkerley: 1/f^2 = 1/f_locked^2 + 1/f_rigid^2, an upper bound of 1/f^2.
TEST(HeldModes, SwingOnJointSprings) {
  const Model model = boom().build();
  const VectorXd q = neutral_configuration(model);
  const auto first = [&](JointTreatment joints, const JointNames& hold = {}) {
    return natural_modes(model, q, joints, 1, {}, hold).angular_frequencies[0] / (2.0 * std::numbers::pi);
  };
  const double inertia = tip_mass * length * length + per_length * std::pow(length, 3) / 3.0;
  const double rigid = std::sqrt(stiffness / inertia) / (2.0 * std::numbers::pi);
  const double locked = first(JointTreatment::locked), held = first(JointTreatment::held);
  EXPECT_NEAR(locked, 8.955, 0.005);
  EXPECT_NEAR(held, 3.03, 0.01);
  EXPECT_NEAR(1.0 / (held * held), 1.0 / (locked * locked) + 1.0 / (rigid * rigid), 1e-3 / (held * held));
  EXPECT_EQ(first(JointTreatment::held, {"gearbox"}), locked);
  EXPECT_EQ(first(JointTreatment::held, {"all"}), locked);
}

TEST(HeldModes, AreLockedModesWhereNoJointHasASpring) {
  for (const char* file : {"canadarm/canadarm.yaml", "crane/crane.yaml"}) {
    const Model model = read_model(std::string(LIMBER_MODELS_DIR) + "/" + file);
    const VectorXd q = neutral_configuration(model);
    EXPECT_EQ(natural_modes(model, q).angular_frequencies,
              natural_modes(model, q, JointTreatment::locked).angular_frequencies);
  }
}

// A joint that turns steadily is held at its rate, whatever its spring.
TEST(HeldModes, HoldWhatTurnsSteadily) {
  const Model sprung = boom().build(), plain = boom(0.0).build();
  const VectorXd q = neutral_configuration(sprung);
  EXPECT_EQ(steady_rotation_modes(sprung, q, {{0, 3.0}}).angular_frequencies,
            steady_rotation_modes(plain, q, {{0, 3.0}}).angular_frequencies);
  VectorXd rates = VectorXd::Zero(sprung.nv());
  rates[0] = 3.0;
  EXPECT_EQ(static_equilibrium(sprung, q, {}, StaticModel::exact, rates).q[0], 0.0);
}

}  // namespace
}  // namespace limber
