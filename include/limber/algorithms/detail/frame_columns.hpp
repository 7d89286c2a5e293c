// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The columns (motion_columns.hpp) of all coordinates that carry a frame, from the frame inwards.

#include "limber/algorithms/detail/motion_columns.hpp"
#include "limber/model/frame.hpp"

namespace limber::detail {

/// A swept arm, seen from a point O that rests. Needs velocities and poses in the world; W_q and what follows of it, accelerations too.
struct SeenFrom {
  const ArmWork<double>& arm;
  Vec3<double> O;
  const double *q, *v, *qdd;

  LIMBER_INLINE Vec3<double> way_to(const LinkWork<double>& link) const { return link.p_WR - O; }
  LIMBER_INLINE SpatialMotion motion_of(const LinkWork<double>& link) const {
    return spatial_motion(way_to(link), turned(link.R_WR, link.V_R), turned(link.R_WR, link.A_R));
  }
  /// Of a node's frame, its acceleration in R.
  LIMBER_INLINE LaneTwist<double> acceleration_of(const LinkWork<double>& link,
                                                  const NodeWork<double>& node) const {
    return motion_at(node, link.A_R, qdd + link.elastic_v(), link.m) + node.A_bias;
  }
  /// Of what a link sits on; the ground accelerates with -g.
  LIMBER_INLINE SpatialMotion carrier_of(const LinkWork<double>& link) const {
    if (link.parent < 0) return {LaneTwist<double>::zero(), {-arm.gravity, Vec3<double>::zero()}};
    const LinkWork<double>& parent = arm.links[link.parent];
    if (link.parent_node < 0) return motion_of(parent);
    const NodeWork<double>& node = parent.nodes[link.parent_node];
    return spatial_motion(way_to(parent) + parent.R_WR * node.p_RN, turned(parent.R_WR, node.V_N),
                          turned(parent.R_WR, acceleration_of(parent, node)));
  }
};

/// dtheta/deta_j of a node.
LIMBER_INLINE Vec3<double> theta_slope(const NodeWork<double>& node, int j, const double* eta, int m) {
  return node.second_order ? node.Psi[j] + row_times(node.Psi2, j, eta, m) : node.Psi[j];
}

/// visit(coordinate, column) for each elastic coordinate of a link, as it moves one of its nodes.
template <typename Visit>
void visit_node_columns(const SeenFrom& from, const LinkWork<double>& link, int index, Visit&& visit) {
  const NodeWork<double>& node = link.nodes[index];
  const int m = link.m;
  const double *eta = from.q + link.elastic_q(), *rate = from.v + link.elastic_v(),
               *etadd = from.qdd + link.elastic_v();
  const auto theta_of = [&](int j) { return theta_slope(node, j, eta, m); };
  const NodeMotionJet motion =
      node_motion_jet(link, node, rotation_jet(node, theta_of, rate, etadd, m),
                      from.way_to(link) + link.R_WR * node.p_RN, from.acceleration_of(link, node).linear);
  Column column;
  for (int j = 0; j < m; ++j) {
    set_node_column(link, node, motion, j, theta_of(j), rate, etadd, m, column);
    visit(link.elastic_v() + j, column);
  }
}

/// visit(coordinate, column) for every coordinate that carries a node of a link, or its R (node -1).
template <typename Visit>
void visit_columns(const SeenFrom& from, int link_index, int node, Visit&& visit) {
  constexpr int most = 6;
  Column columns[most];  // NOLINT: of one joint
  for (int i = link_index; i >= 0;) {
    const LinkWork<double>& link = from.arm.links[i];
    if (link.flexible && node >= 0) visit_node_columns(from, link, node, visit);
    set_joint_columns(link, from.way_to(link), from.carrier_of(link), from.motion_of(link), from.v, from.qdd,
                      columns);
    for (int j = 0; j < link.joint_nv; ++j) visit(link.v_index + j, columns[j]);
    node = link.parent_node;
    i = link.parent;
  }
}

}  // namespace limber::detail
