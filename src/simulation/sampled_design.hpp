// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Linear systems whose inputs are held from sample to sample, and feedback that is optimal for them: u_k = -K x_k minimises Sum (x^T Q x + u^T R u) for
// x_k+1 = A x_k + B u_k. With G = B R^-1 B^T and X the stabilising solution of the discrete Riccati equation
//
//   X = Q + A^T X (1 + G X)^-1 A,     K = (R + B^T X B)^-1 B^T X A                                                          (1)
//
// 1. Doubling (Chu, Fan, Lin and Wang, Int. J. Control 77 (2004), 767-788), from A_0 = A, G_0 = G, X_0 = Q; A may be singular, as that of a delay is:
//
//      V = (1 + G_k X_k)^-1,  A_k+1 = A_k V A_k,  G_k+1 = G_k + A_k V G_k A_k^T,  X_k+1 = X_k + A_k^T X_k V A_k             (2)
//
// 2. Newton's iteration (Hewer, IEEE Trans. Automat. Control 16 (1971), 382-384) takes X to rounding, by a sum of positive terms that is doubled as well:
//
//      X' = Sum_i (F^T)^i (Q + K^T R K) F^i,   F = A - B K                                                                 (3)
//
// K is given back only if (1) holds to rounding and F is stable.

#include "limber/math/eigen.hpp"

namespace limber {

/// x(T) = A x(0) + B u.
struct HeldSystem {
  Eigen::MatrixXd A, B;
};
/// Of x' = F x + G u with u held for T seconds.
HeldSystem over_a_period(const Eigen::MatrixXd& F, const Eigen::MatrixXd& G, double T);

/// X and K of (1).
struct SampledRegulator {
  Eigen::MatrixXd X, K;
};
/// Throws ComputationError where there is none.
SampledRegulator sampled_regulator(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                   const Eigen::MatrixXd& Q, const Eigen::MatrixXd& R);
/// Its K alone.
Eigen::MatrixXd sampled_lqr_gain(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, const Eigen::MatrixXd& Q,
                                 const Eigen::MatrixXd& R);

}  // namespace limber
