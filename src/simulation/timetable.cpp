// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/detail/timetable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber::detail {
namespace {

std::vector<TrajectoryPointer> find_signals(const Scenario& scenario) {
  std::vector<TrajectoryPointer> all;
  for (const auto& controller : scenario.controllers)
    if (!is_sampled(*controller))
      for (const TrajectoryPointer& signal : controller->signals()) all.push_back(signal);
  for (const JointTarget& target : scenario.prescribed) all.push_back(target.trajectory);
  for (const TimedLoad& load : scenario.loads)
    if (load.factor) all.push_back(load.factor);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

std::vector<double> find_corners(const Scenario& scenario, const std::vector<TrajectoryPointer>& signals,
                                 double resolution) {
  std::vector<double> all = {scenario.duration};
  const auto add = [&](const std::vector<double>& times) {
    for (const double time : times)
      if (time > 0.0) all.push_back(time);
  };
  for (const auto& controller : scenario.controllers)
    if (!is_sampled(*controller)) add(controller->corners());
  for (const TrajectoryPointer& signal : signals) add(signal->corners());
  for (const TimedLoad& load : scenario.loads) {
    if (load.from) add({*load.from});
    if (load.to) add({*load.to});
  }
  std::sort(all.begin(), all.end());
  std::vector<double> corners;
  for (const double time : all)
    if (corners.empty() || time - corners.back() > resolution) corners.push_back(time);
  for (double& corner : corners)
    if (std::abs(corner - scenario.duration) <= resolution) corner = scenario.duration;
  return corners;
}

}  // namespace

double Grid::next(double t) const {
  double k = std::max(std::floor((t - offset) * rate), 0.0);
  while (k / rate + offset <= t) k += 1.0;
  return k / rate + offset;
}

bool Grid::has(double t, double resolution) const {
  const double k = std::round((t - offset) * rate);
  return k >= 0.0 && std::abs(t - (k / rate + offset)) <= resolution;
}

Timetable::Timetable(const Scenario& scenario, std::vector<Grid> arrivals)
    : resolution_(1e-12 * scenario.duration),
      signals_(find_signals(scenario)),
      corners_(find_corners(scenario, signals_, resolution_)),
      grids_(std::move(arrivals)) {
  for (const auto& controller : scenario.controllers)
    if (is_sampled(*controller)) grids_.push_back({controller->rate()});
}

// Samples that fall on a corner to rounding are taken there.
double Timetable::next_corner(double t) const {
  const double after = t + resolution_;
  const auto next = std::upper_bound(corners_.begin(), corners_.end(), after);
  const double corner = next == corners_.end() ? std::numeric_limits<double>::infinity() : *next;
  double first = corner;
  for (const Grid& grid : grids_) first = std::min(first, grid.next(after));
  return corner - first <= resolution_ ? corner : first;
}

bool Timetable::is_sample(double t) const {
  return std::any_of(grids_.begin(), grids_.end(),
                     [&](const Grid& grid) { return grid.has(t, resolution_); });
}

// A step that ends at a change begins right after it.
Pace Timetable::pace(double t) const {
  Pace all;
  for (const TrajectoryPointer& signal : signals_) all = all.together_with(signal->pace(t + resolution_));
  return all;
}

}  // namespace limber::detail
