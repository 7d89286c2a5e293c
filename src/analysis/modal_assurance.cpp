// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modal_assurance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/place_name.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixXd modal_assurance(const MatrixXd& measured, const MatrixXd& computed) {
  if (measured.rows() != computed.rows())
    throw InputError(Problem{"modal_assurance: computed",
                             fmt::format("{} rows, as many as `measured` has", measured.rows()),
                             fmt::format("{}", computed.rows()), ""});
  MatrixXd table(measured.cols(), computed.cols());
  for (Index i = 0; i < measured.cols(); ++i)
    for (Index j = 0; j < computed.cols(); ++j) {
      const double product = measured.col(i).dot(computed.col(j)),
                   sizes = measured.col(i).squaredNorm() * computed.col(j).squaredNorm();
      table(i, j) = sizes > 0.0 ? product * product / sizes : 0.0;
    }
  return table;
}

std::vector<int> paired_modes(const MatrixXd& assurance) {
  MatrixXd left = assurance;
  std::vector<int> pairs(static_cast<std::size_t>(assurance.rows()), -1);
  for (Index k = 0; k < std::min(left.rows(), left.cols()); ++k) {
    Index i = 0, j = 0;
    left.maxCoeff(&i, &j);
    pairs[static_cast<std::size_t>(i)] = static_cast<int>(j);
    left.row(i).setConstant(-1.0);
    left.col(j).setConstant(-1.0);
  }
  return pairs;
}

namespace {

/// LINK@0.5.y, as a frame of an arm that has a node there.
struct SeenPlace {
  Model model;
  Frame frame;
  Index axis;
};

/// Of a name that is no coordinate.
SeenPlace seen_place(const Model& model, const std::string& name) {
  const std::size_t sign = name.find('@'), dot = name.rfind('.');
  const std::size_t axis = std::string("xyz").find(name.empty() ? ' ' : name.back());
  if (axis == std::string::npos || sign == std::string::npos || dot == std::string::npos || dot < sign)
    throw InputError(Problem{name, "a coordinate, or LINK@AT.x with AT from 0 to 1", show_text(name),
                             suggestion(name, model.coordinates(), "coordinates")});
  const LinkPlace place = place_named(model, name.substr(0, dot), name, name);
  Model with = with_node(model, place);
  const Frame there = frame(with, place);
  return {std::move(with), there, static_cast<Index>(axis)};
}

/// Of a coordinate; -1: it is none.
Index row_of(const Model& model, const std::string& name) {
  const auto& all = model.coordinates();
  const auto found = std::find(all.begin(), all.end(), name);
  return found == all.end() ? -1 : found - all.begin();
}

}  // namespace

MatrixXd seen_shapes(const Model& model, const Input<double>& q, const MatrixXd& shapes,
                     const std::vector<std::string>& points) {
  detail::Call{"seen_shapes", model}.require_position("q", q);
  detail::require_extent("seen_shapes", "shapes", shapes, model.nv(), shapes.cols());
  MatrixXd seen(static_cast<Index>(points.size()), shapes.cols());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const auto row = static_cast<Index>(p);
    if (const Index coordinate = row_of(model, points[p]); coordinate >= 0) {
      seen.row(row) = shapes.row(coordinate);
      continue;
    }
    const SeenPlace place = seen_place(model, points[p]);
    Workspace<double> work(place.model);
    update_positions<double>(place.model, work, q);
    update_world_poses(work);
    MatrixXd J(6, model.nv());
    frame_jacobian<double>(place.model, work, place.frame, MotionAxes::local_world_aligned, J);
    seen.row(row) = J.row(place.axis) * shapes;
  }
  return seen;
}

std::vector<ShapePoint> shape_points(const Model& model, const Input<double>& q,
                                     const std::vector<std::string>& points) {
  detail::Call{"shape_points", model}.require_position("q", q);
  std::vector<ShapePoint> found;
  for (const std::string& name : points) {
    ShapePoint& point = found.emplace_back();
    point.p_W.setConstant(std::numeric_limits<double>::quiet_NaN());
    if (row_of(model, name) >= 0) continue;
    const SeenPlace place = seen_place(model, name);
    Workspace<double> work(place.model);
    update_positions<double>(place.model, work, q);
    update_world_poses(work);
    point.p_W = frame_pose(place.model, work, place.frame).p;
    point.axis = Eigen::Vector3d::Unit(place.axis);
  }
  return found;
}

ModePairs pair_modes(const Model& model, const Input<double>& q, const NaturalModes& modes,
                     const MeasuredModes& measured) {
  const auto points = static_cast<Index>(measured.points.size());
  if (points < 2)
    throw InputError(Problem{"pair_modes: measured.points", "two points at least", fmt::format("{}", points),
                             "one point is like every other"});
  detail::require_extent("pair_modes", "measured.shapes", measured.shapes, points,
                         measured.frequencies_hz.size());
  const MatrixXd seen = seen_shapes(model, q, modes.shapes, measured.points);
  ModePairs pairs{modal_assurance(measured.shapes, seen), {}, {}};
  pairs.computed = paired_modes(pairs.assurance);
  pairs.scales.setZero(measured.shapes.cols());
  for (Index i = 0; i < measured.shapes.cols(); ++i) {
    const int mode = pairs.computed[static_cast<std::size_t>(i)];
    const double size = measured.shapes.col(i).squaredNorm();
    if (mode >= 0 && size > 0.0) pairs.scales[i] = measured.shapes.col(i).dot(seen.col(mode)) / size;
  }
  return pairs;
}

}  // namespace limber
