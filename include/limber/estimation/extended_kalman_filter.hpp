// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// R. E. Kalman's filter (J. Basic Eng. 82 (1960), 35-45) on the process linearised at its mean (A. H. Jazwinski, Stochastic Processes and Filtering Theory, 1970, ch. 8):
//
//   x+ = f(x),   P+ = Phi P Phi^T + Q                                                                                        (1)
//   K = P H^T S^-1,   S = H P H^T + R,   x+ = x (+) K (y - h(x)),   P+ = P - K H P - (P H^T - K S) K^T                         (2)
//
// the last being Joseph's form (1 - K H) P (1 - K H)^T + K R K^T multiplied out, which is right whatever rounding does to K. Nothing is allocated once it has run, as far
// as the process allocates nothing.

#include "limber/core/export.hpp"
#include "limber/estimation/state_filter.hpp"

namespace limber LIMBER_EXPORT {

/// (1) and (2).
class ExtendedKalmanFilter : public StateFilter {
 public:
  /// The process must outlive it. Throws InputError for sizes that are not the process's.
  ExtendedKalmanFilter(DiscreteProcess& process, double t, Eigen::VectorXd x, Eigen::MatrixXd covariance)
      : StateFilter(process, t, std::move(x), std::move(covariance)) {}

 private:
  void go_to(double to) override;
  void take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) override;

  Eigen::MatrixXd H_;
};

}  // namespace limber
