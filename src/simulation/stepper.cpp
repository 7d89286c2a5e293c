// SPDX-License-Identifier: BSD-3-Clause
#include "stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

Stepper::Stepper(const Scenario& scenario, System& system, const IntegratorDescription& description)
    : scenario_(scenario),
      system_(system),
      method_(description.method),
      integrator_(make_integrator(system, description)),
      events_(scenario, system) {}

void Stepper::begin(IntegratorState state) {
  state_ = std::move(state);
  if (state_.samples.size() > 0) system_.set_samples(state_.samples);
  state_.samples = system_.samples();
  is_entered_ = is_anew_ = false;
  event_.reset();
  pace_ = {-1.0, 0.0};
}

void Stepper::enter() {
  if (is_entered_ && !is_anew_) return;
  if (!is_entered_) {
    end_ = system_.next_corner(state_.t);
    within_ = std::isfinite(end_) ? 0.5 * (state_.t + end_) : state_.t + 1.0;
    system_.enter_interval(within_);
    if (system_.sample(state_.t, state_.y)) state_.samples = system_.samples();
  }
  if (is_anew_) pace_ = {-1.0, 0.0};
  event_.reset();
  events_.enter(state_.t, state_.y);
  is_entered_ = needs_start_ = true;
  is_anew_ = false;
}

// Steps pass over nothing that changes in an input, and end where an event is known to be.
void Stepper::limit_steps(double stop) {
  if (state_.t >= pace_.until) pace_ = system_.pace(state_.t);
  integrator_->limit_steps(std::min({end_, pace_.until, event_ ? event_->t : end_}), pace_.longest, stop);
}

void Stepper::step(double stop) {
  const bool is_first = integrator_->statistics().steps == 0;
  try {
    enter();
    if (needs_start_) integrator_->start(state_, end_);
    needs_start_ = false;
    // Who looks at a corner, to rounding, looks at the corner.
    limit_steps(std::abs(stop - end_) <= system_.time_resolution() ? end_ : stop);
    integrator_->step();
  } catch (const ComputationError& error) {
    explain_failure(scenario_, system_, method_, state_, is_first, error.what());
  }
  has_stopped_ = false;
  if (!event_) event_ = events_.find(*integrator_, state_.t);
  if (!event_ || ends_by(event_->t)) {
    if (event_ && integrator_->state().t == event_->t &&
        events_.refine(*integrator_, state_.t, end_, *event_)) {
      integrator_->start(state_, event_->t);
      return;
    }
    refuse_divergence(scenario_, system_, method_, integrator_->state(), eta_);
    state_ = integrator_->state();
  }
  if (event_) go_on_by_event();
  if (state_.t < end_) return;
  is_entered_ = false;
  // The next piece begins anew: what the method knew of the one before may not hold there.
  if (!system_.is_sample(end_)) state_.step = 0.0;
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
  events_.apply(*event_, state_.y);
  has_stopped_ = events_.has_stopped();
  event_.reset();
  if (state_.t < end_) integrator_->start(state_, end_);
}

Stepper::Saved Stepper::save() {
  if (is_entered_) is_anew_ = true;
  return {state_, system_.past(), events_.past(), is_entered_, end_, within_};
}

void Stepper::restore(const Saved& saved) {
  begin(saved.state);
  system_.set_past(saved.past);
  events_.set_past(saved.events);
  end_ = saved.end;
  within_ = saved.within;
  is_entered_ = is_anew_ = saved.is_entered;
  if (is_entered_) system_.enter_interval(within_);
}

}  // namespace limber
