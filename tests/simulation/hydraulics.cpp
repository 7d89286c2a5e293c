// SPDX-License-Identifier: BSD-3-Clause
// Cylinders with oil: a blocked one is a spring whose pressures and frequency are known, one under an open valve moves as fast as its flows let it, and what statics finds holds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/model/hydraulics.hpp"
#include "limber/results/quantity.hpp"
#include "limber/simulation/system.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double g = 9.81, mass = 300.0, E = 1.2e9, dead = 1e-3, gain = 2e-7, supply = 2e7, tank = 1e5;
const double A_a = 0.25 * std::numbers::pi * 0.1 * 0.1, A_b = A_a - 0.25 * std::numbers::pi * 0.05 * 0.05;
// The rail stands at 0.2 m: the cylinder is 1.2 m long, 0.4 m from either end.
const double V_a = dead + 0.4 * A_a, V_b = dead + 0.4 * A_b;

// A weight on a vertical rail, on a cylinder along it.
std::string lifted(const std::string& rest, const std::string& oil = "", double damping = 0.0) {
  return "limber: 1\nmodel: {name: lift, links: [{name: load, joint: {name: rail, type: prismatic, axis: [0, "
         "0, 1]}, "
         "rigid: {mass: 300, inertia: [9, 9, 9, 0, 0, 0]}}], cylinders: [{name: ram, from: {link: base, xyz: "
         "[0, 0, "
         "-1]}, to: {link: load}, limits: {lower: 0.8, upper: 1.6}, damping: " +
         std::to_string(damping) +
         ", hydraulics: {bore: 0.1, rod: 0.05, "
         "bulk_modulus: "
         "1.2e9, volume: 1e-3, supply: 2e7, tank: 1e5, flow_gain: 2e-7" +
         oil + "}}]}\ninitial: {q: {rail: 0.2}}\n" + rest;
}

TEST(Hydraulics, PressuresThatHoldAreFoundAndStay) {
  for (const char* method : {"auto", "radau", "bdf", "erk", "generalized-alpha, step: 1e-4"}) {
    const TestRun found = run(lifted("duration: 0.5\nintegrator: {method: " + std::string(method) + "}\n"));
    for (const Sample& row : found.rows) {
      EXPECT_NEAR(row.q[0], 0.2, 1e-12) << method;
      EXPECT_NEAR(row.cylinders[0].pressure_a, (mass * g + A_b * tank) / A_a, 1e-4) << method;
      EXPECT_NEAR(row.cylinders[0].pressure_b, tank, 1e-4) << method;
      EXPECT_NEAR(row.cylinders[0].force, mass * g, 1e-6) << method;
    }
  }
}

// A step of load on a blocked cylinder: it swings on k = E (A_a^2/V_a + A_b^2/V_b), and each chamber's pressure follows its volume, p = p_0 - E ln(V/V_0).
TEST(Hydraulics, ABlockedCylinderIsASpringOfOil) {
  constexpr double step = 100.0, begin = 0.01, end = 0.05;
  const double k = E * (A_a * A_a / V_a + A_b * A_b / V_b), omega = std::sqrt(k / mass), sag = step / k;
  const Model model = scenario(lifted("duration: 1\n")).model;
  EXPECT_NEAR(natural_modes(model, VectorXd::Constant(1, 0.2)).angular_frequencies[0], omega, 1e-9 * omega);
  EXPECT_THROW(natural_modes(model, VectorXd::Constant(1, 2.0)), ComputationError);  // beyond its end
  struct Case {
    const char* integrator;
    double tolerance;  // of the sag
  };
  for (const Case& one :
       {Case{"method: auto, rtol: 1e-10, atol: 1e-14", 2e-5},
        Case{"method: radau, rtol: 1e-10, atol: 1e-14", 2e-5},
        Case{"method: radau13, rtol: 1e-10, atol: 1e-14", 2e-5},
        Case{"method: bdf, rtol: 1e-10, atol: 1e-14", 1e-4},
        Case{"method: erk, rtol: 1e-10, atol: 1e-14", 2e-5}, Case{"method: rk4, step: 1e-5", 2e-5},
        Case{"method: generalized-alpha, step: 1e-5", 2e-3}}) {
    SCOPED_TRACE(one.integrator);
    const TestRun found =
        run(lifted("loads: [{link: load, force: [0, 0, -100], from: 0.01}]\nduration: 0.05\n"
                   "output: {rate: 2000}\nintegrator: {" +
                   std::string(one.integrator) + "}\n"));
    double deepest = 0.0;
    for (const Sample& row : found.rows) {
      const double t = std::max(row.t - begin, 0.0), x = row.q[0] - 0.2;
      EXPECT_NEAR(x, -sag * (1.0 - std::cos(omega * t)), one.tolerance * sag) << row.t;
      const CylinderState& ram = row.cylinders[0];
      const double p_a = (mass * g + A_b * tank) / A_a;
      EXPECT_NEAR(ram.pressure_a - p_a, -E * std::log((V_a + A_a * x) / V_a), 1e-2) << row.t;
      EXPECT_NEAR(ram.pressure_b - tank, -E * std::log((V_b - A_b * x) / V_b), 1e-2) << row.t;
      EXPECT_NEAR(ram.force, A_a * ram.pressure_a - A_b * ram.pressure_b, 1e-9 * mass * g);
      deepest = std::min(deepest, x);
    }
    EXPECT_NEAR(deepest, -2.0 * sag, 1e-2 * sag);  // a step makes twice the static way
    // The oil's work is that of the actuator.
    EXPECT_LT(std::abs(found.summary.ledger.error), 1e-9);
    EXPECT_EQ(found.summary.end, end);
  }
}

// An open valve, after the oil has taken its pressures (within E/V dQ/dp, some 2/s): G u r(supply - p_a) = A_a v and G u r(p_b - tank) = A_b v, under the weight and a damper.
TEST(Hydraulics, AnOpenValveMovesItAsFastAsOilFlows) {
  constexpr double c = 2e4;
  for (const double u : {0.2, -0.2, 0.5}) {
    const TestRun found =
        run(lifted("actuation: [{joint: ram, type: torque, signal: {value: " + std::to_string(u) +
                       "}}]\nduration: " + std::to_string(2.0 / std::abs(u)) +
                       "\nintegrator: {method: auto, rtol: 1e-9}\n",
                   "", c));
    const double drive =
        u > 0.0 ? A_a * supply - A_b * tank - mass * g : A_b * supply - A_a * tank + mass * g;
    const double a = (std::pow(A_a, 3) + std::pow(A_b, 3)) / std::pow(gain * u, 2);
    const double speed = std::copysign((std::sqrt(c * c + 4.0 * a * drive) - c) / (2.0 * a), u);
    EXPECT_NEAR(found.summary.v[0], speed, 1e-5 * std::abs(speed)) << u;
    EXPECT_NEAR(found.rows.back().cylinders[0].force, mass * g, 0.1) << u;
    EXPECT_LT(std::abs(found.summary.ledger.error), 1e-4 * found.summary.last.energy_size) << u;
  }
}

// It is open by 1 at most, closes the loop on the length, and passes through its middle on the way.
TEST(Hydraulics, AValveHoldsTheLength) {
  std::vector<VectorXd> ends;
  for (const char* method : {"radau", "erk"}) {
    const TestRun found =
        run(lifted("actuation: [{joint: ram, type: pd, kp: 60, kd: 0.5, target: {trajectory: longer}}]\n"
                   "trajectories: {longer: {type: quintic, from: 1.2, to: 1.25, start: 0, duration: 0.4}}\n"
                   "duration: 3\nintegrator: {rtol: 1e-9, atol: 1e-12, method: " +
                       std::string(method) + "}\n",
                   "", 2e4));
    EXPECT_NEAR(found.rows.back().cylinders[0].length, 1.25, 1e-4) << method;
    EXPECT_NEAR(found.rows.back().v[0], 0.0, 1e-3) << method;
    double most = 0.0;
    for (const Sample& row : found.rows) most = std::max(most, row.cylinders[0].asked);
    EXPECT_GT(most, 1.0) << method;  // the valve was wide open
    ends.push_back(found.summary.q);
  }
  EXPECT_NEAR(ends[0][0], ends[1][0], 1e-7);
}

TEST(Hydraulics, FormulationsAgreeAndPressuresAreRecorded) {
  const auto end = [](const std::string& formulation) {
    return run(
        lifted("formulation: " + formulation +
               "\nactuation: [{joint: ram, type: torque, signal: {value: 2}}]\nduration: 0.3\nintegrator: "
               "{method: radau13, rtol: 1e-10, atol: 1e-13}\n"));
  };
  const TestRun recursive = end("recursive");
  EXPECT_EQ(recursive.rows.back().cylinders[0].asked, 2.0);
  for (const char* other : {"dense", "dae"})
    EXPECT_NEAR(end(other).summary.q[0], recursive.summary.q[0], 1e-9) << other;
  const ScenarioFile file = scenario(lifted("duration: 1\n"));
  const ResultNames names = names_of(build_scenario(file.description, file.model));
  EXPECT_EQ(names.chambers, (std::vector<std::string>{"ram.a", "ram.b"}));
}

// Without a stop a piston would pass its end, where the oil's stiffness has no meaning: what was reached is kept.
TEST(Hydraulics, ACylinderThatRunsToItsEndSaysSo) {
  const std::string down = "actuation: [{joint: ram, type: torque, signal: {value: -1}}]\nduration: 20\n";
  for (const char* method : {"auto", "erk", "bdf"}) {
    std::string said;
    try {
      run(lifted(down + "integrator: {method: " + std::string(method) + "}\n"));
    } catch (const ComputationError& error) {
      said = error.what();
    }
    EXPECT_NE(said.find("cylinder `ram` has run beyond its end"), std::string::npos) << method << said;
  }
}

TEST(Hydraulics, PressuresOfTheFileAreThoseOfTheStart) {
  const TestRun found = run(lifted("duration: 0.01\n", ", pressures: [3e6, 2e6]"));
  EXPECT_NEAR(found.rows.front().cylinders[0].pressure_a, 3e6, 1e-6);
  EXPECT_NEAR(found.rows.front().cylinders[0].pressure_b, 2e6, 1e-6);
}

// The chamber that does not push is at the tank's pressure.
TEST(Hydraulics, HoldingPressuresPushOrPull) {
  const HydraulicsDescription oil{0.1, 0.05, E, dead, supply, tank, gain, {}};
  for (const double force : {5e4, 0.0, -5e4}) {
    const ChamberPressures p = holding_pressures(oil, force);
    EXPECT_NEAR(A_a * p.a - A_b * p.b, force, 1e-9);
    EXPECT_EQ(std::min(p.a, p.b), tank);
    EXPECT_NEAR(hydraulic_force(oil, p), force, 1e-9);
  }
}

// A boom that bends, held by oil under a closed valve, settles and stays at rest.
TEST(Hydraulics, ABoomRestsOnItsPressures) {
  const TestRun found = run(R"(limber: 1
model:
  links:
    - name: boom
      joint: {name: pivot, axis: [0, -1, 0]}
      beam: {length: 4, section: {EI_y: 4e6, EI_z: 4e6, mass_per_length: 40}, modes: {z: {count: 2}}, damping: {ratio: 0.01}}
      tip: {mass: 100}
  cylinders:
    - name: lift
      from: {link: base, xyz: [0.6, 0, -1]}
      to: {link: boom, at: 0.4}
      limits: {lower: 1.0, upper: 2.0}
      hydraulics: {bore: 0.1, rod: 0.05, bulk_modulus: 1.2e9, volume: 1e-3, supply: 2e7, flow_gain: 2e-7}
initial: {q: {pivot: 0.2}, settle: true}
integrator: {method: auto, rtol: 1e-9, atol: 1e-12}
duration: 1
)");
  EXPECT_GT(found.rows.front().cylinders[0].pressure_a, 5e5);
  for (const Sample& row : found.rows) {
    EXPECT_LT((row.q - found.rows.front().q).cwiseAbs().maxCoeff(), 1e-9) << row.t;
    EXPECT_NEAR(row.cylinders[0].pressure_a, found.rows.front().cylinders[0].pressure_a, 1.0) << row.t;
  }
}

}  // namespace
}  // namespace limber
