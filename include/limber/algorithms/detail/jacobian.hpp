// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/algorithms/detail/arguments.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

// The node's pose in its link's F.
template <typename Scalar>
PoseOf<Scalar> node_in_link(const Model& model, const LinkWork<Scalar>& link, const Frame& frame) {
  if (link.flexible)
    return {Matrix3<Scalar>(link.nodes[frame.node].E), Vector3<Scalar>(link.nodes[frame.node].r)};
  const Pose& X_FN = model.links()[frame.link].nodes[frame.node].X_RN;
  return {X_FN.R.cast<Scalar>(), X_FN.p.cast<Scalar>()};
}

// E in its link's F.
template <typename Scalar>
PoseOf<Scalar> frame_in_link(const Model& model, const LinkWork<Scalar>& link, const Frame& frame) {
  const PoseOf<Scalar> node = node_in_link(model, link, frame);
  const Matrix3<Scalar> R_NE = frame.X_NE.R.cast<Scalar>();
  const Vector3<Scalar> p_NE = frame.X_NE.p.cast<Scalar>();
  return {node.R * R_NE, node.p + node.R * p_NE};
}

// A motion given as (velocity of `point`, angular velocity) in world axes, as the chosen axes want it.
template <typename Scalar>
Vector6<Scalar> expressed(const PoseOf<Scalar>& pose, MotionAxes axes, const Vector3<Scalar>& linear,
                          const Vector3<Scalar>& angular) {
  Vector6<Scalar> result;
  switch (axes) {
    case MotionAxes::local:
      result << pose.R.transpose() * linear, pose.R.transpose() * angular;
      break;
    case MotionAxes::local_world_aligned:
      result << linear, angular;
      break;
    case MotionAxes::world:
      result << linear - angular.cross(pose.p), angular;
      break;
  }
  return result;
}

/// The link of a frame.
template <typename Work>
auto& link_of(const Call& call, Work& work, const Frame& frame) {
  auto& arm = call.arm(work);
  call.require_node("frame", frame.link, frame.node);
  return arm.links[static_cast<std::size_t>(frame.link)];
}

}  // namespace detail

template <typename Scalar>
PoseOf<Scalar> frame_pose(const Model& model, const Workspace<Scalar>& work, const Frame& frame) {
  using namespace detail;
  const LinkWork<Scalar>& link = link_of({"frame_pose", model}, work, frame);
  const PoseOf<Scalar> in_link = frame_in_link(model, link, frame);
  const Matrix3<Scalar> R_W = link.R_W;
  return {R_W * in_link.R, Vector3<Scalar>(link.p_W) + R_W * in_link.p};
}

template <typename Scalar>
PoseOf<Scalar> root_pose(const Model& model, const Workspace<Scalar>& work, int link) {
  const detail::Call call{"root_pose", model};
  const detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_link("link", link);
  const detail::LinkWork<Scalar>& at = arm.links[static_cast<std::size_t>(link)];
  return {at.R_W, at.p_W};
}

template <typename Scalar>
Vector6<Scalar> frame_twist(const Model& model, const Workspace<Scalar>& work, const Frame& frame,
                            MotionAxes axes) {
  using namespace detail;
  const LinkWork<Scalar>& link = link_of({"frame_twist", model}, work, frame);
  const PoseOf<Scalar> node = node_in_link(model, link, frame), in_link = frame_in_link(model, link, frame);
  Vector3<Scalar> v, w;  // of the node, in F's axes
  if (link.flexible) {
    v = link.nodes[frame.node].v;
    w = link.nodes[frame.node].w;
  } else {
    w = link.V.angular;
    v = Vector3<Scalar>(link.V.linear) + w.cross(node.p);
  }
  v += w.cross(in_link.p - node.p);
  const Matrix3<Scalar> R_W = link.R_W;
  return expressed<Scalar>(frame_pose(model, work, frame), axes, R_W * v, R_W * w);
}

template <typename Scalar>
void frame_jacobian(const Model& model, const Workspace<Scalar>& work, const Frame& frame, MotionAxes axes,
                    JacobianOutput<Scalar> J) {
  using namespace detail;
  const Call call{"frame_jacobian", model};
  call.require_matrix("J", J, 6);
  const std::vector<LinkWork<Scalar>>& links = call.arm(work).links;
  J.setZero();
  const PoseOf<Scalar> pose = frame_pose(model, work, frame);
  // A unit motion (linear at `at`, angular), in a link's axes, carried to E.
  const auto column = [&](const LinkWork<Scalar>& link, const Vec3<Scalar>& at, const Vec3<Scalar>& linear,
                          const Vec3<Scalar>& angular) {
    const Vec3<Scalar> at_W = link.p_W + link.R_W * at;
    const Vec3<Scalar> w = link.R_W * angular, v = link.R_W * linear + cross(w, Vec3<Scalar>(pose.p) - at_W);
    return expressed<Scalar>(pose, axes, v, w);
  };
  int node = frame.node;
  for (int i = frame.link; i >= 0;) {
    const LinkWork<Scalar>& link = links[static_cast<std::size_t>(i)];
    for (int j = 0; j < link.joint_nv; ++j)
      J.col(link.v_index + j) = column(link, Vec3<Scalar>::zero(), link.S[j].linear, link.S[j].angular);
    for (int e = 0; e < link.m; ++e)
      J.col(link.elastic_v() + e) =
          column(link, link.nodes[node].r, link.nodes[node].r_eta[e], link.nodes[node].T[e]);
    node = link.parent_node;
    i = link.parent;
  }
}

template <typename Scalar>
Vector6<Scalar> frame_bias_acceleration(const Model& model, Workspace<Scalar>& work, const Frame& frame,
                                        MotionAxes axes, const Input<Scalar>& q, const Input<Scalar>& v) {
  using namespace detail;
  const LinkWork<Scalar>& link = link_of({"frame_bias_acceleration", model}, work, frame);
  update_velocities(model, work, q, v);
  update_world_poses(work);
  ArmWork<Scalar>& arm = work.arm();
  arm.qdd.setZero();
  const Vec3<Scalar> gravity = arm.gravity;
  arm.gravity = Vec3<Scalar>::zero();
  for (LinkWork<Scalar>& each : arm.links) each.A = incoming_acceleration(arm, each, arm.qdd.data());
  arm.gravity = gravity;

  // True acceleration of E's origin, in F's axes.
  const PoseOf<Scalar> node = node_in_link(model, link, frame), in_link = frame_in_link(model, link, frame);
  Vector3<Scalar> a, alpha, w;
  if (link.flexible) {
    const NodeWork<Scalar>& at = link.nodes[frame.node];
    a = link.A.linear + cross(link.A.angular, at.r) + at.a_bias;
    alpha = link.A.angular + at.alpha_bias;
    w = at.w;
  } else {
    alpha = link.A.angular;
    w = link.V.angular;
    a = Vector3<Scalar>(link.A.linear) + alpha.cross(node.p) + w.cross(w.cross(node.p));
  }
  const Vector3<Scalar> offset = in_link.p - node.p;
  a += alpha.cross(offset) + w.cross(w.cross(offset));

  // Rates of components: in turning axes the twist's own turning is taken off.
  const PoseOf<Scalar> pose = frame_pose(model, work, frame);
  const Vector6<Scalar> twist = frame_twist(model, work, frame, MotionAxes::local_world_aligned);
  const Vector3<Scalar> v_W = twist.template head<3>(), w_W = twist.template tail<3>();
  const Matrix3<Scalar> R_W = link.R_W;
  Vector3<Scalar> a_W = R_W * a;
  const Vector3<Scalar> alpha_W = R_W * alpha;
  switch (axes) {
    case MotionAxes::local:
      a_W -= w_W.cross(v_W);
      break;
    case MotionAxes::local_world_aligned:
      break;
    case MotionAxes::world:
      a_W -= w_W.cross(v_W);
      break;  // d/dt (v - w x p) = a - alpha x p - w x v
  }
  return expressed<Scalar>(pose, axes, a_W, alpha_W);
}

}  // namespace limber
