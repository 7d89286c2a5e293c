// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a coordinate does to all that it carries: (2) to (4) of limber/algorithms/derivatives.hpp, for joints and for elastic coordinates. Everything is about a point
// O that rests, in the world's axes; which one, the caller says.
//
// In the axes of the link's R, with w and alpha of R, D_0 = Jl, D_1 = d/dt Jl + [w] Jl and D_2 = d^2/dt^2 Jl + 2 [w] d/dt Jl + ([alpha] + [w]^2) Jl, an elastic
// coordinate turns a node by
//
//   w_j = D_0 theta_j,   w_j' = D_1 theta_j + D_0 thetadot_j,   w_j'' = D_2 theta_j + 2 D_1 thetadot_j + D_0 thetaddot_j          (1)
//
// and moves it by p_j likewise, with 1 in place of Jl; at first order theta_j = dtheta/deta_j and p_j are constants.

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/math/detail/rotation_jet.hpp"
#include "limber/model/detail/joint_kinds.hpp"

namespace limber::detail {

/// A frame's spatial velocity and acceleration; the latter contains -g where the sweep had gravity.
struct SpatialMotion {
  LaneTwist<double> V, A;
};

/// What a coordinate does to all that it carries: (2) of derivatives.hpp.
struct Column {
  LaneTwist<double> J;
  LaneTwist<double> U_q;       ///< d/dt J. By v, U is J
  LaneTwist<double> W_q, W_v;  ///< W by q and by v
};

// ---- spatial algebra about O ----

/// A twist of the frame whose origin is at rho from O, as that of the frame at O.
LIMBER_INLINE LaneTwist<double> at_O(const Vec3<double>& rho, const LaneTwist<double>& V) {
  return {V.linear + cross(rho, V.angular), V.angular};
}
LIMBER_INLINE LaneWrench<double> at_O(const Vec3<double>& rho, const LaneWrench<double>& f) {
  return {f.force, f.moment + cross(rho, f.force)};
}
template <typename Six>
LIMBER_INLINE Six turned(const Mat3<double>& R, const Six& x) {
  const auto [first, second] = x;
  return {R * first, R * second};
}
/// V x X
LIMBER_INLINE LaneTwist<double> cross(const LaneTwist<double>& V, const LaneTwist<double>& X) {
  return {cross(V.angular, X.linear) + cross(V.linear, X.angular), cross(V.angular, X.angular)};
}
/// V x* F
LIMBER_INLINE LaneWrench<double> cross(const LaneTwist<double>& V, const LaneWrench<double>& F) {
  return {cross(V.angular, F.force), cross(V.angular, F.moment) + cross(V.linear, F.force)};
}
/// From the true motion of a frame's origin.
LIMBER_INLINE SpatialMotion spatial_motion(const Vec3<double>& rho, const LaneTwist<double>& V,
                                           const LaneTwist<double>& A) {
  return {at_O(rho, V), at_O(rho, LaneTwist<double>{A.linear - cross(V.angular, V.linear), A.angular})};
}

// ---- joints ----

/// (3) of derivatives.hpp, of all coordinates of a link's joint: `node` moves what the link sits on, `own` the link. R's origin is at rho from O.
LIMBER_INLINE void set_joint_columns(const LinkWork<double>& link, const Vec3<double>& rho,
                                     const SpatialMotion& node, const SpatialMotion& own, const double* v,
                                     const double* qdd, Column* columns) {
  SpatialMotion carrier = node;
  bool has_constant_subspace = true;
  with_joint_kind(link.joint_type, [&](auto kind) { has_constant_subspace = kind.moving_columns == 0; });
  for (int j = 0; j < link.joint_nv; ++j) {
    Column& column = columns[j];
    const LaneTwist<double> J = at_O(rho, turned(link.R_WR, link.S[j]));
    const LaneTwist<double> J_1 = cross(carrier.V, J);
    column.J = J;
    column.U_q = J_1;
    column.W_q = cross(carrier.A, J) + cross(carrier.V, J_1);
    if (has_constant_subspace) {
      column.W_v = J_1 + cross(own.V, J);
      continue;
    }
    // Single joints one after the other: the next sits on what this one moves.
    column.W_v = J_1 * 2.0;
    const double rate = v[link.v_index + j];
    carrier.A += J_1 * rate + J * qdd[link.v_index + j];
    carrier.V += J * rate;
  }
}

// ---- nodes of flexible links ----

LIMBER_INLINE Mat3<double> by_rows(double xx, double xy, double xz, double yx, double yy, double yz,
                                   double zx, double zy, double zz) {
  return {{xx, yx, zx}, {xy, yy, zy}, {xz, yz, zz}};
}

/// Sum_k forms_jk x_k
template <typename Size>
LIMBER_INLINE Vec3<double> row_times(const Array<Vec3<double>>& forms, int j, const double* x, Size m) {
  Vec3<double> sum = Vec3<double>::zero();
  for (int k = 0; k < m; ++k) sum += forms[j * m + k] * x[k];
  return sum;
}

/// A node's rotation vector as it moves; theta_of(j) is dtheta/deta_j.
template <typename ThetaOf, typename Size>
LIMBER_INLINE RotationJet<double, Vec3<double>> rotation_jet(const NodeWork<double>& node,
                                                             const ThetaOf& theta_of, const double* rate,
                                                             const double* etadd, Size m) {
  Vec3<double> theta_rate = Vec3<double>::zero(), theta_second = theta_rate;
  for (int j = 0; j < m; ++j) {
    if (node.second_order) theta_second += row_times(node.Psi2, j, rate, m) * rate[j];
    const Vec3<double> theta_j = theta_of(j);
    theta_rate += theta_j * rate[j];
    theta_second += theta_j * etadd[j];
  }
  return {node.rotation.theta(), theta_rate, theta_second};
}

/// What (1) takes of a node and its link, in R's axes and in the world's.
struct NodeMotionJet {
  Mat3<double> D_1, D_2;
  Mat3<double> of_place;           ///< [alpha] + [w]^2
  Vec3<double> rho, rho_1, rho_2;  ///< from O to the node, and its rates, in the world's axes
};

/// `A_N`: the node's true acceleration in R, with -g where the sweep had gravity.
LIMBER_INLINE NodeMotionJet node_motion_jet(const LinkWork<double>& link, const NodeWork<double>& node,
                                            const RotationJet<double, Vec3<double>>& jet,
                                            const Vec3<double>& rho, const Vec3<double>& A_N) {
  const Mat3<double> Jl_1 = jet.first(by_rows), Jl_2 = jet.second(by_rows);
  const Vec3<double>&w = link.V_R.angular, &alpha = link.A_R.angular;
  const Mat3<double> w_Jl = cross_columns(w, node.Jl);
  return {Jl_1 + w_Jl,
          Jl_2 + cross_columns(w, Jl_1 * 2.0 + w_Jl) + cross_columns(alpha, node.Jl),
          cross_columns(w, Mat3<double>::skew(w)) + Mat3<double>::skew(alpha),
          rho,
          link.R_WR * node.V_N.linear,
          link.R_WR * A_N};
}

/// (4) of derivatives.hpp, by (1).
template <typename Size>
LIMBER_INLINE void set_node_column(const LinkWork<double>& link, const NodeWork<double>& node,
                                   const NodeMotionJet& at, int j, const Vec3<double>& theta_j,
                                   const double* rate, const double* etadd, Size m, Column& column) {
  const Mat3<double>& R = link.R_WR;
  const Vec3<double>& w = link.V_R.angular;
  const Vec3<double>&p_0 = node.p_eta[j], &w_0 = node.w_eta[j];
  Vec3<double> p_1 = cross(w, p_0), p_2 = at.of_place * p_0;
  Vec3<double> w_1 = at.D_1 * theta_j, w_2 = at.D_2 * theta_j;
  if (node.second_order) {
    const Vec3<double> p_rate = row_times(node.Phi2, j, rate, m),
                       theta_rate = row_times(node.Psi2, j, rate, m);
    p_1 += p_rate;
    p_2 += cross(w, p_rate) * 2.0 + row_times(node.Phi2, j, etadd, m);
    w_1 += node.Jl * theta_rate;
    w_2 += (at.D_1 * theta_rate) * 2.0 + node.Jl * row_times(node.Psi2, j, etadd, m);
  }
  const Vec3<double> W_0 = R * w_0, W_1 = R * w_1, W_2 = R * w_2;
  column.J = {R * p_0 + cross(at.rho, W_0), W_0};
  column.U_q = {R * p_1 + cross(at.rho_1, W_0) + cross(at.rho, W_1), W_1};
  column.W_v = column.U_q * 2.0;
  column.W_q = {R * p_2 + cross(at.rho_2, W_0) + cross(at.rho_1, W_1) * 2.0 + cross(at.rho, W_2), W_2};
}

}  // namespace limber::detail
