// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How the pose, the twist, the acceleration and the Jacobian of a frame E change with position, velocity and acceleration: the recursion of kinematics, differentiated by
// hand, where the dual scalar sweeps over the arm once for every four coordinates.
//
// A coordinate j that carries E displaces all that it carries as one body, by xi = J_j dq_j (derivatives.hpp). Everything is taken about the point O where E's origin just
// is, in the world's axes; O rests. There J_j is the column of E's Jacobian, and with U = d/dt J, W = d^2/dt^2 J of (2) to (4) there, v, w, a, alpha those of E, a
// varied motion changes E's place by J_v, turns it by J_w, and changes
//
//   v       by U_v + J_w x v                                                                            (1)
//   w       by U_w + J_w x w                                                                            (2)
//   a       by W_v + 2 U_w x v + J_w x a                                                                (3)
//   alpha   by W_w + U_w x w + J_w x alpha                                                              (4)
//
// since a point that moves with v is displaced by J_v + J_w x (its way from O). (3) is (1) of derivatives.hpp. By v_j, U is J and W is 2 U (or (V_N + V_R) x J); there
// displacements are zero, so that of (3) W_v + 2 J_w x v is left and of (4) W_w + J_w x w. By a_j all of it is J.
//
// The Jacobian itself: a coordinate k whose column J_k is carried by j turns with it, one that carries j itself does not know of it,
//
//   dJ_k/dq_j = J_j x J_k   (j carries k)      0   (k carries j)                                         (5)
//
// and two elastic coordinates of one link, whose node is at rho from O, turn and move it by w_j and p_j with derivatives
//
//   dw_k/deta_j = Jl theta_jk + (dJl/dtheta theta_j) theta_k,    dp_k/deta_j = p_jk,
//   dJ_k/deta_j = [p_jk + p_j x w_k + rho x dw_k/deta_j; dw_k/deta_j]                                     (6)
//
// At last E's origin leaves O by J_j, which moves the linear part of column k by J_k,w x J_j,v.
//
// **Other axes.** In E's own, x_E = R^T x changes by R^T (dx - J_w x x); of the point that passes the world's origin, p away, the linear part l - y x p (y the angular
// part) by dl - dy x p - y x J_v. Accelerations are rates of the twist's components: in E's axes a - w x v in place of a, of the world's origin a - alpha x p - w x v.

#include <vector>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// How E moves with q, v and a, 6 x nv each; `dq` is along v's components.
struct FrameDerivatives {
  Matrix6X<double> J;                ///< of its pose by q, of its twist by v, of its acceleration by a
  Matrix6X<double> twist_dq;         ///< of its twist
  Matrix6X<double> acceleration_dq;  ///< of the rate of its twist's components
  Matrix6X<double> acceleration_dv;  ///< likewise
};

/// At q, v and the accelerations a: computes all it needs. `result` is given its size, and nothing is allocated once it has it (but for arms with telescoping beams, which
/// go by the dual scalar).
void frame_derivatives(const Model& model, Workspace<double>& work, const Frame& frame, MotionAxes axes,
                       const Input<double>& q, const Input<double>& v, const Input<double>& a,
                       FrameDerivatives& result);

/// How E's Jacobian changes with q.
struct FrameJacobianDerivatives {
  Matrix6X<double> J;                ///< that of frame_jacobian()
  std::vector<Matrix6X<double>> dq;  ///< dJ/dq_j, 6 x nv, for each component j of v
};

/// By (5) and (6). Computes all it needs; nothing is allocated once `result` has its size (but for arms with telescoping beams).
void frame_jacobian_derivatives(const Model& model, Workspace<double>& work, const Frame& frame,
                                MotionAxes axes, const Input<double>& q, FrameJacobianDerivatives& result);

}  // namespace limber
