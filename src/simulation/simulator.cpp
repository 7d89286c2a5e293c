// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/simulator.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "limber/algorithms/finite.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/lookup.hpp"
#include "simulator_inside.hpp"
#include "valid_scenario.hpp"

namespace limber {

using Eigen::Ref;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Simulator::Saved::All {
  Stepper::Saved stepper;
  VectorXd efforts;
  std::vector<TimedLoad> loads;
};

Simulator::Saved::Saved(std::shared_ptr<const All> all) : all_(std::move(all)) {}
Simulator::Saved::~Saved() = default;

Simulator::Inside::Inside(Scenario from)
    : scenario(std::move(sound(from))),
      system(scenario),
      chosen(choose_integrator(scenario, system, std::numeric_limits<double>::infinity(), {})),
      instruments(scenario),
      stepper(scenario, system, instruments, chosen.description),
      scenario_loads(scenario.loads.size()) {
  IntegratorState start;
  start.y = system.initial_state();
  instruments.readings().expect_looks();
  stepper.begin(start);
  look();
}

Scenario& Simulator::Inside::sound(Scenario& from) {
  valid("Simulator", from);
  require_finite(from.model, from.q, from.v);
  return from;
}

void Simulator::Inside::look() {
  const IntegratorState& now = stepper.state();
  state.t = now.t;
  state.q = now.y.head(system.nq());
  state.v = now.y.segment(system.nq(), system.nv());
}

void Simulator::Inside::set_load(TimedLoad& load, const Vector3d& force, const Vector3d& moment) {
  if (!force.allFinite() || !moment.allFinite())
    throw InputError(
        Problem{"Simulator::set_load", "finite numbers", "numbers that are infinite or not numbers", ""});
  if (load.wrench.force == force && load.wrench.moment == moment) return;
  load.wrench.force = force;
  load.wrench.moment = moment;
  stepper.inputs_changed();
}

// Fixed steps, and corners, are where they are; what is nearer than rounding is there.
Simulator::Inside::Goal Simulator::Inside::goal_at(double t) const {
  const double from = stepper.state().t;
  const double step = fixed_step(chosen.description.method).value_or(0.0);
  const double near = std::max(1e-9 * std::min(step, std::abs(t - from)), system.time_resolution());
  if (!(t >= from - near) || !std::isfinite(t))
    throw InputError(Problem{"Simulator::advance_to: t", fmt::format("a time from {} s on", from),
                             fmt::format("{}", t), "restore() goes back"});
  return {t, near};
}

Simulator::Simulator(Scenario scenario) : inside_(std::make_unique<Inside>(std::move(scenario))) {}
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;
Simulator::~Simulator() = default;

const Scenario& Simulator::scenario() const { return inside_->scenario; }
const char* Simulator::method() const { return inside_->stepper.method_name(); }
const Simulator::State& Simulator::state() const { return inside_->state; }

const std::vector<Occurrence>& Simulator::occurrences() const { return inside_->stepper.occurrences(); }

// What was there a while ago is only known of samples.
const VectorXd& Simulator::readings() {
  const std::vector<SensorDescription>& sensors = inside_->scenario.sensors;
  for (std::size_t i = 0; i < sensors.size(); ++i)
    if (sensors[i].delay > 0.0 && !sensors[i].rate)
      throw InputError(Problem{fmt::format("sensors[{}]", i), "a `rate` besides its `delay`",
                               fmt::format("none of `{}`", sensors[i].name),
                               "Simulator keeps what is on its way by samples: give it one"});
  inside_->stepper.take_samples();
  const IntegratorState& now = inside_->stepper.state();
  return inside_->instruments.read(inside_->system, now.t, now.y);
}

void Simulator::on_step(std::function<void()> listener) { inside_->listener = std::move(listener); }

void Simulator::set_state(const Ref<const VectorXd>& q, const Ref<const VectorXd>& v) {
  const Model& arm = model();
  const detail::Call call{"Simulator::set_state", arm};
  call.require_position("q", q);
  call.require_velocity("v", v);
  require_finite(arm, q, v);
  IntegratorState state = inside_->stepper.state();
  VectorXd position = q, velocity = v;
  inside_->system.forget_modes();
  inside_->system.apply_prescribed(state.t, position, velocity);
  state.y.head(arm.nq()) = position;
  state.y.segment(arm.nq(), arm.nv()) = velocity;
  state.auxiliary.resize(0);
  state.step = 0.0;
  inside_->stepper.begin(std::move(state));
  inside_->look();
}

void require_step(const char* place, double h) {
  if (!(h > 0.0) || !std::isfinite(h))
    throw InputError(Problem{place, "a time > 0 [s]", fmt::format("{}", h), ""});
}

void Simulator::step(double h) {
  require_step("Simulator::step: h", h);
  advance_to(inside_->state.t + h);
}

void Simulator::step(double h, const Ref<const VectorXd>& efforts) {
  set_efforts(efforts);
  step(h);
}

void Simulator::advance_to(double t) {
  Stepper& stepper = inside_->stepper;
  const Inside::Goal goal = inside_->goal_at(t);
  try {
    while (!inside_->is_at(goal)) {
      stepper.step(t);
      if (inside_->listener) inside_->listener();
      if (stepper.has_stopped()) break;
    }
  } catch (...) {
    inside_->look();
    throw;
  }
  inside_->look();
}

void Simulator::set_efforts(const Ref<const VectorXd>& efforts) {
  System& system = inside_->system;
  if (efforts.size() != system.nv() || !efforts.allFinite())
    throw InputError(Problem{
        "Simulator::set_efforts",
        fmt::format("{} finite numbers (nv of model `{}`)", system.nv(), inside_->scenario.model.name()),
        efforts.size() != system.nv() ? fmt::format("{}", efforts.size())
                                      : "numbers that are infinite or not numbers",
        ""});
  if (efforts == system.efforts_from_outside()) return;
  system.set_efforts(efforts);
  inside_->stepper.inputs_changed();
}

void Simulator::set_load(int load, const Vector3d& force, const Vector3d& moment) {
  const auto count = static_cast<int>(inside_->scenario_loads);
  if (load < 0 || load >= count)
    throw InputError(Problem{"Simulator::set_load: load",
                             count == 0
                                 ? std::string("no index: the scenario has no `loads`")
                                 : fmt::format("the index of a load of the scenario, 0 to {}", count - 1),
                             fmt::format("{}", load), "or name a link, for a load on its tip"});
  inside_->set_load(inside_->scenario.loads[static_cast<std::size_t>(load)], force, moment);
}

void Simulator::set_load(std::string_view link, const Vector3d& force, const Vector3d& moment) {
  std::vector<TimedLoad>& loads = inside_->scenario.loads;
  const Frame tip = frame(inside_->scenario.model, link);
  for (std::size_t i = inside_->scenario_loads; i < loads.size(); ++i)
    if (loads[i].wrench.link == tip.link) return inside_->set_load(loads[i], force, moment);
  TimedLoad load;
  load.wrench.link = tip.link;
  load.wrench.node = tip.node;
  load.wrench.force = load.wrench.moment = Vector3d::Zero();
  loads.push_back(load);
  inside_->set_load(loads.back(), force, moment);
}

Simulator::Saved Simulator::save() {
  return Saved(std::make_shared<const Saved::All>(
      Saved::All{inside_->stepper.save(), inside_->system.efforts_from_outside(), inside_->scenario.loads}));
}

void Simulator::restore(const Saved& saved) {
  const Saved::All& all = *saved.all_;
  const IntegratorState& state = all.stepper.state;
  if (state.y.size() != inside_->system.size() || state.samples.size() != inside_->system.samples().size() ||
      all.loads.size() < inside_->scenario_loads)
    throw InputError(Problem{
        "Simulator::restore", "what a simulator of the same scenario saved",
        fmt::format("a state of {} numbers, and not {}", state.y.size(), inside_->system.size()), ""});
  inside_->scenario.loads = all.loads;
  inside_->system.set_efforts(all.efforts);
  inside_->stepper.restore(all.stepper);
  inside_->look();
}

}  // namespace limber
