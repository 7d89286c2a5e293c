// SPDX-License-Identifier: BSD-3-Clause
// Co-simulation: the boom in Limber, its electric motor in a program of its own. They exchange effort and speed now and then; in between
// each takes the steps that it likes. The same motor as a controller that remembers its current is the reference: errors are of first order.

#include <cmath>
#include <cstdio>
#include <limber/limber.hpp>

using Eigen::VectorXd, limber::Instant;
// Behind a gear: inductance i' = voltage - resistance i - constant speed, effort = constant i.
constexpr double voltage = 96.0, resistance = 0.5, inductance = 0.02, constant = 30.0;  // V, Ohm, H, N m/A

struct MotorInside : limber::Controller {  // the reference
  void add_efforts(const Instant& now, VectorXd& efforts) override { efforts[0] += constant * now.x[0]; }
  int memory_size() const override { return 1; }
  void memory_rate(const Instant& now, const Eigen::VectorXi&, Eigen::Ref<VectorXd> rate) override {
    rate[0] = (voltage - resistance * now.x[0] - constant * now.v[0]) / inductance;
  }
};
struct HeldEffort : limber::Controller {  // what the boom sees of a motor elsewhere
  double effort = 0.0;
  void add_efforts(const Instant&, VectorXd& efforts) override { efforts[0] += effort; }
};

int main() try {
  limber::ScenarioDescription lift;
  lift.duration = 0.5;  // s
  lift.integrator = {limber::integrators::Radau(), 1e-8};
  const limber::Model boom = limber::read_model("boom.yaml");
  limber::Scenario together = limber::build_scenario(lift, boom);
  together.controllers.push_back(std::make_unique<MotorInside>());
  const double angle = limber::simulate(together).q[0];

  limber::Scenario exchanging = limber::build_scenario(lift, boom);
  exchanging.controllers.push_back(std::make_unique<HeldEffort>());
  double& effort = static_cast<HeldEffort&>(*exchanging.controllers[0]).effort;
  limber::System system(exchanging);
  const auto integrator = limber::make_integrator(system, lift.integrator);
  for (const int exchanges : {250, 500}) {
    limber::IntegratorState state;
    state.y = system.initial_state();  // q, v, and what is integrated along
    double current = 0.0;
    for (int k = 1; k <= exchanges; ++k) {
      const double end = lift.duration * k / exchanges, speed = state.y[system.nq()];
      effort = constant * current;
      const double limit = (voltage - constant * speed) / resistance;  // of the motor's own, exact program
      current = limit + (current - limit) * std::exp(-resistance / inductance * (end - state.t));
      for (integrator->start(state, end); integrator->state().t < end;) integrator->step();
      state = integrator->state();
    }
    std::printf("every %d ms: %.4f rad, error %.2e\n", 500 / exchanges, state.y[0], state.y[0] - angle);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   every 2 ms: 0.1500 rad, error -1.07e-03
//   every 1 ms: 0.1505 rad, error -5.50e-04
