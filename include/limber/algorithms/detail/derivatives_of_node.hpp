// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What an elastic coordinate does to all that sits on a node of its link, and what that answers: (4), (5) to (8) of limber/algorithms/derivatives.hpp.
//
// Columns: detail/motion_columns.hpp. With force f and moment n of all that sits on the node, about it,
//
//   dJ_j/deta_k . F = p_jk . f + p_k . (w_j x f) + theta_jk . Jl^T n + theta_j . d(Jl^T n)/dtheta theta_k                          (1)

#include "limber/algorithms/detail/derivative_work.hpp"

namespace limber::detail {

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

// (4) of every elastic coordinate, and (8).
template <typename Size>
LIMBER_INLINE void differentiate_node(const LinkWork<double>& link, const NodeWork<double>& node,
                                      const double* eta, const double* rate, const double* etadd,
                                      DerivativeLink& d, DerivativeNode& at, Size m) {
  const Mat3<double>& R = link.R_WR;
  const Vec3<double> rho = d.rho + R * node.p_RN;
  const LaneTwist<double> A_N = motion_at(node, link.A_R, etadd, m) + node.A_bias;
  const Vec3<double> force = transposed_times(R, at.body.wrench.force),
                     moment = transposed_times(R, at.body.wrench.moment - cross(rho, at.body.wrench.force));
  const Vec3<double>* theta_eta = node.Psi.data();  // dtheta/deta
  if (node.second_order) {
    for (int j = 0; j < m; ++j) d.theta_eta[j] = node.Psi[j] + row_times(node.Psi2, j, eta, m);
    theta_eta = d.theta_eta.data();
  }
  const RotationJet<double, Vec3<double>> jet = rotation_jet(
      node, [theta_eta](int j) { return theta_eta[j]; }, rate, etadd, m);
  const NodeMotionJet motion = node_motion_jet(link, node, jet, rho, A_N.linear);
  const Mat3<double> moment_by_theta = jet.of_transposed_times(moment, by_rows);
  const Vec3<double> Jl_moment = transposed_times(node.Jl, moment);
  Turning turning = at.body.load;
  turning += at.held;

  for (int j = 0; j < m; ++j) {
    const Vec3<double>& theta_j = theta_eta[j];
    set_node_column(link, node, motion, j, theta_j, rate, etadd, m, at.columns[j]);

    // (8)'s second part: row k of column j
    const Vec3<double> of_force = cross(node.w_eta[j], force),
                       of_moment = transposed_times(moment_by_theta, theta_j);  // (1)
    double* K = d.K.data() + j * d.m_filled;
    for (int k = 0; k < m; ++k) {
      K[k] += dot(node.p_eta[k], of_force, theta_eta[k], of_moment);
      if (node.second_order) K[k] += dot(node.Phi2[j * m + k], force, node.Psi2[j * m + k], Jl_moment);
    }
  }
  for (int j = 0; j < m; ++j) {
    const Column& column = at.columns[j];
    const LaneWrench<double> F_q =
        answer(at.body, column.W_q, column.U_q.angular) + turning * column.J.angular;  // (5)
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
