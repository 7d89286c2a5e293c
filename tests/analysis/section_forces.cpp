// SPDX-License-Identifier: BSD-3-Clause
// What passes through the sections of beams: balance with joints, with what sits on them, and textbooks.

#include "limber/analysis/section_forces.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "allocations.hpp"
#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/builder.hpp"
#include "reference/random_arm.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double L = 2.0, mass_per_length = 3.0;

struct Moving {
  Model model;
  VectorXd q, v, a;
};

// Some state with all coordinates in motion: joints by some tenths, beams by a hundredth of that.
Moving moving(const Model& model, double joints = 0.4, double elastic = 5e-3) {
  VectorXd wave = VectorXd::LinSpaced(model.nv(), 1.0, 1.0 + model.nv()).array().sin();
  VectorXd scale = VectorXd::Constant(model.nv(), joints);
  for (const Link& link : model.links())
    scale.segment(link.elastic_v_index, link.elastic_count).setConstant(elastic);
  Moving state{model, neutral_configuration(model), {}, {}};
  displace(model, VectorXd(state.q), scale.cwiseProduct(wave), state.q);
  state.v = 2.0 * scale.cwiseProduct(wave.reverse());
  state.a = 30.0 * scale.cwiseProduct((2.0 * wave).array().cos().matrix());
  return state;
}

// A frame's place and motion in the world, by Jacobians: an algorithm of its own.
struct Motion {
  Pose X_WN;
  Vector3d w, a, alpha;  // a with -g
};
Motion motion_of(const Model& model, const Moving& state, const Frame& frame) {
  Workspace<double> work(model);
  update_velocities(model, work, state.q, state.v);
  update_world_poses(work);
  Matrix6X<double> J(6, model.nv());
  frame_jacobian(model, work, frame, MotionAxes::local_world_aligned, J);
  Motion motion{frame_pose(model, work, frame), {}, {}, {}};
  motion.w = frame_twist(model, work, frame, MotionAxes::local_world_aligned).angular;
  const Twist bias =
      frame_bias_acceleration(model, work, frame, MotionAxes::local_world_aligned, state.q, state.v);
  const Vector6<double> A = J * state.a;
  motion.a = Vector3d(bias.linear) + A.head<3>() - model.gravity();
  motion.alpha = Vector3d(bias.angular) + A.tail<3>();
  return motion;
}

// What a rigid body on that frame takes, about the world's origin.
Wrench taken(const RigidInertia& body, const Motion& motion) {
  const Matrix3d& R = motion.X_WN.R;
  const Vector3d h = R * Vector3d(body.moment);
  const Matrix3d I = R * Matrix3d(body.inertia) * R.transpose();
  const Vector3d force = body.mass * motion.a + motion.alpha.cross(h) + motion.w.cross(motion.w.cross(h));
  const Vector3d moment = h.cross(motion.a) + I * motion.alpha + motion.w.cross(I * motion.w);
  return {force, moment + motion.X_WN.p.cross(force)};
}

// Wrenches in joints, in the world: about its origin.
std::vector<Wrench> wrenches_in_world(const Moving& state, const std::vector<Load>& loads) {
  Workspace<double> work(state.model);
  VectorXd tau(state.model.nv());
  inverse_dynamics<double>(state.model, work, state.q, state.v, state.a, tau, loads);
  update_world_poses(work);
  std::vector<Wrench> wrenches;
  joint_wrenches(state.model, work, wrenches);
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    const Pose X_WB =
        root_pose(state.model, work, static_cast<int>(i)) * state.model.links()[i].X_BR.inverse();
    const Vector3d force = X_WB.R * wrenches[i].force;
    wrenches[i] = {force, X_WB.R * wrenches[i].moment + X_WB.p.cross(force)};
  }
  return wrenches;
}

// Six numbers in a section's axes, by the outer part: as a wrench on the outer part in the world, about its origin.
Wrench on_outer_part(const Vector6<double>& forces, const Pose& X_WN) {
  const Vector3d force = -(X_WN.R * forces.head<3>());
  return {force, -(X_WN.R * forces.tail<3>()) + X_WN.p.cross(force)};
}

void expect_balance(const Wrench& found, const Wrench& expected, double size, double tolerance) {
  EXPECT_LT((found.force - expected.force).norm(), tolerance * size);
  EXPECT_LT((found.moment - expected.moment).norm(), tolerance * size);
}

// At every root: the joint's wrench less what the root piece takes.
int compare_roots(const Moving& state, const std::vector<Load>& loads, double tolerance) {
  SectionForces sections(state.model, 5);
  sections.update(state.q, state.v, state.a, loads);
  const std::vector<Wrench> wrenches = wrenches_in_world(state, loads);
  int compared = 0;
  for (const BeamSections& beam : sections.beams()) {
    const Link& link = state.model.links()[static_cast<std::size_t>(beam.link)];
    if (link.elastic_count == 0) continue;  // a rigid body as a whole
    SCOPED_TRACE(link.name);
    const Model looked = with_node(state.model, beam.link, 0.0);
    const int node = node_index(looked, beam.link, 0.0);
    const Motion B = motion_of(looked, state, {beam.link, node, link.X_BR.inverse()});
    // Shapes may turn the root's section (pinned families): its axes are the section's.
    const Pose X_WN = motion_of(looked, state, {beam.link, node, {}}).X_WN;
    // B does not turn with it.
    Workspace<double> work(looked);
    update_velocities(looked, work, state.q, state.v);
    update_world_poses(work);
    Motion root = B;
    root.X_WN = root_pose(looked, work, beam.link) * link.X_BR.inverse();
    const bool turns = (root.X_WN.R - B.X_WN.R).norm() > 1e-12;
    if (turns && !(link.rigid.mass == 0.0 && Matrix3d(link.rigid.inertia).isZero(0.0))) continue;
    const Wrench piece = taken(link.rigid, root);
    const Wrench& joint = wrenches[static_cast<std::size_t>(beam.link)];
    const double size = 1e-3 + Vector3d(joint.force).norm() + Vector3d(joint.moment).norm();
    expect_balance(on_outer_part(beam.forces.col(0), X_WN), joint - piece, size, tolerance);
    ++compared;
  }
  return compared;
}

TEST(SectionForces, AtTheRootAreTheJointsWrenchOnEveryShippedArm) {
  int compared = 0;
  for (const auto& entry : fs::recursive_directory_iterator(LIMBER_MODELS_DIR)) {
    if (entry.path().extension() != ".yaml") continue;
    std::optional<Model> model;
    try {
      model = read_model(entry.path());
    } catch (const std::exception&) {
      continue;  // a scenario
    }
    if (!model->loops().empty() || !model->cylinders().empty() || model->has_telescopes())
      continue;  // refused
    SCOPED_TRACE(entry.path().filename());
    compared += compare_roots(moving(*model), {}, 1e-10);
    compared += compare_roots(moving(*model, 0.0, 1e-6), {}, 1e-10);
  }
  EXPECT_GT(compared, 40);
}

TEST(SectionForces, AtTheRootAreTheJointsWrenchOnRandomTrees) {
  int compared = 0;
  for (unsigned seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const KinematicOrder order = seed % 2 == 0 ? KinematicOrder::first : KinematicOrder::second;
    compared +=
        compare_roots(moving(build_model(reference::random_arm(seed, 4, order)), 0.7, 0.05), {}, 1e-10);
  }
  EXPECT_GT(compared, 12);
}

SectionDescription uniform() {
  return {.EI_y = 1e4,
          .EI_z = 2e4,
          .GJ = 5e3,
          .EA = 1e7,
          .mass_per_length = mass_per_length,
          .rotary_inertia = Vector3d(0.03, 0.01, 0.02)};
}

// A beam that carries a child, a load and a payload where no equal distance falls.
Model carrier(KinematicOrder order) {
  ModelBuilder builder("carrier");
  builder.kinematics(order);
  builder.link("boom")
      .revolute({0, 0, 1})
      .root({.xyz = {0.1, 0, 0.05}, .mass = 4.0, .com = {0.05, 0.01, 0}})
      .beam(L, uniform())
      .modes(Direction::y, 3)
      .modes(Direction::z, 3)
      .modes(Direction::torsion, 2)
      .modes(Direction::axial, 1)
      .tip({.mass = 2.0,
            .com = {0.05, 0.02, -0.01},
            .inertia = (InertiaElements() << 0.02, 0.03, 0.03, 0, 0, 0).finished()});
  builder.link("jib", "boom", 0.37)
      .origin({0, 0.1, 0}, {0.3, 0.2, 0.1})
      .revolute({0, 1, 0})
      .beam(1.0, uniform())
      .modes(Direction::y, 2);
  return builder.build();
}

TEST(SectionForces, JumpByWhatSitsThere) {
  for (const KinematicOrder order : {KinematicOrder::first, KinematicOrder::second}) {
    const Model bare = carrier(order);
    const Model model = with_node(bare, 0, 0.61);
    const Moving state = moving(model, 0.5, 0.02);
    const int loaded = node_index(model, 0, 0.61);
    std::vector<Load> loads;
    for (const Axes axes : {Axes::world, Axes::body, Axes::section})
      loads.push_back({0, loaded, axes, {30, -20, 10}, {3, 5, -4}, {0.0, 0.05, 0.1}});
    SectionForces sections(model, 8);
    sections.update(state.q, state.v, state.a, loads);
    const BeamSections& boom = sections.beam(0);
    ASSERT_EQ(boom.places.size(), 8U + 4U);
    const std::vector<Wrench> joints = wrenches_in_world(state, loads);
    int jumps = 0;
    for (std::size_t i = 1; i < boom.places.size(); ++i) {
      if (boom.places[i].x != boom.places[i - 1].x) continue;
      const double at = boom.places[i].x / L;
      const Pose X_WN = motion_of(model, state, {0, node_index(model, 0, at), {}}).X_WN;
      const auto here = static_cast<Eigen::Index>(i);
      const Wrench inner = on_outer_part(boom.forces.col(here - 1), X_WN),
                   outer = on_outer_part(boom.forces.col(here), X_WN);
      ++jumps;
      if (std::abs(at - 0.37) < 1e-9) {
        expect_balance(inner - outer, joints[1], 1.0 + Vector3d(joints[1].moment).norm(), 1e-11);
        continue;
      }
      Workspace<double> work(model);
      update_positions(model, work, state.q);
      update_world_poses(work);
      const Matrix3d R_WB = root_pose(model, work, 0).R * model.links()[0].X_BR.R.transpose();
      Wrench sum;
      for (const Load& load : loads) {
        const Matrix3d R = load.axes == Axes::world  ? Matrix3d(Matrix3d::Identity())
                           : load.axes == Axes::body ? R_WB
                                                     : X_WN.R;
        const Vector3d force = R * load.force;
        sum += Wrench{force, R * load.moment + (X_WN.p + X_WN.R * load.offset).cross(force)};
      }
      expect_balance(inner - outer, -sum, 100.0, 1e-12);
    }
    EXPECT_EQ(jumps, 2);
    EXPECT_EQ(compare_roots(state, loads, 1e-10), 2);
  }
}

// Between two places nothing sits, and what passes changes by what the beam between them takes: summed here by the trapezoidal rule over
// many points, with motions by Jacobians.
TEST(SectionForces, ChangeByWhatTheBeamBetweenTakes) {
  const Moving bare = moving(carrier(KinematicOrder::second), 0.5, 0.02);
  SectionForces sections(bare.model, 5);
  sections.update(bare.q, bare.v, bare.a);
  const BeamSections& boom = sections.beam(0);
  const int from = boom.regular[2], to = boom.regular[3];
  constexpr int steps = 64;
  Wrench sum[2];  // NOLINT: with steps, and with half as many
  std::vector<Pose> ends;
  for (int i = 0; i <= steps; ++i) {
    const double at = 0.5 + 0.25 * i / steps;
    const Model model = with_node(bare.model, 0, at);
    const Motion motion = motion_of(model, bare, {0, node_index(model, 0, at), {}});
    RigidInertia piece;
    piece.mass = mass_per_length;
    piece.inertia = Matrix3d(Vector3d(0.03, 0.01, 0.02).asDiagonal());
    const double h = 0.25 * L / steps * (i == 0 || i == steps ? 0.5 : 1.0);
    const Wrench taken_here = taken(piece, motion);
    sum[0] += taken_here * h;
    if (i % 2 == 0) sum[1] += taken_here * (2.0 * h);
    if (i == 0 || i == steps) ends.push_back(motion.X_WN);
  }
  const Wrench better = sum[0] * (4.0 / 3.0) - sum[1] * (1.0 / 3.0);
  const Wrench change =
      on_outer_part(boom.forces.col(from), ends[0]) - on_outer_part(boom.forces.col(to), ends[1]);
  expect_balance(change, better, Vector3d(better.force).norm() + Vector3d(better.moment).norm(), 1e-9);
}

// N(x) = rho A Omega^2 (L^2 - x^2) / 2.
TEST(SectionForces, OfARotatingBarAreTheTextbooks) {
  ModelBuilder builder("bar");
  builder.gravity({0, 0, 0});
  builder.link("bar").revolute({0, 0, 1}).beam(L, uniform()).modes(Direction::y, 2);
  const Model model = builder.build();
  constexpr double Omega = 7.0;
  VectorXd q = VectorXd::Zero(3), v = q;
  v[0] = Omega;
  SectionForces sections(model, 11);
  sections.update(q, v, VectorXd::Zero(3));
  const BeamSections& bar = sections.beam(0);
  for (std::size_t i = 0; i < bar.places.size(); ++i) {
    const double x = bar.places[i].x;
    EXPECT_NEAR(bar.forces(0, static_cast<Eigen::Index>(i)),
                mass_per_length * Omega * Omega * (L * L - x * x) / 2, 1e-10);
    EXPECT_LT(bar.forces.col(static_cast<Eigen::Index>(i)).tail<5>().norm(), 1e-10);
  }
}

// Angular acceleration alone: V and M of the linear inertia force, and of the sections' own turning.
TEST(SectionForces, OfAnAcceleratedBarAreTheTextbooks) {
  ModelBuilder builder("bar");
  builder.gravity({0, 0, 0});
  builder.link("bar").revolute({0, 0, 1}).beam(L, uniform()).modes(Direction::y, 2);
  const Model model = builder.build();
  constexpr double alpha = 5.0, turning = 0.02;
  VectorXd zero = VectorXd::Zero(3), a = zero;
  a[0] = alpha;
  SectionForces sections(model, 11);
  sections.update(zero, zero, a);
  const BeamSections& bar = sections.beam(0);
  for (std::size_t i = 0; i < bar.places.size(); ++i) {
    const double x = bar.places[i].x, m = mass_per_length;
    const auto at = static_cast<Eigen::Index>(i);
    EXPECT_NEAR(bar.forces(1, at), -m * alpha * (L * L - x * x) / 2, 1e-10);
    EXPECT_NEAR(
        bar.forces(5, at),
        -m * alpha * ((L * L * L - x * x * x) / 3 - x * (L * L - x * x) / 2) - turning * alpha * (L - x),
        1e-10);
  }
}

// A beam without shapes is a rigid body, and has sections all the same.
TEST(SectionForces, OfABeamThatDoesNotBendAreTheTextbooks) {
  ModelBuilder builder("stiff");
  builder.gravity({0, 0, -9.81});
  builder.link("beam").fixed().beam(L, uniform()).tip({.mass = 1.5});
  builder.link("child", "beam", 0.5).fixed().rigid({.mass = 2.0, .tip = {}});
  const Model model = builder.build();
  SectionForces sections(model, 5);
  const VectorXd none(0);
  sections.update(none, none, none);
  const BeamSections& beam = sections.beam(0);
  constexpr double g = 9.81;
  EXPECT_NEAR(beam.forces(2, 0), -g * (mass_per_length * L + 1.5 + 2.0), 1e-10);
  EXPECT_NEAR(beam.forces(4, 0), g * (mass_per_length * L * L / 2 + 1.5 * L + 2.0 * L / 2), 1e-10);
  EXPECT_NEAR(beam.forces(2, 2) - beam.forces(2, 3), -g * 2.0, 1e-10);
  EXPECT_NEAR(beam.forces(2, static_cast<Eigen::Index>(beam.places.size()) - 1), -g * 1.5, 1e-10);
}

TEST(SectionForces, DoNotUseTheHeap) {
  const Moving state = moving(carrier(KinematicOrder::second));
  const std::vector<Load> loads = {{0, 0, Axes::world, {1, 2, 3}}};
  SectionForces sections(state.model);
  sections.update(state.q, state.v, state.a, loads);
  const test::AllocationCounter counter;
  sections.update(state.q, state.v, state.a, loads);
  EXPECT_EQ(counter.count(), 0);
}

TEST(SectionForces, SayWhatIsWrongWithACall) {
  const Moving state = moving(carrier(KinematicOrder::first));
  EXPECT_THROW(SectionForces(state.model, 1), InputError);
  SectionForces sections(state.model, 2);
  EXPECT_THROW(sections.update(state.v.head(2), state.v, state.a), InputError);
  EXPECT_THROW(sections.update(state.q, state.v, state.a.head(1)), InputError);
  EXPECT_THROW(sections.beam(7), InputError);
  const Model rigid =
      read_model(std::string(LIMBER_MODELS_DIR) + "/lin_lewis_two_link/lin_lewis_two_link.yaml");
  EXPECT_THROW(SectionForces(rigid, 2).beam(0), InputError);
}

}  // namespace
}  // namespace limber
