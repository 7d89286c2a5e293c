// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// R. E. Kalman's filter (J. Basic Eng. 82 (1960), 35-45) on the process linearised at its mean (A. H. Jazwinski, Stochastic Processes and Filtering Theory, 1970, ch. 8):
//
//   x+ = f(x),   P+ = Phi P Phi^T + Q                                                                                        (1)
//   K = P H^T S^-1,   S = H P H^T + R,   x+ = x (+) K (y - h(x)),   P+ = P - K H P - (P H^T - K S) K^T                         (2)
//
// the last being Joseph's form (1 - K H) P (1 - K H)^T + K R K^T multiplied out, which is right whatever rounding does to K. Nothing is allocated once it has run, as far
// as the process allocates nothing.
//
// **Along constants it is of higher order.** What is known of a payload at first is far wider than what is known of a state, and moves the phase of fast modes by more than its
// first derivative says. So with b_j = the columns of P_(:,c) L^-T, L L^T = P_cc (how all errors go along with the constants c; P - B B^T knows no constant), f is also looked at in
// x (+) sqrt(3) b_j and x (-) sqrt(3) b_j, by Gauss and Hermite's rule of three points: with o_j, z_j = half the difference and half the sum of what comes out, beside f(x),
//
//   x+ += Sum z_j / 3,   P+ += Sum (o_j o_j^T / 3 - (Phi b_j)(Phi b_j)^T + 2/9 z_j z_j^T)                                      (3)
//
// and h likewise, W += Sum (o_j / sqrt(3) - H b_j) b_j^T. It is (1) and (2) where f and h are linear in the constants, and costs two predictions for each of them.

#include "limber/core/export.hpp"
#include "limber/estimation/state_filter.hpp"

namespace limber LIMBER_EXPORT {

/// (1), (2) and (3).
class ExtendedKalmanFilter : public StateFilter {
 public:
  /// The process must outlive it. Throws InputError for sizes that are not the process's.
  ExtendedKalmanFilter(DiscreteProcess& process, double t, Eigen::VectorXd x, Eigen::MatrixXd covariance)
      : StateFilter(process, t, std::move(x), std::move(covariance)) {}

 private:
  void go_to(double to) override;
  void take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) override;

  void find_spread();

  Eigen::MatrixXd H_, Phi_, B_;  ///< B_: columns b_j of (3); none where nothing is constant
  Eigen::VectorXd before_, there_, above_, below_, straight_, shift_;
};

}  // namespace limber
