// The arm at several moments, seen along the axis along which it extends least.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/report/svg.hpp"
#include "svg_parts.hpp"

namespace limber {
namespace {

/// The arm's axes in the world as one list of points; links are set apart by NaN.
class ArmOutline {
 public:
  explicit ArmOutline(const Model& model) : model_(model), work_(model) {
    constexpr int points = 24;
    for (const Link& link : model.links) {
      std::vector<double> places;
      for (int i = 0; link.beam && i < points; ++i)
        places.push_back(link.beam->basis.length() * i / (points - 1));
      nodes_.push_back(link.beam ? make_nodes(link.beam->basis, model.kinematics, places)
                                 : std::vector<BeamNode>());
    }
  }

  std::vector<Eigen::Vector3d> at(const Eigen::VectorXd& q) {
    update_positions(model_, work_, q);
    update_world_poses(work_);
    std::vector<Eigen::Vector3d> all;
    for (std::size_t l = 0; l < nodes_.size(); ++l) {
      const Link& link = model_.links[l];
      const Eigen::Matrix3d R = Matrix3<double>(work_.links[l].R_W);
      const Eigen::Vector3d p = Vector3<double>(work_.links[l].p_W);
      const Eigen::VectorXd eta = q.segment(link.elastic_q_index, link.elastic_count);
      all.emplace_back(p + R * link.X_BR.inverse().p);  // the joint
      for (const BeamNode& node : nodes_[l]) all.emplace_back(p + R * node.position<double>(eta));
      if (nodes_[l].empty()) all.insert(all.end(), {p, p + R * link.nodes.front().X_RN.p});
      all.emplace_back(Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
    }
    return all;
  }

 private:
  const Model& model_;
  std::vector<std::vector<BeamNode>> nodes_;
  Workspace<double> work_;
};

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

/// The two axes that are drawn: all but the one along which the arm extends least; what is up stays up.
std::array<int, 2> drawn_axes(const std::array<Range, 3>& extent) {
  int least = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (extent[axis].high - extent[axis].low <= extent[least].high - extent[least].low) least = axis;
  return {least == 0 ? 1 : 0, least == 2 ? 1 : 2};
}

std::string polyline(const std::vector<Eigen::Vector3d>& points, const std::array<int, 2>& axes,
                     const SvgAxis& x, const SvgAxis& y) {
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
  ArmOutline outline(record.model());
  std::vector<std::vector<Eigen::Vector3d>> arms;
  std::array<Range, 3> extent;
  const auto rows = chosen_rows(record, options);
  for (const Eigen::Index row : rows) {
    arms.push_back(outline.at(record.configuration(row)));
    for (const Eigen::Vector3d& point : arms.back())
      for (std::size_t axis = 0; axis < 3; ++axis) extent[axis].add(point[static_cast<Eigen::Index>(axis)]);
  }
  const std::array<int, 2> axes = drawn_axes(extent);
  const Range &wide = extent[static_cast<std::size_t>(axes[0])],
              &high = extent[static_cast<std::size_t>(axes[1])];

  // One scale for both axes.
  const SvgFrame frame{60.0, options.width - 20.0, 34.0, options.height - 44.0};
  const double width = frame.right - frame.left, height = frame.bottom - frame.top;
  constexpr double room = 1.06;
  const double scale =
      room * std::max({(wide.high - wide.low) / width, (high.high - high.low) / height, 1e-9});
  const double mid_x = 0.5 * (wide.low + wide.high), mid_y = 0.5 * (high.low + high.high);
  const SvgAxis x(mid_x - 0.5 * scale * width, mid_x + 0.5 * scale * width, frame.left, frame.right, false,
                  false);
  const SvgAxis y(mid_y - 0.5 * scale * height, mid_y + 0.5 * scale * height, frame.bottom, frame.top, false,
                  false);

  const Eigen::VectorXd time = record.time();
  const std::string title = fmt::format("{}: {} moments from {:g} to {:g} s", record.model().name,
                                        rows.size(), time[rows.front()], time[rows.back()]);
  constexpr const char* names[] = {"x [m]", "y [m]", "z [m]"};
  std::string out = svg_head(options.width, options.height, frame.left, title);
  out += svg_grid(frame, x, y, names[axes[0]], names[axes[1]]);
  for (std::size_t k = 0; k < arms.size(); ++k) {
    const double age = arms.size() > 1 ? double(k) / double(arms.size() - 1) : 1.0;
    out += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"#0072b2\" stroke-opacity=\"{:.2f}\" stroke-width=\"{}\" "
        "stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
        polyline(arms[k], axes, x, y), 0.2 + 0.8 * age, k + 1 == arms.size() ? 3 : 2);
  }
  return out + "</svg>\n";
}

}  // namespace limber
