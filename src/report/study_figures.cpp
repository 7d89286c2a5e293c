// SPDX-License-Identifier: BSD-3-Clause
#include "study_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "limber/report/study_statistics.hpp"
#include "svg_panel.hpp"

namespace limber {
namespace {

constexpr Eigen::Index most_dots = 800;  // of a picture

Eigen::Index column_of(const StudyResult& result, const std::string& measure) {
  return std::find(result.measures.begin(), result.measures.end(), measure) - result.measures.begin();
}

/// Whether a variant keeps to all limits, to what the eye sees.
bool is_feasible(const StudyResult& result, Eigen::Index variant) {
  constexpr double seen = 1e-4;
  const StudyOptimum& optimum = result.optimum;
  for (std::size_t i = 0; i < optimum.limited.size(); ++i) {
    const double value = result.values(variant, column_of(result, optimum.limited[i]));
    const auto row = optimum.limits.row(static_cast<Eigen::Index>(i));
    if (value < row[0] - seen * std::abs(row[0]) || value > row[1] + seen * std::abs(row[1])) return false;
  }
  return true;
}

}  // namespace

std::string front_svg(const StudyResult& result) {
  const StudyOptimum& optimum = result.optimum;
  const Eigen::VectorXd x = result.values.col(column_of(result, optimum.goals[0])),
                        y = result.values.col(column_of(result, optimum.goals[1]));
  // The front, and somewhat around it: searches begin far from it.
  SvgRange across, up;
  for (const FoundVariant& one : optimum.found) {
    across.add(x[one.variant]);
    up.add(y[one.variant]);
  }
  const auto widened = [](SvgRange range) {
    if (range.is_empty()) return range;
    constexpr double part = 0.1;
    const double room = part * (range.high - range.low);
    return SvgRange{range.low - room, range.high + room};
  };
  across = widened(across);
  up = widened(up);
  const SvgPanel panel(720, 480, with_room(across), with_room(up));
  std::string dots,
      path = "<path fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(svg_orange) + "\" d=\"";
  for (Eigen::Index k = 0; k < x.size(); ++k)
    if (x[k] >= across.low && x[k] <= across.high && y[k] >= up.low && y[k] <= up.high)
      dots += svg_dot(panel.x.pixel(x[k]), panel.y.pixel(y[k]), 2.0,
                      is_feasible(result, k) ? svg_blue : "#9aa5b1", 0.35, std::to_string(k));
  bool is_first = true;
  for (const FoundVariant& one : optimum.found) {
    const double px = panel.x.pixel(x[one.variant]), py = panel.y.pixel(y[one.variant]);
    path += fmt::format("{}{:.1f} {:.1f}", is_first ? "M" : "L", px, py);
    dots += svg_dot(px, py, 4.0, svg_orange, 1.0, std::to_string(one.variant));
    is_first = false;
  }
  return panel.picture(optimum.goals[1] + " over " + optimum.goals[0], escaped(optimum.goals[0]),
                       escaped(optimum.goals[1]), dots + (is_first ? "" : path + "\"/>\n"));
}

std::string search_svg(const StudyResult& result, std::size_t measure) {
  const Eigen::VectorXd y = result.values.col(static_cast<Eigen::Index>(measure));
  SvgRange up;
  for (const double value : y) up.add(value);
  const SvgPanel panel(560, 300, {0.0, std::max(1.0, static_cast<double>(y.size() - 1))}, with_room(up));
  std::string dots;
  for (Eigen::Index k = 0; k < y.size(); ++k)
    if (std::isfinite(y[k]))
      dots += svg_dot(panel.x.pixel(static_cast<double>(k)), panel.y.pixel(y[k]), 2.0,
                      is_feasible(result, k) ? svg_blue : "#9aa5b1", 0.6, std::to_string(k));
  for (const FoundVariant& one : result.optimum.found)
    dots += svg_dot(panel.x.pixel(static_cast<double>(one.variant)), panel.y.pixel(y[one.variant]), 4.0,
                    svg_orange, 1.0, std::to_string(one.variant));
  return panel.picture(result.measures[measure], "variant", escaped(result.measures[measure]), dots);
}

std::string short_path(const std::string& path) {
  constexpr std::size_t longest = 44;
  return path.size() <= longest ? path : "..." + path.substr(path.size() - longest + 3);
}

std::string histogram_svg(const StudyResult& result, std::size_t measure) {
  std::vector<double> values;
  SvgRange range;
  for (const double value : result.values.col(static_cast<Eigen::Index>(measure))) {
    if (!std::isfinite(value)) continue;
    values.push_back(value);
    range.add(value);
  }
  const SvgRange across = with_room(range);
  // Sturges' number of classes, up to what the eye takes in.
  constexpr int most = 60;
  const int classes =
      std::clamp(static_cast<int>(2.0 * std::cbrt(static_cast<double>(values.size()))), 5, most);
  std::vector<double> counts(static_cast<std::size_t>(classes), 0.0);
  for (const double value : values) {
    const auto at = static_cast<std::size_t>((value - across.low) / (across.high - across.low) * classes);
    counts[std::min(at, counts.size() - 1)] += 1.0;
  }
  const SvgPanel panel(560, 300, across,
                       {0.0, std::max(1.0, *std::max_element(counts.begin(), counts.end()))});
  std::string bars;
  const double step = (panel.frame.right - panel.frame.left) / classes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double top = panel.y.pixel(counts[i]);
    if (counts[i] > 0.0)
      bars += svg_box(panel.frame.left + step * static_cast<double>(i) + 0.5, top, step - 1.0,
                      panel.frame.bottom - top, svg_blue, 0.8);
  }
  return panel.picture(result.measures[measure], escaped(result.measures[measure]), "variants", bars);
}

std::string scatter_svg(const StudyResult& result, std::size_t measure, std::size_t parameter) {
  const Eigen::VectorXd x = result.parameters.col(static_cast<Eigen::Index>(parameter));
  const Eigen::VectorXd y = result.values.col(static_cast<Eigen::Index>(measure));
  SvgRange across, up;
  for (Eigen::Index k = 0; k < y.size(); ++k) {
    if (!std::isfinite(y[k])) continue;
    across.add(x[k]);
    up.add(y[k]);
  }
  const SvgPanel panel(420, 300, with_room(across), with_room(up));
  const Eigen::Index stride = std::max<Eigen::Index>(1, y.size() / most_dots);
  std::string dots;
  for (Eigen::Index k = 0; k < y.size(); k += stride)
    if (std::isfinite(y[k]))
      dots += svg_dot(panel.x.pixel(x[k]), panel.y.pixel(y[k]), 2.0, svg_blue, 0.35, std::to_string(k));
  const MainEffect effect = main_effect(x, y);
  std::string means =
      "<path fill=\"none\" stroke-width=\"2\" stroke=\"" + std::string(svg_orange) + "\" d=\"";
  std::string spans;
  for (std::size_t i = 0; i < effect.at.size(); ++i) {
    const double px = panel.x.pixel(effect.at[i]);
    means += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", px, panel.y.pixel(effect.mean[i]));
    const double half = effect.half_width[i];
    if (std::isfinite(half))
      spans += svg_line(px, panel.y.pixel(std::max(up.low, effect.mean[i] - half)), px,
                        panel.y.pixel(std::min(up.high, effect.mean[i] + half)), svg_orange, 1.2);
  }
  return panel.picture(result.measures[measure], escaped(short_path(result.paths[parameter])),
                       escaped(result.measures[measure]), dots + means + "\"/>\n" + spans);
}

std::string pair_svg(const StudyResult& result, std::size_t across, std::size_t up) {
  const Eigen::VectorXd x = result.values.col(static_cast<Eigen::Index>(across)),
                        y = result.values.col(static_cast<Eigen::Index>(up));
  SvgRange width, height;
  for (Eigen::Index k = 0; k < x.size(); ++k) {
    width.add(x[k]);
    height.add(y[k]);
  }
  const SvgPanel panel(420, 300, with_room(width), with_room(height));
  const Eigen::Index stride = std::max<Eigen::Index>(1, x.size() / most_dots);
  std::string dots;
  for (Eigen::Index k = 0; k < x.size(); k += stride)
    if (std::isfinite(x[k]) && std::isfinite(y[k]))
      dots += svg_dot(panel.x.pixel(x[k]), panel.y.pixel(y[k]), 2.0, svg_blue, 0.35, std::to_string(k));
  return panel.picture(result.measures[up] + " over " + result.measures[across],
                       escaped(result.measures[across]), escaped(result.measures[up]), dots);
}

std::string indices_svg(const StudyResult& result, std::size_t measure) {
  const auto m = static_cast<Eigen::Index>(measure);
  const StudyIndices& indices = result.indices;
  constexpr double left = 320.0, right = 620.0, row = 38.0, top = 40.0;
  const std::size_t count = result.paths.size();
  std::vector<std::size_t> order(count);
  for (std::size_t j = 0; j < count; ++j) order[j] = j;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return indices.total(m, static_cast<Eigen::Index>(a)) > indices.total(m, static_cast<Eigen::Index>(b));
  });
  constexpr std::size_t most = 20;
  order.resize(std::min(most, count));
  const int height = static_cast<int>(top + row * static_cast<double>(order.size()) + 30.0);
  std::string picture = svg_head(660, height, 12.0, escaped(result.measures[measure]));
  const auto at = [&](double index) { return left + (right - left) * index; };
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    picture += svg_line(at(tick), top, at(tick), height - 28.0, "#e4e7eb", 1.0);
    picture += svg_text(at(tick), height - 12.0, fmt::format("{:g}", tick), "middle");
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto j = static_cast<Eigen::Index>(order[i]);
    const double y = top + row * static_cast<double>(i) + 4.0;
    picture += svg_text(left - 8.0, y + 18.0, short_path(result.paths[order[i]]), "end");
    const auto bar = [&](double value, double lower, double upper, double at_y, const char* color) {
      picture += svg_box(left, at_y, std::max(0.5, at(value) - left), 11.0, color, 0.85);
      picture += svg_line(at(lower), at_y + 5.5, at(upper), at_y + 5.5, svg_grey, 1.5);
    };
    bar(indices.first_order(m, j), indices.first_lower(m, j), indices.first_upper(m, j), y, svg_blue);
    bar(indices.total(m, j), indices.total_lower(m, j), indices.total_upper(m, j), y + 14.0, svg_orange);
  }
  return picture + "</svg>\n";
}

}  // namespace limber
