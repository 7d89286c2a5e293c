// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/study_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace limber {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t parts_of_a_range = 12;
constexpr std::size_t most_levels = 64;  // more of them are parts of a range again

// Between neighbours, linearly.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

MeasureSummary summary(const Eigen::VectorXd& values) {
  MeasureSummary result{
      0, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number, not_a_number, -1,
      -1};
  std::vector<double> sorted;
  double sum = 0.0;
  for (Eigen::Index k = 0; k < values.size(); ++k) {
    const double value = values[k];
    if (!std::isfinite(value)) continue;
    sorted.push_back(value);
    sum += value;
    if (result.smallest_variant < 0 || value < values[result.smallest_variant]) result.smallest_variant = k;
    if (result.largest_variant < 0 || value > values[result.largest_variant]) result.largest_variant = k;
  }
  result.count = static_cast<long>(sorted.size());
  if (sorted.empty()) return result;
  result.mean = sum / static_cast<double>(sorted.size());
  double squares = 0.0;
  for (const double value : sorted) squares += (value - result.mean) * (value - result.mean);
  result.standard_deviation =
      sorted.size() > 1 ? std::sqrt(squares / static_cast<double>(sorted.size() - 1)) : 0.0;
  std::sort(sorted.begin(), sorted.end());
  result.smallest = sorted.front();
  result.largest = sorted.back();
  result.median = quantile(sorted, 0.5);
  result.percentile_5 = quantile(sorted, 0.05);
  result.percentile_95 = quantile(sorted, 0.95);
  return result;
}

MainEffect main_effect(const Eigen::VectorXd& parameter, const Eigen::VectorXd& measure) {
  std::vector<Eigen::Index> order;
  for (Eigen::Index k = 0; k < measure.size(); ++k)
    if (std::isfinite(measure[k])) order.push_back(k);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return parameter[a] < parameter[b]; });
  std::size_t different = order.empty() ? 0 : 1;
  for (std::size_t i = 1; i < order.size(); ++i)
    different += parameter[order[i]] != parameter[order[i - 1]] ? 1U : 0U;
  const bool has_levels = different <= most_levels && different * 2 <= order.size();

  MainEffect effect;
  for (std::size_t i = 0, part = 0; i < order.size(); ++part) {
    // One value, or the next twelfth of all.
    std::size_t end = i + 1;
    if (has_levels)
      while (end < order.size() && parameter[order[end]] == parameter[order[i]]) ++end;
    else
      end = std::max(end, (part + 1) * order.size() / parts_of_a_range);
    double at = 0.0, mean = 0.0, squares = 0.0;
    const std::size_t first = i;
    for (; i < end; ++i) {  // Welford's: no difference of large numbers
      const auto count = static_cast<double>(i - first + 1);
      const double from_mean = measure[order[i]] - mean;
      at += (parameter[order[i]] - at) / count;
      mean += from_mean / count;
      squares += from_mean * (measure[order[i]] - mean);
    }
    const auto count = static_cast<double>(end - first);
    constexpr double normal_95 = 1.96;
    effect.at.push_back(at);
    effect.mean.push_back(mean);
    effect.half_width.push_back(count > 1.0 ? normal_95 * std::sqrt(squares / (count - 1.0) / count)
                                            : not_a_number);
  }
  return effect;
}

}  // namespace limber
