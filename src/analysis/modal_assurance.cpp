// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/modal_assurance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"

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

MatrixXd seen_shapes(const Model& model, const Input<double>& q, const MatrixXd& shapes,
                     const std::vector<std::string>& points) {
  MatrixXd seen(static_cast<Index>(points.size()), shapes.cols());
  for (std::size_t p = 0; p < points.size(); ++p) {
    const std::string& name = points[p];
    const auto row = static_cast<Index>(p);
    const auto& coordinates = model.coordinates();
    const auto found = std::find(coordinates.begin(), coordinates.end(), name);
    if (found != coordinates.end()) {
      seen.row(row) = shapes.row(found - coordinates.begin());
      continue;
    }
    const std::size_t sign = name.rfind('@'), dot = name.rfind('.');
    const std::size_t axis = std::string("xyz").find(name.empty() ? ' ' : name.back());
    double at = -1.0;
    if (sign != std::string::npos && dot != std::string::npos && dot > sign)
      std::from_chars(name.data() + sign + 1, name.data() + dot, at);
    if (axis == std::string::npos || !(at >= 0.0 && at <= 1.0))
      throw InputError(Problem{name, "a coordinate, or LINK@AT.x with AT from 0 to 1", show_text(name),
                               suggestion(name, coordinates, "coordinates")});
    const std::string link = name.substr(0, sign);
    const Model with = with_node(model, link_index(model, link), at);
    Workspace<double> work(with);
    update_positions<double>(with, work, q);
    update_world_poses(work);
    MatrixXd J(6, model.nv());
    frame_jacobian<double>(with, work, frame(with, link, at), MotionAxes::local_world_aligned, J);
    seen.row(row) = J.row(static_cast<Index>(axis)) * shapes;
  }
  return seen;
}

}  // namespace limber
