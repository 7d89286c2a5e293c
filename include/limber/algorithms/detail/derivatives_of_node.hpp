// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What an elastic coordinate does to all that sits on a node of its link, and what that answers: (4), (5) to (8) of limber/algorithms/derivatives.hpp.
//
// In the axes of the link's R, with w and alpha of R, D_0 = Jl, D_1 = d/dt Jl + [w] Jl and D_2 = d^2/dt^2 Jl + 2 [w] d/dt Jl + ([alpha] + [w]^2) Jl:
//
//   w_j = D_0 theta_j,   w_j' = D_1 theta_j + D_0 thetadot_j,   w_j'' = D_2 theta_j + 2 D_1 thetadot_j + D_0 thetaddot_j          (1)
//
// and the same for p_j with 1 in place of Jl; at first order theta_j and p_j are constants. With force f and moment n of all that sits on the node, about it,
//
//   dJ_j/deta_k . F = p_jk . f + p_k . (w_j x f) + theta_jk . Jl^T n + theta_j . d(Jl^T n)/dtheta theta_k                          (2)

#include "limber/algorithms/detail/derivative_work.hpp"
#include "limber/algorithms/detail/to_parent.hpp"
#include "limber/math/detail/rotation_jet.hpp"

namespace limber::detail {

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

// (5)
LIMBER_INLINE LaneWrench<double> answer(const CarriedBody& body, const LaneTwist<double>& W,
                                        const Vec3<double>& U) {
  return body.inertia * W + body.momentum * (U * 2.0);
}

// P, Y and Z of (6).
LIMBER_INLINE void add_row_of(const CarriedBody& body, const LaneTwist<double>& J, Row& row) {
  row.P += body.inertia * J;
  row.Y += body.momentum.in_row_of(J) * 2.0;
  row.Z += body.load.in_row_of(J);
}

/// A rigid body that is given in the world's axes about a point at rho from O, where it moves with V.
LIMBER_INLINE void add_rigid(const LaneInertia<double>& M, const Vec3<double>& rho,
                             const LaneTwist<double>& V, CarriedBody& body) {
  const Vec3<double> p = V.linear * M.mass + cross(V.angular, M.moment);
  // Int dr/dt r^T, with Int r r^T = 1/2 tr(I) 1 - I
  const Mat3<double> second = Mat3<double>::scaled_identity(0.5 * M.inertia.trace()) - M.inertia;
  const Mat3<double> X = outer(V.linear, M.moment) + cross_columns(V.angular, second) + outer(p, rho);
  body.inertia += M.seen_from(rho);
  body.momentum += {p, Mat3<double>::scaled_identity(X.trace()) - X};
}

// Of the node's rotation vector and place as they move, in the axes of R.
struct NodeJet {
  Mat3<double> D_1, D_2;         // of (1)
  Mat3<double> of_place;         // [alpha] + [w]^2
  Mat3<double> moment_by_theta;  // d(Jl^T n)/dtheta
};

LIMBER_INLINE Mat3<double> by_rows(double xx, double xy, double xz, double yx, double yy, double yz,
                                   double zx, double zy, double zz) {
  return {{xx, yx, zx}, {xy, yy, zy}, {xz, yz, zz}};
}

// Sum_k forms_jk x_k
template <typename Size>
LIMBER_INLINE Vec3<double> row_times(const Array<Vec3<double>>& forms, int j, const double* x, Size m) {
  Vec3<double> sum = Vec3<double>::zero();
  for (int k = 0; k < m; ++k) sum += forms[j * m + k] * x[k];
  return sum;
}

template <typename Size>
LIMBER_INLINE NodeJet node_jet(const LinkWork<double>& link, const NodeWork<double>& node,
                               const Vec3<double>* theta_eta, const double* rate, const double* etadd,
                               const Vec3<double>& n, Size m) {
  Vec3<double> theta_rate = Vec3<double>::zero(), theta_second = theta_rate;
  for (int j = 0; j < m; ++j) {
    if (node.second_order) theta_second += row_times(node.Psi2, j, rate, m) * rate[j];
    theta_rate += theta_eta[j] * rate[j];
    theta_second += theta_eta[j] * etadd[j];
  }
  const RotationJet<double, Vec3<double>> jet(node.rotation.theta(), theta_rate, theta_second);
  const Mat3<double> Jl_1 = jet.first(by_rows), Jl_2 = jet.second(by_rows);
  const Vec3<double>&w = link.V_R.angular, &alpha = link.A_R.angular;
  const Mat3<double> w_Jl = cross_columns(w, node.Jl);
  return {Jl_1 + w_Jl, Jl_2 + cross_columns(w, Jl_1 * 2.0 + w_Jl) + cross_columns(alpha, node.Jl),
          cross_columns(w, Mat3<double>::skew(w)) + Mat3<double>::skew(alpha),
          jet.of_transposed_times(n, by_rows)};
}

// (4) of every elastic coordinate, and (8).
template <typename Size>
LIMBER_INLINE void differentiate_node(const LinkWork<double>& link, const NodeWork<double>& node,
                                      const double* eta, const double* rate, const double* etadd,
                                      DerivativeLink& d, DerivativeNode& at, Size m) {
  const Mat3<double>& R = link.R_WR;
  const Vec3<double> rho = d.rho + R * node.p_RN;
  const LaneTwist<double> A_N = motion_at(node, link.A_R, etadd, m) + node.A_bias;
  const Vec3<double> rho_1 = R * node.V_N.linear, rho_2 = R * A_N.linear;
  const Vec3<double> force = transposed_times(R, at.body.wrench.force),
                     moment = transposed_times(R, at.body.wrench.moment - cross(rho, at.body.wrench.force));
  const Vec3<double>* theta_eta = node.Psi.data();  // dtheta/deta
  if (node.second_order) {
    for (int j = 0; j < m; ++j) d.theta_eta[j] = node.Psi[j] + row_times(node.Psi2, j, eta, m);
    theta_eta = d.theta_eta.data();
  }
  const NodeJet jet = node_jet(link, node, theta_eta, rate, etadd, moment, m);
  const Vec3<double>& w = link.V_R.angular;
  const Vec3<double> Jl_moment = transposed_times(node.Jl, moment);
  Turning turning = at.body.load;
  turning += at.held;

  for (int j = 0; j < m; ++j) {
    // (1)
    const Vec3<double>& theta_j = theta_eta[j];
    const Vec3<double>&p_0 = node.p_eta[j], &w_0 = node.w_eta[j];
    Vec3<double> p_1 = cross(w, p_0), p_2 = jet.of_place * p_0;
    Vec3<double> w_1 = jet.D_1 * theta_j, w_2 = jet.D_2 * theta_j;
    if (node.second_order) {
      const Vec3<double> p_rate = row_times(node.Phi2, j, rate, m),
                         theta_rate = row_times(node.Psi2, j, rate, m);
      p_1 += p_rate;
      p_2 += cross(w, p_rate) * 2.0 + row_times(node.Phi2, j, etadd, m);
      w_1 += node.Jl * theta_rate;
      w_2 += (jet.D_1 * theta_rate) * 2.0 + node.Jl * row_times(node.Psi2, j, etadd, m);
    }
    // (4), in the world's axes
    const Vec3<double> W_0 = R * w_0, W_1 = R * w_1, W_2 = R * w_2;
    Column& column = at.columns[j];
    column.J = {R * p_0 + cross(rho, W_0), W_0};
    column.U_q = W_1;
    column.W_v = LaneTwist<double>{R * p_1 + cross(rho_1, W_0) + cross(rho, W_1), W_1} * 2.0;
    column.W_q = {R * p_2 + cross(rho_2, W_0) + cross(rho_1, W_1) * 2.0 + cross(rho, W_2), W_2};

    // (8)'s second part: row k of column j
    const Vec3<double> of_force = cross(w_0, force),
                       of_moment = transposed_times(jet.moment_by_theta, theta_j);
    double* K = d.K.data() + j * d.m_filled;
    for (int k = 0; k < m; ++k) {
      K[k] += dot(node.p_eta[k], of_force, theta_eta[k], of_moment);
      if (node.second_order) K[k] += dot(node.Phi2[j * m + k], force, node.Psi2[j * m + k], Jl_moment);
    }
  }
  for (int j = 0; j < m; ++j) {
    const Column& column = at.columns[j];
    const LaneWrench<double> F_q =
        answer(at.body, column.W_q, column.U_q) + turning * column.J.angular;  // (5)
    const LaneWrench<double> F_v = answer(at.body, column.W_v, column.J.angular);
    const LaneWrench<double> P = at.body.inertia * column.J;
    Row& row = d.rows[link.joint_nv + j];
    add_row_of(at.body, column.J, row);
    row.F_q += F_q + cross(column.J, at.body.wrench);
    row.F_v += F_v;
    double *K = d.K.data() + j * d.m_filled, *C = d.C.data() + j * d.m_filled,
           *M = d.M.data() + j * d.m_filled;
    for (int k = 0; k < m; ++k) {
      const LaneTwist<double>& J = at.columns[k].J;
      K[k] += dot(J, F_q);
      C[k] += dot(J, F_v);
      M[k] += dot(J, P);
    }
  }
}

}  // namespace limber::detail
