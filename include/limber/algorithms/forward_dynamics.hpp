// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Accelerations from forces in O(n): block elimination from the leaves to the root (docs/dynamics.md; Mohan and
// Saha's DeNOC factorization read as articulated bodies with elastic coordinates).
//
// For every link, leaves first, with joint subspace S and n = (joint + elastic) coordinates:
//
//   M_ri = [M_rr S, M_re],   M_ii = [S^T M_rr S + armature, S^T M_re; ., M_ee] = L Delta L^T      (1)
//   u = [tau - damping qd - stiffness (q - rest) - S^T f_r;  tau_e - K eta - D etad - f_e]        (2)
//   Z = L^-1 M_ri^T,  z = L^-1 u,   M_a = M_rr - Z^T Delta^-1 Z,   f_a = f_r + Z^T Delta^-1 z     (3)
//   parent:  M += H^T M_a H,   f += H^T (f_a + M_a A_bias)                                        (4)
//
// then root to leaves:
//
//   A- = H [A_P; etadd_P] + A_bias,   [qdd; etadd] = L^-T Delta^-1 (z - Z A-),   A_R = A- + S qdd
//   wrench = M_a A- + f_a                                                                         (5)
//
// where H carries the motion of the parent to R (docs/dynamics.md). A prescribed joint moves as it is told: its qdd is known. It counts as a
// fixed joint whose A_bias has a term more,
//
//   A_bias += S qdd                                                                               (6)
//
// and n of its link is the number of elastic coordinates alone. What moves it follows from its wrench.
//
// L is unit lower triangular and Delta diagonal. (3) subtracts Z^T Delta^-1 Z, which is symmetric by
// construction. With an explicit inverse of M_ii the same recursion loses all digits on long chains.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/model/load.hpp"

namespace limber LIMBER_EXPORT {

/// qdd (nv numbers; the rate of v's components) of M qdd + bias + damping v + stiffness (q - rest) = tau +
/// loads. Prescribed joints (Workspace::prescribe) keep the qdd that is handed in. Leaves joint wrenches in the
/// workspace. Throws ComputationError, naming link and coordinate, where
/// the mass matrix is singular.
template <typename Scalar>
void forward_dynamics(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                      const Input<Scalar>& v, const Input<Scalar>& tau, Output<Scalar> qdd,
                      const std::vector<Load>& loads = {});

/// What the motors of a link's joint do, after forward dynamics: S^T wrench + armature qdd + damping v + stiffness (q - rest), into the
/// rows of `efforts` (nv) that are the joint's. For a prescribed joint this is what moves it.
template <typename Scalar>
void joint_efforts(const Model& model, const Workspace<Scalar>& work, int link, const Input<Scalar>& q,
                   const Input<Scalar>& v, const Input<Scalar>& qdd, Output<Scalar> efforts);

/// The wrench in the joint of a link that forward or inverse dynamics left in the workspace: by the parent on the link, about the
/// origin of B, in its axes.
template <typename Scalar>
WrenchOf<Scalar> joint_wrench(const Model& model, const Workspace<Scalar>& work, int link);
/// Of all links.
template <typename Scalar>
void joint_wrenches(const Model& model, const Workspace<Scalar>& work,
                    std::vector<WrenchOf<Scalar>>& wrenches);

}  // namespace limber
