// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The mass matrix by composite bodies: every link's inertia with all that it carries held still.
//
//   leaves to root:    Mc_i = M_i + Sum over children B_c^T Mc_c,rr B_c                           (1)
//   link i:            F = [Mc_rr S, Mc_re],  diagonal block [S^T F; ., Mc_ee] (+ armature)       (2)
//   towards the root:  F <- B^T F; its elastic rows are the block of the parent's eta,
//                      S_p^T F_r that of the parent's joint                                       (3)

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// M, nv x nv, symmetric, both triangles.
template <typename Scalar>
void mass_matrix(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q, MatrixOutput<Scalar> M);

}  // namespace limber
