// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of motion are linear in the masses, stiffnesses and their products with lengths: what adaptive control and identification are built on
// (F. L. Lin and F. L. Lewis, theorem 1; M. W. Spong and M. Vidyasagar, "Robot Dynamics and Control", 6.5).
//
//   M(q) a + C(q, v) w + D w + K (q - rest) + G(q) = Y(q, v, w, a) p                                                (1)
//
// w is a second velocity, that of a reference; with w = v the left side is that of the equations of motion. C is the matrix of Christoffel symbols. What it
// makes of v is quadratic in v, h - G, and C(q, v) w is symmetric in v and w, hence
//
//   C(q, v) w = 1/2 Sum_k dh/dv_k w_k                                                                              (2)
//
// Every expression becomes a polynomial in the parameters, whose coefficients are expressions of coordinates: each product of parameters that occurs
// (m2 L1 c2) is a candidate for a column of Y. Columns that are the same but for a number are one, and their products one sum in p: for two rigid
// links, five numbers are left of nine parameters. Gravity is taken as known, and so is a parameter inside of a function (the length of a beam that
// bends in space, in the angle of its sections): these stay in Y.

#include "limber/core/export.hpp"
#include "limber/symbolic/symbolic_arm.hpp"

namespace limber LIMBER_EXPORT {

/// Both sides of (1).
struct Regressor {
  MatrixX<Expression> Y;  ///< nv x parameters, of q, v, w and a
  VectorX<Expression> p;  ///< sums of products of the arm's parameters
};

/// (1). Throws InputError for spherical and free joints, and where the arm has numbers instead of parameters; ComputationError where there would be too
/// many products.
Regressor derive_regressor(SymbolicArm& arm);

}  // namespace limber
