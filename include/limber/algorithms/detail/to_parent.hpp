// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Carrying motion, inertia and force between a link and its parent, in three steps: turn into P's axes, shift to the node, and let the
// node's Jacobian G = [1 -[p_PN]x p_eta; 0 1 w_eta] spread them over the parent's frame and elastic coordinates. All of it is the
// matrix H of docs/dynamics.md, which nobody forms.

#include "limber/algorithms/detail/with_sizes.hpp"

namespace limber::detail {

// [f; n] of a wrench at R, in the node: turned into P's axes, moment about the node.
template <typename Scalar>
LIMBER_INLINE LaneWrench<Scalar> wrench_at_node(const LinkWork<Scalar>& link,
                                                const LaneWrench<Scalar>& wrench) {
  const Vec3<Scalar> f = link.R_PR * wrench.force;
  return {f, link.R_PR * wrench.moment + cross(link.p_NR_P, f)};
}

// The acceleration (or any motion) of the node as R sees it: the transpose of wrench_at_node.
template <typename Scalar>
LIMBER_INLINE LaneTwist<Scalar> motion_from_node(const LinkWork<Scalar>& link,
                                                 const LaneTwist<Scalar>& motion) {
  return {link.R_RP * (motion.linear + cross(motion.angular, link.p_NR_P)), link.R_RP * motion.angular};
}

// A motion's (d/dt-free) part at a node from its link's frame and elastic coordinates: G [motion; rates].
template <typename Scalar, typename Size>
LIMBER_INLINE LaneTwist<Scalar> motion_at(const NodeWork<Scalar>& node, const LaneTwist<Scalar>& motion,
                                          const Scalar* rates, Size m) {
  LaneTwist<Scalar> result{motion.linear + cross(motion.angular, node.p_RN), motion.angular};
  for (int j = 0; j < m; ++j) {
    result.linear += node.p_eta[j] * rates[j];
    result.angular += node.w_eta[j] * rates[j];
  }
  return result;
}

// A wrench at a node, on its link's frame: moment about R's origin.
template <typename Scalar>
LIMBER_INLINE LaneWrench<Scalar> wrench_from_node(const NodeWork<Scalar>& node,
                                                  const LaneWrench<Scalar>& wrench) {
  return {wrench.force, wrench.moment + cross(node.p_RN, wrench.force)};
}

// ... and on its elastic coordinate j.
template <typename Scalar>
LIMBER_INLINE Scalar elastic_force(const NodeWork<Scalar>& node, int j, const LaneWrench<Scalar>& wrench) {
  return dot(LaneTwist<Scalar>{node.p_eta[j], node.w_eta[j]}, wrench);
}

// Adds an inertia (of a rigid or an articulated body) at a node to M_re and M_ee of its link, and to `total`,
// the link's own of the same kind.
template <typename Scalar, typename Inertia, typename Size>
LIMBER_INLINE void add_inertia(const NodeWork<Scalar>& node, const Inertia& M, LinkWork<Scalar>& link,
                               Inertia& total, Size m) {
  for (int j = 0; j < m; ++j) {
    const LaneWrench<Scalar> momentum = M * LaneTwist<Scalar>{node.p_eta[j], node.w_eta[j]};
    link.M_re[j] += wrench_from_node(node, momentum);
    for (int k = 0; k <= j; ++k) {
      const Scalar value = link.M_ee[j * m + k] + elastic_force(node, k, momentum);
      link.M_ee[j * m + k] = value;
      link.M_ee[k * m + j] = value;
    }
  }
  total += M.seen_from(node.p_RN);
}

// Adds a wrench at a node to the forces of its link.
template <typename Scalar, typename Size>
LIMBER_INLINE void add_wrench(const NodeWork<Scalar>& node, const LaneWrench<Scalar>& wrench,
                              LinkWork<Scalar>& link, Size m) {
  link.f_r += wrench_from_node(node, wrench);
  for (int j = 0; j < m; ++j) link.f_e[j] += elastic_force(node, j, wrench);
}

// The acceleration that reaches a link from its parent: H [A_P; etadd_P] + A_bias. The ground accelerates with
// -g.
template <typename Scalar>
LIMBER_INLINE LaneTwist<Scalar> incoming_acceleration(const ArmWork<Scalar>& work,
                                                      const LinkWork<Scalar>& link, const Scalar* qdd) {
  LaneTwist<Scalar> at_node{-work.gravity, Vec3<Scalar>::zero()};
  if (link.parent >= 0) {
    const LinkWork<Scalar>& parent = work.links[link.parent];
    at_node = parent.A_R;
    if (link.parent_node >= 0)
      at_node = motion_at(parent.nodes[link.parent_node], parent.A_R, qdd + parent.elastic_v(), parent.m);
  }
  return motion_from_node(link, at_node) + link.A_bias;
}

}  // namespace limber::detail
