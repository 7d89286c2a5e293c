// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a joint does between the node it sits on and its link: place, and what remains of the link's acceleration
// ((1), (6) and (7) of kinematics.hpp).

#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber::detail {

// The joint's part of (1): R_NJ R_J, and the way from J's origin to F's in the node's axes.
template <typename Scalar>
LIMBER_INLINE void place_joint(LinkWork<Scalar>& link, const Scalar* q, Mat3<Scalar>& R_NF,
                               Vec3<Scalar>& p_NF) {
  p_NF = link.p_NJ;
  with_joint_kind(link.joint_type, [&](auto kind) { kind.place(link, q, R_NF, p_NF); });
  p_NF += R_NF * link.p_BF;
}

// The node's motion in the parent's axes; for a rigid parent that of its F.
template <typename Scalar>
struct NodeMotion {
  Vec3<Scalar> v, w, a_bias, alpha_bias;
};

template <typename Scalar>
LIMBER_INLINE NodeMotion<Scalar> node_motion(const ArmWork<Scalar>& work, const LinkWork<Scalar>& link) {
  const Vec3<Scalar> zero = Vec3<Scalar>::zero();
  if (link.parent < 0) return {zero, zero, zero, zero};
  const LinkWork<Scalar>& parent = work.links[link.parent];
  if (link.parent_node < 0) return {parent.V.linear, parent.V.angular, zero, zero};
  const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
  return {node.v, node.w, node.a_bias, node.alpha_bias};
}

// (6), (7) for a relative motion (vJ, wJ) = joint whose coordinates change at `rate`.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> joint_bias(const LinkWork<Scalar>& link, const NodeMotion<Scalar>& n,
                                      const Vec6<Scalar>& joint, const Scalar* rate) {
  const Vec3<Scalar> w_node = link.Rt * n.w;
  Vec3<Scalar> c_w = cross(w_node, joint.angular);
  Vec3<Scalar> c_v = n.a_bias + cross(n.w, cross(n.w, link.d));
  if (link.parent_node >= 0) {
    c_w += link.Rt * n.alpha_bias;
    c_v += cross(n.alpha_bias, link.d);
  }
  c_v = link.Rt * c_v + cross(w_node * Scalar(2) + joint.angular, joint.linear);
  with_joint_kind(link.joint_type, [&](auto kind) {
    if constexpr (!kind.has_constant_subspace) {
      const Vec6<Scalar> S_rate = kind.first_column_rate(link, rate);
      c_v += S_rate.linear * rate[0];
      c_w += S_rate.angular * rate[0];
    }
  });
  return {c_v, c_w};
}

}  // namespace limber::detail
