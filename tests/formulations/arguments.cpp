// SPDX-License-Identifier: BSD-3-Clause
// Every function of the formulations, called with each of its arguments wrong: an error that says which, never a crash.

#include <gtest/gtest.h>

#include "limber/formulations/formulation.hpp"
#include "limber/formulations/linear_arm.hpp"
#include "limber/formulations/prescribed_rows.hpp"
#include "limber/formulations/truncated_arm.hpp"
#include "wrong_calls.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct WrongCallsOfFormulations : testing::Test {
  Model m = one_boom("boom");
  VectorXd q = VectorXd::Zero(3), v = q, a = q, tau = q, out = q, wrong = VectorXd::Zero(2);
  std::vector<Load> free, far{Load{5}}, nowhere{Load{0, -1}};
};

TEST_F(WrongCallsOfFormulations, SayWhichArgumentAndWhatItShouldBe) {
  for (const FormulationKind kind :
       {FormulationKind::recursive, FormulationKind::dense, FormulationKind::dual_screw, FormulationKind::dae,
        FormulationKind::generated}) {
    SCOPED_TRACE(name_of(kind));
    const auto f = make_formulation(kind, m);
    const DynamicsInput right{q, v, tau, free};
    const std::vector<std::pair<std::string, DynamicsInput>> inputs = {{"input.q", {wrong, v, tau, free}},
                                                                       {"input.v", {q, wrong, tau, free}},
                                                                       {"input.tau", {q, v, wrong, free}},
                                                                       {"loads", {q, v, tau, far}},
                                                                       {"loads", {q, v, tau, nowhere}}};
    DynamicsOutput output;
    Tangent tangent;
    EquationTerms terms;
    MotionTerms motion;
    for (const auto& entry : inputs) {
      const std::string& name = entry.first;
      const DynamicsInput& input = entry.second;  // clang 14 captures no structured bindings
      expect_said({
          {"Formulation::accelerate: " + name, [&] { f->accelerate(input, output); }},
          {"Formulation::evaluate: " + name, [&] { f->evaluate(input, output); }},
          {"Formulation::missing_forces: " + name, [&] { f->missing_forces(input, a, out); }},
          {"Formulation::tangent: " + name, [&] { f->tangent(input, a, tangent); }},
          {"Formulation::prescribed_efforts: " + name, [&] { f->prescribed_efforts(input, output, out); }},
      });
    }
    f->evaluate(right, output);
    expect_said({
        {"Formulation::missing_forces: a", [&] { f->missing_forces(right, wrong, out); }},
        {"Formulation::tangent: a", [&] { f->tangent(right, wrong, tangent); }},
        {"Formulation::prescribed_efforts: efforts", [&] { f->prescribed_efforts(right, output, wrong); }},
        {"Formulation::prescribed_efforts: output.acceleration",
         [&] { f->prescribed_efforts(right, DynamicsOutput{}, out); }},
        {"Formulation::prescribe: links", [&] { f->prescribe({1}); }},
        {"Formulation::prescribe: links", [&] { f->prescribe({-1}); }},
        {"Formulation::equation_terms: q", [&] { f->equation_terms(wrong, v, terms); }},
        {"Formulation::equation_terms: v", [&] { f->equation_terms(q, wrong, terms); }},
        {"Formulation::motion_terms: q", [&] { f->motion_terms(wrong, v, motion); }},
        {"Formulation::motion_terms: v", [&] { f->motion_terms(q, wrong, motion); }},
    });
    // Tangents of any size are taken, and made to fit.
    f->tangent(right, a, tangent);
    EXPECT_EQ(tangent.K.rows(), 3);
    EXPECT_EQ(f->model().nv(), 3);
  }
}

// The acceleration of a prescribed joint is handed in: it must be there.
TEST_F(WrongCallsOfFormulations, OfPrescribedJointsAskForTheirAccelerations) {
  for (const FormulationKind kind : {FormulationKind::recursive, FormulationKind::dense,
                                     FormulationKind::dual_screw, FormulationKind::dae}) {
    SCOPED_TRACE(name_of(kind));
    const auto f = make_formulation(kind, m);
    f->prescribe({0});
    DynamicsOutput output;
    const DynamicsInput input{q, v, tau, free};
    expect_said({{"Formulation::accelerate: output.acceleration", [&] { f->accelerate(input, output); }},
                 {"Formulation::evaluate: output.acceleration", [&] { f->evaluate(input, output); }}});
    output.acceleration = q;
    f->evaluate(input, output);
    EXPECT_EQ(output.acceleration[0], 0.0);
  }
}

TEST_F(WrongCallsOfFormulations, OfDualScrewsSayWhich) {
  TruncatedArm t(m, {});
  LinearArm made(m, false), l = std::move(made);
  MatrixXd M;
  PoseOf<double> pose;
  Matrix6X<double> J;
  std::vector<Wrench> wrenches;
  PrescribedRows rows(m);
  expect_said({
      {"nonlinear", [&] { TruncatedArm(m, {.nonlinear_links = {4}}); }},
      {"TruncatedArm::mass_matrix: q", [&] { t.mass_matrix(wrong, M); }},
      {"TruncatedArm::forces: q", [&] { t.forces(wrong, v, a, {}, out); }},
      {"TruncatedArm::forces: v", [&] { t.forces(q, wrong, a, {}, out); }},
      {"TruncatedArm::forces: a", [&] { t.forces(q, v, wrong, {}, out); }},
      {"TruncatedArm::forces: loads", [&] { t.forces(q, v, a, far, out); }},
      {"TruncatedArm::end_effector: q", [&] { t.end_effector(wrong, pose, J); }},
      {"TruncatedArm::gravity_energy: q", [&] { t.gravity_energy(wrong); }},
      {"LinearArm::mass_matrix: q", [&] { l.mass_matrix(wrong, M); }},
      {"LinearArm::forces: q", [&] { l.forces(wrong, v, a, {}, out); }},
      {"LinearArm::forces: v", [&] { l.forces(q, wrong, a, {}, out); }},
      {"LinearArm::forces: a", [&] { l.forces(q, v, wrong, {}, out); }},
      {"LinearArm::forces: loads", [&] { l.forces(q, v, a, nowhere, out); }},
      {"LinearArm::equations: q", [&] { l.equations(wrong, v, a, {}, M, out); }},
      {"LinearArm::equations: v", [&] { l.equations(q, wrong, a, {}, M, out); }},
      {"LinearArm::equations: a", [&] { l.equations(q, v, wrong, {}, M, out); }},
      {"LinearArm::equations: loads", [&] { l.equations(q, v, a, far, M, out); }},
      {"LinearArm::mass_matrix: this", [&] { made.mass_matrix(q, M); }},
      {"LinearArm::forces: this", [&] { made.forces(q, v, a, {}, out); }},
      {"LinearArm::equations: this", [&] { made.equations(q, v, a, {}, M, out); }},
      {"LinearArm::wrenches: this", [&] { made.wrenches(wrenches); }},
      {"PrescribedRows::set: links", [&] { rows.set(m, {2}); }},
      {"PrescribedRows: coordinate", [&] { rows[3]; }},
  });
  // Matrices are made to fit.
  l.mass_matrix(q, M);
  EXPECT_EQ(M.rows(), 3);
}

TEST_F(WrongCallsOfFormulations, TakePartsOfVectors) {
  VectorXd state = VectorXd::LinSpaced(9, 0.0, 0.01);
  const VectorXd first = state.head(3), second = state.segment(3, 3), third = state.tail(3);
  for (const FormulationKind kind : {FormulationKind::recursive, FormulationKind::dense,
                                     FormulationKind::dual_screw, FormulationKind::dae}) {
    const auto f = make_formulation(kind, m);
    DynamicsOutput parts, whole;
    f->evaluate({state.head(3), state.segment(3, 3), state.tail(3), free}, parts);
    f->evaluate({first, second, third, free}, whole);
    EXPECT_EQ(parts.acceleration, whole.acceleration);
  }
}

}  // namespace
}  // namespace limber
