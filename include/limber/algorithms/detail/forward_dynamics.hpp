// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (6): limber/algorithms/forward_dynamics.hpp.

#include <limits>
#include <string>
#include <type_traits>

#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/passive_forces.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/algorithms/detail/weighted_rows.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/model/inner_loads.hpp"

namespace limber::detail {
[[noreturn]] inline void throw_singular(const Model& model, int link, int first, int row) {
  const Link& at = model.links()[link];
  throw ComputationError(
      "the mass matrix is singular at coordinate `" + model.coordinates()[first + row] + "` of link `" +
      at.name +
      "`: nothing that it moves has mass or inertia in its direction. Give the link (or what hangs on "
      "it) an inertia about that axis, or the joint an armature");
}

template <typename Scalar>
auto vector(const Scalar* numbers, int count) {
  return Eigen::Map<const VectorX<Scalar>>(numbers, count);
}

// As with_sizes, for the unknowns among the coordinates: a prescribed joint has none.
template <typename Scalar, typename Kernel>
LIMBER_INLINE void with_unknowns(const LinkWork<Scalar>& link, Kernel&& kernel) {
  if (link.prescribed)
    kernel(0, link.m);
  else
    with_sizes(link, kernel);
}

// (1) and (2): M_ii into L, M_ri into Z, u into z.
template <typename Scalar, typename JointSize, typename Size>
LIMBER_INLINE void assemble(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* tau,
                            JointSize nj, Size m) {
  const auto n = nj + m;
  for (int j = 0; j < nj; ++j) {
    link.Z[j] = link.articulated * link.S[j];
    for (int i = 0; i <= j; ++i) link.L[j * n + i] = dot(link.S[j], link.Z[i]);
    link.L[j * n + j] += link.armature[j];
  }
  for (int i = 0; i < m; ++i) {
    link.Z[nj + i] = link.M_re[i];
    for (int j = 0; j < nj; ++j) link.L[(nj + i) * n + j] = dot(link.S[j], link.M_re[i]);
    for (int k = 0; k <= i; ++k) link.L[(nj + i) * n + nj + k] = link.M_ee[i * m + k];
  }

  for (int j = 0; j < nj; ++j)
    link.z[j] = tau[link.v_index + j] - passive_joint_force(link, q, v, j) - dot(link.S[j], link.f_r);
  for (int i = 0; i < m; ++i)
    link.z[nj + i] = tau[link.elastic_v() + i] - link.f_e[i] - passive_elastic_force(link, q, v, i, m);
}

// Whether a pivot is more than rounding. (Scalars of several arms go on, each by itself: math/detail/batch.hpp.)
template <typename Scalar>
LIMBER_INLINE bool is_pivot(Scalar& pivot, const Scalar& bound) {
  return pivot > bound;
}

// What rounding leaves of a pivot that is zero, as a part of its diagonal element.
inline constexpr double pivot_rounding = 4.0 * std::numeric_limits<double>::epsilon();

// A row of L^-1 [M_ir u] is known: what it takes off the inertia and force that the link shows to its parent.
template <typename Scalar>
LIMBER_INLINE void take_off(LinkWork<Scalar>& link, int row, const Scalar& inverse) {
  link.articulated.subtract(link.Z[row], inverse);    // becomes M_a
  link.f_r += link.Z[row] * (link.z[row] * inverse);  // becomes f_a
}

// (3). Row by row: L_jk and the pivot of row j from the rows above, and with them row j of Z and z.
// Returns the first row whose pivot is not positive, or -1.
template <typename Scalar, typename Size>
LIMBER_INLINE int eliminate_by_rows(LinkWork<Scalar>& link, Size n) {
  Scalar* L = link.L.data();
  for (int j = 0; j < n; ++j) {
    const Scalar diagonal = L[j * n + j];
    Scalar pivot = diagonal, z = link.z[j];
    LaneWrench<Scalar> Z = link.Z[j];
    for (int k = 0; k < j; ++k) {
      const Scalar value = L[j * n + k];  // L_jk pivot_k, all k' < k already taken off
      const Scalar factor = value * L[k * n + k];
      for (int i = k + 1; i < j; ++i) L[j * n + i] -= value * L[i * n + k];
      pivot -= value * factor;
      L[j * n + k] = factor;
      Z -= link.Z[k] * factor;
      z -= link.z[k] * factor;
    }
    if (!is_pivot(pivot, Scalar(diagonal * Scalar(pivot_rounding)))) return j;
    const Scalar inverse = Scalar(1) / pivot;
    L[j * n + j] = inverse;
    link.Z[j] = Z;
    link.z[j] = z;
    take_off(link, j, inverse);
  }
  return -1;
}

// The same for many coordinates, pivot by pivot: what a pivot takes off the rows behind it are rows of packets, none of which waits for another. What is left of
// M_ii stands on and above the diagonal meanwhile, where rows behind a pivot are neighbours; L below it as ever.
template <typename Scalar>
LIMBER_INLINE int eliminate_by_pivots(LinkWork<Scalar>& link, int nj, int m) {
  const int n = nj + m;
  Scalar* L = link.L.data();
  for (int j = 1; j < n; ++j)
    for (int k = 0; k < j; ++k) L[k * n + j] = L[j * n + k];
  for (int k = 0; k < n; ++k) {
    Scalar* const row = L + k * n;
    Scalar pivot = row[k], diagonal = pivot;
    if (k >= nj)
      diagonal = link.M_ee[(k - nj) * m + k - nj];
    else
      for (int i = 0; i < k; ++i) diagonal += row[i] * L[i * n + k];  // what was taken off it
    if (!is_pivot(pivot, Scalar(diagonal * Scalar(pivot_rounding)))) return k;
    const Scalar inverse = Scalar(1) / pivot;
    for (int j = k + 1; j < n; ++j) {
      const Scalar factor = row[j] * inverse;
      L[j * n + k] = factor;
      subtract_row(L + j * n + j, row + j, factor, n - j);
      link.Z[j] -= link.Z[k] * factor;
      link.z[j] -= link.z[k] * factor;
    }
    row[k] = inverse;
    take_off(link, k, inverse);
  }
  return -1;
}

template <typename Scalar, typename JointSize, typename Size>
LIMBER_INLINE int eliminate(LinkWork<Scalar>& link, JointSize nj, Size m) {
  if constexpr (std::is_same_v<Size, int>)
    return eliminate_by_pivots<Scalar>(link, nj, m);
  else
    return eliminate_by_rows(link, nj + m);
}

// (4)
template <typename Scalar>
LIMBER_INLINE void carry_to_parent(ArmWork<Scalar>& work, const LinkWork<Scalar>& link) {
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const ArticulatedInertia<Scalar> M =
      link.articulated.turned_by(link.R_PR, link.R_RP).seen_from(link.p_NR_P);
  const LaneWrench<Scalar> f = wrench_at_node(link, link.f_r + link.articulated * link.A_bias);
  if (link.parent_node < 0) {
    parent.articulated += M;
    parent.f_r += f;
    return;
  }
  const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
  with_elastic_size(parent, [&](auto m) {
    add_inertia(node, M, parent, parent.articulated, m);
    add_wrench(node, f, parent, m);
  });
}

// (5)
template <typename Scalar, typename JointSize, typename Size>
LIMBER_INLINE void accelerate(ArmWork<Scalar>& work, LinkWork<Scalar>& link, Scalar* qdd, JointSize nj,
                              Size m) {
  const auto n = nj + m;
  const LaneTwist<Scalar> incoming = incoming_acceleration(work, link, qdd);
  Scalar* x = qdd + link.elastic_v() - nj;
  // A motor behind an elastic gear has no share in any other row of the mass matrix: where its acceleration is given, nothing else changes.
  const int motor = link.v_index + link.moving();
  const Scalar given = link.motor_is_prescribed ? qdd[motor] : Scalar(0);
  for (int j = 0; j < n; ++j) x[j] = (link.z[j] - dot(link.Z[j], incoming)) * link.L[j * n + j];
  for (int j = n - 1; j > 0; --j)
    for (int k = 0; k < j; ++k) x[k] -= link.L[j * n + k] * x[j];
  if (link.motor_is_prescribed) qdd[motor] = given;
  link.wrench = link.articulated * incoming + link.f_r;
  link.A_R = incoming;
  for (int j = 0; j < nj; ++j) link.A_R += link.S[j] * x[j];
}

// The load at its node, in R's axes.
template <typename Scalar>
LaneWrench<Scalar> load_in_link_axes(const Model& model, const LinkWork<Scalar>& link, const Load& load) {
  const Vec3<Scalar> force = Vector3<Scalar>(load.force.cast<Scalar>()),
                     moment = Vector3<Scalar>(load.moment.cast<Scalar>()),
                     offset = Vector3<Scalar>(load.offset.cast<Scalar>());
  const Mat3<Scalar> R_RN =
      link.flexible ? link.nodes[load.node].R_RN
                    : Mat3<Scalar>(Matrix3<Scalar>(
                          model.links()[load.link].nodes[load.node].X_RN.R.template cast<Scalar>()));
  Mat3<Scalar> R = R_RN;  // from the load's axes to R's
  if (load.axes == Axes::world) R = link.R_WR.transposed();
  if (load.axes == Axes::body) R = link.R_BR.transposed();
  const Vec3<Scalar> f = R * force;
  return {f, R * moment + cross(R_RN * offset, f)};
}

// What acts inside the beam (model/inner_loads.hpp).
template <typename Scalar>
void apply_inner_load(const Link& described, const Load& load, const Scalar* eta, LinkWork<Scalar>& link) {
  for (int j = 0; j < link.m; ++j) {
    link.f_e[j] -= Scalar(inner_force(described, load, j));
    if (load.kind != LoadKind::cable) continue;
    for (int k = 0; k < link.m; ++k) link.f_e[j] += Scalar(inner_stiffness(described, load, j, k)) * eta[k];
  }
}

template <typename Scalar>
void apply_loads(const Model& model, ArmWork<Scalar>& work, const Scalar* q, const std::vector<Load>& loads) {
  if (loads.empty()) return;
  update_world_poses(work);
  for (const Load& load : loads) {
    LinkWork<Scalar>& link = work.links[load.link];
    if (load.is_inner()) {
      apply_inner_load(model.links()[load.link], load, q + link.elastic_q(), link);
      continue;
    }
    const LaneWrench<Scalar> wrench = -load_in_link_axes(model, link, load);
    if (link.flexible) {
      add_wrench(link.nodes[load.node], wrench, link, link.m);
    } else {
      const Vector3<Scalar> p_RN = model.links()[load.link].nodes[load.node].X_RN.p.template cast<Scalar>();
      link.f_r += wrench;
      link.f_r.moment += cross(Vec3<Scalar>(p_RN), wrench.force);
    }
  }
}

template <typename Scalar>
void forward_dynamics(const Model& model, ArmWork<Scalar>& work, const Scalar* q, const Scalar* v,
                      const Scalar* tau, Scalar* qdd, const std::vector<Load>& loads) {
  turn_joints(work, q);
  for (LinkWork<Scalar>& link : work.links) {
    update_velocities_of(work, link, q, v);
    update_inertia_of(link, q, v);
    link.articulated = ArticulatedInertia<Scalar>(link.M_rr);
    if (link.prescribed)  // (6)
      for (int j = 0; j < link.joint_nv; ++j) link.A_bias += link.S[j] * qdd[link.v_index + j];
  }
  apply_loads(model, work, q, loads);
  for (int i = static_cast<int>(work.links.size()) - 1; i >= 0; --i) {
    LinkWork<Scalar>& link = work.links[i];
    int failed = -1;
    with_unknowns(link, [&](auto nj, auto m) {
      assemble(link, q, v, tau, nj, m);
      if (link.telescopes && link.prescribed) [[unlikely]]
        hold_extension(link, qdd);
      failed = eliminate(link, nj, m);
    });
    if (failed >= 0) {
      if constexpr (std::is_same_v<Scalar, double>)
        require_finite(model, vector(q, model.nq()), vector(v, model.nv()), vector(tau, model.nv()), loads);
      throw_singular(model, i, link.prescribed ? link.elastic_v() : link.v_index, failed);
    }
    carry_to_parent(work, link);
  }
  for (LinkWork<Scalar>& link : work.links)
    with_unknowns(link, [&](auto nj, auto m) { accelerate(work, link, qdd, nj, m); });
}

template <typename Scalar>
void joint_efforts(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, const Scalar* qdd,
                   Scalar* efforts) {
  if (link.telescopes) efforts[link.v_index] = telescope_effort(link, q, v, qdd);
  for (int j = link.has_motor ? link.moving() : 0; j < link.joint_nv; ++j) {
    const int i = link.v_index + j;
    efforts[i] = dot(link.S[j], link.wrench) + link.armature[j] * qdd[i] + passive_joint_force(link, q, v, j);
  }
}

}  // namespace limber::detail
