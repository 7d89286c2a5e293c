// SPDX-License-Identifier: BSD-3-Clause
// Every public function of the algorithms, called with each of its arguments wrong: an error that says which, never a crash.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/coriolis_matrix.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/evaluation.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/free_bodies.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/stacked_system.hpp"
#include "limber/model/lookup.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class WrongCalls : public ::testing::Test {
 protected:
  // Right arguments, and wrong ones of each kind.
  Model model = one_boom("boom");
  Workspace<double> work{model}, other{one_boom("other")};
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

TEST_F(WrongCalls, SayWhichArgumentAndWhatItShouldBe) { expect_said(all()); }

TEST_F(WrongCalls, OfConfigurationsSayWhich) {
  Model& m = model;
  expect_said({
      {"configuration_rate: q", [&] { configuration_rate(m, wrong, v, out); }},
      {"configuration_rate: v", [&] { configuration_rate(m, q, wrong, out); }},
      {"configuration_rate: rate", [&] { configuration_rate(m, q, v, wrong); }},
      {"velocity_from_rate: q", [&] { velocity_from_rate(m, wrong, q, out); }},
      {"velocity_from_rate: rate", [&] { velocity_from_rate(m, q, wrong, out); }},
      {"velocity_from_rate: v", [&] { velocity_from_rate(m, q, q, wrong); }},
      {"displace: q", [&] { displace(m, wrong, v, out); }},
      {"displace: delta", [&] { displace(m, q, wrong, out); }},
      {"displace: result", [&] { displace(m, q, v, wrong); }},
      {"difference: from", [&] { difference(m, wrong, q, out); }},
      {"difference: to", [&] { difference(m, q, wrong, out); }},
      {"difference: delta", [&] { difference(m, q, q, wrong); }},
      {"displacement_rate: delta", [&] { displacement_rate(m, wrong, v, out); }},
      {"displacement_rate: v", [&] { displacement_rate(m, q, wrong, out); }},
      {"displacement_rate: rate", [&] { displacement_rate(m, q, v, wrong); }},
      {"displacement_coupling: v", [&] { displacement_coupling(m, wrong); }},
      {"normalize_quaternions: q", [&] { normalize_quaternions(m, wrong); }},
      {"input_matrix: q", [&] { input_matrix(m, wrong); }},
      {"state: q", [&] { require_finite(m, wrong); }},
      {"state: v", [&] { require_finite(m, q, wrong); }},
      {"state: tau", [&] { require_finite(m, q, v, wrong); }},
      {"state: loads", [&] { require_finite(m, q, v, tau, far); }},
      {"with_node: link", [&] { with_node(m, -1, 0.5); }},
      {"with_node: link", [&] { with_node(m, 1, 0.5); }},
      {"node_index: link", [&] { node_index(m, 1, 0.5); }},
      {"at", [&] { with_node(m, 0, 1.5); }},
      {"at", [&] { with_node(m, 0, std::nan("")); }},
      {"at", [&] { node_index(m, 0, 0.123); }},
      {"at", [&] { frame(m, "boom", 0.123); }},
      {"link", [&] { frame(m, "boon"); }},
  });
}

TEST_F(WrongCalls, OfAnEvaluationSayWhich) {
  Evaluation e(model);
  expect_said({
      {"Evaluation::set: q", [&] { e.set(wrong, v, tau); }},
      {"Evaluation::set: v", [&] { e.set(q, wrong, tau); }},
      {"Evaluation::set: tau", [&] { e.set(q, v, wrong); }},
      {"Evaluation::set: loads", [&] { e.set(q, v, tau, far); }},
      {"Evaluation::set: q", [&] { e.set(wrong); }},
      {"Evaluation::set_loads: loads", [&] { e.set_loads(nowhere); }},
      {"Evaluation::wrench: link", [&] { e.wrench(1); }},
      {"Evaluation::required_forces: a", [&] { e.required_forces(wrong); }},
      {"frame_pose: frame", [&] { e.pose(no_link); }},
      {"frame_twist: frame", [&] { e.twist(no_node); }},
      {"frame_pose: frame", [&] { e.jacobian(no_node); }},
  });
}

TEST_F(WrongCalls, OfLinksTakenApartSayWhich) {
  const Twist six = Twist::zero();
  LinkByLink links(model), unsolved(model);
  links.update(q, v);
  links.assemble(q, v, tau, out, {});
  links.solve();
  expect_said({
      {"LinkByLink: frame_nodes",
       [&] {
         LinkByLink(model, {0, 0});
       }},
      {"frame_nodes[0]", [&] { LinkByLink(model, {7}); }},
      {"frame_nodes[0]", [&] { LinkByLink(model, {-2}); }},
      {"Workspace: link", [&] { links.prescribe({4}); }},
      {"LinkByLink::update: q", [&] { links.update(wrong, v); }},
      {"LinkByLink::update: v", [&] { links.update(q, wrong); }},
      {"LinkByLink::update_directions: link", [&] { links.update_directions(1); }},
      {"LinkByLink::joint_rates: link", [&] { links.joint_rates(-1, six, out); }},
      {"LinkByLink::joint_rates: v", [&] { links.joint_rates(0, six, wrong); }},
      {"LinkByLink::assemble: q", [&] { links.assemble(wrong, v, tau, out, {}); }},
      {"LinkByLink::assemble: v", [&] { links.assemble(q, wrong, tau, out, {}); }},
      {"LinkByLink::assemble: tau", [&] { links.assemble(q, v, wrong, out, {}); }},
      {"LinkByLink::assemble: qdd", [&] { links.assemble(q, v, tau, wrong, {}); }},
      {"LinkByLink::assemble: loads", [&] { links.assemble(q, v, tau, out, far); }},
      {"LinkByLink::assemble: loads", [&] { links.assemble(q, v, tau, out, nowhere); }},
      {"LinkByLink::add_to_constraints: link", [&] { links.add_to_constraints(3, six); }},
      {"LinkByLink::ask_for_steps: steps",
       [&] {
         links.ask_for_steps({six, six});
       }},
      {"LinkByLink::take_solution: x", [&] { links.take_solution(wrong); }},
      {"LinkByLink::missing_forces: qdd", [&] { links.missing_forces(wrong, out); }},
      {"LinkByLink::missing_forces: forces", [&] { links.missing_forces(q, wrong); }},
      {"LinkByLink::accelerations: qdd", [&] { links.accelerations(wrong); }},
      {"LinkByLink::accelerations", [&] { unsolved.accelerations(out); }},
      {"LinkByLink::wrench: link", [&] { links.wrench(1); }},
      {"LinkByLink::wrench", [&] { unsolved.wrench(0); }},
      {"LinkByLink::interaction_wrench: link", [&] { links.interaction_wrench(-1); }},
      {"LinkByLink::interaction_wrench", [&] { unsolved.interaction_wrench(0); }},
      {"LinkByLink::motion: link", [&] { links.motion(1); }},
      {"LinkByLink::to_body: link", [&] { links.to_body(1); }},
      {"LinkByLink::prescribed_efforts: tau", [&] { links.prescribed_efforts(wrong, q, out); }},
      {"LinkByLink::prescribed_efforts: qdd", [&] { links.prescribed_efforts(tau, wrong, out); }},
      {"LinkByLink::prescribed_efforts: efforts", [&] { links.prescribed_efforts(tau, q, wrong); }},
      {"LinkByLink::prescribed_efforts", [&] { unsolved.prescribed_efforts(tau, q, out); }},
      {"LinkByLink::constrained_directions: link", [&] { links.constrained_directions(9); }},
      {"LinkByLink::rate_rows: link", [&] { links.rate_rows(-1); }},
      {"StackedSystem::block: link", [&] { links.system().block(1); }},
      {"StackedSystem::offset: link", [&] { links.system().offset(2); }},
  });
}

TEST_F(WrongCalls, OfAStackedSystemSayWhich) {
  const auto block = [](int m) {
    LinkBlock made;
    made.Ja.setZero();
    made.Jf.setIdentity();
    made.g.setZero();
    made.G.setZero(6, 6 + m);
    made.G.leftCols<6>().setIdentity();
    made.G_inverse.setIdentity();
    made.H.resize(6, 0);
    made.M.setIdentity(6 + m, 6 + m);
    made.f0.setZero(6 + m);
    return made;
  };
  VectorXd x;
  const auto changed = [&](const std::function<void(LinkBlock&)>& change) {
    StackedSystem system;
    system.append(block(1));
    change(system.block(0));
    system.solve(x);
  };
  expect_said({
      {"StackedSystem::solve: M", [&] { changed([](LinkBlock& b) { b.M.setIdentity(8, 8); }); }},
      {"StackedSystem::solve: f0", [&] { changed([](LinkBlock& b) { b.f0.setZero(3); }); }},
      {"StackedSystem::solve: G", [&] { changed([](LinkBlock& b) { b.G.setZero(6, 9); }); }},
      {"StackedSystem::solve: H", [&] { changed([](LinkBlock& b) { b.H.setZero(6, 7); }); }},
      {"StackedSystem::solve: parent", [&] { changed([](LinkBlock& b) { b.parent = 3; }); }},
      {"StackedSystem::solve: parent", [&] { changed([](LinkBlock& b) { b.shapes_move_it = true; }); }},
      {"StackedSystem::block: link", [&] { StackedSystem().block(0); }},
  });
}

TEST_F(WrongCalls, OfFreeBodiesSayWhich) {
  FreeBodies bodies(model);
  VectorXd Q, V;
  bodies.from_joints(q, v, Q, V);
  expect_said({
      {"FreeBodies::from_joints: q", [&] { bodies.from_joints(wrong, v, Q, V); }},
      {"FreeBodies::from_joints: v", [&] { bodies.from_joints(q, wrong, Q, V); }},
      {"FreeBodies::measure: Q", [&] { bodies.measure(wrong, V, q, v); }},
      {"FreeBodies::measure: V", [&] { bodies.measure(Q, wrong, q, v); }},
      {"FreeBodies::measure: q", [&] { bodies.measure(Q, V, wrong, v); }},
      {"FreeBodies::measure: v", [&] { bodies.measure(Q, V, q, wrong); }},
      {"FreeBodies::find_gaps: q", [&] { bodies.find_gaps(wrong, v); }},
      {"FreeBodies::find_gaps: v", [&] { bodies.find_gaps(q, wrong); }},
      {"FreeBodies::gap: link", [&] { bodies.gap(1); }},
      {"FreeBodies::slip: link", [&] { bodies.slip(-1); }},
      {"FreeBodies::project_poses: Q", [&] { bodies.project_poses(wrong); }},
      {"FreeBodies::project_twists: V", [&] { bodies.project_twists(wrong); }},
  });
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

// Every function that takes a workspace.
TEST_F(WrongCalls, TellAWorkspaceThatWasMovedFromFromOneOfAnotherModel) {
  const Workspace<double> moved = std::move(other);
  int asked = 0;
  for (const WrongCall& wrong_call : all()) {
    if (wrong_call.said.find(": work") == std::string::npos) continue;
    EXPECT_EQ(message_of(wrong_call.call)
                  .rfind(wrong_call.said + ": expected one that is whole, found one that has been moved", 0),
              0U)
        << message_of(wrong_call.call);
    ++asked;
  }
  EXPECT_GT(asked, 15);
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
  const Model model = one_boom("boom");
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
  const Model model = one_boom("boom");
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
