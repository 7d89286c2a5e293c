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

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// M, nv x nv, symmetric, both triangles.
template <typename Scalar>
void mass_matrix(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q, MatrixOutput<Scalar> M);

}  // namespace limber
