// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of closed loops (algorithms/constraints.hpp), for any scalar.

#include <vector>

#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/core/export.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

/// Places of loops and cylinders are frames on links, or on the ground (link -1).
inline bool is_ground(const Frame& place) { return place.link < 0; }

/// What a row of a loop is: an axis of the world (1), N . d (2), or N . z (3).
struct LoopRow {
  enum class Kind { meets, on_line, square } kind;
  Eigen::Vector3d n;  ///< in the world (1), or in a (2), (3)
  Eigen::Vector3d m;  ///< in b (3)
  const char* name;
};
std::vector<LoopRow> rows_of(const Loop& loop);

// A place and how it moves, in the world's axes.
template <typename Scalar>
struct PlaceMotion {
  Eigen::Matrix<Scalar, 3, 3> R;
  Vector3<Scalar> p, v, w, a, alpha;  // a, alpha: at zero qdd
  Matrix6X<Scalar> J;
};

template <typename Scalar>
PlaceMotion<Scalar> motion_of(const Model& model, Workspace<Scalar>& work, const Frame& place,
                              const Input<Scalar>& q, const Input<Scalar>& v) {
  constexpr MotionAxes axes = MotionAxes::local_world_aligned;
  PlaceMotion<Scalar> motion;
  motion.J = Matrix6X<Scalar>::Zero(6, model.nv());
  if (is_ground(place)) {
    motion.R = place.X_NE.R.template cast<Scalar>();
    motion.p = place.X_NE.p.template cast<Scalar>();
    motion.v = motion.w = motion.a = motion.alpha = Vector3<Scalar>::Zero();
    return motion;
  }
  const Vector6<Scalar> bias = frame_bias_acceleration(model, work, place, axes, q, v).vector();
  const PoseOf<Scalar> pose = frame_pose(model, work, place);
  const Vector6<Scalar> twist = frame_twist(model, work, place, axes).vector();
  motion.R = pose.R;
  motion.p = pose.p;
  motion.v = twist.template head<3>();
  motion.w = twist.template tail<3>();
  motion.a = bias.template head<3>();
  motion.alpha = bias.template tail<3>();
  frame_jacobian(model, work, place, axes, motion.J);
  return motion;
}

// One row of (1) to (5).
template <typename Scalar>
void fill_row(const LoopRow& row, const PlaceMotion<Scalar>& a, const PlaceMotion<Scalar>& b, Eigen::Index i,
              LoopEquations<Scalar>& equations) {
  const auto J_va = a.J.template topRows<3>(), J_wa = a.J.template bottomRows<3>();
  const auto J_vb = b.J.template topRows<3>(), J_wb = b.J.template bottomRows<3>();
  const Vector3<Scalar> n = row.n.cast<Scalar>();
  const Vector3<Scalar> d = b.p - a.p, d_rate = b.v - a.v;
  if (row.kind == LoopRow::Kind::meets) {
    equations.gaps[i] = n.dot(d);
    equations.A.row(i) = n.transpose() * (J_vb - J_va);
    equations.bias[i] = n.dot(b.a - a.a);
    return;
  }
  const Vector3<Scalar> N = a.R * n, N_rate = a.w.cross(N);
  const Vector3<Scalar> N_bias = a.w.cross(N_rate);  // of its second rate, but for alpha x N
  if (row.kind == LoopRow::Kind::on_line) {
    const Vector3<Scalar> arm = N.cross(d);
    equations.gaps[i] = N.dot(d);
    equations.A.row(i) = N.transpose() * (J_vb - J_va) + arm.transpose() * J_wa;
    equations.bias[i] =
        N.dot(b.a - a.a) + arm.dot(a.alpha) + N_bias.dot(d) + Scalar(2.0) * N_rate.dot(d_rate);
    return;
  }
  const Vector3<Scalar> z = b.R * row.m.cast<Scalar>(), z_rate = b.w.cross(z), turn = z.cross(N);
  equations.gaps[i] = N.dot(z);
  equations.A.row(i) = turn.transpose() * (J_wb - J_wa);
  equations.bias[i] = turn.dot(b.alpha - a.alpha) + N_bias.dot(z) + Scalar(2.0) * N_rate.dot(z_rate) +
                      N.dot(b.w.cross(z_rate));
}

}  // namespace detail

template <typename Scalar>
void loop_equations(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                    const Input<Scalar>& v, LoopEquations<Scalar>& equations) {
  const detail::Call call{"loop_equations", model};
  call.require_position("q", q);
  call.require_velocity("v", v);
  const int count = loop_row_count(model);
  equations.gaps.resize(count);
  equations.A.resize(count, model.nv());
  equations.bias.resize(count);
  Eigen::Index i = 0;
  for (const Loop& loop : model.loops()) {
    const detail::PlaceMotion<Scalar> a = detail::motion_of(model, work, loop.a, q, v),
                                      b = detail::motion_of(model, work, loop.b, q, v);
    for (const detail::LoopRow& row : detail::rows_of(loop)) detail::fill_row(row, a, b, i++, equations);
  }
}

}  // namespace limber
