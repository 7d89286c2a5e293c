// SPDX-License-Identifier: BSD-3-Clause
// The arm at several moments, in the plane in which most of its motion is seen.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "limber/core/input_error.hpp"
#include "limber/report/svg.hpp"
#include "svg_parts.hpp"

namespace limber {
namespace {

using Plane = std::array<int, 2>;  // to the right, upwards
using Outline = std::vector<Eigen::Vector3d>;

/// The arm's axes in the world as one list of points; links are set apart by NaN.
Outline outline_at(const ArmOutline& arm, const Eigen::VectorXd& q) {
  Outline all;
  const std::vector<Pose> X_WR = arm.root_poses(q);
  for (std::size_t l = 0; l < arm.links.size(); ++l) {
    const OutlineLink& link = arm.links[l];
    const Eigen::VectorXd eta = link.eta(q);
    all.emplace_back(X_WR[l] * link.X_BR.inverse().p);  // the joint
    for (int i = 0; i < link.points; ++i) all.emplace_back(X_WR[l] * link.place(i, eta).p);
    all.emplace_back(Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
  }
  return all;
}

std::vector<Eigen::Index> chosen_rows(const RunRecord& record, const SvgOptions& options) {
  const Eigen::VectorXd time = record.time();
  std::vector<Eigen::Index> within, chosen;
  for (Eigen::Index i = 0; i < time.size(); ++i)
    if (!(options.from && time[i] < *options.from) && !(options.to && time[i] > *options.to))
      within.push_back(i);
  if (within.empty())
    throw InputError(Problem{"--from, --to",
                             fmt::format("times between {:g} and {:g} s", time[0], time[time.size() - 1]),
                             "none", ""});
  const auto last = static_cast<double>(within.size() - 1);
  const int count = std::min(options.snapshots, static_cast<int>(within.size()));
  for (int k = 0; k < count; ++k)
    chosen.push_back(
        within[static_cast<std::size_t>(std::lround(count > 1 ? last * k / (count - 1) : last))]);
  return chosen;
}

double triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                const Plane& axes) {
  const Eigen::Vector3d u = b - a, w = c - a;
  return 0.5 * std::abs(u[axes[0]] * w[axes[1]] - u[axes[1]] * w[axes[0]]);
}

/// The area, seen in a plane, that links sweep on the way through all moments: of each piece of a link and each step the four
/// corners, by two triangles. A link that moves along itself sweeps nothing: its motion is not seen there.
double swept_area(const std::vector<Outline>& arms, const Plane& axes) {
  double area = 0.0;
  for (std::size_t k = 1; k < arms.size(); ++k)
    for (std::size_t i = 1; i < arms[k].size(); ++i) {
      const Eigen::Vector3d &a = arms[k - 1][i - 1], &b = arms[k - 1][i], &c = arms[k][i],
                            &d = arms[k][i - 1];
      if (b.allFinite() && a.allFinite()) area += triangle(a, b, c, axes) + triangle(a, c, d, axes);
    }
  return area;
}

/// The plane in which the links sweep most; of an arm that does not move, the one in which it extends most. What is up stays up.
Plane drawn_axes(const std::vector<Outline>& arms, const std::array<SvgRange, 3>& extent) {
  constexpr std::array<Plane, 3> planes = {Plane{0, 2}, Plane{0, 1}, Plane{1, 2}};
  const auto size = [&](int axis) {
    const SvgRange& range = extent[static_cast<std::size_t>(axis)];
    return range.high - range.low;
  };
  const double largest = std::max({size(0), size(1), size(2)});
  const auto best = [&](auto&& measure) { return *std::max_element(planes.begin(), planes.end(), measure); };
  const Plane most_swept =
      best([&](const Plane& a, const Plane& b) { return swept_area(arms, a) < swept_area(arms, b); });
  constexpr double at_rest = 1e-9;  // of the arm's own area: rounding
  if (swept_area(arms, most_swept) > at_rest * largest * largest) return most_swept;
  return best([&](const Plane& a, const Plane& b) {
    return std::min(size(a[0]), size(a[1])) < std::min(size(b[0]), size(b[1]));
  });
}

std::string polyline(const Outline& points, const Plane& axes, const SvgAxis& x, const SvgAxis& y) {
  std::string path;
  bool is_begun = false;
  for (const Eigen::Vector3d& point : points) {
    if (point.allFinite())
      path += fmt::format("{}{:.2f} {:.2f}", is_begun ? "L" : "M", x.pixel(point[axes[0]]),
                          y.pixel(point[axes[1]]));
    is_begun = point.allFinite();
  }
  return path;
}

}  // namespace

std::string motion_svg(const RunRecord& record, const SvgOptions& options) {
  std::vector<Outline> arms;
  std::array<SvgRange, 3> extent;
  const auto rows = chosen_rows(record, options);
  for (const Eigen::Index row : rows) {
    arms.push_back(outline_at(record.arm(), record.configuration(row)));
    for (const Eigen::Vector3d& point : arms.back())
      for (std::size_t axis = 0; axis < 3; ++axis) extent[axis].add(point[static_cast<Eigen::Index>(axis)]);
  }
  const Plane axes = options.plane ? *options.plane : drawn_axes(arms, extent);
  const SvgRange &wide = extent[static_cast<std::size_t>(axes[0])],
                 &high = extent[static_cast<std::size_t>(axes[1])];

  // One scale for both axes.
  constexpr int usual_height = 420;
  const int picture_height = options.height.value_or(usual_height);
  constexpr double left = 60.0, right = 20.0, top = 34.0, bottom = 44.0;  // pixels for numbers and names
  const SvgFrame frame{left, options.width - right, top, picture_height - bottom};
  const double width = frame.right - frame.left, height = frame.bottom - frame.top;
  constexpr double room = 1.06, least = 1e-9;  // metres per pixel, of an arm that is a point
  const double scale =
      room * std::max({(wide.high - wide.low) / width, (high.high - high.low) / height, least});
  const double mid_x = 0.5 * (wide.low + wide.high), mid_y = 0.5 * (high.low + high.high);
  const SvgAxis x(mid_x - 0.5 * scale * width, mid_x + 0.5 * scale * width, frame.left, frame.right, false,
                  false);
  const SvgAxis y(mid_y - 0.5 * scale * height, mid_y + 0.5 * scale * height, frame.bottom, frame.top, false,
                  false);

  const Eigen::VectorXd time = record.time();
  const std::string title = fmt::format("{}: {} moments from {:g} to {:g} s", record.arm().name, rows.size(),
                                        time[rows.front()], time[rows.back()]);
  constexpr const char* names[] = {"x [m]", "y [m]", "z [m]"};
  std::string out = svg_head(options.width, picture_height, frame.left, title);
  out += svg_grid(frame, x, y, names[axes[0]], names[axes[1]]);
  for (std::size_t k = 0; k < arms.size(); ++k) {
    constexpr double oldest = 0.2;  // opacity
    const double age = arms.size() > 1 ? double(k) / double(arms.size() - 1) : 1.0;
    out += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-opacity=\"{:.2f}\" stroke-width=\"{}\" "
        "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
        polyline(arms[k], axes, x, y), oldest + (1.0 - oldest) * age, k + 1 == arms.size() ? 3 : 2);
  }
  return out + "</svg>\n";
}

}  // namespace limber
