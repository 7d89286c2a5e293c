// SPDX-License-Identifier: BSD-3-Clause
#include "stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "divergence.hpp"
#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

// An explicit method takes steps as short as the fastest motion asks for, whether or not anything moves.
void refuse_endless(const Scenario& scenario, System& system, const IntegrationMethod& method) {
  constexpr double most_steps = 1e10;  // about a day of the smallest arm
  const bool is_explicit = std::visit(
      []<typename Method>(const Method&) {
        return requires { Method::is_explicit; };
      },
      method);
  if (!is_explicit) return;
  constexpr double stable = 3.0;  // step times rate
  const FastestMotion fastest = fastest_motion(system);
  const double steps = scenario.duration * fastest.rate / stable;
  if (!(steps > most_steps) || fastest.coordinate < 0) return;
  throw ComputationError(
      fmt::format("this run would not end: `{}` moves at {:.2g} rad/s, for which method {} needs {:.0e} "
                  "steps. Look at its "
                  "stiffness, {}mass and units; or take method radau, which need not follow it",
                  scenario.model.coordinates()[static_cast<std::size_t>(fastest.coordinate)], fastest.rate,
                  type_name(method), steps, fastest.creeps ? "damping, " : ""));
}

}  // namespace

ChosenMethod choose_integrator(const Scenario& scenario, System& system, double longest,
                               const std::function<void(const std::string&)>& log) {
  ChosenMethod chosen{scenario.integrator, ""};
  IntegrationMethod& taken = chosen.description.method;
  if (const auto* automatic = std::get_if<integrators::Automatic>(&taken)) {
    longest = std::min(longest, automatic->max_step.value_or(longest));
    const MethodChoice choice = choose_method(system);
    taken = choice.method;
    chosen.reason = choice.reason;
    if (log) log(fmt::format("integrator {}: {}", type_name(choice.method), choice.reason));
  }
  std::visit(
      [&](auto& method) {
        if constexpr (requires { method.max_step; })
          method.max_step = std::min(method.max_step.value_or(longest), longest);
      },
      taken);
  if (std::holds_alternative<integrators::Euler>(taken) && log)
    log("forward Euler is unstable for undamped vibration at every step: it is there to repeat what papers "
        "did. Take auto, or rk4");
  refuse_endless(scenario, system, taken);
  return chosen;
}

Stepper::Stepper(const Scenario& scenario, System& system, Instruments& instruments,
                 const IntegratorDescription& description)
    : scenario_(scenario),
      system_(system),
      instruments_(instruments),
      method_(description.method),
      integrator_(make_integrator(system, description)),
      asking_(dynamic_cast<AskingIntegrator*>(integrator_.get())),
      events_(scenario, system),
      rate_jumps_(scenario, system),
      loops_(system.has_loops()
                 ? std::make_unique<SingularWatch>(system, scenario.singular == AtSingular::stop)
                 : nullptr),
      fails_by_(std::numeric_limits<double>::infinity()) {
  for (const auto& controller : scenario.controllers)
    if (controller->rate() > 0.0 && !controller->sensors().empty())
      instruments_.readings().expect_looks(controller->rate());
}

void Stepper::begin(IntegratorState state, const std::vector<double>& readings) {
  state_ = std::move(state);
  if (!readings.empty()) instruments_.restore(readings, state_.t);
  if (state_.samples.size() > 0) system_.set_samples(state_.samples);
  state_.samples = system_.samples();
  is_entered_ = is_anew_ = false;
  fails_by_ = std::numeric_limits<double>::infinity();
  event_.reset();
  changes_.reset();
  pace_ = {-1.0, 0.0};
}

void Stepper::enter() {
  if (is_entered_ && !is_anew_) return;
  if (!is_entered_) {
    look();
    end_ = system_.next_corner(state_.t);
    within_ = std::isfinite(end_) ? 0.5 * (state_.t + end_) : state_.t + 1.0;
    system_.enter_interval(within_);
    if (system_.sample(state_.t, state_.y)) state_.samples = system_.samples();
    rate_jumps_.pass(state_.t, state_.y);
  }
  if (is_anew_) pace_ = {-1.0, 0.0};
  event_.reset();
  events_.enter(state_.t, state_.y);
  is_entered_ = needs_start_ = true;
  is_anew_ = false;
}

// What is shown at a corner is what was before anything happens there; so it is at the start.
void Stepper::look() {
  take_samples();
  if (system_.looks_at_sensors()) system_.show(instruments_.read(system_, state_.t, state_.y));
}

// Up to where the state is.
void Stepper::take_samples() {
  if (!system_.looks_at_sensors() && !instruments_.readings().is_looked_at()) return;
  instruments_.take_until(system_, state_.t, [&](double t, Eigen::VectorXd& y) {
    if (t < state_.t)
      integrator_->interpolate(t, y);
    else
      y = state_.y;
  });
}

// Steps pass over nothing that changes in an input, and end where an event is known to be.
void Stepper::limit_steps(double stop) {
  if (state_.t >= pace_.until) pace_ = system_.pace(state_.t);
  integrator_->limit_steps(std::min({end_, pace_.until, event_ ? event_->t : end_}), pace_.longest, stop);
}

void Stepper::step(double stop) {
  try {
    change_modes();
    enter();
    if (needs_start_) start();
    begin_steps(stop);
    integrator_->step();
  } catch (const ComputationError& error) {
    if (come_nearer(stop)) return;
    explain(error.what());
  }
  end_step();
}

void Stepper::start() {
  if (loops_) loops_->enter(state_.t, state_.y);
  integrator_->start(state_, end_);
}

// Where joints are told to move a mechanism farther than it reaches, steps fail that go beyond. Half as far they may not, up to where it locks.
bool Stepper::come_nearer(double stop) {
  constexpr double nearest = 1e-9;  // of the time, or of a second
  if (!loops_ || !is_entered_) return false;
  if (state_.t >= fails_by_) fails_by_ = std::numeric_limits<double>::infinity();
  fails_by_ = std::min({fails_by_, end_, stop, event_ ? event_->t : end_});
  const double left = fails_by_ - state_.t;
  if (!(left > nearest * std::max(1.0, state_.t))) return false;
  event_ = Event{state_.t + 0.5 * left, {}};
  needs_start_ = true;
  return true;
}

void Stepper::begin_steps(double stop) {
  needs_start_ = false;
  // Who looks at a corner, to rounding, looks at the corner.
  limit_steps(std::abs(stop - end_) <= system_.time_resolution() ? end_ : stop);
}

void Stepper::begin_start() {
  change_modes();
  enter();
  if (needs_start_) asking_->begin_start(state_, end_);
}

void Stepper::begin_step(double stop) {
  begin_steps(stop);
  asking_->begin_step_asking();
}

void Stepper::explain(const std::string& reason) {
  if (loops_ && std::isfinite(fails_by_))
    if (const auto sentence = loops_->explain(fails_by_, state_.y)) end_at_singular(*sentence);
  explain_failure(scenario_, system_, method_, state_, integrator_->statistics().steps == 0, reason);
}

void Stepper::end_step() {
  has_stopped_ = false;
  // On the way to a place that is only looked at, anything may happen.
  if (!event_ || event_->guards.empty())
    if (std::optional<Event> found = events_.find(*integrator_, state_.t)) event_ = std::move(found);
  if (loops_ && !(event_ && event_->t < integrator_->state().t)) look_at_loops();
  if (!event_ || ends_by(event_->t)) {
    if (event_ && integrator_->state().t == event_->t &&
        events_.refine(*integrator_, state_.t, end_, *event_)) {
      integrator_->start(state_, event_->t);
      return;
    }
    refuse_divergence(scenario_, system_, method_, integrator_->state(), eta_);
    instruments_.readings().forget(state_.t);
    state_ = integrator_->state();
    take_samples();
  }
  if (event_) go_on_by_event();
  if (state_.t < end_) return;
  is_entered_ = false;
  // The next piece begins anew: what the method knew of the one before may not hold there.
  if (!system_.is_sample(end_)) state_.step = 0.0;
}

// A step that passes a singular configuration is made again up to shortly before it; then it ends the run, or is noted.
void Stepper::look_at_loops() {
  const SingularWatch::Finding found = loops_->find(*integrator_, state_.t);
  if (found.end_at) event_ = Event{*found.end_at, {}};
  if (found.passed.empty()) return;
  if (scenario_.singular == AtSingular::stop) end_at_singular(found.passed.front());
  for (const std::string& sentence : found.passed)
    if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.push_back(sentence);
}

void Stepper::end_at_singular(const std::string& sentence) {
  throw ComputationError(
      sentence +
      ". From there on more than one motion is possible, or none. `singular: pass` goes on along the "
      "branch on which it came, where there is one; else let the motion end before, or drive other joints");
}

// Whether the last step ends at an event, or before.
bool Stepper::ends_by(double event) {
  return integrator_->state().t <= event || (event > state_.t && integrator_->cut(event));
}

// At the event its modes change. Before it, the step is to be made again, or goes on, up to there.
void Stepper::go_on_by_event() {
  if (state_.t < event_->t) {
    if (integrator_->state().t > event_->t) integrator_->start(state_, event_->t);
    return;
  }
  events_.note(*event_);
  has_stopped_ = events_.has_stopped();
  changes_ = std::move(event_);
  event_.reset();
}

// Until the next step begins, the state belongs to the mode before: somebody may want to see what was there.
void Stepper::change_modes() {
  if (!changes_) return;
  events_.apply(*changes_, state_.y);
  system_.put_in_place(state_.t, state_.y);
  changes_.reset();
  needs_start_ = true;
}

Stepper::Saved Stepper::save() {
  change_modes();
  if (is_entered_) is_anew_ = true;
  Saved saved{state_, system_.past(), events_.past(), is_entered_, end_, within_, {}};
  instruments_.readings().write_state(saved.readings);
  return saved;
}

void Stepper::restore(const Saved& saved) {
  begin(saved.state, saved.readings);
  system_.set_past(saved.past);
  events_.set_past(saved.events);
  end_ = saved.end;
  within_ = saved.within;
  is_entered_ = is_anew_ = saved.is_entered;
  if (is_entered_) system_.enter_interval(within_);
}

}  // namespace limber
