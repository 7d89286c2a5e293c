// SPDX-License-Identifier: BSD-3-Clause
#include "events.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

namespace limber {

using Eigen::VectorXd;

void Events::enter(double t, const VectorXd& y) {
  if (system_.switch_count() == 0) return;
  system_.enter_modes(t, y);
  system_.guards(t, y, before_);
  changes_at_once_ = 0;
}

// A guard may fall below zero and come back within one step, so it is looked at in between, too. A guard that begins
// below zero (an event is only as exact as its root) and stays there has ended at once.
std::optional<Event> Events::find(Integrator& integrator, double from) {
  if (system_.switch_count() == 0) return std::nullopt;
  ++steps_;
  // Modes that end one after another at the same moment: each is wrong by less than rounding. Time must go on.
  constexpr int most_at_once = 6;
  const double to = integrator.state().t;
  // No step is as short as this: what ends sooner has ended where the step began.
  constexpr double shortest_step = 1e-13;  // of the time, or of a second
  const double at_once = from + shortest_step * std::max(1.0, std::abs(to));
  const bool must_go_on = changes_at_once_ >= most_at_once;
  constexpr int looks = 4;
  last_ = before_;
  double a = from;
  for (int k = 1; k <= looks; ++k) {
    const double b = k == looks ? to : from + (to - from) * k / looks;
    if (k == looks)
      y_ = integrator.state().y;
    else
      integrator.interpolate(b, y_);
    system_.guards(b, y_, now_);
    Event first{std::numeric_limits<double>::infinity(), {}};
    for (int i = 0; i < now_.size() && !must_go_on; ++i) {
      if (now_[i] >= 0.0) continue;
      const double found = last_[i] > 0.0 ? root(integrator, i, a, b, last_[i], now_[i]) : a;
      const double t = found <= at_once ? from : found;
      if (t < first.t) first = {t, {}};
      if (t == first.t) first.switches.push_back(i);
    }
    if (!first.switches.empty()) return first;
    last_ = now_;
    a = b;
  }
  before_ = now_;
  changes_at_once_ = 0;
  return std::nullopt;
}

// The end of the bracket that lies beyond the root: the mode that follows holds there.
double Events::root(Integrator& integrator, int which, double a, double b, double guard_a, double guard_b) {
  const auto guard = [&](double t) {
    integrator.interpolate(t, y_);
    system_.guards(t, y_, between_);
    return between_[which];
  };
  std::uintmax_t most = 60;                  // looks: bisection alone would take 30 for this
  const double resolution = 1e-9 * (b - a);  // far less than a step's own error
  const auto is_narrow = [&](double from, double to) { return to - from <= resolution; };
  return boost::math::tools::toms748_solve(guard, a, b, guard_a, guard_b, is_narrow, most).second;
}

void Events::apply(const Event& event, const VectorXd& y) {
  changes_at_once_ = event.t == last_change_ ? changes_at_once_ + 1 : 1;
  last_change_ = event.t;
  // So many modes in a row that lasted for a few steps only.
  constexpr int chattering = 8, few_steps = 10;
  for (const int which : event.switches) {
    system_.change_mode(which, event.t, y);
    Record& record = records_[static_cast<std::size_t>(which)];
    record.short_modes = steps_ - record.changed_at <= few_steps ? record.short_modes + 1 : 0;
    record.changed_at = steps_;
    if (record.short_modes < chattering) continue;
    system_.soften(which, event.t, y);
    record.short_modes = 0;
  }
  system_.guards(event.t, y, before_);
}

}  // namespace limber
