// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of motion of an arm as expressions:
//
//   M(q) a + C(q, v) v + D v + K (q - rest) + G(q) = B u                                                         (1)
//
// M comes from composite bodies, C v + G from Newton-Euler, the Jacobian from kinematics: the algorithms that compute numbers,
// run with symbols. C is that of Lin and Lewis, eq. (26), the Christoffel symbols of M:
//
//   C_ij = 1/2 Sum_k (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i) v_k                                                  (2)
//
// so that dM/dt - 2 C is skew-symmetric. (Their (22) and (24) give another matrix, with which it is not.)
//
// Every quantity is compared with the numeric core at a random state before it is handed out.

#include "limber/core/export.hpp"
#include "limber/symbolic/symbolic_arm.hpp"

namespace limber LIMBER_EXPORT {

/// Symmetric, lower triangle and upper.
MatrixX<Expression> derive_mass_matrix(SymbolicArm& arm);
/// (2), from M. Throws InputError for spherical and free joints, whose v is no rate of q.
MatrixX<Expression> derive_coriolis_matrix(SymbolicArm& arm, const MatrixX<Expression>& M);
/// C v + G.
VectorX<Expression> derive_bias(SymbolicArm& arm);
/// G.
VectorX<Expression> derive_gravity(SymbolicArm& arm);
/// Where springs are relaxed, nv: zero where there is none.
VectorX<Expression> derive_rest(SymbolicArm& arm);
///@{
/// K and D of beams, springs and dampers.
MatrixX<Expression> derive_stiffness(SymbolicArm& arm);
MatrixX<Expression> derive_damping(SymbolicArm& arm);
///@}
/// nv x joints: phi'(0) in the rows of pinned shapes. (With universal joints at zero.)
MatrixX<Expression> derive_input_matrix(SymbolicArm& arm);
/// 6 x nv, at the end effector, world axes, linear rows first.
MatrixX<Expression> derive_jacobian(SymbolicArm& arm);
/// T, one entry: kinetic energy, armatures included.
MatrixX<Expression> derive_kinetic_energy(SymbolicArm& arm);
/// V, one entry: energy of gravity, zero at the world's origin, of beams and of springs, those of cylinders too.
MatrixX<Expression> derive_potential_energy(SymbolicArm& arm);
/// 3 x 4: rotation matrix and place of the end effector in the world.
MatrixX<Expression> derive_pose(SymbolicArm& arm);
/// What closed loops ask for, c(q) = 0: a row for each of theirs (algorithms/constraints.hpp).
VectorX<Expression> derive_loop_gaps(SymbolicArm& arm);
/// A of c' = A v, by which loops act: A^T lambda.
MatrixX<Expression> derive_loop_jacobian(SymbolicArm& arm);
/// gamma of c'' = A a + gamma: what the motion alone makes of the second rates of c.
VectorX<Expression> derive_loop_bias(SymbolicArm& arm);
/// Lengths of cylinders (of dampers at points: the way along their axis), l(q), in the order of the file (algorithms/struts.hpp).
VectorX<Expression> derive_cylinder_lengths(SymbolicArm& arm);
/// S of l' = S v, by which forces f of cylinders act: S^T f.
MatrixX<Expression> derive_cylinder_jacobian(SymbolicArm& arm);
/// Kt = d(K (q - rest) + G)/dq, which is K + dG/dq but for telescoping beams: with M, D and B the linear model M x'' + D x' + Kt x = B u about any position of rest, of which the symbols stay. Throws InputError for
/// spherical and free joints, whose v is no rate of q.
MatrixX<Expression> derive_tangent_stiffness(SymbolicArm& arm, const MatrixX<Expression>& K,
                                             const MatrixX<Expression>& G);
/// Accelerations by block elimination, O(n): from q, v and generalized forces u. The wrenches in the joints are left in the workspace.
VectorX<Expression> derive_accelerations(SymbolicArm& arm);
/// What is missing for the equations to hold with accelerations a: u - M a - bias - K (q - rest) - D v.
VectorX<Expression> derive_missing_forces(SymbolicArm& arm);
/// M a + bias: inverse dynamics.
VectorX<Expression> derive_inertial_forces(SymbolicArm& arm);

/// d/dt M along v.
MatrixX<Expression> rate_of(SymbolicArm& arm, const MatrixX<Expression>& M);

}  // namespace limber
