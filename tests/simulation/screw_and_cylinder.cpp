// SPDX-License-Identifier: BSD-3-Clause
// Nuts on screws, rods in sleeves and pucks on tables, in everything that moves arms: the mechanics of these kinds by hand.

#include <gtest/gtest.h>

#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/model/builder.hpp"
#include "limber/model/choices.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double g = 9.81, m = 2.0, I = 0.003, pitch = 0.02;

RigidDescription nut() {
  RigidDescription body;
  body.mass = m;
  body.inertia << 0.01, 0.01, I, 0, 0, 0;
  return body;
}

ModelBuilder on_joint(JointDescription joint) {
  ModelBuilder builder("nut");
  builder.gravity({0, 0, -g}).link("nut").joint(std::move(joint)).rigid(nut());
  return builder;
}

JointDescription screw() { return {.name = "spindle", .type = JointType::screw, .pitch = pitch}; }
JointDescription cylinder() { return {.name = "sleeve", .type = JointType::cylindrical}; }

// The arms of the comparison: a flexible boom that turns on a tilted screw and carries a rod in a sleeve, with a table on it.
Model crane() {
  ModelBuilder builder("crane");
  builder.gravity({0, 0, -g})
      .link("boom")
      .origin({0.1, 0.2, 0.3}, {0.3, -0.2, 0.5})
      .joint({.type = JointType::screw, .axis = Vector3d(0.2, -0.3, 1.0), .pitch = -0.15})
      .root({.xyz = {0.05, 0.1, 0.0}, .rpy = {0.1, 0.2, -0.4}})
      .beam(1.2, SectionDescription{.EI_y = 40.0, .EI_z = 60.0, .GJ = 20.0, .mass_per_length = 1.5})
      .modes(Direction::y, 2)
      .modes(Direction::z, 1)
      .tip({.mass = 0.4, .inertia = (InertiaElements() << 1e-3, 2e-3, 2e-3, 0, 0, 0).finished()})
      .link("rod")
      .origin({0.0, 0.05, 0.0}, {0.4, 0.1, 0.0})
      .joint({.type = JointType::cylindrical, .axis = Vector3d(1.0, 0.5, -0.2), .damping = 0.1})
      .rigid({.mass = 0.7,
              .com = {0.2, 0.05, 0.0},
              .inertia = (InertiaElements() << 2e-3, 6e-3, 7e-3, 1e-4, 0, 0).finished(),
              .tip = {}})
      .link("table")
      .origin({0.1, 0.0, 0.2}, {0.0, 0.3, 0.2})
      .joint({.type = JointType::planar, .axes = {{Vector3d(1.0, 0.2, 0.0), Vector3d(0.3, 1.0, 0.5)}}})
      .rigid({.mass = 0.3,
              .com = {0.02, 0.1, 0.05},
              .inertia = (InertiaElements() << 1e-3, 2e-3, 2e-3, 0, 1e-4, 0).finished(),
              .tip = {}});
  return builder.build();
}

class Formulations : public testing::TestWithParam<FormulationKind> {};
INSTANTIATE_TEST_SUITE_P(All, Formulations,
                         testing::Values(FormulationKind::recursive, FormulationKind::dense,
                                         FormulationKind::dual_screw, FormulationKind::dae,
                                         FormulationKind::generated),
                         [](const auto& kind) {
                           std::string name = choice_name(kind.param);
                           std::erase(name, '-');
                           return name;
                         });

// What falls must also turn: m a = m g - f, and the screw's moment I a / p is p f.
TEST_P(Formulations, LetANutSinkOnItsScrew) {
  const Model model = on_joint(screw()).build();
  const VectorXd q = VectorXd::Constant(1, 0.7), v = VectorXd::Constant(1, -3.0), tau = VectorXd::Zero(1);
  DynamicsOutput output;
  make_formulation(GetParam(), model)->evaluate({q, v, tau, {}}, output);
  const double a = g / (1.0 + I / (m * pitch * pitch));
  EXPECT_NEAR(-pitch * output.acceleration[0], a, 1e-13);
  Eigen::Matrix<double, 6, 1> wrench = Eigen::Matrix<double, 6, 1>::Zero();  // by the spindle on the nut
  wrench[2] = m * (g - a);
  wrench[5] = -I * a / pitch;
  ASSERT_EQ(output.wrenches.size(), 1u);
  EXPECT_LT((output.wrenches[0].vector() - wrench).norm(), 1e-11);
}

TEST_P(Formulations, LetARodFallInItsSleeveWhileItTurns) {
  const Model model = on_joint(cylinder()).build();
  VectorXd q(2), v(2), tau(2);
  q << 0.4, 0.1;
  v << 2.0, -1.0;
  tau << 0.05, 0.3;
  DynamicsOutput output;
  make_formulation(GetParam(), model)->evaluate({q, v, tau, {}}, output);
  EXPECT_NEAR(output.acceleration[0], tau[0] / I, 1e-12);
  EXPECT_NEAR(output.acceleration[1], tau[1] / m - g, 1e-12);
}

// Whatever its reference point does, the centre of mass of a puck goes straight on, and it spins on.
TEST_P(Formulations, LetAPuckSlideWhileItSpins) {
  constexpr double r = 0.3;
  RigidDescription puck = nut();
  puck.com = {r, 0.0, 0.0};
  ModelBuilder builder("puck");
  builder.gravity({0, 0, -g})
      .link("puck")
      .joint({.type = JointType::planar, .axes = {{Vector3d::UnitX(), Vector3d::UnitY()}}});
  builder.rigid(puck);
  const Model model = builder.build();
  VectorXd q(3), v(3);
  q << 0.4, -0.2, 0.7;
  v << 1.5, -0.6, 2.0;
  const VectorXd tau = VectorXd::Zero(3);
  DynamicsOutput output;
  make_formulation(GetParam(), model)->evaluate({q, v, tau, {}}, output);
  EXPECT_NEAR(output.acceleration[0], r * 4.0 * std::cos(0.7), 1e-12);
  EXPECT_NEAR(output.acceleration[1], r * 4.0 * std::sin(0.7), 1e-12);
  EXPECT_NEAR(output.acceleration[2], 0.0, 1e-12);
}

// On an arm that bends; where nothing is deflected, all formulations have the same equations.
TEST_P(Formulations, AgreeOnACraneOfBothKinds) {
  const Model model = crane();
  VectorXd q = VectorXd::Zero(model.nq()), v = VectorXd::Zero(model.nv()), tau = VectorXd::Zero(model.nv());
  const Joint &boom = model.links()[0].joint, &rod = model.links()[1].joint, &table = model.links()[2].joint;
  q[boom.q_index] = 0.8;
  v[boom.v_index] = 1.1;
  tau[boom.v_index] = 2.0;
  q.segment<2>(rod.q_index) << -0.6, 0.3;
  v.segment<2>(rod.v_index) << 1.4, -0.9;
  tau.segment<2>(rod.v_index) << 0.5, 1.5;
  q.segment<3>(table.q_index) << 0.2, -0.3, 0.9;
  v.segment<3>(table.v_index) << -0.4, 0.7, 1.6;
  tau.segment<3>(table.v_index) << 0.3, -0.2, 0.05;
  const std::vector<Load> loads{{.link = 1, .force = {1.0, -2.0, 3.0}, .moment = {0.1, 0.2, 0.3}}};
  DynamicsOutput expected, output;
  make_formulation(FormulationKind::recursive, model)->evaluate({q, v, tau, loads}, expected);
  make_formulation(GetParam(), model)->evaluate({q, v, tau, loads}, output);
  EXPECT_LT((output.acceleration - expected.acceleration).norm(), 1e-10 * expected.acceleration.norm());
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT((output.wrenches[i] - expected.wrenches[i]).vector().norm(),
              1e-10 * expected.wrenches[i].vector().norm());
}

TEST(Screw, OnASpringSwingsWithTheInertiaOfBothMotions) {
  JointDescription joint = screw();
  joint.stiffness = 5.0;
  const Model model = on_joint(joint).build();
  const double omega = std::sqrt(joint.stiffness / (I + m * pitch * pitch));
  const VectorXd at_rest = static_equilibrium(model, VectorXd::Zero(1)).q;
  EXPECT_NEAR(at_rest[0], -m * g * pitch / joint.stiffness, 1e-12);
  EXPECT_NEAR(natural_modes(model, at_rest).angular_frequencies[0], omega, 1e-10);
  const LinearModel linear = linearize(model, settled_point(model, VectorXd::Zero(1)));
  EXPECT_NEAR(linear.A(1, 0), -omega * omega, 1e-9);
  EXPECT_NEAR(linear.B(1, 0), 1.0 / (I + m * pitch * pitch), 1e-9);
}

TEST(Screw, IsHeldByTheMomentOfItsLoad) {
  const Model model = on_joint(screw()).build();
  EXPECT_NEAR(static_equilibrium(model, VectorXd::Zero(1)).efforts[0], m * g * pitch, 1e-12);
}

// Free bodies measure the joints' coordinates from poses, all other integrators integrate them.
TEST(ScrewAndCylinder, MoveAlikeByAllIntegratorsAndKeepTheirEnergy) {
  const auto crane_run = [](const std::string& integrator, const std::string& formulation) {
    return run(R"(limber: 1
model:
  limber: 1
  gravity: [0, 0, -9.81]
  links:
    - name: boom
      origin: {rpy: [0.3, -0.2, 0.5]}
      joint: {name: spindle, type: screw, axis: [0.2, -0.3, 1], pitch: 0.15}
      beam: {length: 1.2, section: {EI_y: 40, EI_z: 60, mass_per_length: 1.5}, modes: {y: {count: 1}, z: {count: 1}}}
      tip: {mass: 0.4, inertia: [0.001, 0.002, 0.002, 0, 0, 0]}
    - name: rod
      origin: {rpy: [0.4, 0.1, 0]}
      joint: {name: sleeve, type: cylindrical, axis: [1, 0.5, -0.2]}
      rigid: {mass: 0.7, com: [0.2, 0.05, 0], inertia: [0.002, 0.006, 0.007, 0, 0, 0]}
duration: 0.5
initial: {q: {spindle: 0.5, sleeve.1: 0.3, sleeve.2: 0.1}, v: {spindle: 1, sleeve.1: -2, sleeve.2: 0.5}}
formulation: )" +
               formulation + "\nintegrator: " + integrator + "\noutput: {rate: 20}\n");
  };
  const TestRun exact = crane_run("{method: radau9, rtol: 1e-10, atol: 1e-12}", "recursive");
  EXPECT_LT(exact.summary.last.largest_error, 1e-8 * exact.summary.last.energy_size);
  const TestRun bodies = crane_run("{method: rkmk4, step: 5e-4, constraints: none}", "dae");
  ASSERT_EQ(bodies.rows.size(), exact.rows.size());
  for (std::size_t i = 0; i < exact.rows.size(); ++i)
    EXPECT_LT((bodies.rows[i].q - exact.rows[i].q).norm(), 1e-5) << "row " << i;
}

}  // namespace
}  // namespace limber
