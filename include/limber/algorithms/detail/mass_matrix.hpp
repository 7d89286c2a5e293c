// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (4): limber/algorithms/mass_matrix.hpp.

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

// (3): what a momentum at R means for every coordinate of the link's ancestors.
template <typename Scalar>
LIMBER_INLINE void spread_to_ancestors(const ArmWork<Scalar>& work, const LinkWork<Scalar>& from,
                                       const LaneWrench<Scalar>& momentum, Scalar* column) {
  LaneWrench<Scalar> f = momentum;
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

// (4): a screw at p, in the axes of the link's R.
LIMBER_INLINE void set_screw(ArmWork<double>& work, int coordinate, const LinkWork<double>& link,
                             const Vec3<double>& p_O, const LaneTwist<double>& S) {
  const Vec3<double> w = link.R_OR * S.angular, v = link.R_OR * S.linear + cross(p_O, w);
  double* rows = work.screws.data() + coordinate;
  const int stride = work.screws_stride();
  for (int i = 0; i < 3; ++i) {
    rows[i * stride] = v[i];
    rows[(i + 3) * stride] = w[i];
  }
}

// Of the elastic coordinates of the link's parent, at the node on which the link sits.
LIMBER_INLINE void set_elastic_screws(ArmWork<double>& work, const LinkWork<double>& link) {
  LinkWork<double>& parent = work.links[link.parent];
  if (link.parent_node < 0 || parent.screws_node == link.parent_node) return;
  parent.screws_node = link.parent_node;
  const NodeWork<double>& node = parent.nodes[link.parent_node];
  const Vec3<double> p_ON = parent.p_OR + parent.R_OR * node.p_RN;
  for (int j = 0; j < parent.m; ++j)
    set_screw(work, parent.elastic_v() + j, parent, p_ON, {node.p_eta[j], node.w_eta[j]});
}

// Of all joints; in a chain of the elastic coordinates, too.
inline void set_screws(ArmWork<double>& work) {
  for (LinkWork<double>& link : work.links) {
    link.screws_node = -1;
    if (link.parent < 0) {
      link.R_OR = Mat3<double>::scaled_identity(1.0);
      link.p_OR = Vec3<double>::zero();
    } else {
      const LinkWork<double>& parent = work.links[link.parent];
      Vec3<double> p_PR = link.p_NR_P;
      if (link.parent_node >= 0) p_PR += parent.nodes[link.parent_node].p_RN;
      link.R_OR = parent.R_OR * link.R_PR;
      link.p_OR = parent.p_OR + parent.R_OR * p_PR;
      if (work.is_chain) set_elastic_screws(work, link);
    }
    for (int j = 0; j < link.joint_nv; ++j) set_screw(work, link.v_index + j, link, link.p_OR, link.S[j]);
  }
}

// s_k . f for coordinates from `begin` to before `end`. Whole registers may reach into rows up to before `room`, whose numbers come later.
LIMBER_INLINE void multiply_screws(const ArmWork<double>& work, const double* f, int begin, int end, int room,
                                   double* column) {
  const double* rows = work.screws.data();
  const int stride = work.screws_stride();
  const auto multiply = [&](int k) {
    Doubles sum = Doubles::load(rows + k) * Doubles(f[0]);
    for (int i = 1; i < 6; ++i) sum = sum + Doubles::load(rows + i * stride + k) * Doubles(f[i]);
    sum.store(column + k);
  };
  int k = begin;
  for (; k + Doubles::width <= end; k += Doubles::width) multiply(k);
  if (k < end && k + Doubles::width <= room) return multiply(k);
  for (; k < end; ++k) {
    double sum = rows[k] * f[0];
    for (int i = 1; i < 6; ++i) sum += rows[i * stride + k] * f[i];
    column[k] = sum;
  }
}
LIMBER_INLINE void spread_by_screws(ArmWork<double>& work, const LinkWork<double>& from,
                                    const LaneWrench<double>& momentum, double* column) {
  const Vec3<double> force = from.R_OR * momentum.force,
                     moment = from.R_OR * momentum.moment + cross(from.p_OR, force);
  const double f[6] = {force[0], force[1], force[2], moment[0], moment[1], moment[2]};  // NOLINT
  if (work.is_chain) return multiply_screws(work, f, 0, from.v_index, work.model.nv(), column);
  for (const LinkWork<double>* link = &from; link->parent >= 0; link = &work.links[link->parent]) {
    const LinkWork<double>& parent = work.links[link->parent];
    set_elastic_screws(work, *link);
    const int end = parent.v_index + parent.size();
    multiply_screws(work, f, parent.v_index, end, end, column);
  }
}

template <typename Scalar>
LIMBER_INLINE void spread(ArmWork<Scalar>& work, const LinkWork<Scalar>& from,
                          const LaneWrench<Scalar>& momentum, Scalar* column) {
  if constexpr (std::is_same_v<Scalar, double>)
    if (work.has_many_ancestors) return spread_by_screws(work, from, momentum, column);
  spread_to_ancestors(work, from, momentum, column);
}

#if defined(__AVX__)
// Four columns of four rows, at `from`, become rows at `to`.
LIMBER_INLINE void copy_transposed(const double* from, double* to, Eigen::Index stride) {
  Lanes4 a[4];  // NOLINT
  for (int i = 0; i < 4; ++i) __builtin_memcpy(&a[i], from + i * stride, sizeof(Lanes4));
  const Lanes4 even_01 = __builtin_shufflevector(a[0], a[1], 0, 4, 2, 6),
               odd_01 = __builtin_shufflevector(a[0], a[1], 1, 5, 3, 7),
               even_23 = __builtin_shufflevector(a[2], a[3], 0, 4, 2, 6),
               odd_23 = __builtin_shufflevector(a[2], a[3], 1, 5, 3, 7);
  a[0] = __builtin_shufflevector(even_01, even_23, 0, 1, 4, 5);
  a[1] = __builtin_shufflevector(odd_01, odd_23, 0, 1, 4, 5);
  a[2] = __builtin_shufflevector(even_01, even_23, 2, 3, 6, 7);
  a[3] = __builtin_shufflevector(odd_01, odd_23, 2, 3, 6, 7);
  for (int i = 0; i < 4; ++i) __builtin_memcpy(to + i * stride, &a[i], sizeof(Lanes4));
}
#endif

// The lower triangle of a symmetric matrix from its upper one.
template <typename Scalar>
LIMBER_INLINE void copy_upper_triangle(Scalar* numbers, Eigen::Index n, Eigen::Index stride) {
  for (Eigen::Index j = 0; j < n; ++j) {
    Eigen::Index i = 0;
#if defined(__AVX__)
    if constexpr (std::is_same_v<Scalar, double>) {
      // Whole blocks beside the diagonal, when the first of their columns comes.
      const Eigen::Index whole = j / 4 * 4;
      if (whole + 4 <= n) {
        if (j == whole)
          for (; i < whole; i += 4)
            copy_transposed(numbers + i + j * stride, numbers + j + i * stride, stride);
        i = whole;
      }
    }
#endif
    for (; i < j; ++i) numbers[j + i * stride] = numbers[i + j * stride];
  }
}

template <typename Scalar>
void mass_matrix(ArmWork<Scalar>& work, const Scalar* q, Scalar* numbers, Eigen::Index stride) {
  update_positions(work, q);
  update_link_masses(work, q);
  if constexpr (std::is_same_v<Scalar, double>)
    if (work.has_many_ancestors) set_screws(work);
  // The upper triangle: a link's columns hold its own block and its ancestors' rows, which come before. Rows of other links, of which a chain has none, are zero.
  const auto cleared_column = [&](int coordinate) {
    Scalar* column = numbers + coordinate * stride;
    if (!work.is_chain) std::fill_n(column, coordinate, Scalar(0));
    return column;
  };
  for (auto i = work.links.rbegin(); i != work.links.rend(); ++i) {
    const LinkWork<Scalar>& link = *i;
    carry_composite(work, link);
    const int nj = link.joint_nv, m = link.m;
    for (int j = 0; j < nj; ++j) {
      Scalar* column = cleared_column(link.v_index + j);
      const LaneWrench<Scalar> f = link.M_rr * link.S[j];
      spread(work, link, f, column);
      for (int k = 0; k <= j; ++k) column[link.v_index + k] = dot(link.S[k], f);
      column[link.v_index + j] += link.armature[j];
    }
    for (int e = 0; e < m; ++e) {
      Scalar* column = cleared_column(link.elastic_v() + e);
      const LaneWrench<Scalar>& f = link.M_re[e];
      spread(work, link, f, column);
      for (int j = 0; j < nj; ++j) column[link.v_index + j] = dot(link.S[j], f);
      for (int k = 0; k <= e; ++k) column[link.elastic_v() + k] = link.M_ee[e * m + k];
    }
  }
  copy_upper_triangle(numbers, work.model.nv(), stride);
}

}  // namespace limber::detail
