// SPDX-License-Identifier: BSD-3-Clause
#include "events.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

namespace limber {

using Eigen::VectorXd;

Events::Events(const Scenario& scenario, System& system) : scenario_(scenario), system_(system) {
  past_.records.resize(static_cast<std::size_t>(system.switch_count()));
  past_.is_armed.assign(scenario.watches.size(), 1);
}

void Events::enter(double t, const VectorXd& y) {
  if (system_.guard_count() == 0) return;
  system_.enter_modes(t, y);
  system_.guards(t, y, past_.guards);
  past_.changes_at_once = 0;
}

// A guard may fall below zero and come back within one step, so it is looked at in between, too. A guard that begins
// below zero (an event is only as exact as its root) and stays there has ended at once.
std::optional<Event> Events::find(Integrator& integrator, double from) {
  if (system_.guard_count() == 0) return std::nullopt;
  has_stopped_ = false;
  ++past_.steps;
  // Modes that end one after another at the same moment: each is wrong by less than rounding. Time must go on.
  constexpr int most_at_once = 6;
  const double to = integrator.state().t;
  // No step is as short as this: what ends sooner has ended where the step began.
  constexpr double shortest_step = 1e-13;  // of the time, or of a second
  const double at_once = from + shortest_step * std::max(1.0, std::abs(to));
  const bool must_go_on = past_.changes_at_once >= most_at_once;
  constexpr int looks = 4;
  last_ = past_.guards;
  double a = from;
  for (int k = 1; k <= looks; ++k) {
    const double b = k == looks ? to : from + (to - from) * k / looks;
    if (k == looks)
      y_ = integrator.state().y;
    else
      integrator.interpolate(b, y_);
    system_.guards(b, y_, now_);
    Event first{std::numeric_limits<double>::infinity(), {}};
    for (int i = 0; i < now_.size(); ++i) {
      if (is_watch(i)) {
        char& is_armed = past_.is_armed[watch_of(i)];
        if (now_[i] > 0.0) is_armed = 1;
        if (!is_armed) continue;
      } else if (must_go_on) {
        continue;
      }
      if (now_[i] >= 0.0) continue;
      const double found = last_[i] > 0.0 ? root(integrator, i, a, b, last_[i], now_[i]) : a;
      const double t = found <= at_once ? from : found;
      if (t < first.t) first = {t, {}};
      if (t == first.t) first.guards.push_back(i);
    }
    if (!first.guards.empty()) return first;
    last_ = now_;
    a = b;
  }
  past_.guards = now_;
  past_.changes_at_once = 0;
  return std::nullopt;
}

// The end of the bracket that lies beyond the root: the mode that follows holds there.
double Events::root(Integrator& integrator, int which, double a, double b, double guard_a, double guard_b) {
  const auto guard = [&](double t) {
    integrator.interpolate(t, y_);
    system_.guards(t, y_, between_);
    return between_[which];
  };
  std::uintmax_t most = 60;         // looks: bisection alone would take 30 for this
  constexpr double finest = 1e-11;  // s
  // Far less than a step's own error.
  const double resolution = std::min(1e-9 * (b - a), is_watch(which) ? finest : b - a);
  const auto is_narrow = [&](double from, double to) { return to - from <= resolution; };
  return boost::math::tools::toms748_solve(guard, a, b, guard_a, guard_b, is_narrow, most).second;
}

// Values within a step are less accurate than those at its end. One step of Newton's iteration from there, with the slope along the step.
bool Events::refine(Integrator& integrator, double from, double end, Event& event) {
  constexpr double enough = 1e-11;  // s
  constexpr int most = 4;
  for (const int which : event.guards) {
    const double t = integrator.state().t, back = 0.01 * (t - from);
    if (!is_watch(which) || event.refinements >= most || !(back > 0.0)) continue;
    system_.guards(t, integrator.state().y, between_);
    const double value = between_[which];
    integrator.interpolate(t - back, y_);
    system_.guards(t - back, y_, between_);
    const double slope = (value - between_[which]) / back;
    const double there = t - value / slope;
    if (!(std::abs(there - t) > enough) || !(there > from && there <= end)) continue;
    event.t = there;
    ++event.refinements;
    return true;
  }
  return false;
}

void Events::note(const Event& event) {
  for (const int which : event.guards) {
    if (!is_watch(which)) continue;
    const Watch& watch = scenario_.watches[watch_of(which)];
    past_.occurrences.push_back({event.t, watch.name});
    past_.is_armed[watch_of(which)] = 0;
    has_stopped_ = has_stopped_ || watch.stops;
  }
}

void Events::apply(const Event& event, const VectorXd& y) {
  past_.changes_at_once = event.t == past_.last_change ? past_.changes_at_once + 1 : 1;
  past_.last_change = event.t;
  // So many modes in a row that lasted for a few steps only.
  constexpr int chattering = 8, few_steps = 10;
  for (const int which : event.guards) {
    if (is_watch(which)) continue;
    system_.change_mode(which, event.t, y);
    Record& record = past_.records[static_cast<std::size_t>(which)];
    record.short_modes = past_.steps - record.changed_at <= few_steps ? record.short_modes + 1 : 0;
    record.changed_at = past_.steps;
    if (record.short_modes < chattering) continue;
    system_.soften(which, event.t, y);
    record.short_modes = 0;
  }
  system_.guards(event.t, y, past_.guards);
}

}  // namespace limber
