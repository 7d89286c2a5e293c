// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Forces from accelerations: Newton-Euler, root to leaves and back, with elastic coordinates.
//
//   A_R = H [A_P; etadd_P] + A_bias + S qdd                                                       (1)
//   f   = (5) of inertia.hpp - loads + Sum over children H_c^T f_c,r                              (2)
//   tau = [S^T f_r + armature qdd; f_e]                                                           (3)

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// tau = M qdd + bias - loads: inertia and gravity, without springs, beams' stiffness and damping. Leaves
/// joint wrenches in the workspace.
template <typename Scalar>
void inverse_dynamics(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                      const Input<Scalar>& v, const Input<Scalar>& qdd, Output<Scalar> tau,
                      const std::vector<Load>& loads = {});

/// Coriolis, centrifugal and gravity forces: inverse dynamics at qdd = 0.
template <typename Scalar>
void bias_forces(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q, const Input<Scalar>& v,
                 Output<Scalar> bias);

/// Inverse dynamics at rest.
template <typename Scalar>
void gravity_forces(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                    Output<Scalar> gravity);

/// Forces of springs, beams' stiffness, and dampers: what forward dynamics subtracts from tau.
template <typename Scalar>
void elastic_and_damping_forces(const Model& model, const Workspace<Scalar>& work, const Input<Scalar>& q,
                                const Input<Scalar>& v, Output<Scalar> forces);

}  // namespace limber
