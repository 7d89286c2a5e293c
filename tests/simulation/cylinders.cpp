// SPDX-License-Identifier: BSD-3-Clause
// Arms with cylinders in motion: energy is kept, a pendulum on a spring moves as its equation of one freedom says, formulations agree, and cylinders are driven as joints are.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "limber/algorithms/struts.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/choices.hpp"
#include "limber/results/quantity.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "limber/simulation/system.hpp"
#include "simulation/runs.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double g = 9.81, length = 2.0, mass = 30.0;

// A rod on a pivot in the plane y = 0, and a strut from (0.5, 0, -1) to 0.8 m along it.
std::string pendulum(const std::string& cylinder) {
  return "limber: 1\nname: pendulum\nlinks:\n"
         "  - name: rod\n    joint: {name: pivot, type: revolute, axis: [0, -1, 0]}\n"
         "    rigid: {mass: 30, com: [1, 0, 0], inertia: [0.1, 10, 10, 0, 0, 0], tip: {xyz: [2, 0, 0]}}\n"
         "cylinders:\n  - {name: strut, from: {link: base, xyz: [0.5, 0, -1]}, to: {link: rod, xyz: [-1.2, "
         "0, "
         "0]}" +
         cylinder + "}\n";
}

std::string scenario_of(const std::string& rest) {
  return "limber: 1\nmodel: model.yaml\n" + rest + "output: {rate: 50}\n";
}

ScenarioFile pendulum_file(const std::string& cylinder, const std::string& rest) {
  const TemporaryFolder folder;
  folder.write("model.yaml", pendulum(cylinder));
  return parse_scenario(scenario_of(rest), "scenario.yaml", folder.path());
}

TestRun run_pendulum(const std::string& cylinder, const std::string& rest) {
  return run(pendulum_file(cylinder, rest));
}

// Lagrange's equation of the angle, by Runge and Kutta's method with small steps.
struct OneFreedom {
  double k, rest, c, u;
  double length_at(double x) const {
    return std::sqrt(0.64 + 1.25 - 1.6 * (0.5 * std::cos(x) - std::sin(x)));
  }
  double slope_at(double x) const { return 0.8 * (0.5 * std::sin(x) + std::cos(x)) / length_at(x); }
  double acceleration(double x, double v) const {
    const double slope = slope_at(x);
    const double force = u - k * (length_at(x) - rest) - c * slope * v;
    return (slope * force - mass * g * 0.5 * length * std::cos(x)) / (10.0 + mass * 0.25 * length * length);
  }
  std::pair<double, double> after(double x, double v, double t, int steps) const {
    const double h = t / steps;
    for (int i = 0; i < steps; ++i) {
      const double a1 = acceleration(x, v), v2 = v + 0.5 * h * a1;
      const double a2 = acceleration(x + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
      const double a3 = acceleration(x + 0.5 * h * v2, v3), v4 = v + h * a3;
      const double a4 = acceleration(x + h * v3, v4);
      x += h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    return {x, v};
  }
};

TEST(Cylinders, APendulumOnASpringMovesAsItsEquationSays) {
  const OneFreedom hand{6e3, 1.1, 150.0, 0.0};
  const auto [x, v] = hand.after(0.3, 0.0, 2.0, 20000);
  for (const char* method : {"radau13", "auto", "erk"}) {
    const TestRun found =
        run_pendulum(", stiffness: 6e3, rest: 1.1, damping: 150",
                     "initial: {q: {pivot: 0.3}}\nintegrator: {method: " + std::string(method) +
                         ", rtol: 1e-11, atol: 1e-13}\nduration: 2\n");
    EXPECT_NEAR(found.summary.q[0], x, 1e-8) << method;
    EXPECT_NEAR(found.summary.v[0], v, 1e-7) << method;
    const CylinderState& last = found.rows.back().cylinders.at(0);
    EXPECT_NEAR(last.length, hand.length_at(x), 1e-8);
    EXPECT_NEAR(last.rate, hand.slope_at(x) * v, 1e-7);
    EXPECT_NEAR(last.force, -6e3 * (last.length - 1.1) - 150.0 * last.rate, 1e-9);
    EXPECT_LT(std::abs(found.summary.ledger.error), 1e-7) << method;
    EXPECT_GT(found.summary.ledger.dissipated, 1.0);
  }
}

TEST(Cylinders, AForceOverTimeIsTheDrivesAndDoesItsWork) {
  const OneFreedom hand{0.0, 0.0, 0.0, 400.0};
  const auto [x, v] = hand.after(0.0, 0.0, 1.0, 20000);
  const TestRun found = run_pendulum("",
                                     "actuation: [{joint: strut, type: torque, signal: {value: 400}}]\n"
                                     "integrator: {method: auto, rtol: 1e-11, atol: 1e-13}\nduration: 1\n");
  EXPECT_NEAR(found.summary.q[0], x, 1e-8);
  EXPECT_NEAR(found.summary.v[0], v, 1e-7);
  EXPECT_NEAR(found.summary.ledger.work_actuators, 400.0 * (hand.length_at(x) - hand.length_at(0.0)), 1e-6);
  EXPECT_NEAR(found.rows.back().cylinders.at(0).force, 400.0, 1e-9);
  EXPECT_EQ(found.rows.back().efforts[0], 0.0);  // the pivot has no motor
}

// The pivot carries what the strut and the weight do to it: a wrench, not a moment of a motor.
TEST(Cylinders, TheirForcesStandInTheWrenchesOfJoints) {
  const TestRun found =
      run_pendulum("", "actuation: [{joint: strut, type: torque, signal: {value: 400}}]\nduration: 0.1\n");
  const Wrench& wrench = found.rows.front().wrenches.at(0);
  EXPECT_NEAR(wrench.moment.y(), 0.0, 1e-9);
  // At t = 0, horizontal: m a = wrench + weight + strut, a = -(alpha) 1 m along z.
  const OneFreedom hand{0.0, 0.0, 0.0, 400.0};
  const double alpha = hand.acceleration(0.0, 0.0), l = hand.length_at(0.0);
  EXPECT_NEAR(wrench.force.x(), -400.0 * 0.3 / l, 1e-9);
  EXPECT_NEAR(wrench.force.z(), mass * alpha + mass * g - 400.0 * 1.0 / l, 1e-9);
}

TEST(Cylinders, ASpringKeepsTheEnergy) {
  const TestRun found = run_pendulum(
      ", stiffness: 6e3, rest: 1.1",
      "initial: {q: {pivot: 0.3}}\nintegrator: {method: radau13, rtol: 1e-13, atol: 1e-14}\nduration: 5\n");
  double largest = 0.0;
  for (const Sample& row : found.rows) largest = std::max(largest, std::abs(row.ledger.error));
  EXPECT_LT(largest, 1e-9 * found.rows.front().ledger.strain);
  EXPECT_GT(found.rows.front().ledger.strain, 1.0);
}

TEST(Cylinders, APdHoldsTheLengthAndAPidFindsTheForce) {
  const std::string target =
      "target: {trajectory: longer}}]\n"
      "trajectories: {longer: {type: quintic, from: 1.044, to: 1.3, start: 0, duration: 1}}\n"
      "integrator: {method: auto, rtol: 1e-8, atol: 1e-10}\nduration: 6\n";
  const TestRun pd = run_pendulum(
      "", "initial: {q: {pivot: 0}}\nactuation: [{joint: strut, type: pd, kp: 5e4, kd: 5e3, " + target);
  const CylinderState& sagged = pd.rows.back().cylinders.at(0);
  EXPECT_NEAR(sagged.force, 5e4 * (1.3 - sagged.length), 0.1);
  EXPECT_LT(sagged.length, 1.3 - 1e-3);
  const TestRun pid = run_pendulum(
      "",
      "initial: {q: {pivot: 0}}\nactuation: [{joint: strut, type: pid, kp: 5e4, ki: 1e5, kd: 5e3, " + target);
  EXPECT_NEAR(pid.rows.back().cylinders.at(0).length, 1.3, 1e-4);
  const TestRun sampled = run_pendulum("",
                                       "initial: {q: {pivot: 0}}\nactuation: [{joint: strut, type: pid, kp: "
                                       "5e4, ki: 1e5, kd: 5e3, rate: 200, " +
                                           target);
  EXPECT_NEAR(sampled.rows.back().cylinders.at(0).length, 1.3, 1e-3);
}

std::vector<std::string> warnings_of(const ScenarioFile& file, const TestRun& found) {
  const Scenario built = build_scenario(file.description, file.model);
  return run_warnings(built, found.summary.last);
}

TEST(Cylinders, ADriveGivesNoMoreThanItsLimit) {
  const ScenarioFile file =
      pendulum_file(", limits: {upper: 1.06, effort: 500}",
                    "initial: {q: {pivot: 0}}\nactuation: [{joint: strut, type: pd, kp: 5e4, kd: 1e3, "
                    "target: {value: 1.3}}]\n"
                    "integrator: {method: auto, rtol: 1e-8, atol: 1e-10}\nduration: 0.5\n");
  const TestRun found = run(file);
  double largest = 0.0, asked = 0.0;
  for (const Sample& row : found.rows) {
    largest = std::max(largest, std::abs(row.cylinders.at(0).force));
    asked = std::max(asked, std::abs(row.cylinders.at(0).asked));
  }
  EXPECT_NEAR(largest, 500.0, 1e-9);
  EXPECT_GT(asked, 5e3);
  const auto says = [&](const std::string& words) {
    const std::vector<std::string> all = warnings_of(file, found);
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& one) { return one.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(says("cylinder `strut` would need"));
  EXPECT_TRUE(says("cylinder `strut` has its target at 1.3 m"));
  EXPECT_TRUE(says("cylinder `strut` moves to"));
}

// Implicit methods need the exact change of forces with q and v.
TEST(Cylinders, TangentsAreTheDerivativesOfMissingForces) {
  const ScenarioFile file = pendulum_file(
      ", stiffness: 6e3, rest: 1.1, damping: 150",
      "actuation: [{joint: strut, type: pd, kp: 5e4, kd: 1e3, target: {value: 1.3}}]\nduration: 1\n");
  Scenario scenario = build_scenario(file.description, file.model);
  System system(scenario);
  VectorXd q = VectorXd::Constant(1, 0.4), v = VectorXd::Constant(1, 0.9), a = VectorXd::Constant(1, 2.0), f,
           rates;
  const VectorXd integrals = VectorXd::Zero(system.integral_count());
  System::Tangent tangent;
  system.tangent(0.0, q, v, integrals, a, tangent);
  const auto missing = [&](double dq, double dv) {
    VectorXd at_q = q.array() + dq, at_v = v.array() + dv, at_a = a;
    system.missing_forces(0.0, at_q, at_v, integrals, at_a, f, rates);
    return f[0];
  };
  constexpr double h = 1e-5;
  EXPECT_NEAR(tangent.K(0, 0), (missing(-h, 0) - missing(h, 0)) / (2 * h), 1e-4);
  EXPECT_NEAR(tangent.C(0, 0), (missing(0, -h) - missing(0, h)) / (2 * h), 1e-4);
}

TEST(Cylinders, FormulationsAgreeOnABoomThatBends) {
  const auto lift = [](const char* formulation) {
    ScenarioFile file = shipped("boom_cylinder/lift.yaml");
    file.description.formulation = *choice_named<FormulationKind>(formulation);
    file.description.integrator =
        IntegratorDescription{.method = integrators::Radau{}, .rtol = 1e-10, .atol = 1e-12};
    file.description.duration = 0.4;
    return run(file);
  };
  const TestRun recursive = lift("recursive");
  for (const char* other : {"dense", "dae"}) {
    const TestRun found = lift(other);
    EXPECT_LT((found.summary.q - recursive.summary.q).norm(), 1e-9) << other;
    EXPECT_LT((found.summary.v - recursive.summary.v).norm(), 1e-8) << other;
  }
  EXPECT_THROW(lift("dual-screw"), InputError);
  EXPECT_THROW(lift("generated"), InputError);
}

TEST(Cylinders, TheShippedBoomIsLiftedByItsStroke) {
  const ScenarioFile file = shipped("boom_cylinder/lift.yaml");
  const TestRun found = run(file);
  const CylinderState &first = found.rows.front().cylinders.at(0), &last = found.rows.back().cylinders.at(0);
  EXPECT_NEAR(last.length, 1.9642, 2e-3);
  EXPECT_NEAR(last.length - first.length, 0.3, 5e-3);
  EXPECT_NEAR(first.force, 19036.0, 20.0);  // what statics finds
  EXPECT_GT(last.force, 1e4);
  EXPECT_FALSE(found.summary.ledger_is_off);
  EXPECT_TRUE(warnings_of(file, found).empty());
}

// What the pivot's damper does is all that its root carries; the largest moment is at the eye.
TEST(Cylinders, LoadTheSectionsOfABoomInMotion) {
  ScenarioFile file = shipped("boom_cylinder/lift.yaml");
  file.description.output.section_forces = true;
  file.description.duration = 1.0;
  const TestRun found = run(file);
  const Sample& last = found.rows.back();
  const Eigen::Index points = last.section_forces.size() / 6;
  ASSERT_GT(points, 2);
  double largest = 0.0;
  for (Eigen::Index i = 0; i < points; ++i)
    largest = std::max(largest, std::abs(last.section_forces[6 * i + 4]));
  EXPECT_GT(largest, 1e4);
  EXPECT_NEAR(std::abs(last.section_forces[4]), std::abs(50.0 * last.v[0]), 1e-4 * largest);
}

TEST(Cylinders, HaveColumnsOfTheirOwn) {
  const ScenarioFile file = shipped("boom_cylinder/lift.yaml");
  Scenario scenario = build_scenario(file.description, file.model);
  const RowLayout layout(scenario);
  std::vector<std::string> columns;
  for (const auto& part : layout.parts())
    for (const std::string& name : part.quantity->column_names(layout.names())) columns.push_back(name);
  for (const char* name : {"cylinder.length.lift", "cylinder.rate.lift", "cylinder.force.lift"})
    EXPECT_NE(std::find(columns.begin(), columns.end(), name), columns.end()) << name;
}

TEST(Cylinders, AreRefusedWhereNothingDrivesThem) {
  for (const char* bad :
       {"{joint: strut, type: prescribed, target: {value: 1}}",
        "{joint: strut, type: computed-torque, kp: 1, kd: 1, target: {value: 1}}",
        "{joint: strut, type: pd, kp: 1, kd: 1, gravity_compensation: target, target: {value: 1}}",
        "{joint: strat, type: pd, kp: 1, kd: 1, target: {value: 1}}"})
    EXPECT_THROW(run_pendulum("", "actuation: [" + std::string(bad) + "]\nduration: 1\n"), InputError) << bad;
  EXPECT_THROW(run_pendulum("", "integrator: {method: rkmk4, step: 1e-3}\nduration: 1\n"), InputError);
}

}  // namespace
}  // namespace limber
