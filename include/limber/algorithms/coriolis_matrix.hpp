// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The Coriolis matrix C(q, v): C v is the Coriolis and centrifugal force, and Mdot - 2C is skew-symmetric.
//
// For a set of particles with Jacobians J, M = Sum m J^T J, and
//
//   C = Sum m J^T dJ/dt                                                                           (1)
//
// has both properties: Mdot - 2C = Sum m (Jdot^T J - J^T Jdot). In a link, a point moves with R_WR J_p y, y =
// [V_R; etad] = [v; w; etad], J_p = [1, -[p]x, p_j], and d/dt (R_WR J_p) = R_WR ([w]x J_p + Jdot_p). With J now the map from the arm's
// v to y of a link, (1) becomes
//
//   C = Sum over links J^T (C_link J + M Jdot),    C_link = Int J_p^T ([w]x J_p + Jdot_p)           (2)
//
// C_link's blocks, with the integrals of inertia.hpp, Qd_j = Int pdot p_j^T and h_j = Int p_j:
//
//   C_vv = m [w]x           C_vw = -[w]x[h]x - [hdot]x           C_vj = w x h_j + hdot_j
//   C_wv = [h]x [w]x        C_ww = [Q w]x + tr(Qd) 1 - Qd^T      C_wj = tr(Q_j) w - Q_j^T w + Int p x pdot_j
//   C_jv = (h_j x w)^T      C_jw = (Q_j^T w - tr(Q_j) w + axial(Qd_j))^T
//   C_jk = w . Int p_k x p_j + Int p_j . pdot_k                                                   (3)
//
// Made for analysis and control design, not for simulation: the cost grows with the square of the depth of
// the arm.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// C, nv x nv.
void coriolis_matrix(const Model& model, Workspace<double>& work, const Input<double>& q,
                     const Input<double>& v, MatrixOutput<double> C);

}  // namespace limber
