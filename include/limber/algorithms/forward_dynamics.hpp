// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Accelerations from forces in O(n): block elimination from the leaves to the root (docs/dynamics.md; Mohan and
// Saha's DeNOC factorization read as articulated bodies with elastic coordinates).
//
// For every link, leaves first, with joint subspace S and n = (joint + elastic) coordinates:
//
//   W = [M_rr S, M_re],   D = [S^T M_rr S + armature, S^T M_re; ., M_ee] = L Delta L^T            (1)
//   u = [tau - d qd - k (q - rest) - S^T p_r;  tau_e - K eta - C etad - p_e]                      (2)
//   Z = L^-1 W^T,  z = L^-1 u,   Ma = M_rr - Z^T Delta^-1 Z,   pa = p_r + Z^T Delta^-1 z          (3)
//   parent:  M += B^T Ma B,   p += B^T (pa + Ma c)                                                (4)
//
// then root to leaves:
//
//   A- = B [A_p; etadd_p] + c,   [qdd; etadd] = L^-T Delta^-1 (z - Z A-),   A = A- + S qdd
//   wrench = Ma A- + pa                                                                           (5)
//
// A prescribed joint moves as it is told: its qdd is known. It counts as a fixed joint whose c has a term more,
//
//   c += S qdd                                                                                    (6)
//
// and n of its link is the number of elastic coordinates alone. What moves it follows from its wrench.
//
// L is unit lower triangular and Delta diagonal. (3) subtracts Z^T Delta^-1 Z, which is symmetric by
// construction. With an explicit inverse of D the same recursion loses all digits on long chains.

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
/// origin of B, in its axes, force first.
template <typename Scalar>
Vector6<Scalar> joint_wrench(const Model& model, const Workspace<Scalar>& work, int link);
/// Of all links.
template <typename Scalar>
void joint_wrenches(const Model& model, const Workspace<Scalar>& work,
                    std::vector<Vector6<Scalar>>& wrenches);

}  // namespace limber
