// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Kalman's filter without derivatives (S. J. Julier and J. K. Uhlmann, Proc. IEEE 92 (2004), 401-422): mean and covariance of f(x) and h(x) are those of points around the mean,
//
//   x_0 = x,   x_i = x (+) +- sqrt(3) l_i,   P = Sum l_i l_i^T,   weights 1/6 each,  w_0 = 1 - n/3                             (1)
//
// (of covariances w_0 is larger by 3 - 3/n: their scaled transform with alpha^2 = 3/n, beta = 2). They are right to the second order where the extended filter is right to the first,
// whatever the process: the two agree for linear ones. On the process's space the mean of points is taken in errors about the first of them.
//
// l_i are columns of Cholesky's factor, constants first: all points but two for each constant have the constants of the mean. Where P has no variance, there are no points.

#include "limber/core/export.hpp"
#include "limber/estimation/state_filter.hpp"

namespace limber LIMBER_EXPORT {

/// (1) for prediction and update.
class UnscentedKalmanFilter : public StateFilter {
 public:
  /// The process must outlive it. Throws InputError for sizes that are not the process's.
  UnscentedKalmanFilter(DiscreteProcess& process, double t, Eigen::VectorXd x, Eigen::MatrixXd covariance)
      : StateFilter(process, t, std::move(x), std::move(covariance)) {}

 private:
  void go_to(double to) override;
  void take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) override;
  void find_directions();

  std::vector<int> order_;      ///< of numbers of an error, as they are eliminated
  Eigen::MatrixXd directions_;  ///< sqrt(3) l_i, those that are not zero
  Eigen::MatrixXd errors_;      ///< of points, a column each
  Eigen::MatrixXd shown_;       ///< what they show, likewise
  Eigen::MatrixXd added_;       ///< Q
  Eigen::VectorXd point_, error_, mean_, reading_;
};

}  // namespace limber
