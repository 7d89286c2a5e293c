// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Places of loops and cylinders: frames on links, or on the ground (link -1).

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/strut_rows.hpp"
#include "limber/math/dual.hpp"

namespace limber {

using detail::is_ground;
using detail::place_pose;

/// q moved along v's coordinates first, first + 1, ..., each in a direction of its own.
inline VectorX<Dual> moved_along(const Model& model, const Input<double>& q, int first, int directions) {
  VectorX<Dual> moved = q.cast<Dual>();
  Eigen::VectorXd along(model.nq());
  for (int d = 0; d < directions; ++d) {
    configuration_rate(model, q, Eigen::VectorXd::Unit(model.nv(), first + d), along);
    for (int k = 0; k < model.nq(); ++k) moved[k].derivatives()[d] = along[k];
  }
  return moved;
}

/// Derivatives of values into the columns first, first + 1, ...
inline void read_derivatives(const VectorX<Dual>& values, int first, int directions, Eigen::MatrixXd& to) {
  for (Eigen::Index i = 0; i < values.size(); ++i)
    for (int d = 0; d < directions; ++d) to(i, first + d) = values[i].derivatives()[d];
}

}  // namespace limber
