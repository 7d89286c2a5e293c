// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is known of a process (discrete_process.hpp) while readings come in: a mean x and the covariance P of its error. predict() goes on in time, update() takes readings.
//
// **Constants are learned by degrees.** A filter linearises at its mean. Where a constant (a payload) is far off at first, all that its correlation with the state was
// made of is off by as much, and readings that are far more exact than the prior would then settle it once for all, at a wrong value: the filter is sure of what it does
// not know. So no update may take more than three quarters of a constant's variance (half of its standard deviation); where it would, noise counts for more in it:
//
//   S = H P H^T + g R,   g >= 1 the smallest with  w_j^T S^-1 w_j <= 3/4 P_jj  for each constant j,  w_j = H P e_j                       (1)
//
// A few updates later, with everything computed at better values, g is 1, and what was held back has come in by other readings.

#include <memory>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/estimation/discrete_process.hpp"

namespace limber LIMBER_EXPORT {

/// Follows a process by its readings.
class StateFilter {
 public:
  virtual ~StateFilter();

  /// [s]
  double time() const { return t_; }
  /// The mean.
  const Eigen::VectorXd& x() const { return x_; }
  /// P, of errors about it.
  const Eigen::MatrixXd& covariance() const { return P_; }
  /// Another start: of the process's sizes, the covariance symmetric. Throws InputError for other sizes.
  void set_state(double t, const Eigen::VectorXd& x, const Eigen::MatrixXd& covariance);

  /// Goes on to a time that is not before the present one. Throws InputError where it is.
  void predict(double to);
  /// Takes what these instruments show now. Throws InputError for unknown instruments, other counts and numbers that are not finite; ComputationError where
  /// covariances have become none.
  void update(const std::vector<int>& sensors, const Eigen::VectorXd& readings);
  /// Of the last update: readings less what was expected, each in its standard deviations.
  const Eigen::VectorXd& innovations() const { return innovations_; }

 protected:
  /// The process must outlive it.
  StateFilter(DiscreteProcess& process, double t, Eigen::VectorXd x, Eigen::MatrixXd covariance);
  ///@{
  /// What the kinds of filters do.
  virtual void go_to(double to) = 0;
  virtual void take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) = 0;
  ///@}
  /// With expected readings y, their covariance S without noise and W = (covariance of readings and errors): the gain, x and P; (1).
  void correct(const std::vector<int>& sensors, const Eigen::VectorXd& readings);

  DiscreteProcess& process_;  ///< what is followed
  double t_;                  ///< [s]
  Eigen::VectorXd x_;         ///< the mean
  Eigen::MatrixXd P_;         ///< its covariance
  Eigen::VectorXd y_;         ///< expected readings, for correct()
  Eigen::MatrixXd S_;         ///< their covariance without noise, likewise
  Eigen::MatrixXd W_;         ///< of readings (rows) and errors, likewise

 private:
  void find_factor();
  bool learns_too_fast() const;

  Eigen::VectorXd innovations_, R_, left_, error_, moved_;
  Eigen::MatrixXd noisy_, L_, half_, gain_, rest_, product_;
};

/// e^T P^-1 e of the error of an estimate, over those of its numbers that have a variance: on average as many as these where P is right. `count`, where it is not null, is told
/// how many they are; `first`: only that many of the error's numbers are looked at, all if negative.
double normalized_error_squared(const Eigen::VectorXd& error, const Eigen::MatrixXd& covariance,
                                int* count = nullptr, int first = -1);

}  // namespace limber
