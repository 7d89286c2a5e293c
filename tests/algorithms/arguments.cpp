// SPDX-License-Identifier: BSD-3-Clause
// Every public function of the algorithms, called with each of its arguments wrong: an error that says which, never a crash.

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/evaluation.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

Model arm(const std::string& name) {
  return ModelBuilder(name)
      .link("boom", "base")
      .revolute({0, 0, 1}, "shoulder")
      .beam(6.0, {.EI_z = 1e5, .mass_per_length = 20.0})
      .modes(Direction::y, 2)
      .build();
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

struct WrongCall {
  std::string said;  // what the message must contain
  std::function<void()> call;
};

class WrongCalls : public ::testing::Test {
 protected:
  // Right arguments, and wrong ones of each kind.
  Model model = arm("boom");
  Workspace<double> work{model}, other{arm("other")};
  VectorXd q = VectorXd::Zero(3), v = q, tau = q, out = q, wrong = VectorXd::Zero(2);
  MatrixXd M = MatrixXd::Zero(3, 3), wrong_M = MatrixXd::Zero(3, 2);
  Matrix6X<double> J = Matrix6X<double>::Zero(6, 3), wrong_J = Matrix6X<double>::Zero(6, 2);
  Frame tip, no_link{7, 0, {}}, no_node{0, 7, {}};
  std::vector<Load> far{Load{5}}, nowhere{Load{0, -1}};
  MotionAxes world = MotionAxes::world;

  std::vector<WrongCall> all() {
    Model& m = model;
    Workspace<double>& w = work;
    return {
        {"update_positions: work", [&] { update_positions(m, other, q); }},
        {"update_positions: q", [&] { update_positions(m, w, wrong); }},
        {"update_velocities: work", [&] { update_velocities(m, other, q, v); }},
        {"update_velocities: q", [&] { update_velocities(m, w, wrong, v); }},
        {"update_velocities: v", [&] { update_velocities(m, w, q, wrong); }},
        {"update_link_masses: work", [&] { update_link_masses(m, other, q); }},
        {"update_link_masses: q", [&] { update_link_masses(m, w, wrong); }},
        {"update_velocities_and_inertias: work", [&] { update_velocities_and_inertias(m, other, q, v); }},
        {"update_velocities_and_inertias: q", [&] { update_velocities_and_inertias(m, w, wrong, v); }},
        {"update_velocities_and_inertias: v", [&] { update_velocities_and_inertias(m, w, q, wrong); }},
        {"forward_dynamics: work", [&] { forward_dynamics(m, other, q, v, tau, out); }},
        {"forward_dynamics: q", [&] { forward_dynamics(m, w, wrong, v, tau, out); }},
        {"forward_dynamics: v", [&] { forward_dynamics(m, w, q, wrong, tau, out); }},
        {"forward_dynamics: tau", [&] { forward_dynamics(m, w, q, v, wrong, out); }},
        {"forward_dynamics: qdd", [&] { forward_dynamics(m, w, q, v, tau, wrong); }},
        {"forward_dynamics: loads", [&] { forward_dynamics(m, w, q, v, tau, out, far); }},
        {"forward_dynamics: loads", [&] { forward_dynamics(m, w, q, v, tau, out, nowhere); }},
        {"joint_efforts: work", [&] { joint_efforts(m, other, 0, q, v, tau, out); }},
        {"joint_efforts: link", [&] { joint_efforts(m, w, -1, q, v, tau, out); }},
        {"joint_efforts: q", [&] { joint_efforts(m, w, 0, wrong, v, tau, out); }},
        {"joint_efforts: v", [&] { joint_efforts(m, w, 0, q, wrong, tau, out); }},
        {"joint_efforts: qdd", [&] { joint_efforts(m, w, 0, q, v, wrong, out); }},
        {"joint_efforts: efforts", [&] { joint_efforts(m, w, 0, q, v, tau, wrong); }},
        {"joint_wrench: work", [&] { joint_wrench(m, other, 0); }},
        {"joint_wrench: link", [&] { joint_wrench(m, w, 1); }},
        {"inverse_dynamics: work", [&] { inverse_dynamics(m, other, q, v, tau, out); }},
        {"inverse_dynamics: q", [&] { inverse_dynamics(m, w, wrong, v, tau, out); }},
        {"inverse_dynamics: v", [&] { inverse_dynamics(m, w, q, wrong, tau, out); }},
        {"inverse_dynamics: qdd", [&] { inverse_dynamics(m, w, q, v, wrong, out); }},
        {"inverse_dynamics: tau", [&] { inverse_dynamics(m, w, q, v, tau, wrong); }},
        {"inverse_dynamics: loads", [&] { inverse_dynamics(m, w, q, v, tau, out, far); }},
        {"bias_forces: work", [&] { bias_forces(m, other, q, v, out); }},
        {"bias_forces: q", [&] { bias_forces(m, w, wrong, v, out); }},
        {"bias_forces: v", [&] { bias_forces(m, w, q, wrong, out); }},
        {"bias_forces: bias", [&] { bias_forces(m, w, q, v, wrong); }},
        {"gravity_forces: work", [&] { gravity_forces(m, other, q, out); }},
        {"gravity_forces: q", [&] { gravity_forces(m, w, wrong, out); }},
        {"gravity_forces: gravity", [&] { gravity_forces(m, w, q, wrong); }},
        {"elastic_and_damping_forces: work", [&] { elastic_and_damping_forces(m, other, q, v, out); }},
        {"elastic_and_damping_forces: q", [&] { elastic_and_damping_forces(m, w, wrong, v, out); }},
        {"elastic_and_damping_forces: v", [&] { elastic_and_damping_forces(m, w, q, wrong, out); }},
        {"elastic_and_damping_forces: forces", [&] { elastic_and_damping_forces(m, w, q, v, wrong); }},
        {"mass_matrix: work", [&] { mass_matrix(m, other, q, M); }},
        {"mass_matrix: q", [&] { mass_matrix(m, w, wrong, M); }},
        {"mass_matrix: M", [&] { mass_matrix(m, w, q, wrong_M); }},
        {"energy: work", [&] { energy(m, other, q, v); }},
        {"energy: q", [&] { energy(m, w, wrong, v); }},
        {"energy: v", [&] { energy(m, w, q, wrong); }},
        {"update_velocities: v", [&] { momentum(m, w, q, wrong); }},
        {"coriolis_matrix: C", [&] { coriolis_matrix(m, w, q, v, wrong_M); }},
        {"frame_pose: work", [&] { frame_pose(m, other, tip); }},
        {"frame_pose: frame", [&] { frame_pose(m, w, no_link); }},
        {"frame_pose: frame", [&] { frame_pose(m, w, no_node); }},
        {"root_pose: link", [&] { root_pose(m, w, 3); }},
        {"frame_twist: work", [&] { frame_twist(m, other, tip, world); }},
        {"frame_twist: frame", [&] { frame_twist(m, w, no_node, world); }},
        {"frame_jacobian: work", [&] { frame_jacobian(m, other, tip, world, J); }},
        {"frame_jacobian: J", [&] { frame_jacobian(m, w, tip, world, wrong_J); }},
        {"frame_pose: frame", [&] { frame_jacobian(m, w, no_link, world, J); }},
        {"frame_bias_acceleration: work", [&] { frame_bias_acceleration(m, other, tip, world, q, v); }},
        {"frame_bias_acceleration: frame", [&] { frame_bias_acceleration(m, w, no_link, world, q, v); }},
    };
  }
};

TEST_F(WrongCalls, SayWhichArgumentAndWhatItShouldBe) {
  for (const WrongCall& wrong_call : all()) {
    const std::string message = message_of(wrong_call.call);
    EXPECT_EQ(message.rfind(wrong_call.said + ": expected ", 0), 0U)
        << wrong_call.said << " got: " << message;
    EXPECT_NE(message.find(", found "), std::string::npos) << message;
  }
}

TEST_F(WrongCalls, SayNumbersAndNames) {
  EXPECT_EQ(message_of([&] { forward_dynamics(model, work, q, v, wrong, out); }),
            "forward_dynamics: tau: expected 3 numbers (nv of model `boom`), found 2");
  EXPECT_EQ(message_of([&] { mass_matrix(model, work, q, wrong_M); }),
            "mass_matrix: M: expected a matrix of 3 x 3 (nv of model `boom` is 3), found 3 x 2");
  EXPECT_NE(message_of([&] {
              forward_dynamics(model, other, q, v, tau, out);
            }).find("made for this model (`boom`)"),
            std::string::npos);
}

TEST_F(WrongCalls, NoticeAWorkspaceThatWasMovedFrom) {
  Workspace<double> moved = std::move(work);
  EXPECT_NE(message_of([&] { update_positions(model, work, q); }).find("update_positions: work"),
            std::string::npos);
  EXPECT_EQ(message_of([&] { update_positions(model, moved, q); }), "no error");
}

TEST_F(WrongCalls, OfTheWorkspaceItselfChangeNothing) {
  work.prescribe({0});
  EXPECT_NE(message_of([&] {
              work.prescribe({0, 7});
            }).find("Workspace: link: expected the index of a link, 0 to 0, found 7"),
            std::string::npos);
  EXPECT_TRUE(work.is_prescribed(0));
  EXPECT_NE(message_of([&] { work.is_prescribed(-1); }).find("found -1"), std::string::npos);
  Workspace<double> moved = std::move(work);
  for (const auto& call : std::vector<std::function<void()>>{[&] { update_world_poses(work); },
                                                             [&] {
                                                               work.prescribe({});
                                                               work.is_prescribed(0);
                                                             },
                                                             [&] {
                                                               work.set_gravity({0, 0, -1});
                                                             }})
    EXPECT_NE(message_of(call).find("moved from"), std::string::npos);
}

TEST(Arguments, AreTakenAsPartsMapsAndColumns) {
  const Model model = arm("boom");
  Workspace<double> work(model);
  VectorXd state(6);
  state << 0.3, 0.02, -0.01, 0.5, -0.2, 0.1;
  VectorXd expected(3);
  const VectorXd q = state.head(3), v = state.tail(3), tau = VectorXd::Constant(3, 2.0);
  forward_dynamics(model, work, q, v, tau, expected);

  MatrixXd columns = MatrixXd::Zero(3, 4);
  forward_dynamics(model, work, state.head(3), state.tail(3), tau, columns.col(2));
  EXPECT_EQ(columns.col(2), expected);
  std::vector<double> plain(3);
  forward_dynamics(model, work, Eigen::Map<const VectorXd>(state.data(), 3), state.tail(3),
                   2.0 * VectorXd::Ones(3), Eigen::Map<VectorXd>(plain.data(), 3));
  EXPECT_EQ(Eigen::Map<VectorXd>(plain.data(), 3), expected);

  // A block of a larger matrix.
  MatrixXd whole = MatrixXd::Constant(5, 5, 9.0), M(3, 3);
  mass_matrix(model, work, q, M);
  mass_matrix(model, work, q, whole.block(1, 1, 3, 3));
  EXPECT_EQ(whole.block(1, 1, 3, 3), M);
  EXPECT_EQ(whole(0, 0), 9.0);
  EXPECT_EQ(whole(4, 3), 9.0);
}

TEST(Workspaces, AreCopiedIndependently) {
  const Model model = arm("boom");
  Workspace<double> work(model);
  VectorXd q = VectorXd::Constant(3, 0.1), a(3), b(3);
  const VectorXd zero = VectorXd::Zero(3);
  forward_dynamics(model, work, q, zero, zero, a);
  Workspace<double> copy = work;
  const Wrench wrench = joint_wrench(model, copy, 0);
  forward_dynamics(model, work, zero, zero, zero, b);
  EXPECT_EQ(joint_wrench(model, copy, 0), wrench);
  work = copy;
  EXPECT_EQ(joint_wrench(model, work, 0), wrench);
}

}  // namespace
}  // namespace limber
