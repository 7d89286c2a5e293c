// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

// X_RN: the node in its link's R.
template <typename Scalar>
PoseOf<Scalar> node_in_link(const Model& model, const LinkWork<Scalar>& link, const Frame& frame) {
  if (link.flexible)
    return {Matrix3<Scalar>(link.nodes[frame.node].R_RN), Vector3<Scalar>(link.nodes[frame.node].p_RN)};
  const Pose& X_RN = model.links()[frame.link].nodes[frame.node].X_RN;
  return {X_RN.R.cast<Scalar>(), X_RN.p.cast<Scalar>()};
}

// X_RE: the frame in its link's R.
template <typename Scalar>
PoseOf<Scalar> frame_in_link(const Model& model, const LinkWork<Scalar>& link, const Frame& frame) {
  const PoseOf<Scalar> X_RN = node_in_link(model, link, frame);
  const Matrix3<Scalar> R_NE = frame.X_NE.R.cast<Scalar>();
  const Vector3<Scalar> p_NE = frame.X_NE.p.cast<Scalar>();
  return {X_RN.R * R_NE, X_RN.p + X_RN.R * p_NE};
}

// A motion given as (velocity of E's origin, angular velocity) in world axes, as the chosen axes want it.
template <typename Scalar>
TwistOf<Scalar> expressed(const PoseOf<Scalar>& pose, MotionAxes axes, const Vector3<Scalar>& linear,
                          const Vector3<Scalar>& angular) {
  switch (axes) {
    case MotionAxes::local:
      return {pose.R.transpose() * linear, pose.R.transpose() * angular};
    case MotionAxes::world:
      return {linear - angular.cross(pose.p), angular};
    case MotionAxes::local_world_aligned:
      break;
  }
  return {linear, angular};
}

/// True acceleration of E's origin and angular acceleration of E, in R's axes, from the accelerations that a sweep has left in the links: they contain -g where it swept with
/// gravity.
template <typename Scalar>
TwistOf<Scalar> acceleration_in_link(const Model& model, const LinkWork<Scalar>& link, const Frame& frame,
                                     const Scalar* qdd) {
  const PoseOf<Scalar> X_RN = node_in_link(model, link, frame), X_RE = frame_in_link(model, link, frame);
  Vector3<Scalar> a, alpha, w;  // of the node
  if (link.flexible) {
    const NodeWork<Scalar>& at = link.nodes[frame.node];
    const LaneTwist<Scalar> A_N = motion_at(at, link.A_R, qdd + link.elastic_v(), link.m) + at.A_bias;
    a = A_N.linear;
    alpha = A_N.angular;
    w = at.V_N.angular;
  } else {
    alpha = link.A_R.angular;
    w = link.V_R.angular;
    a = Vector3<Scalar>(link.A_R.linear) + alpha.cross(X_RN.p) + w.cross(w.cross(X_RN.p));
  }
  const Vector3<Scalar> p_NE_R = X_RE.p - X_RN.p;
  a += alpha.cross(p_NE_R) + w.cross(w.cross(p_NE_R));
  return {a, alpha};
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
  const PoseOf<Scalar> X_RE = frame_in_link(model, link, frame);
  const Matrix3<Scalar> R_WR = link.R_WR;
  return {R_WR * X_RE.R, Vector3<Scalar>(link.p_WR) + R_WR * X_RE.p};
}

template <typename Scalar>
PoseOf<Scalar> root_pose(const Model& model, const Workspace<Scalar>& work, int link) {
  const detail::Call call{"root_pose", model};
  const detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_link("link", link);
  const detail::LinkWork<Scalar>& at = arm.links[static_cast<std::size_t>(link)];
  return {at.R_WR, at.p_WR};
}

template <typename Scalar>
TwistOf<Scalar> frame_twist(const Model& model, const Workspace<Scalar>& work, const Frame& frame,
                            MotionAxes axes) {
  using namespace detail;
  const LinkWork<Scalar>& link = link_of({"frame_twist", model}, work, frame);
  const PoseOf<Scalar> X_RN = node_in_link(model, link, frame), X_RE = frame_in_link(model, link, frame);
  Vector3<Scalar> v, w;  // of the node, in R's axes
  if (link.flexible) {
    v = link.nodes[frame.node].V_N.linear;
    w = link.nodes[frame.node].V_N.angular;
  } else {
    w = link.V_R.angular;
    v = Vector3<Scalar>(link.V_R.linear) + w.cross(X_RN.p);
  }
  v += w.cross(X_RE.p - X_RN.p);
  const Matrix3<Scalar> R_WR = link.R_WR;
  return expressed<Scalar>(frame_pose(model, work, frame), axes, R_WR * v, R_WR * w);
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
    const Vec3<Scalar> at_W = link.p_WR + link.R_WR * at;
    const Vec3<Scalar> w = link.R_WR * angular,
                       v = link.R_WR * linear + cross(w, Vec3<Scalar>(pose.p) - at_W);
    return expressed<Scalar>(pose, axes, v, w).vector();
  };
  int node = frame.node;
  for (int i = frame.link; i >= 0;) {
    const LinkWork<Scalar>& link = links[static_cast<std::size_t>(i)];
    for (int j = 0; j < link.joint_nv; ++j)
      J.col(link.v_index + j) = column(link, Vec3<Scalar>::zero(), link.S[j].linear, link.S[j].angular);
    for (int e = 0; e < link.m; ++e)
      J.col(link.elastic_v() + e) =
          column(link, link.nodes[node].p_RN, link.nodes[node].p_eta[e], link.nodes[node].w_eta[e]);
    node = link.parent_node;
    i = link.parent;
  }
}

template <typename Scalar>
TwistOf<Scalar> frame_bias_acceleration(const Model& model, Workspace<Scalar>& work, const Frame& frame,
                                        MotionAxes axes, const Input<Scalar>& q, const Input<Scalar>& v) {
  using namespace detail;
  const LinkWork<Scalar>& link = link_of({"frame_bias_acceleration", model}, work, frame);
  update_velocities(model, work, q, v);
  update_world_poses(work);
  ArmWork<Scalar>& arm = work.arm();
  arm.qdd.setZero();
  const Vec3<Scalar> gravity = arm.gravity;
  arm.gravity = Vec3<Scalar>::zero();
  for (LinkWork<Scalar>& each : arm.links) each.A_R = incoming_acceleration(arm, each, arm.qdd.data());
  arm.gravity = gravity;

  const TwistOf<Scalar> A_E_R = acceleration_in_link(model, link, frame, arm.qdd.data());

  // Rates of components: in turning axes the twist's own turning is taken off.
  const PoseOf<Scalar> pose = frame_pose(model, work, frame);
  const TwistOf<Scalar> V_E_W = frame_twist(model, work, frame, MotionAxes::local_world_aligned);
  const Matrix3<Scalar> R_WR = link.R_WR;
  Vector3<Scalar> a_W = R_WR * A_E_R.linear;
  const Vector3<Scalar> alpha_W = R_WR * A_E_R.angular;
  switch (axes) {
    case MotionAxes::local:
      a_W -= V_E_W.angular.cross(V_E_W.linear);
      break;
    case MotionAxes::local_world_aligned:
      break;
    case MotionAxes::world:
      a_W -= V_E_W.angular.cross(V_E_W.linear);
      break;  // d/dt (v - w x p) = a - alpha x p - w x v
  }
  return expressed<Scalar>(pose, axes, a_W, alpha_W);
}

}  // namespace limber
