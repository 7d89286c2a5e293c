// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where everything is and how it moves.
//
// Link i sits on node k of its parent p. With E = exp(theta_k) the section's rotation, r the node's position,
// T = Jl(theta) dtheta/deta (field.hpp), and the joint's relative motion (vJ, wJ) = S qd in the link's axes:
//
//   R   = E R_NJ R_J(q),    d = E (p_NJ + R_NJ (p_J(q) + R_J p_BF))     from the node to F        (1)
//   w_n = w_p + T etad,     v_n = v_p + w_p x r + r_eta etad            the node                  (2)
//   w_i = R^T w_n + wJ,     v_i = R^T (v_n + w_n x d) + vJ              the link                  (3)
//
// and what remains of their accelerations when the parent's acceleration, etadd and qdd are zero:
//
//   alpha_n = w_p x T etad + (d/dt T) etad                                                        (4)
//   a_n     = w_p x (w_p x r) + 2 w_p x r_eta etad + etad^T B etad                                (5)
//   c_w     = R^T alpha_n + (R^T w_n) x wJ + Sdot_w qd                                            (6)
//   c_v     = R^T (a_n + alpha_n x d + w_n x (w_n x d)) + (2 R^T w_n + wJ) x vJ
//             + (Sdot_w qd) x p_BF                                                                (7)
//
// Sdot is zero but for the universal joint, whose first axis turns with the second angle.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// (1) for all links and nodes. q has model.nq() numbers.
template <typename Scalar>
void update_positions(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q);

/// (1) to (7). v has model.nv() numbers.
template <typename Scalar>
void update_velocities(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                       const Input<Scalar>& v);

/// R_W and p_W of all links, after update_positions or update_velocities.
template <typename Scalar>
void update_world_poses(Workspace<Scalar>& work);

}  // namespace limber
