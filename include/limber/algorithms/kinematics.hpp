// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where everything is and how it moves.
//
// A link with root frame R sits on node N of its parent, whose root frame is P (docs/notation.md). The node's place p_PN and rotation
// R_PN = exp(theta) are those of field.hpp, with w_eta = Jl(theta) dtheta/deta and p_eta = dp_PN/deta; the joint's relative motion is
// (v_J, w_J) = S qd, in R's axes. Of the link's turned joint frame (joint_work.hpp), with the joint's own rotation R_J and way p_J:
//
//   R_PR = R_PN R_NR0 R_J(q),   p_NR_P = R_PN (p_NJ + R_NR0 (p_J(q) + R_J p_BR_R))                   (1)
//   w_N  = w_P + w_eta etad,    v_N = v_P + w_P x p_PN + p_eta etad              the node, in P's axes   (2)
//   w_R  = R_RP w_N + w_J,      v_R = R_RP (v_N + w_N x p_NR_P) + v_J            the link, in R's axes   (3)
//
// and what remains of their accelerations when the parent's acceleration, etadd and qdd are zero (A_bias = [a; alpha] of the node, then
// of the link):
//
//   alpha_N = w_P x w_eta etad + (d/dt w_eta) etad                                                   (4)
//   a_N     = w_P x (w_P x p_PN) + 2 w_P x p_eta etad + etad^T Phi2 etad                             (5)
//   alpha_R = R_RP alpha_N + (R_RP w_N) x w_J + Sdot_w qd                                            (6)
//   a_R     = R_RP (a_N + alpha_N x p_NR_P + w_N x (w_N x p_NR_P)) + (2 R_RP w_N + w_J) x v_J
//             + (Sdot_w qd) x p_BR_R                                                                 (7)
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

/// R_WR and p_WR of all links, after update_positions or update_velocities.
template <typename Scalar>
void update_world_poses(Workspace<Scalar>& work);

}  // namespace limber
