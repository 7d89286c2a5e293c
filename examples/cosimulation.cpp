// SPDX-License-Identifier: BSD-3-Clause
// Co-simulation: the boom in Limber, its electric motor in a program of its own. They exchange effort and speed now and then; in between
// each takes the steps that it likes. The same motor as a controller that remembers its current is the reference.

#include <cmath>
#include <cstdio>
#include <limber/io/model_file.hpp>
#include <limber/simulation/simulate.hpp>

using Eigen::VectorXd, Eigen::VectorXi, limber::Instant;

// Behind a gear: inductance i' = voltage - resistance i - constant speed, effort = constant i.
constexpr double voltage = 96.0, resistance = 0.5, inductance = 0.02, constant = 30.0;  // V, Ohm, H, N m/A

struct ForeignMotor {  // knows nothing of Limber
  double current = 0.0;
  void advance(double time, double speed) {  // exact for a constant speed
    const double limit = (voltage - constant * speed) / resistance;
    current = limit + (current - limit) * std::exp(-resistance / inductance * time);
  }
};
struct HeldEffort : limber::Controller {  // what the boom sees of it
  double effort = 0.0;
  void add_efforts(const Instant&, VectorXd& efforts) override { efforts[0] += effort; }
};
struct MotorInside : limber::Controller {
  void add_efforts(const Instant& now, VectorXd& efforts) override { efforts[0] += constant * now.x[0]; }
  int memory_size() const override { return 1; }
  void memory_rate(const Instant& now, const VectorXi&, Eigen::Ref<VectorXd> rate) override {
    rate[0] = (voltage - resistance * now.x[0] - constant * now.v[0]) / inductance;
  }
};

static limber::Scenario lift(std::unique_ptr<limber::Controller> motor) {
  limber::ScenarioDescription run;
  run.duration = 0.5;  // s
  run.integrator.method = limber::integrators::Radau();
  run.integrator.rtol = 1e-8;
  limber::Scenario scenario = limber::build_scenario(run, limber::read_model("boom.yaml"));
  scenario.controllers.push_back(std::move(motor));
  return scenario;
}

static double cosimulated_angle(int exchanges) {
  ForeignMotor motor;
  auto controller = std::make_unique<HeldEffort>();
  HeldEffort& held = *controller;
  limber::Scenario scenario = lift(std::move(controller));
  limber::System system(scenario);
  const auto boom = limber::make_integrator(system, scenario.integrator);
  limber::IntegratorState state;
  state.y = system.initial_state();  // q, v, and what is integrated along
  for (int k = 1; k <= exchanges; ++k) {
    const double end = scenario.duration * k / exchanges;
    held.effort = constant * motor.current;
    motor.advance(end - state.t, state.y[system.nq()]);
    boom->start(state, end);
    while (boom->state().t < end) boom->step();
    state = boom->state();
  }
  return state.y[0];
}

int main() try {
  limber::Scenario together = lift(std::make_unique<MotorInside>());
  const double angle = limber::simulate(together).q[0];
  const double coarse = cosimulated_angle(250) - angle, fine = cosimulated_angle(500) - angle;
  std::printf("shoulder at %.5f rad after 0.5 s\n", angle);
  std::printf("exchanged every 2 ms: error %.2e rad; every 1 ms: %.2f times less\n", coarse, coarse / fine);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   shoulder at 0.15106 rad after 0.5 s
//   exchanged every 2 ms: error -1.07e-03 rad; every 1 ms: 1.94 times less
