// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The mass matrix by composite bodies: every link's inertia with all that it carries held still.
//
//   leaves to root:    M <- M + Sum over children H_c^T M_c,rr H_c                                (1)
//   link i:            f = [M_rr S, M_re],  diagonal block [S^T f; ., M_ee] (+ armature)          (2)
//   towards the root:  f <- H^T f; its elastic rows are the block of the parent's eta,
//                      S_P^T f_r that of the parent's joint                                       (3)
//
// where H carries the motion of the parent to R (docs/dynamics.md), and f is the momentum of a unit velocity.
//
// (3) turns f once for each ancestor of each coordinate. Where there are many, it is turned once for all (with double): into the axes of O, the root frame of the link
// that stands on the ground, about O's origin, where the screw s_k of every coordinate k stands, too (of an ancestor's elastic coordinate that
// of the node on the way),
//
//   s_k = [R_OR S_v + p_OR x R_OR S_w; R_OR S_w],   f_O = [R_OR f; R_OR n + p_OR x R_OR f],   M_ki = s_k . f_O,i        (4)
//
// Six numbers by six, for as many ancestors at once as a register holds. (O, not W: a base may be far away from W, and digits are lost with the
// distance.) Formulas stay with (3), which does not write them in axes of the root.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// M, nv x nv, symmetric, both triangles.
template <typename Scalar>
void mass_matrix(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q, MatrixOutput<Scalar> M);

}  // namespace limber
