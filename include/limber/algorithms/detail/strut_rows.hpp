// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lengths of cylinders and how they change, (1) and (2) of algorithms/struts.hpp, for any scalar. All need update_positions and update_world_poses.

#include <cmath>

#include "limber/algorithms/detail/loop_equations.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/model/model.hpp"

namespace limber::detail {

template <typename Scalar>
PoseOf<Scalar> place_pose(const Model& model, const Workspace<Scalar>& work, const Frame& place) {
  if (!is_ground(place)) return frame_pose(model, work, place);
  PoseOf<Scalar> pose;
  pose.R = place.X_NE.R.template cast<Scalar>();
  pose.p = place.X_NE.p.template cast<Scalar>();
  return pose;
}

/// d of (1).
template <typename Scalar>
Vector3<Scalar> strut_line(const Model& model, const Workspace<Scalar>& work, const Cylinder& cylinder) {
  return place_pose(model, work, cylinder.to).p - place_pose(model, work, cylinder.from).p;
}

template <typename Scalar>
void add_strut_end(const Model& model, const Workspace<Scalar>& work, const Frame& place,
                   const Vector3<Scalar>& e, Scalar sign, Eigen::Index row, MatrixX<Scalar>& S) {
  if (is_ground(place)) return;
  Matrix6X<Scalar> of_place = Matrix6X<Scalar>::Zero(6, model.nv());
  frame_jacobian(model, work, place, MotionAxes::local_world_aligned, of_place);
  S.row(row) += sign * (e.transpose() * of_place.template topRows<3>());
}

/// A row of J, (2), along e.
template <typename Scalar>
void fill_strut_row(const Model& model, const Workspace<Scalar>& work, const Cylinder& cylinder,
                    const Vector3<Scalar>& e, Eigen::Index row, MatrixX<Scalar>& S) {
  S.row(row).setZero();
  add_strut_end<Scalar>(model, work, cylinder.to, e, Scalar(1.0), row, S);
  add_strut_end<Scalar>(model, work, cylinder.from, e, Scalar(-1.0), row, S);
}

/// l and J = dl/dq of all cylinders and dampers of an arm, where none is without a length.
template <typename Scalar>
void strut_rows(const Model& model, const Workspace<Scalar>& work, VectorX<Scalar>& lengths,
                MatrixX<Scalar>& S) {
  using std::sqrt;
  const auto count = static_cast<Eigen::Index>(model.cylinders().size());
  lengths.resize(count);
  S.resize(count, model.nv());
  for (Eigen::Index i = 0; i < count; ++i) {
    const Cylinder& cylinder = model.cylinders()[static_cast<std::size_t>(i)];
    const Vector3<Scalar> line = strut_line(model, work, cylinder);
    Vector3<Scalar> e;
    if (cylinder.is_damper()) {
      e = cylinder.axis->template cast<Scalar>();
      lengths[i] = e.dot(line);
    } else {
      lengths[i] = sqrt(line.dot(line));
      e = line / lengths[i];
    }
    fill_strut_row(model, work, cylinder, e, i, S);
  }
}

}  // namespace limber::detail
