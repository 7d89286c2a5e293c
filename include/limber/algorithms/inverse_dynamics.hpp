#pragma once

// Forces from accelerations: Newton-Euler, root to leaves and back, with elastic coordinates.
//
//   A_i = B_i [A_p; etadd_p] + c_i + S qdd                                                        (1)
//   f_i = (5) of inertia.hpp - loads + Sum over children B_c^T f_c                                (2)
//   tau = [S^T f_r + armature qdd; f_e]                                                           (3)

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/workspace.hpp"

namespace limber {

/// tau = M qdd + bias - loads: inertia and gravity, without springs, beams' stiffness and damping. Leaves
/// joint wrenches in the workspace.
template <typename Scalar>
void inverse_dynamics(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v, const VectorX<Scalar>& qdd, VectorX<Scalar>& tau,
                      const std::vector<ExternalWrench>& loads = {});

/// Coriolis, centrifugal and gravity forces: inverse dynamics at qdd = 0.
template <typename Scalar>
void bias_forces(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                 const VectorX<Scalar>& v, VectorX<Scalar>& bias);

/// Inverse dynamics at rest.
template <typename Scalar>
void gravity_forces(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                    VectorX<Scalar>& gravity);

/// Forces of springs, beams' stiffness, and dampers: what forward dynamics subtracts from tau.
template <typename Scalar>
void elastic_and_damping_forces(const Model& model, const Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                const VectorX<Scalar>& v, VectorX<Scalar>& forces);

}  // namespace limber
