// SPDX-License-Identifier: BSD-3-Clause
#include "singular_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

namespace limber {
namespace {

using Eigen::VectorXd;

// Margins: a step is made to end where it is `near`; below `singular` it is nothing but the error of the step; what stays above `far` has turned, not passed.
// A reference of less than `known` has no sides. Beyond `left` it is behind. What comes no nearer than `touched` has not been there.
constexpr double near = 1e-4, singular = 5e-4, far = 0.05, known = 2e-5, left = 0.01, touched = 1e-5;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "`" : i + 1 < names.size() ? ", `" : " and `") + names[i] + "`";
  return text;
}

}  // namespace

SingularWatch::SingularWatch(const System& system, bool ends)
    : system_(system), ends_(ends), rank_(system.model()), nq_(system.nq()) {}

void SingularWatch::enter(double t, const VectorXd& y) {
  const bool is_new = motion_rank_ < 0 || held_links_ != system_.held_links();
  if (is_new) {
    held_links_ = system_.held_links();
    rank_.prescribe(held_links_);
    motion_rank_ = 0;
    since_ = t;
    is_said_ = false;
  }
  look(y);
  motion_rank_ = std::max(motion_rank_, rank_.rank());
  if (is_new || rank_.margin(motion_rank_) > known) rank_.remember();
}

double SingularWatch::margin_at(Integrator& integrator, double t) {
  integrator.interpolate(t, y_);
  look(y_);
  return rank_.margin(motion_rank_);
}

SingularWatch::Least SingularWatch::least_between(Integrator& integrator, double a, double b) {
  constexpr int digits_of_time = 26;  // bits: a minimum is known to the root of rounding
  const auto [t, square] = boost::math::tools::brent_find_minima(
      [&](double at) {
        const double m = margin_at(integrator, at);
        return m * m;
      },
      a, b, digits_of_time);
  return {t, std::sqrt(square)};
}

// Whether the margin falls behind a, and rises before b: by more than rounding does where the motion rests.
bool SingularWatch::turns_between(Integrator& integrator, double a, double b) {
  constexpr double beside = 1e-3, clearly = 1.0 - 1e-4;
  const double d = beside * (b - a);
  return margin_at(integrator, a + d) < clearly * margin_at(integrator, a) &&
         margin_at(integrator, b - d) < clearly * margin_at(integrator, b);
}

// The margin passes `near` between two times.
double SingularWatch::nearly_there(Integrator& integrator, double before, double there) {
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (before + there);
    (margin_at(integrator, middle) > near ? before : there) = middle;
  }
  return before;
}

// Where the motion passes: makes the step end shortly before, or, where that has been done, says it. Values beside the place may be off, so the way to `near` is taken from farther away.
void SingularWatch::conclude_pass(Integrator& integrator, double from, const Least& least, Finding& finding) {
  constexpr double short_before = 0.05;  // of a step
  const double before = least.t - short_before * (least.t - from);
  const double slope = least.t > before ? margin_at(integrator, before) / (least.t - before) : 0.0;
  const double end = slope > 0.0 ? least.t - near / slope : from;
  const bool is_clear = (!ends_ && least.margin < singular) || margin_at(integrator, from) <= singular;
  if (!is_clear && end > from) {
    ++tries_;
    finding.end_at = end;
  } else if (is_clear) {  // directions of what appears are those from a little before
    say(integrator, least.t, slope > 0.0 ? std::max(from, least.t - 10.0 * near / slope) : from, finding);
  }
}

// Where it comes near and turns back, in the same way. It was there if no less than rounding was left.
void SingularWatch::conclude_touch(Integrator& integrator, double from, const Least& least,
                                   Finding& finding) {
  const bool is_clear = (!ends_ && least.margin < touched) || margin_at(integrator, from) <= singular;
  const double end = nearly_there(integrator, from, least.t);
  if (is_clear && least.margin < touched) {
    say(integrator, least.t, end, finding);
  } else if (!is_clear && end > from) {
    ++tries_;
    finding.end_at = end;
  }
}

void SingularWatch::say(Integrator& integrator, double there, double before, Finding& finding) {
  margin_at(integrator, before);
  finding.passed.push_back(sentence(there, rank_.freedoms(motion_rank_)));
  is_said_ = true;
}

SingularWatch::Finding SingularWatch::find(Integrator& integrator, double from) {
  constexpr int looks = 4, most_tries = 6;
  const double to = integrator.state().t;
  // The rank of the motion shows where loops are closed, at the ends of steps. Where it was less before, the motion has begun in a singular configuration.
  look(integrator.state().y);
  if (const int rank = rank_.rank(); rank > motion_rank_) {
    motion_rank_ = rank;
    rank_.remember();
    integrator.interpolate(from, y_);
    look(y_);
    return {std::nullopt, {sentence(since_, rank_.freedoms(rank))}};
  }
  Finding finding;
  double a = from, before = margin_at(integrator, from);
  bool is_quiet = true;
  for (int k = 1; k <= looks && motion_rank_ > 0; ++k) {
    const double b = from + (to - from) * k / looks;
    double margin = margin_at(integrator, b);
    const bool is_turned = rank_.turned_margin(motion_rank_) < 0.0;
    if (is_turned) {
      const Least least = least_between(integrator, a, b);
      // Once a step has been made again values near its start are exact, and what they show is there.
      if (!is_said_ && least.margin < (tries_ == 0 ? far : singular) && tries_ <= most_tries)
        conclude_pass(integrator, from, least, finding);
      is_quiet = false;
    } else if (!is_said_ && std::min(before, margin) < far && turns_between(integrator, a, b)) {
      const Least least = least_between(integrator, a, b);
      if (least.margin < singular && tries_ <= most_tries) conclude_touch(integrator, from, least, finding);
    }
    if (finding.end_at) return finding;
    margin = margin_at(integrator, b);
    if (margin > known) rank_.remember();
    if (margin > known || is_turned) a = b;
    before = margin;
    if (margin > left) is_said_ = false;
  }
  look_at_end(integrator, from, finding);
  if (!finding.end_at && (is_quiet || !finding.passed.empty())) tries_ = 0;
  return finding;
}

// The motion comes to rest in a singular configuration, or is in one where the step ends.
void SingularWatch::look_at_end(Integrator& integrator, double from, Finding& finding) {
  const double to = integrator.state().t;
  look(integrator.state().y);
  if (is_said_ || motion_rank_ <= 0 || rank_.rank() >= motion_rank_) return;
  const double before = nearly_there(integrator, from, to);
  if (ends_ && before > from && margin_at(integrator, from) > singular)
    finding.end_at = before;
  else
    say(integrator, to, before, finding);
}

std::optional<std::string> SingularWatch::explain(double t, const VectorXd& y) {
  constexpr double locks_at = 0.01;  // the margin goes with the root of the time that is left
  enter(t, y);
  if (!(rank_.margin(motion_rank_) < locks_at)) return std::nullopt;
  return sentence(t, rank_.freedoms(motion_rank_));
}

std::string SingularWatch::sentence(double t, const SingularFreedoms& f) const {
  const std::string held = f.held.empty() ? "" : "with " + listed(f.held) + " held, ";
  const std::string moving = f.moving.empty() ? "beams can bend" : listed(f.moving) + " can move";
  return fmt::format(
      "at t = {:.6f} s the loops come to a singular configuration (loop{} {}), in which {}: {}{}{}", t,
      f.loops.size() == 1 ? "" : "s", listed(f.loops),
      f.count == 1 ? "a freedom appears" : fmt::format("{} freedoms appear", f.count), held, moving,
      f.count == 1 ? "" : fmt::format(" in {} ways", f.count));
}

}  // namespace limber
