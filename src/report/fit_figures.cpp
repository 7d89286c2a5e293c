// SPDX-License-Identifier: BSD-3-Clause
#include "fit_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "svg_panel.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr int figure_width = 620, figure_height = 280;
constexpr Index most_points = 1500;  // of a picture
constexpr double within_95 = 1.959963984540054;

SvgRange range_of(const VectorXd& values) {
  SvgRange range;
  for (const double value : values) range.add(value);
  return range;
}

Index stride_of(Index count) { return std::max<Index>(1, (count + most_points - 1) / most_points); }

std::string dots(const SvgPanel& panel, const VectorXd& x, const VectorXd& y) {
  std::string all;
  for (Index i = 0; i < x.size(); i += stride_of(x.size()))
    all += svg_dot(panel.x.pixel(x[i]), panel.y.pixel(y[i]), 1.8, svg_blue, 0.7,
                   fmt::format("{:.5g} at {:.5g} s", y[i], x[i]));
  return all;
}

std::string curve(const SvgPanel& panel, const VectorXd& x, const VectorXd& y, const char* color) {
  std::string path = fmt::format("<path fill=\"none\" stroke-width=\"1.5\" stroke=\"{}\" d=\"", color);
  for (Index i = 0; i < x.size(); i += stride_of(x.size()))
    path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", panel.x.pixel(x[i]), panel.y.pixel(y[i]));
  return path + "\"/>\n";
}

/// From one side of the panel to the other.
std::string level(const SvgPanel& panel, double value, const char* color) {
  return svg_line(panel.frame.left, panel.y.pixel(value), panel.frame.right, panel.y.pixel(value), color,
                  1.0);
}

}  // namespace

std::string fitted_svg(const FitChannel& channel) {
  SvgRange up = range_of(channel.measured);
  for (const double value : channel.computed) up.add(value);
  const SvgPanel panel(figure_width, figure_height, with_room(range_of(channel.times)), with_room(up));
  return panel.picture(channel.name + ": measured, and the fitted arm", "time [s]", channel.name,
                       dots(panel, channel.times, channel.measured) +
                           curve(panel, channel.times, channel.computed, svg_orange));
}

std::string residual_svg(const FitChannel& channel, const ResidualStatistics& statistics) {
  const VectorXd left = channel.computed - channel.measured;
  const double bound = within_95 * statistics.deviation;
  SvgRange up = range_of(left);
  up.add(bound);
  up.add(-bound);
  const SvgPanel panel(figure_width, figure_height, with_room(range_of(channel.times)), with_room(up));
  return panel.picture(channel.name + ": what is left over", "time [s]", "computed - measured",
                       level(panel, bound, svg_grey) + level(panel, 0.0, svg_orange) +
                           level(panel, -bound, svg_grey) + dots(panel, channel.times, left));
}

std::string autocorrelation_svg(const FitChannel& channel, const ResidualStatistics& statistics) {
  const VectorXd& r = statistics.autocorrelation;
  SvgRange up;
  up.add(1.0);
  up.add(-0.25);
  for (const double value : r) up.add(value);
  const SvgPanel panel(figure_width, figure_height, {-0.5, static_cast<double>(r.size()) - 0.5},
                       with_room(up));
  const double top = panel.y.pixel(statistics.band), bottom = panel.y.pixel(-statistics.band),
               zero = panel.y.pixel(0.0);
  std::string inside =
      svg_box(panel.frame.left, top, panel.frame.right - panel.frame.left, bottom - top, svg_blue, 0.12) +
      level(panel, 0.0, svg_grey);
  for (Index k = 0; k < r.size(); ++k) {
    const bool is_outside = k > 0 && std::abs(r[k]) > statistics.band;
    const double x = panel.x.pixel(static_cast<double>(k)), y = panel.y.pixel(r[k]);
    const char* const color = is_outside ? svg_orange : svg_blue;
    inside += svg_line(x, zero, x, y, color, 3.0) +
              svg_dot(x, y, 3.0, color, 1.0, fmt::format("{:.3f} at lag {}", r[k], k));
  }
  return panel.picture(
      fmt::format("{}: autocorrelation, whiteness p = {:.2g}", channel.name, statistics.whiteness),
      "lag [samples]", "correlation", inside);
}

std::string distribution_svg(const FitChannel& channel, const ResidualStatistics& statistics) {
  const VectorXd left =
      ((channel.computed - channel.measured).array() - statistics.mean) / statistics.deviation;
  const auto count = static_cast<double>(left.size());
  // Classes of a width as for a normal distribution: D. W. Scott, Biometrika 66 (1979), 605-610.
  const double width = 3.49 / std::cbrt(count);
  const double farthest = std::max(3.5, left.cwiseAbs().maxCoeff());
  const int half = static_cast<int>(std::ceil(farthest / width));
  std::vector<double> density(static_cast<std::size_t>(2 * half), 0.0);
  for (const double value : left) {
    const int at = std::clamp(static_cast<int>(std::floor(value / width)) + half, 0, 2 * half - 1);
    density[static_cast<std::size_t>(at)] += 1.0 / (count * width);
  }
  const double normal_top = 1.0 / std::sqrt(2.0 * M_PI), end = half * width;
  const double highest = std::max(normal_top, *std::max_element(density.begin(), density.end()));
  const SvgPanel panel(figure_width, figure_height, {-end, end}, {0.0, 1.05 * highest});
  std::string inside;
  for (int i = 0; i < 2 * half; ++i) {
    const double from = panel.x.pixel((i - half) * width), to = panel.x.pixel((i - half + 1) * width),
                 top = panel.y.pixel(density[static_cast<std::size_t>(i)]);
    inside += svg_box(from + 0.5, top, to - from - 1.0, panel.y.pixel(0.0) - top, svg_blue, 0.6);
  }
  const VectorXd x = VectorXd::LinSpaced(121, -end, end);
  inside += curve(panel, x, normal_top * (-0.5 * x.array().square()).exp(), svg_orange);
  return panel.picture(
      fmt::format("{}: distribution, normality p = {:.2g}", channel.name, statistics.normality),
      "residual, in its standard deviations", "density", inside);
}

}  // namespace limber
