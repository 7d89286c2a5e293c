// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Carrying motion, inertia and force between a link and its parent (DESIGN: B_i), in three steps: turn into
// the parent's axes, shift to the node, and let the node's Jacobian G = [1 -[r]x r_eta; 0 1 T] spread them
// over the parent's frame and elastic coordinates.

#include "limber/algorithms/detail/with_sizes.hpp"

namespace limber::detail {

// [f; n] of a wrench at F, in the node: turned into the parent's axes, moment about the node.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> wrench_at_node(const LinkWork<Scalar>& link, const Vec6<Scalar>& wrench) {
  const Vec3<Scalar> f = link.R * wrench.linear;
  return {f, link.R * wrench.angular + cross(link.d, f)};
}

// The acceleration (or any motion) of the node as F sees it: the transpose of wrench_at_node.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> motion_from_node(const LinkWork<Scalar>& link, const Vec6<Scalar>& motion) {
  return {link.Rt * (motion.linear + cross(motion.angular, link.d)), link.Rt * motion.angular};
}

// A motion's (d/dt-free) part at a node from its link's frame and elastic coordinates: G [motion; rates].
template <typename Scalar, typename Size>
LIMBER_INLINE Vec6<Scalar> motion_at(const NodeWork<Scalar>& node, const Vec6<Scalar>& motion,
                                     const Scalar* rates, Size m) {
  Vec6<Scalar> result{motion.linear + cross(motion.angular, node.r), motion.angular};
  for (int j = 0; j < m; ++j) {
    result.linear += node.r_eta[j] * rates[j];
    result.angular += node.T[j] * rates[j];
  }
  return result;
}

// A wrench at a node, on its link's frame: moment about F's origin.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> wrench_from_node(const NodeWork<Scalar>& node, const Vec6<Scalar>& wrench) {
  return {wrench.linear, wrench.angular + cross(node.r, wrench.linear)};
}

// ... and on its elastic coordinate j.
template <typename Scalar>
LIMBER_INLINE Scalar elastic_force(const NodeWork<Scalar>& node, int j, const Vec6<Scalar>& wrench) {
  return dot(node.r_eta[j], wrench.linear, node.T[j], wrench.angular);
}

// Adds an inertia (of a rigid or an articulated body) at a node to M_re and M_ee of its link, and to `total`,
// the link's own of the same kind.
template <typename Scalar, typename Inertia, typename Size>
LIMBER_INLINE void add_inertia(const NodeWork<Scalar>& node, const Inertia& M, LinkWork<Scalar>& link,
                               Inertia& total, Size m) {
  for (int j = 0; j < m; ++j) {
    const Vec6<Scalar> momentum = M * Vec6<Scalar>{node.r_eta[j], node.T[j]};
    link.M_re[j] += wrench_from_node(node, momentum);
    for (int k = 0; k <= j; ++k) {
      const Scalar value = link.M_ee[j * m + k] + elastic_force(node, k, momentum);
      link.M_ee[j * m + k] = value;
      link.M_ee[k * m + j] = value;
    }
  }
  total += M.seen_from(node.r);
}

// Adds a wrench at a node to the forces of its link.
template <typename Scalar, typename Size>
LIMBER_INLINE void add_wrench(const NodeWork<Scalar>& node, const Vec6<Scalar>& wrench,
                              LinkWork<Scalar>& link, Size m) {
  link.p_r += wrench_from_node(node, wrench);
  for (int j = 0; j < m; ++j) link.p_e[j] += elastic_force(node, j, wrench);
}

// The acceleration that reaches link i from its parent: B_i [A_p; etadd_p] + c_i. The ground accelerates with
// -g.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> incoming_acceleration(const ArmWork<Scalar>& work, const LinkWork<Scalar>& link,
                                                 const Scalar* qdd) {
  Vec6<Scalar> at_node{-work.gravity, Vec3<Scalar>::zero()};
  if (link.parent >= 0) {
    const LinkWork<Scalar>& parent = work.links[link.parent];
    at_node = parent.A;
    if (link.parent_node >= 0)
      at_node = motion_at(parent.nodes[link.parent_node], parent.A, qdd + parent.elastic_v(), parent.m);
  }
  return motion_from_node(link, at_node) + link.c;
}

}  // namespace limber::detail
