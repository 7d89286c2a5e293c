// SPDX-License-Identifier: BSD-3-Clause
// Arms with closed loops in motion: loops stay closed, energy is kept, methods and formulations agree.

#include <gtest/gtest.h>

#include <cmath>

#include "limber/algorithms/constraints.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/core/input_error.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

std::string swing(const std::string& method, double duration, const std::string& formulation = "recursive") {
  return "limber: 1\nmodel: four_bar/four_bar.yaml\nformulation: " + formulation +
         "\ninitial: {q: {crank: 1.0, elbow: -0.4, rocker: 1.3}}\nintegrator: {" + method +
         "}\nduration: " + std::to_string(duration) + "\noutput: {rate: 20}\n";
}

double largest_gap(const Model& model, const std::vector<Sample>& rows) {
  double largest = 0.0;
  for (const Sample& row : rows)
    for (const LoopGap& gap : loop_gaps(model, row.q)) largest = std::max({largest, gap.distance, gap.angle});
  return largest;
}

// Rows at 20 Hz lie within steps, where values follow from both ends.
TEST(ClosedLoops, StayClosedForAHundredSeconds) {
  const ScenarioFile file = scenario(swing("method: radau13, rtol: 1e-10, atol: 1e-12", 100.0));
  const TestRun result = run(file);
  for (const LoopGap& gap : loop_gaps(file.model, result.summary.q)) EXPECT_LT(gap.distance, 1e-12);
  Workspace<double> work(file.model);
  LoopEquations<double> rows;
  loop_equations<double>(file.model, work, result.summary.q, result.summary.v, rows);
  EXPECT_LT((rows.A * result.summary.v).lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_LT(std::abs(result.summary.ledger.error), 1e-5);
  EXPECT_FALSE(result.summary.ledger_is_off);
}

TEST(ClosedLoops, EveryOneStepMethodAndFormulationFindsTheSameMotion) {
  const TestRun precise = run(swing("method: radau13, rtol: 1e-11, atol: 1e-13", 1.0));
  EXPECT_LT(largest_gap(shipped("four_bar/swing.yaml").model, precise.rows), 1e-6);
  const std::vector<std::pair<std::string, double>> methods = {
      {"method: rk4, step: 5e-4", 1e-8},
      {"method: radau, rtol: 1e-9, atol: 1e-11", 1e-6},
      {"method: auto, rtol: 1e-9, atol: 1e-11", 1e-6},
      {"method: generalized-alpha, step: 1e-4", 1e-4}};
  for (const auto& [method, accuracy] : methods) {
    const TestRun result = run(swing(method, 1.0));
    EXPECT_LT((result.summary.q - precise.summary.q).norm(), accuracy) << method;
    EXPECT_LT((result.summary.v - precise.summary.v).norm(), 10 * accuracy) << method;
    EXPECT_LT(std::abs(result.summary.ledger.error), 1e-3) << method;
  }
  for (const char* formulation : {"dense", "dae"}) {
    const TestRun result = run(swing("method: rk4, step: 5e-4", 1.0, formulation));
    EXPECT_LT((result.summary.q - precise.summary.q).norm(), 1e-8) << formulation;
  }
}

TEST(ClosedLoops, RefuseMethodsThatCannotKeepThem) {
  for (const char* method : {"method: bdf", "method: adams", "method: erk"})
    EXPECT_THROW(run(swing(method, 1.0)), InputError) << method;
  EXPECT_THROW(run(swing("method: auto", 1.0, "dual-screw")), InputError);
}

// The cylinder's force at ten strokes, of a crane that does not bend and whose cylinder weighs nothing but at its ends: F dL/dx = d(energy of weight)/dx.
TEST(ClosedLoops, ACylinderLiftsByTheBalanceOfMoments) {
  constexpr double g = 9.81, m = 300.0, arm = 2.5, l = 1.4, h = 0.15, eye = 40.0;
  const std::string text =
      "limber: 1\nmodel:\n  limber: 1\n  links:\n"
      "    - {name: boom, origin: {xyz: [0, 0, 2]}, joint: {name: boom, axis: [0, -1, 0]},\n"
      "       rigid: {mass: 300, com: [2.5, 0, 0], inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1.4, 0, "
      "-0.15]}}}\n"
      "    - {name: barrel, parent: base, origin: {xyz: [0.3, 0, 0.6]}, joint: {name: foot, axis: [0, -1, "
      "0]},\n"
      "       rigid: {mass: 60, inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}\n"
      "    - {name: rod, joint: {name: lift, type: prismatic, axis: [1, 0, 0]},\n"
      "       rigid: {mass: 40, inertia: [1, 1, 1, 0, 0, 0]}}\n"
      "  loops: [{type: revolute, axis: [0, 1, 0], a: {link: rod}, b: {link: boom}}]\n"
      "initial: {q: {boom: 0.0, foot: 0.8, lift: 0.6}}\nduration: 1\n";
  const Model model = scenario(text).model;
  for (int k = 0; k < 10; ++k) {
    const double x = -0.4 + 0.12 * k;  // the boom's angle
    const double px = l * std::cos(x) + h * std::sin(x) - 0.3,
                 pz = 2.0 + l * std::sin(x) - h * std::cos(x) - 0.6;
    const double px_rate = -l * std::sin(x) + h * std::cos(x), pz_rate = l * std::cos(x) + h * std::sin(x);
    const double length = std::hypot(px, pz);
    const VectorXd q = Eigen::Vector3d(x, std::atan2(pz, px), length - 1.0);
    for (const LoopGap& gap : loop_gaps(model, q)) ASSERT_LT(gap.distance, 1e-12);
    const double moment = g * (m * arm * std::cos(x) + eye * pz_rate);
    const double force = moment / ((px * px_rate + pz * pz_rate) / length);
    const Equilibrium found = static_equilibrium(model, q, {}, StaticModel::exact, {}, {"lift"});
    EXPECT_NEAR(found.efforts[2] / force, 1.0, 1e-12) << x;
  }
}

// A crane that bends, lifted by its cylinder: energy is accounted for, and the boom ends where statics puts it.
TEST(ClosedLoops, ALoaderLiftsItsBoom) {
  const ScenarioFile file = shipped("loader/lift.yaml");
  const TestRun result = run(file);
  EXPECT_LT(result.summary.last.largest_error, 1e-4 * result.summary.last.energy_size);
  EXPECT_LT(largest_gap(file.model, {result.rows.back()}), 1e-6);
  EXPECT_NEAR(result.rows.back().q[file.model.nq() - 1], 0.55, 0.02);
  ASSERT_EQ(result.rows.front().loops.size(), 1U);
  EXPECT_GT(result.rows.front().loops[0].force.z(), 5e3);  // the eye carries the boom
}

}  // namespace
}  // namespace limber
