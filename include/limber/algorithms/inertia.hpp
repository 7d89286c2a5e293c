// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A link's mass matrix and the forces that its motion alone asks for.
//
// All in the axes of the link's R, integrals over its mass. A point of the link at p(eta) from R's origin moves with v + w x p + p_j etad_j,
// (v, w) = V_R, p_j = dp/deta_j, sums over j. Collecting Int (...) . (...) dm gives, for (v, w, etad),
//
//   M = [M_rr M_re] = [ m 1      -[h]x      Int p_j      ]      h = Int p,  I = Int (p.p 1 - p p^T)   (1)
//       [  .  M_ee]   [  .         I        Int p x p_j  ]
//                     [  .         .        Int p_j.p_k  ]
//
// and for its acceleration a = (R's) + w x (w x p) + 2 w x pdot + pdd, with Q = Int p p^T, Q_j = Int p p_j^T, Qd = Int p pdot^T, the force
//
//   f_v = w x (w x h) + 2 w x hdot + Int pdd                                                      (2)
//   f_w = w x I w + 2 (tr(Qd) w - Qd^T w) + Int p x pdd                                           (3)
//   f_j = w^T Q_j w - w.w tr Q_j + 2 w . Int pdot x p_j + Int p_j . pdd                           (4)
//
// (pdd: the part of p's second derivative that is quadratic in etad); f_r = [f_v; f_w], f_e = [f_j]. With p = Sum_a F_a mu_a(eta) e_axis(a),
// every integral is a sum of the constants `moment` and `gram` of ShapeIntegrals. Lumps (bodies that turn with a section)
// add G^T M_body G and G^T f_body with the node's Jacobian G (detail/to_parent.hpp); sections with rotary inertia: detail/section_sums.hpp.
//
// Where the acceleration (A_R, etadd) is known, the force that it asks for,
//
//   [f_r; f_e] <- M [A_R; etadd] + [f_r; f_e],                                                     (5)
//
// is found without M, from the acceleration of every point (detail/inertia.hpp).

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// M_rr, M_re, M_ee of every link: needs update_positions.
template <typename Scalar>
void update_link_masses(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q);

/// update_velocities, the masses, and f_r, f_e of (2) to (4), in one sweep over the links.
template <typename Scalar>
void update_velocities_and_inertias(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                                    const Input<Scalar>& v);

}  // namespace limber
