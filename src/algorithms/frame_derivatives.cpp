// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/frame_derivatives.hpp"

#include <algorithm>

#include "limber/algorithms/configuration.hpp"
#include "limber/algorithms/detail/frame_columns.hpp"
#include "limber/algorithms/detail/inverse_dynamics.hpp"
#include "limber/algorithms/detail/jacobian.hpp"
#include "limber/math/dual.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

/// What six numbers are, and how they change where a displacement moves E by `moved` and turns it by `turned`: in the world's axes at E, then in others.
struct Change {
  Vector3<double> linear, angular, by_linear, by_angular;

  Vector6<double> in(MotionAxes axes, const PoseOf<double>& pose, const Vector3<double>& moved,
                     const Vector3<double>& turned) const {
    Vector6<double> result;
    switch (axes) {
      case MotionAxes::local:
        result << pose.R.transpose() * (by_linear - turned.cross(linear)),
            pose.R.transpose() * (by_angular - turned.cross(angular));
        return result;
      case MotionAxes::world:
        result << by_linear - by_angular.cross(pose.p) - angular.cross(moved), by_angular;
        return result;
      case MotionAxes::local_world_aligned:
        break;
    }
    result << by_linear, by_angular;
    return result;
  }
};

/// E as it moves, in the world's axes.
struct FrameMotion {
  PoseOf<double> pose;
  Vector3<double> v, w, a, alpha;
};

// (1) to (4), and the other axes.
void set_columns(const FrameMotion& E, MotionAxes axes, int c, const detail::Column& column,
                 FrameDerivatives& result) {
  const Vector3<double> J_v = column.J.linear, J_w = column.J.angular, U_v = column.U_q.linear,
                        U_w = column.U_q.angular;
  const Vector3<double> still = Vector3<double>::Zero();
  const Vector3<double> v_q = U_v + J_w.cross(E.v), w_q = U_w + J_w.cross(E.w);
  Vector3<double> a = E.a;
  Vector3<double> a_q = Vector3<double>(column.W_q.linear) + 2.0 * U_w.cross(E.v) + J_w.cross(E.a);
  Vector3<double> a_v = Vector3<double>(column.W_v.linear) + 2.0 * J_w.cross(E.v);
  const Vector3<double> alpha_q = Vector3<double>(column.W_q.angular) + U_w.cross(E.w) + J_w.cross(E.alpha);
  const Vector3<double> alpha_v = Vector3<double>(column.W_v.angular) + J_w.cross(E.w);
  if (axes != MotionAxes::local_world_aligned) {
    a -= E.w.cross(E.v);
    a_q -= w_q.cross(E.v) + E.w.cross(v_q);
    a_v -= J_w.cross(E.v) + E.w.cross(J_v);
  }
  result.J.col(c) = Change{still, still, J_v, J_w}.in(axes, E.pose, still, still);
  result.twist_dq.col(c) = Change{E.v, E.w, v_q, w_q}.in(axes, E.pose, J_v, J_w);
  result.acceleration_dq.col(c) = Change{a, E.alpha, a_q, alpha_q}.in(axes, E.pose, J_v, J_w);
  result.acceleration_dv.col(c) = Change{a, E.alpha, a_v, alpha_v}.in(axes, E.pose, still, still);
}

void set_sizes(const Model& model, FrameDerivatives& result) {
  for (Matrix6X<double>* matrix :
       {&result.J, &result.twist_dq, &result.acceleration_dq, &result.acceleration_dv})
    matrix->setZero(6, model.nv());
}

// ---- telescoping beams, whose shapes change with a joint: by the dual scalar ----

/// q along coordinates first, first + 1, ..., each in a direction of its own.
VectorX<Dual> moved_along(const Model& model, const Input<double>& q, int first, int directions) {
  VectorX<Dual> moved = q.cast<Dual>();
  VectorXd along(model.nq());
  for (int d = 0; d < directions; ++d) {
    configuration_rate(model, q, VectorXd::Unit(model.nv(), first + d), along);
    for (int k = 0; k < model.nq(); ++k) moved[k].derivatives()[d] = along[k];
  }
  return moved;
}

/// visit(first, directions) for all coordinates in turn.
template <typename Visit>
void in_turns(const Model& model, Visit&& visit) {
  for (int first = 0; first < model.nv(); first += Dual::direction_count)
    visit(first, std::min(Dual::direction_count, model.nv() - first));
}

void read_directions(const Vector6<Dual>& values, int first, int directions, Matrix6X<double>& to) {
  for (int i = 0; i < 6; ++i)
    for (int d = 0; d < directions; ++d) to(i, first + d) = values[i].derivatives()[d];
}

void frame_derivatives_by_duals(const Model& model, const Frame& frame, MotionAxes axes,
                                const Input<double>& q, const Input<double>& v, const Input<double>& a,
                                FrameDerivatives& result) {
  Workspace<Dual> work(model);
  Workspace<double> plain(model);
  update_positions(model, plain, q);
  update_world_poses(plain);
  frame_jacobian<double>(model, plain, frame, axes, result.J);
  const VectorX<Dual> a_dual = a.cast<Dual>(), v_dual = v.cast<Dual>();
  Matrix6X<Dual> J(6, model.nv());
  const auto acceleration = [&](const VectorX<Dual>& at, const VectorX<Dual>& rate) {
    const Vector6<Dual> bias = frame_bias_acceleration<Dual>(model, work, frame, axes, at, rate).vector();
    frame_jacobian<Dual>(model, work, frame, axes, J);
    return Vector6<Dual>(bias + J * a_dual);
  };
  in_turns(model, [&](int first, int directions) {
    const VectorX<Dual> moved = moved_along(model, q, first, directions), still = q.cast<Dual>();
    VectorX<Dual> faster = v_dual;
    for (int d = 0; d < directions; ++d) faster[first + d].derivatives()[d] = 1.0;
    read_directions(acceleration(moved, v_dual), first, directions, result.acceleration_dq);
    read_directions(frame_twist(model, work, frame, axes).vector(), first, directions, result.twist_dq);
    read_directions(acceleration(still, faster), first, directions, result.acceleration_dv);
  });
}

void jacobian_derivatives_by_duals(const Model& model, const Frame& frame, MotionAxes axes,
                                   const Input<double>& q, std::vector<Matrix6X<double>>& derivatives) {
  Workspace<Dual> work(model);
  Matrix6X<Dual> J(6, model.nv());
  in_turns(model, [&](int first, int directions) {
    const VectorX<Dual> moved = moved_along(model, q, first, directions);
    update_positions<Dual>(model, work, moved);
    update_world_poses(work);
    frame_jacobian<Dual>(model, work, frame, axes, J);
    for (int d = 0; d < directions; ++d)
      for (int k = 0; k < model.nv(); ++k)
        for (int i = 0; i < 6; ++i)
          derivatives[static_cast<std::size_t>(first + d)](i, k) = J(i, k).derivatives()[d];
  });
}

// ---- (5) and (6) ----

class JacobianDerivatives {
 public:
  JacobianDerivatives(const detail::ArmWork<double>& arm, const Frame& frame, const PoseOf<double>& pose,
                      MotionAxes axes, const Input<double>& q, FrameJacobianDerivatives& to)
      : arm_(arm), frame_(frame), pose_(pose), axes_(axes), q_(q), to_(to) {}

  void find() {
    walk([&](const Link& outer) {
      walk([&](const Link& inner) { of_two_links(inner, outer); });
      of_elastic_coordinates(outer);
      of_joint(*outer.work);
    });
  }

 private:
  /// On the way from E to the ground, with the node of it that counts (-1: none).
  struct Link {
    const detail::LinkWork<double>* work;
    int index, node;
    int elastic() const { return node >= 0 && work->flexible ? work->m : 0; }
  };
  struct Motion {
    Vector3<double> linear, angular;
  };

  template <typename Visit>
  void walk(Visit&& visit) const {
    int node = frame_.node;
    for (int i = frame_.link; i >= 0;) {
      const detail::LinkWork<double>& link = arm_.links[static_cast<std::size_t>(i)];
      visit(Link{&link, i, node});
      node = link.parent_node;
      i = link.parent;
    }
  }

  Motion column(int k) const { return {to_.J.col(k).head<3>(), to_.J.col(k).tail<3>()}; }
  void carry(int j, int k) const {
    const Motion V = column(j), X = column(k);
    set(j, k, {V.angular.cross(X.linear) + V.linear.cross(X.angular), V.angular.cross(X.angular)});
  }
  void leave(int j, int k) const { set(j, k, {Vector3<double>::Zero(), Vector3<double>::Zero()}); }
  /// dJ_k/dq_j, seen from O, which E leaves.
  void set(int j, int k, const Motion& change) const {
    const Motion V = column(j), X = column(k);
    to_.dq[static_cast<std::size_t>(j)].col(k) =
        Change{X.linear, X.angular, change.linear + X.angular.cross(V.linear), change.angular}.in(
            axes_, pose_, V.linear, V.angular);
  }

  /// All pairs of a link and one further in, both ways; on the link itself its joint carries its elastic coordinates.
  void of_two_links(const Link& inner, const Link& outer) const {
    if (inner.index > outer.index) return;
    const bool is_same = inner.index == outer.index;
    const auto pairs = [&](int j, int first, int count) {
      for (int k = first; k < first + count; ++k) {
        carry(j, k);
        leave(k, j);
      }
    };
    const auto with_outer = [&](int first, int count) {
      for (int j = first; j < first + count; ++j) {
        pairs(j, outer.work->elastic_v(), outer.elastic());
        if (!is_same) pairs(j, outer.work->v_index, outer.work->joint_nv);
      }
    };
    with_outer(inner.work->v_index, inner.work->joint_nv);
    if (!is_same) with_outer(inner.work->elastic_v(), inner.elastic());
  }

  /// Axes that are fixed in R turn with all coordinates of their joint; of single joints one after the other, with those before them.
  void of_joint(const detail::LinkWork<double>& link) const {
    bool has_constant_subspace = true;
    detail::with_joint_kind(link.joint_type,
                            [&](auto kind) { has_constant_subspace = kind.moving_columns == 0; });
    for (int j = link.v_index; j < link.v_index + link.joint_nv; ++j)
      for (int k = link.v_index; k < link.v_index + link.joint_nv; ++k)
        has_constant_subspace || j < k ? carry(j, k) : leave(j, k);
  }

  /// (6)
  void of_elastic_coordinates(const Link& at) const {
    const detail::LinkWork<double>& link = *at.work;
    const int m = at.elastic();
    if (m == 0) return;
    using Vector = detail::Vec3<double>;
    const detail::NodeWork<double>& node = link.nodes[at.node];
    const double* eta = q_.data() + link.elastic_q();
    const Vector rho = link.p_WR + link.R_WR * node.p_RN - Vector(pose_.p);
    for (int j = 0; j < m; ++j) {
      const Vector theta_j = detail::theta_slope(node, j, eta, m), p_j = link.R_WR * node.p_eta[j];
      const detail::Mat3<double> Jl_j =
          detail::RotationJet<double, Vector>(node.rotation.theta(), theta_j, Vector::zero())
              .first(detail::by_rows);
      for (int k = 0; k < m; ++k) {
        Vector dw = Jl_j * detail::theta_slope(node, k, eta, m), dp = Vector::zero();
        if (node.second_order) {
          dw += node.Jl * node.Psi2[j * m + k];
          dp = node.Phi2[j * m + k];
        }
        const Vector turn = link.R_WR * dw,
                     way = link.R_WR * dp + cross(p_j, link.R_WR * node.w_eta[k]) + cross(rho, turn);
        set(link.elastic_v() + j, link.elastic_v() + k, {way, turn});
      }
    }
  }

  const detail::ArmWork<double>& arm_;
  Frame frame_;
  PoseOf<double> pose_;
  MotionAxes axes_;
  const Input<double>& q_;
  FrameJacobianDerivatives& to_;
};

}  // namespace

void frame_derivatives(const Model& model, Workspace<double>& work, const Frame& frame, MotionAxes axes,
                       const Input<double>& q, const Input<double>& v, const Input<double>& a,
                       FrameDerivatives& result) {
  const detail::Call call{"frame_derivatives", model};
  const detail::LinkWork<double>& link = detail::link_of(call, work, frame);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("a", a);
  set_sizes(model, result);
  if (model.has_telescopes()) return frame_derivatives_by_duals(model, frame, axes, q, v, a, result);
  update_velocities<double>(model, work, q, v);
  update_world_poses(work);
  // What gravity does to everything alike is no part of E's motion.
  detail::ArmWork<double>& arm = work.arm();
  const detail::Vec3<double> gravity = arm.gravity;
  arm.gravity = detail::Vec3<double>::zero();
  for (detail::LinkWork<double>& each : arm.links) detail::accelerate(arm, each, a.data());

  constexpr MotionAxes world = MotionAxes::local_world_aligned;
  const TwistOf<double> V = frame_twist(model, work, frame, world),
                        A = detail::acceleration_in_link(model, link, frame, a.data());
  const Matrix3<double> R_WR = link.R_WR;
  const FrameMotion E{frame_pose(model, work, frame), V.linear, V.angular, R_WR * A.linear, R_WR * A.angular};
  detail::visit_columns(
      {arm, E.pose.p, q.data(), v.data(), a.data()}, frame.link, frame.node,
      [&](int c, const detail::Column& column) { set_columns(E, axes, c, column, result); });
  arm.gravity = gravity;
}

void frame_jacobian_derivatives(const Model& model, Workspace<double>& work, const Frame& frame,
                                MotionAxes axes, const Input<double>& q, FrameJacobianDerivatives& result) {
  const detail::Call call{"frame_jacobian_derivatives", model};
  detail::link_of(call, work, frame);
  call.require_position("q", q);
  result.J.resize(6, model.nv());
  result.dq.resize(static_cast<std::size_t>(model.nv()));
  for (Matrix6X<double>& one : result.dq) one.setZero(6, model.nv());
  update_positions<double>(model, work, q);
  update_world_poses(work);
  if (model.has_telescopes()) {
    jacobian_derivatives_by_duals(model, frame, axes, q, result.dq);
  } else {
    frame_jacobian<double>(model, work, frame, MotionAxes::local_world_aligned, result.J);
    JacobianDerivatives(work.arm(), frame, frame_pose(model, work, frame), axes, q, result).find();
  }
  frame_jacobian<double>(model, work, frame, axes, result.J);
}

}  // namespace limber
