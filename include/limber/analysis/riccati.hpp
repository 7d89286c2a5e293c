// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// State feedback that is optimal for a quadratic cost: u = -L x minimises Int (x^T Q x + u^T R u) dt for
// x' = A x + B u. With G = B R^-1 B^T, L = R^-1 B^T X, X the stabilising solution of the Riccati equation
//
//   A^T X + X A - X G X + Q = 0                                                                      (1)
//
// 1. Scaling. x = diag(d) z turns A, G, Q into diag(d)^-1 A diag(d), diag(d)^-1 G diag(d)^-1, diag(d) Q diag(d). d
//    (powers of two) makes row i of [A, G] as large as column i of [A; Q] (Benner, SIAM J. Sci. Comput. 22 (2001),
//    1885-1904).
// 2. The matrix sign function S of H = [A, -G; -Q, -A^T] by Newton's iteration Z <- (c Z + (c Z)^-1)/2, with
//    c = |det Z|^(-1/2n) (Byers, Linear Algebra Appl. 85 (1987), 267-279). [1; X] spans the eigenvectors of H to
//    eigenvalues on the left, where S is -1:
//
//      [S_12; S_22 + 1] X = -[S_11 + 1; S_21]                                                        (2)
//
// 3. Newton's iteration on (1) (Kleinman 1968) takes X to rounding. It is written for the correction E, because
//    X' = X + E then has the rounding errors of (1), not those of a Lyapunov equation for all of X:
//
//      (A - G X)^T E + E (A - G X) + (left side of (1)) = 0                                          (3)
//
// X is given back only if (1) holds to rounding and A - G X is stable.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// X of (1). Q (n x n) symmetric and positive semidefinite, R (m x m) symmetric and positive definite: throws
/// InputError otherwise. Throws ComputationError, with the motion that is to blame, where (A, B) cannot be
/// stabilised or Q sees nothing of an undamped motion.
Eigen::MatrixXd solve_riccati(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& Q,
                              const Eigen::MatrixXd& R);

/// L = R^-1 B^T X: m x n, u = -L x.
Eigen::MatrixXd lqr_gain(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& Q,
                         const Eigen::MatrixXd& R);

/// X of A^T X + X A + W = 0 for symmetric W: unique where no two eigenvalues of A add up to zero; no check is made.
Eigen::MatrixXd solve_lyapunov(const Eigen::MatrixXd& A, const Eigen::MatrixXd& W);

}  // namespace limber
