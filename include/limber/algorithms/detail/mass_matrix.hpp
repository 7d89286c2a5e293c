// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (3): limber/algorithms/mass_matrix.hpp.

#include <algorithm>

#include "limber/algorithms/detail/inertia.hpp"
#include "limber/algorithms/detail/kinematics.hpp"
#include "limber/algorithms/detail/to_parent.hpp"

namespace limber::detail {
// (1)
template <typename Scalar>
LIMBER_INLINE void carry_composite(ArmWork<Scalar>& work, const LinkWork<Scalar>& link) {
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const LaneInertia<Scalar> M = link.M_rr.turned_by(link.R_PR, link.R_RP).seen_from(link.p_NR_P);
  if (link.parent_node >= 0)
    with_elastic_size(
        parent, [&](auto m) { add_inertia(parent.nodes[link.parent_node], M, parent, parent.M_rr, m); });
  else
    parent.M_rr += M;
}

// (3): what momenta f at the link's frame (of its coordinates, `count` from the column on) mean for every
// coordinate of its ancestors.
template <typename Scalar>
LIMBER_INLINE void spread_to_ancestors(const ArmWork<Scalar>& work, const LinkWork<Scalar>& from,
                                       LaneWrench<Scalar> f, Scalar* column) {
  for (const LinkWork<Scalar>* link = &from; link->parent >= 0; link = &work.links[link->parent]) {
    const LinkWork<Scalar>& parent = work.links[link->parent];
    f = wrench_at_node(*link, f);
    if (link->parent_node >= 0) {
      const NodeWork<Scalar>& node = parent.nodes[link->parent_node];
      for (int i = 0; i < parent.m; ++i) column[parent.elastic_v() + i] = elastic_force(node, i, f);
      f = wrench_from_node(node, f);
    }
    for (int j = 0; j < parent.joint_nv; ++j) column[parent.v_index + j] = dot(parent.S[j], f);
  }
}

template <typename Scalar>
void mass_matrix(ArmWork<Scalar>& work, const Scalar* q, Scalar* numbers, Eigen::Index stride) {
  update_positions(work, q);
  update_link_masses(work, q);
  // The upper triangle: a link's columns hold its own block and its ancestors' rows, which come before. Rows of other links are zero.
  const auto cleared_column = [&](int coordinate) {
    Scalar* column = numbers + coordinate * stride;
    std::fill_n(column, coordinate, Scalar(0));
    return column;
  };
  for (auto i = work.links.rbegin(); i != work.links.rend(); ++i) {
    const LinkWork<Scalar>& link = *i;
    carry_composite(work, link);
    const int nj = link.joint_nv, m = link.m;
    for (int j = 0; j < nj; ++j) {
      Scalar* column = cleared_column(link.v_index + j);
      const LaneWrench<Scalar> f = link.M_rr * link.S[j];
      for (int k = 0; k <= j; ++k) column[link.v_index + k] = dot(link.S[k], f);
      column[link.v_index + j] += link.armature;
      spread_to_ancestors(work, link, f, column);
    }
    for (int e = 0; e < m; ++e) {
      Scalar* column = cleared_column(link.elastic_v() + e);
      const LaneWrench<Scalar>& f = link.M_re[e];
      for (int j = 0; j < nj; ++j) column[link.v_index + j] = dot(link.S[j], f);
      for (int k = 0; k <= e; ++k) column[link.elastic_v() + k] = link.M_ee[e * m + k];
      spread_to_ancestors(work, link, f, column);
    }
  }
  const Eigen::Index nv = work.qdd.size();
  for (Eigen::Index j = 0; j < nv; ++j)
    for (Eigen::Index i = 0; i < j; ++i) numbers[j + i * stride] = numbers[i + j * stride];
}

}  // namespace limber::detail
