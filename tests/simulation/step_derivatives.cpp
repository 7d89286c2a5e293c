// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of whole steps, against differences of the steps that the integrators take.

#include "limber/simulation/step_derivatives.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "limber/algorithms/configuration.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/simulation/simulator.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Two links that bend, a payload on a spherical joint, gravity, a pid whose integral is remembered.
const std::string arm = R"(limber: 1
model:
  gravity: [0, -9.81, 0]
  links:
    - name: boom
      joint: {name: shoulder, axis: [0, 0, 1], damping: 0.5}
      beam: {length: 1.2, section: {EI_y: 300, EI_z: 400, mass_per_length: 2}, modes: {y: {count: 1}, z: {count: 1}}, damping: {ratio: 0.02}}
    - name: jib
      joint: {name: elbow, axis: [0, 1, 0]}
      beam: {length: 0.8, section: {EI_y: 200, EI_z: 250, mass_per_length: 1}, modes: {y: {count: 1}}}
      tip: {mass: 0.5}
)";
const std::string ball = R"(    - name: ball
      joint: {name: wrist, type: spherical}
      rigid: {mass: 0.7, com: [0.1, 0.05, 0], inertia: [0.01, 0.02, 0.015, 0, 0, 0]}
)";
const std::string pid =
    "actuation: [{joint: shoulder, type: pid, kp: 30, ki: 20, kd: 5, derivative_filter: 0.02, target: "
    "{value: 0.4}}]\n";

struct State {
  VectorXd q, v, u;
};

State some_state(const Model& model) {
  State state{neutral_configuration(model), VectorXd(model.nv()), VectorXd::Zero(model.nv())};
  VectorXd d(model.nv());
  for (int i = 0; i < model.nv(); ++i) {
    d[i] = 0.3 * std::sin(1.0 + i);
    state.v[i] = 0.8 * std::cos(2.0 * i);
  }
  for (const int c : elastic_coordinates(model)) {
    d[c] *= 0.005;
    state.v[c] *= 0.02;
  }
  displace(model, neutral_configuration(model), d, state.q);
  for (const int c : joint_coordinates(model)) state.u[c] = 2.0 + c;
  return state;
}

// Where the integrator itself goes from a displaced state.
struct Flow {
  const ScenarioFile& file;
  double h;
  VectorXd base_q;

  VectorXd operator()(const State& from, const VectorXd& ds, const VectorXd& du) const {
    const Model& model = file.model;
    const int n = model.nv();
    Simulator simulator(build_scenario(file.description, model));
    VectorXd q(model.nq()), u = from.u;
    displace(model, from.q, ds.head(n), q);
    const std::vector<int> driven = joint_coordinates(model);
    for (std::size_t j = 0; j < driven.size(); ++j) u[driven[j]] += du[static_cast<Index>(j)];
    simulator.set_state(q, from.v + ds.tail(n));
    simulator.set_efforts(u);
    simulator.step(h);
    VectorXd end(2 * n), d(n);
    if (base_q.size() == 0) return simulator.state().q;
    difference(model, base_q, simulator.state().q, d);
    end << d, simulator.state().v;
    return end;
  }
};

// Fourth order.
template <typename Function>
VectorXd slope(Function&& f) {
  constexpr double e = 1e-3;
  return (8.0 * (f(e) - f(-e)) - (f(2.0 * e) - f(-2.0 * e))) / (12.0 * e);
}

void expect_derivatives(const std::string& text, double h, double tolerance) {
  SCOPED_TRACE(text.substr(text.rfind("integrator")));
  const ScenarioFile file = scenario(text);
  const State at = some_state(file.model);
  const int n = file.model.nv();
  Scenario built = build_scenario(file.description, file.model);
  const DiscreteDerivatives found = discrete_derivatives(built, at.q, at.v, at.u, h);
  const Index m = found.B.cols();
  const VectorXd still = VectorXd::Zero(2 * n), none = VectorXd::Zero(m);
  Flow flow{file, h, {}};
  flow.base_q = flow(at, still, none);
  const VectorXd end = flow(at, still, none);
  EXPECT_LT((found.q - flow.base_q).norm(), 1e-9);
  EXPECT_LT((found.v - end.tail(n)).norm(), 1e-7);
  MatrixXd A(2 * n, 2 * n), B(2 * n, m);
  for (int j = 0; j < 2 * n; ++j)
    A.col(j) = slope([&](double e) { return flow(at, e * VectorXd::Unit(2 * n, j), none); });
  for (Index j = 0; j < m; ++j)
    B.col(j) = slope([&](double e) { return flow(at, still, e * VectorXd::Unit(m, j)); });
  // Positions and velocities apart: they have sizes of their own.
  for (const int rows : {0, n}) {
    const MatrixXd A_rows = A.middleRows(rows, n), B_rows = B.middleRows(rows, n);
    EXPECT_LT((found.A.block(rows, 0, n, 2 * n) - A_rows).norm(), tolerance * A_rows.norm());
    EXPECT_LT((found.B.middleRows(rows, n) - B_rows).norm(), tolerance * B_rows.norm());
  }
}

TEST(StepDerivatives, AreThoseOfTheStepsThatAreTaken) {
  const std::string rest = "duration: 1\nintegrator: {rtol: 1e-9, atol: 1e-12, method: ";
  for (const char* method : {"rk4, step: 0.001}", "euler, step: 0.001}", "generalized-alpha, step: 0.001}"})
    expect_derivatives(arm + rest + method + "\n", 0.003, 1e-8);
  expect_derivatives(arm + ball + rest + "rk4, step: 0.002}\n", 0.004, 1e-8);
  expect_derivatives(arm + ball + rest + "generalized-alpha, step: 0.002}\n", 0.004, 1e-8);
}

// Radau's own steps are others than one of 4 ms: all agree with the motion itself.
TEST(StepDerivatives, OfRadauAreThoseOfTheMotion) {
  for (const char* method : {"radau, max_step: 5e-5}", "radau9, max_step: 5e-4}", "radau13, max_step: 1e-3}"})
    expect_derivatives(
        arm + ball + "duration: 1\nintegrator: {rtol: 1e-12, atol: 1e-14, method: " + method + "\n", 0.004,
        1e-7);
}

// What a controller remembers is part of the state: A of two steps is the product of A's.
TEST(StepDerivatives, TakeMemoryAlong) {
  const ScenarioFile file = scenario(arm + pid + "duration: 1\nintegrator: {method: rk4, step: 0.002}\n");
  Scenario built = build_scenario(file.description, file.model);
  const State at = some_state(file.model);
  const VectorXd x = Eigen::Vector2d(0.1, -0.2);
  const DiscreteDerivatives both = discrete_derivatives(built, at.q, at.v, at.u, 0.004, 0.0, x),
                            first = discrete_derivatives(built, at.q, at.v, at.u, 0.002, 0.0, x),
                            second =
                                discrete_derivatives(built, first.q, first.v, at.u, 0.002, 0.002, first.x);
  ASSERT_EQ(both.A.rows(), 2 * file.model.nv() + 2);
  EXPECT_LT((both.x - second.x).norm(), 1e-13);
  EXPECT_LT((both.A - second.A * first.A).norm(), 1e-12 * both.A.norm());
  EXPECT_LT((both.B - second.A * first.B - second.B).norm(), 1e-12 * both.B.norm());
  // x' = error: the integral follows the shoulder with the other sign.
  EXPECT_NEAR(both.A(2 * file.model.nv(), 0), -0.004, 5e-5);
}

TEST(StepDerivatives, OfSecondOrderAreDifferencesOfTheFirst) {
  const ScenarioFile file = scenario(arm + "duration: 1\nintegrator: {method: rk4, step: 0.002}\n");
  Scenario built = build_scenario(file.description, file.model);
  const State at = some_state(file.model);
  const int n = file.model.nv();
  VectorXd ds(2 * n), du(2);
  for (int i = 0; i < 2 * n; ++i) ds[i] = std::sin(3.0 + i);
  du << 1.0, -2.0;
  const DiscreteSecondDerivatives found = discrete_second_derivatives(built, at.q, at.v, at.u, 0.002, ds, du);
  // The second derivative is symmetric: d(A w)/d(s, u) along (ds, du) is d(A ds + B du)/ds along w.
  VectorXd w(2 * n);
  for (int i = 0; i < 2 * n; ++i) w[i] = std::cos(1.0 + 2.0 * i);
  const DiscreteSecondDerivatives other =
      discrete_second_derivatives(built, at.q, at.v, at.u, 0.002, w, VectorXd::Zero(2));
  const VectorXd one = found.A * w, same = other.A * ds + other.B * du;
  EXPECT_LT((one - same).norm(), 1e-7 * one.norm());
  EXPECT_GT(one.norm(), 1e-3);
}

TEST(StepDerivatives, SayWhatTheyDoNotKnow) {
  const auto refusal = [](const std::string& text, double h) {
    const ScenarioFile file = scenario(text);
    Scenario built = build_scenario(file.description, file.model);
    const State at = some_state(file.model);
    try {
      discrete_derivatives(built, at.q, at.v, at.u, h);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(arm + "duration: 1\nintegrator: {method: bdf}\n", 0.01).find("bdf"), std::string::npos);
  EXPECT_NE(refusal(arm + "duration: 1\nintegrator: {method: rk4, step: 0.001}\n", -0.01).find("a time > 0"),
            std::string::npos);
  const std::string sampled =
      "actuation: [{joint: shoulder, type: pid, kp: 3, rate: 100, target: {value: 0.4}}]\n";
  EXPECT_NE(
      refusal(arm + sampled + "duration: 1\nintegrator: {method: rk4, step: 0.001}\n", 0.01).find("sampled"),
      std::string::npos);
}

}  // namespace
}  // namespace limber
