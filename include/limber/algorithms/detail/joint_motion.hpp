// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a joint does between the node it sits on and its link: place, and what remains of the link's acceleration
// ((1), (6) and (7) of kinematics.hpp).

#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber::detail {

// The joint's part of (1): R_NR0 R_J, and the way from the node's origin to R's, in the node's axes.
template <typename Scalar>
LIMBER_INLINE void place_joint(LinkWork<Scalar>& link, const Scalar* q, Mat3<Scalar>& R_NR,
                               Vec3<Scalar>& p_NR) {
  p_NR = link.p_NJ;
  with_joint_kind(link.joint_type, [&](auto kind) { kind.place(link, q, R_NR, p_NR); });
  p_NR += R_NR * link.p_BR_R;
}

// Of N, in P's axes; N is P on a rigid parent.
template <typename Scalar>
struct NodeMotion {
  LaneTwist<Scalar> V, A_bias;
};

template <typename Scalar>
LIMBER_INLINE NodeMotion<Scalar> node_motion(const ArmWork<Scalar>& work, const LinkWork<Scalar>& link) {
  const LaneTwist<Scalar> zero = LaneTwist<Scalar>::zero();
  if (link.parent < 0) return {zero, zero};
  const LinkWork<Scalar>& parent = work.links[link.parent];
  if (link.parent_node < 0) return {parent.V_R, zero};
  const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
  return {node.V_N, node.A_bias};
}

// (6), (7) for the relative motion V_J of a joint whose coordinates change at `rate`.
template <typename Scalar>
LIMBER_INLINE LaneTwist<Scalar> joint_bias(const LinkWork<Scalar>& link, const NodeMotion<Scalar>& N,
                                           const LaneTwist<Scalar>& V_J, const Scalar* rate) {
  const Vec3<Scalar> w_N_R = link.R_RP * N.V.angular;
  Vec3<Scalar> alpha = cross(w_N_R, V_J.angular);
  Vec3<Scalar> a = N.A_bias.linear + cross(N.V.angular, cross(N.V.angular, link.p_NR_P));  // in P's axes
  if (link.parent_node >= 0) {
    alpha += link.R_RP * N.A_bias.angular;
    a += cross(N.A_bias.angular, link.p_NR_P);
  }
  a = link.R_RP * a + cross(w_N_R * Scalar(2) + V_J.angular, V_J.linear);
  with_joint_kind(link.joint_type, [&](auto kind) {
    if constexpr (kind.moving_columns > 0)
      for (int j = 0; j < kind.moving_columns; ++j) {
        const LaneTwist<Scalar> S_rate = kind.column_rate(link, j, rate);
        a += S_rate.linear * rate[j];
        alpha += S_rate.angular * rate[j];
      }
  });
  return {a, alpha};
}

}  // namespace limber::detail
