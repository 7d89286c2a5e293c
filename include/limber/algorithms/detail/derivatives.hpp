// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (8): limber/algorithms/derivatives.hpp. Inverse dynamics comes first: it leaves places, motions and wrenches in the workspace. Then one sweep outwards for
// what carries, one inwards for what is carried, and one over all pairs of coordinates of which one carries the other.

#include <algorithm>

#include "limber/algorithms/detail/derivatives_of_field.hpp"
#include "limber/algorithms/detail/derivatives_of_node.hpp"
#include "limber/algorithms/detail/derivatives_of_sections.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/model/detail/joint_kinds.hpp"
#include "limber/model/inner_loads.hpp"

namespace limber::detail {

// ---- outwards ----

// Of the node on which a link sits; the ground accelerates with -g.
inline SpatialMotion carrier_motion(const ArmWork<double>& arm, const DerivativeWork& work,
                                    const LinkWork<double>& link, const double* qdd) {
  if (link.parent < 0) return {LaneTwist<double>::zero(), {-arm.gravity, Vec3<double>::zero()}};
  const LinkWork<double>& parent = arm.links[link.parent];
  const DerivativeLink& below = work.links[link.parent];
  if (link.parent_node < 0) return below.motion;
  const NodeWork<double>& node = parent.nodes[link.parent_node];
  const LaneTwist<double> A_N = motion_at(node, parent.A_R, qdd + parent.elastic_v(), parent.m) + node.A_bias;
  return spatial_motion(below.rho + parent.R_WR * node.p_RN, turned(parent.R_WR, node.V_N),
                        turned(parent.R_WR, A_N));
}

// The rows start as zero: what a link carries comes before it.
inline void clear(DerivativeLink& d) {
  const LaneWrench<double> none = LaneWrench<double>::zero();
  const Vec3<double> o = Vec3<double>::zero();
  std::fill(d.rows.begin(), d.rows.end(), Row{none, o, o, none, none});
  d.body = CarriedBody::zero();
  for (DerivativeNode& node : d.nodes) {
    node.body = CarriedBody::zero();
    node.held = Turning::zero();
    node.carries = node.always_carries;
  }
  for (auto* block : {&d.K, &d.C, &d.M}) std::fill(block->begin(), block->end(), 0.0);
}

inline void sweep_outwards(ArmWork<double>& arm, DerivativeWork& work, const double* v, const double* qdd) {
  for (std::size_t i = 0; i < arm.links.size(); ++i) {
    const LinkWork<double>& link = arm.links[i];
    DerivativeLink& d = work.links[i];
    clear(d);
    // O of a tree is where its first link is: numbers stay small wherever an arm floats.
    d.rho = Vec3<double>::zero();
    if (link.parent >= 0) {
      const LinkWork<double>& parent = arm.links[link.parent];
      const Vec3<double> p_PN =
          link.parent_node >= 0 ? parent.nodes[link.parent_node].p_RN : Vec3<double>::zero();
      d.rho = work.links[link.parent].rho + parent.R_WR * (p_PN + link.p_NR_P);
    }
    d.V_R = turned(link.R_WR, link.V_R);
    d.A_R = turned(link.R_WR, link.A_R);
    d.motion = spatial_motion(d.rho, d.V_R, d.A_R);
    set_joint_columns(link, d.rho, carrier_motion(arm, work, link, qdd), d.motion, v, qdd, d.columns.data());
  }
}

// ---- loads ----

// f, N_f of (5) for loads that do not turn with what they act on; and the wrench of those on nodes of flexible links.
inline void place_loads(const Model& model, const ArmWork<double>& arm, DerivativeWork& work,
                        const std::vector<Load>& loads) {
  work.has_world_loads = false;
  for (const Load& load : loads) {
    if (load.is_inner()) continue;
    const LinkWork<double>& link = arm.links[load.link];
    DerivativeLink& d = work.links[load.link];
    Mat3<double> R_RN;
    Vec3<double> p_RN;
    if (link.flexible) {
      R_RN = link.nodes[load.node].R_RN;
      p_RN = link.nodes[load.node].p_RN;
    } else {
      const Pose& X_RN = model.links()[load.link].nodes[load.node].X_RN;
      R_RN = X_RN.R;
      p_RN = X_RN.p;
    }
    Mat3<double> R_WL = Mat3<double>::scaled_identity(1.0);  // from the load's axes to the world's
    if (load.axes == Axes::section) R_WL = link.R_WR * R_RN;
    if (load.axes == Axes::body) R_WL = link.R_WR * link.R_BR.transposed();
    const Vec3<double> f = R_WL * Vec3<double>(load.force), n = R_WL * Vec3<double>(load.moment);
    const Vec3<double> r = d.rho + link.R_WR * (p_RN + R_RN * Vec3<double>(load.offset));
    const Turning turning{f, Mat3<double>::scaled_identity(dot(r, f)) - outer(f, r) - Mat3<double>::skew(n)};
    work.has_world_loads |= load.axes == Axes::world;
    if (!link.flexible) {
      if (load.axes == Axes::world) d.body.load += turning;
      continue;
    }
    DerivativeNode& node = d.nodes[load.node];
    node.carries = true;
    node.body.wrench -= LaneWrench<double>{f, n + cross(r, f)};
    if (load.axes == Axes::world) node.body.load += turning;
    if (load.axes == Axes::body) node.held += turning;
  }
}

// ---- inwards ----

inline void add_lump(const LinkWork<double>& link, const LumpWork<double>& lump, const double* etadd,
                     DerivativeLink& d) {
  const NodeWork<double>& node = link.nodes[lump.node];
  CarriedBody& body = d.nodes[lump.node].body;
  const Mat3<double> R_WN = link.R_WR * node.R_RN;
  const LaneInertia<double> M = lump.body.turned_by(R_WN, R_WN.transposed());
  const Vec3<double> rho = d.rho + link.R_WR * node.p_RN;
  const LaneTwist<double> A_N = motion_at(node, link.A_R, etadd, link.m) + node.A_bias;
  const LaneTwist<double> V = turned(link.R_WR, node.V_N), A = turned(link.R_WR, A_N);
  add_rigid(M, rho, V, body);
  body.wrench += at_O(rho, M * A + gyroscopic_forces(M, V.angular));
}

// The link itself, about O.
inline void add_own_body(const LinkWork<double>& link, const Turning& momentum_R, DerivativeLink& d) {
  const Mat3<double>&R = link.R_WR, R_T = R.transposed();
  const Vec3<double> p = R * momentum_R.force;
  const Mat3<double> X = R * momentum_R.moment * R_T + outer(p, d.rho);  // Int dr/dt r^T
  d.body.inertia += link.M_rr.turned_by(R, R_T).seen_from(d.rho);
  d.body.momentum += {p, Mat3<double>::scaled_identity(X.trace()) - X};
}

inline void differentiate_flexible(LinkWork<double>& link, DerivativeLink& d, const double* q,
                                   const double* v, const double* qdd) {
  const double *eta = q + link.elastic_q(), *rate = v + link.elastic_v(), *etadd = qdd + link.elastic_v();
  for (const LumpWork<double>& lump : link.lumps) add_lump(link, lump, etadd, d);
  Turning momentum_R;  // its moment: Int dr/dt p^T
  with_elastic_size(link, [&](auto m) {
    differentiate_field(link, d, eta, rate, etadd, momentum_R, m);
    for (std::size_t i = 0; i < d.nodes.size(); ++i) {
      DerivativeNode& node = d.nodes[i];
      if (!node.carries) continue;
      differentiate_node(link, link.nodes[i], eta, rate, etadd, d, node, m);
      d.body += node.body;
    }
  });
  differentiate_sections(link, d, eta, rate, etadd, momentum_R);
  add_own_body(link, momentum_R, d);
  for (int j = 0; j < link.m; ++j) {
    const Row& own = d.rows_R[j];
    Row& row = d.rows[link.joint_nv + j];
    row.P += at_O(d.rho, turned(link.R_WR, own.P));
    row.Y += link.R_WR * own.Y;
    row.F_q += at_O(d.rho, turned(link.R_WR, own.F_q));
    row.F_v += at_O(d.rho, turned(link.R_WR, own.F_v));
  }
}

inline void sweep_inwards(ArmWork<double>& arm, DerivativeWork& work, const double* q, const double* v,
                          const double* qdd) {
  for (int i = static_cast<int>(arm.links.size()) - 1; i >= 0; --i) {
    LinkWork<double>& link = arm.links[i];
    DerivativeLink& d = work.links[i];
    if (link.flexible)
      differentiate_flexible(link, d, q, v, qdd);
    else
      add_rigid(link.rigid.turned_by(link.R_WR, link.R_WR.transposed()), d.rho, d.V_R, d.body);
    d.body.wrench = at_O(d.rho, turned(link.R_WR, link.wrench));
    for (int j = 0; j < link.joint_nv; ++j) {
      const Column& column = d.columns[j];
      Row& row = d.rows[j];
      add_row_of(d.body, column.J, row);
      row.F_q = answer(d.body, column.W_q, column.U_q.angular) + cross(column.J, d.body.wrench);
      if (work.has_world_loads) row.F_q += d.body.load * column.J.angular;
      row.F_v = answer(d.body, column.W_v, column.J.angular);
    }
    if (link.parent < 0) continue;
    DerivativeLink& below = work.links[link.parent];
    (link.parent_node < 0 ? below.body : below.nodes[link.parent_node].body) += d.body;
  }
}

// ---- pairs ----

// Where they stand in a column.
inline constexpr int J_rows = 0, U_q_rows = 6, W_q_rows = 9, W_v_rows = 15;

inline void push(DerivativeWork& work, int at, const Column& column, int coordinate) {
  double* numbers = work.stack.data() + at;
  const int stride = work.stride;
  const auto put = [&](int row, const Vec3<double>& x) {
    for (int i = 0; i < 3; ++i) numbers[(row + i) * stride] = x[i];
  };
  put(J_rows, column.J.linear);
  put(J_rows + 3, column.J.angular);
  put(U_q_rows, column.U_q.angular);
  put(W_q_rows, column.W_q.linear);
  put(W_q_rows + 3, column.W_q.angular);
  put(W_v_rows, column.W_v.linear);
  put(W_v_rows + 3, column.W_v.angular);
  work.path[at] = coordinate;
}

// Three or six numbers of a row of (6), each for a whole packet.
template <int count>
struct Factors {
  Doubles x[count];  // NOLINT

  LIMBER_INLINE explicit Factors(const Vec3<double>& a) : x{a[0], a[1], a[2]} {}
  LIMBER_INLINE explicit Factors(const LaneWrench<double>& f)
      : x{f.force[0], f.force[1], f.force[2], f.moment[0], f.moment[1], f.moment[2]} {}
  /// With rows of columns.
  LIMBER_INLINE Doubles times(const double* rows, int stride) const {
    Doubles sum = x[0] * Doubles::load(rows);
    for (int i = 1; i < count; ++i) sum = sum + x[i] * Doubles::load(rows + i * stride);
    return sum;
  }
};

// (6) and (7) of a coordinate with all columns that carry it; of those from `above` on it is carried by (6) alone: they belong to its own joint.
template <bool has_loads>
LIMBER_INLINE void multiply(const DerivativeWork& work, const Row& row, int coordinate, int above, int count,
                            const DerivativeKernels::Matrices& to) {
  const Factors<6> P(row.P), F_q(row.F_q), F_v(row.F_v);
  const Factors<3> Y(row.Y), Z(row.Z);
  const int stride = work.stride;
  for (int at = 0; at < count; at += Doubles::width) {
    const double* columns = work.stack.data() + at;
    const double* angular = columns + (J_rows + 3) * stride;
    Doubles K = P.times(columns + W_q_rows * stride, stride) + Y.times(columns + U_q_rows * stride, stride);
    if constexpr (has_loads) K = K + Z.times(angular, stride);
    const Doubles C = P.times(columns + W_v_rows * stride, stride) + Y.times(angular, stride);
    const Doubles M = P.times(columns, stride), K_up = F_q.times(columns, stride),
                  C_up = F_v.times(columns, stride);
    double k[Doubles::width], c[Doubles::width], m[Doubles::width];  // NOLINT
    K.store(k);
    C.store(c);
    M.store(m);
    const int* other = work.path.data() + at;
    const int filled = std::min(count - at, Doubles::width), carrying = std::min(above - at, Doubles::width);
    for (int l = 0; l < filled; ++l) {
      to.dq[coordinate + other[l] * to.dq_stride] = k[l];
      to.dv[coordinate + other[l] * to.dv_stride] = c[l];
      to.da[coordinate + other[l] * to.da_stride] = m[l];
    }
    if (carrying <= 0) continue;
    double *dq = to.dq + coordinate * to.dq_stride, *dv = to.dv + coordinate * to.dv_stride,
           *da = to.da + coordinate * to.da_stride;
    if (carrying == Doubles::width && other[carrying - 1] == other[0] + carrying - 1) {  // side by side
      K_up.store(dq + other[0]);
      C_up.store(dv + other[0]);
      M.store(da + other[0]);
      continue;
    }
    K_up.store(k);
    C_up.store(c);
    for (int l = 0; l < carrying; ++l) {
      dq[other[l]] = k[l];
      dv[other[l]] = c[l];
      da[other[l]] = m[l];
    }
  }
}

template <bool has_loads>
inline void multiply_pairs(const ArmWork<double>& arm, DerivativeWork& work,
                           const DerivativeKernels::Matrices& to) {
  for (const int i : work.order) {
    const LinkWork<double>& link = arm.links[i];
    const DerivativeLink& d = work.links[i];
    if (link.parent_node >= 0) {  // the parent's elastic coordinates, as they move this link
      const LinkWork<double>& parent = arm.links[link.parent];
      const DerivativeNode& node = work.links[link.parent].nodes[link.parent_node];
      for (int j = 0; j < parent.m; ++j)
        push(work, d.depth - parent.m + j, node.columns[j], parent.elastic_v() + j);
    }
    const int nj = link.joint_nv, m = link.m, count = d.depth + nj;
    for (int j = 0; j < nj; ++j) push(work, d.depth + j, d.columns[j], link.v_index + j);
    for (int j = 0; j < nj; ++j) {
      multiply<has_loads>(work, d.rows[j], link.v_index + j, d.depth, count, to);
      to.da[(link.v_index + j) * (to.da_stride + 1)] += link.armature[j];
    }
    for (int j = 0; j < m; ++j) {
      multiply<has_loads>(work, d.rows[nj + j], link.elastic_v() + j, count, count, to);
      const int column = link.elastic_v() + j;
      for (int k = 0; k < m; ++k) {
        const int row = link.elastic_v() + k, from = j * d.m_filled + k;
        to.dq[row + column * to.dq_stride] = d.K[from];
        to.dv[row + column * to.dv_stride] = d.C[from];
        to.da[row + column * to.da_stride] = d.M[from];
      }
    }
    // A joint's axis that another of its axes is carried by stays where it is when that one turns.
    with_joint_kind(link.joint_type, [&](auto kind) {
      if constexpr (kind.moving_columns > 0)
        for (int j = 1; j < nj; ++j)
          for (int k = 0; k < j; ++k)
            to.dq[link.v_index + k + (link.v_index + j) * to.dq_stride] +=
                dot(d.columns[k].J, cross(d.columns[j].J, d.body.wrench));
    });
  }
}

inline void force_derivatives(const Model& model, DerivativeWork& work, const double* q, const double* v,
                              const double* qdd, const std::vector<Load>& loads,
                              const DerivativeKernels::Matrices& to) {
  ArmWork<double>& arm = work.arm.arm();
  arm.kernels->inverse_dynamics(model, arm, q, v, qdd, work.tau.data(), loads);
  arm.kernels->update_world_poses(arm);
  sweep_outwards(arm, work, v, qdd);
  place_loads(model, arm, work, loads);
  sweep_inwards(arm, work, q, v, qdd);
  const int nv = model.nv();
  for (int j = 0; j < nv && !work.is_chain; ++j) {  // else every number is written
    std::fill_n(to.dq + j * to.dq_stride, nv, 0.0);
    std::fill_n(to.dv + j * to.dv_stride, nv, 0.0);
    std::fill_n(to.da + j * to.da_stride, nv, 0.0);
  }
  if (work.has_world_loads)
    multiply_pairs<true>(arm, work, to);
  else
    multiply_pairs<false>(arm, work, to);
  // Cables: (4) of model/inner_loads.hpp.
  for (const Load& load : loads) {
    if (load.kind != LoadKind::cable) continue;
    const LinkWork<double>& link = arm.links[load.link];
    for (int j = 0; j < link.m; ++j)
      for (int k = 0; k < link.m; ++k)
        to.dq[link.elastic_v() + j + (link.elastic_v() + k) * to.dq_stride] +=
            inner_stiffness(model.links()[load.link], load, j, k);
  }
}

}  // namespace limber::detail
