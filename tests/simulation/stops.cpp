// SPDX-License-Identifier: BSD-3-Clause
// Stops of joints and cylinders: a weight that falls on one moves as the damped oscillator's closed form says, by every method and formulation; what is lost is in the ledger; statics
// and linear models know the stop that is pressed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <tuple>

#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "limber/simulation/stop_switch.hpp"
#include "limber/simulation/system.hpp"
#include "simulation/runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double g = 9.81, mass = 3.0, height = 0.4, k = 2e4;

// A weight on a vertical rail. With `on_strut` its stop is that of a cylinder along the rail, one metre long where the rail's is met.
std::string weight(double c, bool on_strut = false, const std::string& joint = "") {
  const std::string stop = ", stop_stiffness: 2e4, stop_damping: " + std::to_string(c) + "}";
  std::string text =
      "{name: weight, links: [{name: ball, joint: {name: rail, type: prismatic, axis: [0, 0, 1]" + joint;
  if (!on_strut) text += ", limits: {lower: 0" + stop;
  text += "}, rigid: {mass: 3, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}]";
  if (on_strut)
    text +=
        ", cylinders: [{name: strut, from: {link: base, xyz: [0, 0, -1]}, to: {link: ball}, limits: {lower: "
        "1" +
        stop + "}]";
  return text + "}";
}

std::string digits(double value) {
  char text[32];  // NOLINT
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string falling(const std::string& model, double duration, const std::string& integrator) {
  // rkmk4 gives every link a pose of its own.
  const std::string formulation = integrator.find("rkmk4") == std::string::npos ? "" : "formulation: dae\n";
  return "limber: 1\nmodel: " + model + "\ninitial: {q: {rail: 0.4}}\nintegrator: " + integrator +
         "\nduration: " + digits(duration) + "\n" + formulation;
}

// Below the limit m d'' = m g - k d - c d', from d = 0 and d' = sqrt(2 g h) on, until k d + c d' = 0.
struct Bounce {
  explicit Bounce(double damping) : c(damping) {
    met = std::sqrt(2.0 * height / g);
    delta = 0.5 * c / mass;
    omega = std::sqrt(k / mass - delta * delta);
    sag = mass * g / k;
    sine = (std::sqrt(2.0 * g * height) - delta * sag) / omega;
    // d' = 0 at first, and the push's zero after it, by bisection.
    deepest = root([&](double t) { return rate(t); }, 0.0, 3.14159 / omega);
    left = root([&](double t) { return k * depth(t) + c * rate(t); }, deepest, 6.283 / omega);
  }
  double depth(double t) const {
    return sag + std::exp(-delta * t) * (-sag * std::cos(omega * t) + sine * std::sin(omega * t));
  }
  double rate(double t) const {
    return std::exp(-delta * t) * ((delta * sag + omega * sine) * std::cos(omega * t) +
                                   (omega * sag - delta * sine) * std::sin(omega * t));
  }
  template <typename Function>
  static double root(Function f, double a, double b) {
    for (int i = 0; i < 200; ++i) (f(0.5 * (a + b)) > 0.0 ? a : b) = 0.5 * (a + b);
    return 0.5 * (a + b);
  }
  // Height and speed upwards a time after it was left.
  double height_after(double t) const { return -depth(left) - rate(left) * t - 0.5 * g * t * t; }
  double speed_after(double t) const { return -rate(left) - g * t; }

  double c, met, delta, omega, sag, sine, deepest, left;
};

struct Case {
  const char* integrator;
  double tolerance;  ///< [m]
  double ledger =
      0.0;  ///< [J]; 0: a thousand times that. The ledger has no say in the steps of methods of many steps
};
class FallingWeight : public testing::TestWithParam<Case> {};

TEST_P(FallingWeight, MeetsItsStopAndLeavesItAsTheClosedFormSays) {
  const char* const integrator = GetParam().integrator;
  const double tolerance = GetParam().tolerance, least = 1e3 * tolerance;
  const double ledger = std::max(GetParam().ledger, least);
  for (const double c : {0.0, 60.0})
    for (const bool on_strut : {false, true}) {
      if (on_strut && std::string(integrator).find("rkmk4") != std::string::npos)
        continue;  // has no cylinders
      SCOPED_TRACE(std::string(integrator) + (on_strut ? " strut " : " joint ") + std::to_string(c));
      const Bounce exact(c);
      const TestRun down = run(falling(weight(c, on_strut), exact.met + exact.deepest, integrator));
      EXPECT_NEAR(down.summary.q[0], -exact.depth(exact.deepest), tolerance);
      EXPECT_NEAR(down.summary.v[0], 0.0, 100.0 * tolerance);
      EXPECT_NEAR(down.summary.ledger.strain, 0.5 * k * std::pow(exact.depth(exact.deepest), 2),
                  1e3 * tolerance);
      const double flight = 0.2;
      const TestRun up = run(falling(weight(c, on_strut), exact.met + exact.left + flight, integrator));
      EXPECT_NEAR(up.summary.q[0], exact.height_after(flight), tolerance);
      EXPECT_NEAR(up.summary.v[0], exact.speed_after(flight), 10.0 * tolerance);
      // All that is lost went into the damper, what its spring still held when it was left as well.
      const double lost = mass * g * (height - exact.height_after(flight)) -
                          0.5 * mass * std::pow(exact.speed_after(flight), 2);
      EXPECT_NEAR(up.summary.ledger.dissipated, lost, ledger);
      EXPECT_NEAR(up.summary.ledger.strain, 0.0, 1e3 * tolerance);
      EXPECT_LT(std::abs(up.summary.ledger.error), ledger);
      EXPECT_GT(lost, c > 0.0 ? 0.5 : -1e-9);
    }
}
INSTANTIATE_TEST_SUITE_P(Methods, FallingWeight,
                         testing::Values(Case{"{method: auto, rtol: 1e-11, atol: 1e-13}", 1e-8},
                                         Case{"{method: radau, rtol: 1e-11, atol: 1e-13}", 1e-8},
                                         Case{"{method: radau9, rtol: 1e-11, atol: 1e-13}", 1e-8},
                                         Case{"{method: radau13, rtol: 1e-11, atol: 1e-13}", 1e-8},
                                         Case{"{method: variable-radau, rtol: 1e-11, atol: 1e-13}", 1e-8},
                                         Case{"{method: erk, rtol: 1e-11, atol: 1e-13}", 1e-8},
                                         Case{"{method: adams, rtol: 1e-11, atol: 1e-13}", 1e-8, 0.01},
                                         Case{"{method: bdf, rtol: 1e-11, atol: 1e-13}", 1e-7, 0.01},
                                         Case{"{method: ida, rtol: 1e-11, atol: 1e-13}", 1e-7, 0.01},
                                         Case{"{method: rk4, step: 2e-4}", 1e-8},
                                         Case{"{method: rkmk4, step: 2e-4}", 1e-8},
                                         Case{"{method: generalized-alpha, step: 2e-4}", 4e-4},
                                         Case{"{method: euler, step: 1e-4}", 2e-2}));

// An arm that bends, driven against the stops of a joint and of a cylinder.
TEST(Stops, FormulationsAgree) {
  const std::string model = R"({links: [
    {name: boom, joint: {name: pivot, axis: [0, -1, 0]},
     beam: {length: 2, section: {EI_y: 4e4, EI_z: 4e4, mass_per_length: 8}, modes: {z: {count: 2}}, damping: {ratio: 0.01}}},
    {name: jib, joint: {name: elbow, axis: [0, -1, 0], limits: {lower: -0.6, upper: 0.6, stop_stiffness: 3e4, stop_damping: 50}},
     rigid: {mass: 4, com: [0.4, 0, 0], inertia: [0.1, 0.3, 0.3, 0, 0, 0]}}],
    cylinders: [{name: lift, from: {link: base, xyz: [0.5, 0, -1]}, to: {link: boom, at: 0.5},
                 limits: {lower: 1.05, stop_stiffness: 2e5, stop_damping: 800}}]})";
  const auto end = [&](const std::string& formulation) {
    return run("limber: 1\nmodel: " + model + "\nformulation: " + formulation +
               "\ninitial: {q: {pivot: 0.3, elbow: 0.3}}\nintegrator: {method: radau13, rtol: 1e-11, atol: "
               "1e-13}\nduration: 1.5\n");
  };
  const TestRun recursive = end("recursive");
  double shortest = 10.0;
  for (const Sample& row : recursive.rows) shortest = std::min(shortest, row.cylinders.at(0).length);
  EXPECT_LT(shortest, 1.05 - 1e-4);  // it lies on the stop
  EXPECT_LT(std::abs(recursive.summary.ledger.error), 1e-6);
  EXPECT_GT(recursive.summary.ledger.dissipated, 1.0);
  for (const char* other : {"dense", "dae"}) {
    const TestRun found = end(other);
    EXPECT_LT((found.summary.q - recursive.summary.q).cwiseAbs().maxCoeff(), 1e-9) << other;
    EXPECT_LT((found.summary.v - recursive.summary.v).cwiseAbs().maxCoeff(), 1e-7) << other;
  }
}

// The tangent is that of the branch that holds: by differences, on joint and strut, pressed and not.
TEST(Stops, TangentsAreThoseOfTheBranch) {
  for (const bool on_strut : {false, true}) {
    const ScenarioFile file = scenario("limber: 1\nmodel: " + weight(60.0, on_strut) + "\nduration: 1\n");
    Scenario built = build_scenario(file.description, file.model);
    System system(built);
    const VectorXd integrals = VectorXd::Zero(system.integral_count());
    for (const auto& [x, rate, stiffness, damping] :
         {std::tuple{-0.01, -0.3, k, 60.0}, {0.01, -0.3, 0.0, 0.0}, {-0.001, 3.0, 0.0, 0.0}}) {
      VectorXd q(1), v(1), a = VectorXd::Zero(1), forces, rates;
      q << x;
      v << rate;
      System::Tangent tangent;
      system.tangent(0.0, q, v, integrals, a, tangent);
      EXPECT_NEAR(tangent.K(0, 0), stiffness, 1e-9 * k) << x;
      EXPECT_NEAR(tangent.C(0, 0), damping, 1e-9 * k) << x;
      ASSERT_TRUE(system.missing_forces(0.0, q, v, integrals, a, forces, rates));
      EXPECT_NEAR(forces[0], -mass * g - stiffness * x - damping * rate, 1e-9) << x;
    }
  }
}

TEST(Stops, OfAPrescribedJointLoadItsMotor) {
  const TestRun found =
      run("limber: 1\nmodel: " + weight(60.0) +
          "\nactuation: [{joint: rail, type: prescribed, target: {value: -0.01}}]\nduration: 0.1\n");
  EXPECT_NEAR(found.rows.back().efforts[0], mass * g - 0.01 * k, 1e-9);
}

TEST(Stops, ArePressedInWarningsThatSaySo) {
  const ScenarioFile file = scenario(falling(weight(60.0), 0.5, "{method: auto}"));
  const TestRun found = run(file);
  const Scenario built = build_scenario(file.description, file.model);
  const std::vector<std::string> warnings = run_warnings(built, found.summary.last);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("its limit `lower` is 0 m, where it presses on its stop"), std::string::npos)
      << warnings[0];
}

// A weight comes to rest on its stop, and stays there.
TEST(Stops, CarryWhatRestsOnThem) {
  const TestRun found = run(falling(weight(200.0), 4.0, "{method: auto, rtol: 1e-9}"));
  EXPECT_NEAR(found.summary.q[0], -mass * g / k, 1e-8);
  EXPECT_NEAR(found.summary.v[0], 0.0, 1e-7);
  EXPECT_NEAR(found.summary.ledger.dissipated, mass * g * (height + 0.5 * mass * g / k), 1e-5);
}

// A spring beside the stop: both carry the weight, and it swings on both.
TEST(Stops, StaticsAndLinearModelsKnowTheOneThatIsPressed) {
  constexpr double spring = 500.0, both = spring + k;
  const double x = -mass * g / both;
  for (const bool on_strut : {false, true}) {
    const Model model =
        scenario("limber: 1\nmodel: " + weight(60.0, on_strut, ", stiffness: 500") + "\nduration: 1\n").model;
    VectorXd q = VectorXd::Zero(1);
    const Equilibrium found = static_equilibrium(model, q);
    EXPECT_NEAR(found.q[0], x, 1e-12) << on_strut;
    EXPECT_TRUE(found.stable);
    const OperatingPoint settled = settled_point(model, q);
    const LinearModel linear = linearize(model, settled);
    EXPECT_NEAR(linear.A(1, 0), -both / mass, 1e-8) << on_strut;
    EXPECT_NEAR(linear.A(1, 1), -60.0 / mass, 1e-9) << on_strut;
    const NaturalModes modes = natural_modes(model, found.q, JointTreatment::as_modelled, 1);
    EXPECT_NEAR(modes.angular_frequencies[0], std::sqrt(both / mass), 1e-9) << on_strut;
    q[0] = -0.001;  // a motor holds it in its stop: the stop carries the rest
    const Equilibrium held = static_equilibrium(model, q, {}, StaticModel::exact, {}, {"rail"});
    EXPECT_NEAR(held.efforts[0], mass * g - 0.001 * both, 1e-10) << on_strut;
  }
}

// An elastic gear: the joint meets its stop, its motor swings on.
TEST(Stops, StandAtTheJointsSideOfAGear) {
  const std::string model =
      "{gravity: [0, 0, 0], links: [{name: a, joint: {name: j, drive: {ratio: 10, rotor_inertia: 0.01, "
      "stiffness: "
      "400}, limits: {upper: 0.1, stop_stiffness: 1e8, stop_damping: 1e5}}, rigid: {mass: 1, inertia: [1, 1, "
      "2, 0, "
      "0, 0]}}]}";
  const TestRun found = run("limber: 1\nmodel: " + model +
                            "\nactuation: [{joint: j, type: torque, signal: {value: 40}}]\n"
                            "integrator: {method: radau, rtol: 1e-9}\nduration: 2\n");
  double joint = 0.0, motor = 0.0;
  for (const Sample& row : found.rows) {
    joint = std::max(joint, row.q[0]);
    motor = std::max(motor, row.q[1]);
  }
  EXPECT_LT(joint, 0.1 + 1e-3);
  EXPECT_GT(motor, 0.2);
  EXPECT_FALSE(found.summary.ledger_is_off);
}

}  // namespace
}  // namespace limber
