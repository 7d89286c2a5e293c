// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects of Piedboeuf's paper ("The Jacobian matrix for a flexible manipulator", 1993), for its readers:
// truncated as he truncates, where frame_jacobian() keeps rotations exact. Equation numbers are the paper's.
//
// With eta of one beam, at one of its nodes,
//
//   R  = 1 + [theta] + 1/2 [Psi eta]^2                  rotation to second order, his matrix              (16)
//   r  = r0 + Phi eta + 1/2 eta^T Phi2 eta              position                                          (18)
//   J_T = J_T0 + [eta^T J_Tx; eta^T J_Ty; eta^T J_Tz]   local Jacobian of translation           (24), (62)-(66)
//   J_R = J_R0 + [eta^T J_Rx; eta^T J_Ry; eta^T J_Rz]   local Jacobian of rotation              (23), (60)-(61)
//
// constant and linear parts apart: J_T0 = Phi, J_Tk = Phi2_k, J_R0 = Psi, and from the angular velocity to second
// order, w = thetadot + 1/2 theta x thetadot, J_Rk = Psi2_k + 1/2 ((Psi .) x (Psi .))_k. These are his integrals, since
// the field (field.hpp) is his; tests/algorithms/piedboeuf.cpp computes them from the shapes.
//
// The endpoint Jacobian has a column for every joint and a block for every flexible link,
//
//   (J_e)_joint = [a x r_e/i; a]  (revolute)  or  [a; 0]  (prismatic)                                       (3)
//   (J_e)_link  = [J_T - r_e/i x J_R; J_R]                                                                 (26)
//
// in the world's axes. Generalized forces of an endpoint force and moment: Q = J_e^T f                      (29)
//
// The paper's (23) is lost in the text at hand; in (24) the coupling blocks need phi'', in (65) J_Tz uses v's phi''.

#include "limber/algorithms/jacobian.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// Jacobians of a node's place and rotation in the beam's root frame R, constant and linear parts apart.
struct LocalJacobians {
  Eigen::Matrix3Xd J_T0, J_R0;  ///< 3 x m: at eta = 0
  /// Parts that are linear in eta, for x, y, z: m x m each.
  std::array<Eigen::MatrixXd, 3> J_T,
      J_R;  ///< x, y, z; m x m each, zero for first-order kinematics but for J_R's
            ///< products of slopes

  /// J_T at eta: 3 x m, (24).
  Eigen::Matrix3Xd translation(const Input<double>& eta) const;
  /// J_R at eta: 3 x m, (23).
  Eigen::Matrix3Xd rotation(const Input<double>& eta) const;
};

/// Of one node.
LocalJacobians local_jacobians(const BeamNode& node);

/// (16)
Eigen::Matrix3d second_order_rotation(const BeamNode& node, const Input<double>& eta);

/// J_e, 6 x nv, linear rows first, of a frame's origin in the world's axes: exact to first order in the elastic
/// coordinates.
Matrix6X<double> piedboeuf_jacobian(const Model& model, const Input<double>& q, const Frame& frame);

}  // namespace limber
