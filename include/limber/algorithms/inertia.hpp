// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A link's mass matrix and the forces that its motion alone asks for.
//
// A point of link i at position p(eta) in F moves with v + w x p + p_j etad_j (p_j = dp/deta_j, sums over j).
// Collecting Int dm (...) . (...) gives, for (v, w, etad),
//
//   M = [ m 1      -[h]x      Int p_j      ]         h = Int p,  I = Int (p.p 1 - p p^T)          (1)
//       [  .         I        Int p x p_j  ]
//       [  .         .        Int p_j.p_k  ]
//
// and for its acceleration a = (frame's) + w x (w x p) + 2 w x pdot + p_jk etad_j etad_k
//
//   gamma_v = w x (w x h) + 2 w x hdot + Int pdd                                                  (2)
//   gamma_w = w x I w + 2 (tr(V) w - V^T w) + Int p x pdd,           V = Int p pdot^T             (3)
//   gamma_j = w^T W_j w - w.w tr W_j + 2 w . Int pdot x p_j + Int p_j . pdd,   W_j = Int p p_j^T  (4)
//
// (pdd: the part of p's second derivative that is quadratic in etad). With p = Sum_a F_a mu_a(eta) e_axis(a),
// every integral is a sum of the constants `moment` and `gram` of ShapeIntegrals. Lumps (bodies that turn with a section)
// add G^T M_body G and G^T f_body with the node's Jacobian G; sections with rotary inertia: src/algorithms/sections.cpp.
//
// Where the acceleration (A, etadd) is known, the force that it asks for,
//
//   f = M [A; etadd] + gamma,                                                                     (5)
//
// is found without M, from the acceleration of every point (src/algorithms/inertia.cpp).

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// body, M_re, M_ee of every link: needs update_positions.
template <typename Scalar>
void update_link_masses(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q);

/// update_velocities, the masses, and p_r, p_e = gamma of (2) to (4), in one sweep over the links.
template <typename Scalar>
void update_velocities_and_inertias(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                                    const Input<Scalar>& v);

}  // namespace limber
