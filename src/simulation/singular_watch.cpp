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
// A reference of less than `known` has no sides. Beyond `left` it is behind.
constexpr double near = 1e-4, singular = 5e-4, far = 0.05, known = 2e-5, left = 0.01;

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

SingularWatch::Finding SingularWatch::find(Integrator& integrator, double from) {
  constexpr int looks = 4, most_tries = 6;
  constexpr double short_before = 0.05;  // of a step
  constexpr int digits_of_time = 26;     // bits: a minimum is known to the root of rounding
  const double to = integrator.state().t;
  // The rank of the motion shows where loops are closed, at the ends of steps. Where it was less before, the motion has begun in a singular configuration.
  look(integrator.state().y);
  if (const int rank = rank_.rank(); rank > motion_rank_) {
    motion_rank_ = rank;
    rank_.remember();
    integrator.interpolate(from, y_);
    look(y_);
    return {std::nullopt, sentence(since_, rank_.freedoms(rank))};
  }
  Finding finding;
  double a = from;
  bool is_quiet = true;
  for (int k = 1; k <= looks && motion_rank_ > 0; ++k) {
    const double b = from + (to - from) * k / looks;
    double margin = margin_at(integrator, b);
    if (rank_.turned_margin(motion_rank_) >= 0.0) {
      if (margin > known) {
        rank_.remember();
        a = b;
      }
      if (margin > left) is_said_ = false;
      continue;
    }
    const auto [there, square] = boost::math::tools::brent_find_minima(
        [&](double t) {
          const double m = margin_at(integrator, t);
          return m * m;
        },
        a, b, digits_of_time);
    const double least = std::sqrt(square);
    // Once a step has been made again values near its start are exact, and what they show is there.
    const bool is_singular = !is_said_ && least < (tries_ == 0 ? far : singular) && tries_ <= most_tries;
    if (is_singular) {
      const double before = there - short_before * (there - from);
      const double slope = there > before ? margin_at(integrator, before) / (there - before) : 0.0;
      const double end = slope > 0.0 ? there - near / slope : from;
      const bool is_clear = (!ends_ && least < singular) || margin_at(integrator, from) <= singular;
      if (!is_clear && end > from) {
        ++tries_;
        finding.end_at = end;
        return finding;
      }
      if (is_clear) {  // directions of what appears are those from a little before
        margin_at(integrator, slope > 0.0 ? std::max(from, there - 10.0 * near / slope) : from);
        finding.passed = sentence(there, rank_.freedoms(motion_rank_));
        is_said_ = true;
      }
    }
    is_quiet = false;
    margin = margin_at(integrator, b);
    if (margin > known) rank_.remember();
    if (margin > left) is_said_ = false;
    a = b;
  }
  if (is_quiet || finding.passed) tries_ = 0;
  return finding;
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
