// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The Coriolis matrix C(q, v): C v is the Coriolis and centrifugal force, and Mdot - 2C is skew-symmetric.
//
// For a set of particles with Jacobians J, M = Sum m J^T J, and
//
//   C = Sum m J^T dJ/dt                                                                           (1)
//
// has both properties: Mdot - 2C = Sum m (Jdot^T J - J^T Jdot). In a link, a point moves with R L xi, xi =
// (v, w, etad), L = [1, -[p]x, p_j], and d/dt (R L) = R ([w]x L + Ldot). With G the map from the arm's v to
// xi, (1) becomes
//
//   C = Sum over links G^T (N G + M Gdot),    N = Int L^T ([w]x L + Ldot)                         (2)
//
// N's blocks, with the integrals of inertia.hpp and Q = Int p p^T, U_j = Int pdot p_j^T, s_j = Int p_j:
//
//   N_vv = m [w]x           N_vw = -[w]x[h]x - [hdot]x           N_vj = w x s_j + sdot_j
//   N_wv = [h]x [w]x        N_ww = [Q w]x + tr(V) 1 - V^T        N_wj = tr(W_j) w - W_j^T w + Int p x pdot_j
//   N_jv = (s_j x w)^T      N_jw = (W_j^T w - tr(W_j) w + axial(U_j))^T
//   N_jk = w . Int p_k x p_j + Int p_j . pdot_k                                                   (3)
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
