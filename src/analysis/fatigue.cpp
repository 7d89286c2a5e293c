// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/fatigue.hpp"

#include <cmath>
#include <cstddef>
#include <string>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

StressCycle cycle_between(double a, double b, double count) {
  return {std::abs(a - b), 0.5 * (a + b), count};
}

// Steps 2 to 5 of the standard, where the last point is a turning point.
void count_closed(std::vector<double>& points, std::vector<StressCycle>& closed) {
  while (points.size() >= 3) {
    const std::size_t n = points.size();
    const double X = std::abs(points[n - 1] - points[n - 2]), Y = std::abs(points[n - 2] - points[n - 3]);
    if (X < Y) return;
    const bool has_start = n == 3;
    closed.push_back(cycle_between(points[n - 3], points[n - 2], has_start ? 0.5 : 1.0));
    if (has_start)
      points.erase(points.begin());
    else
      points.erase(points.end() - 3, points.end() - 1);
  }
}

}  // namespace

void Rainflow::add(double value, std::vector<StressCycle>& closed) {
  if (points_.empty()) {
    points_.push_back(value);
    return;
  }
  const double last = points_.back();
  if (value == last) return;
  if (points_.size() > 1) {
    const double before = points_[points_.size() - 2];
    if ((value - last) * (last - before) > 0.0) {  // it goes on the same way
      points_.back() = value;
      return;
    }
    count_closed(points_, closed);
  }
  points_.push_back(value);
}

std::vector<StressCycle> Rainflow::rest() const {
  std::vector<double> points = points_;
  std::vector<StressCycle> counted;
  count_closed(points, counted);
  for (std::size_t i = 1; i < points.size(); ++i)
    counted.push_back(cycle_between(points[i - 1], points[i], 0.5));
  return counted;
}

std::vector<StressCycle> rainflow(const std::vector<double>& series) {
  Rainflow counter;
  std::vector<StressCycle> cycles;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (!std::isfinite(series[i]))
      throw InputError(Problem{"rainflow: series[" + std::to_string(i) + "]", "a finite number",
                               show_number(series[i]), ""});
    counter.add(series[i], cycles);
  }
  for (const StressCycle& cycle : counter.rest()) cycles.push_back(cycle);
  return cycles;
}

double miner_damage(const StressCycle& cycle, const SnCurveDescription& curve) {
  return cycle.count * std::pow(cycle.range / curve.stress, curve.slope) / curve.cycles;
}

double miner_damage(const std::vector<StressCycle>& cycles, const SnCurveDescription& curve) {
  double sum = 0.0;
  for (const StressCycle& cycle : cycles) sum += miner_damage(cycle, curve);
  return sum;
}

}  // namespace limber
