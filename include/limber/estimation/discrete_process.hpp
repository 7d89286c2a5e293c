// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A process that is seen through noise: what filters and smoothers know of whatever they follow.
//
// Its state x is a point of a space in which n numbers describe small errors: x (+) e. Between times it goes on by itself, errors by their transition, and what nobody
// knows of adds to their covariance; at a time instruments show y(t, x) with independent noise:
//
//   x_k+1 = f(x_k) (+) w,   w ~ N(0, Q),      y_k = h(x_k) + r,   r ~ N(0, diag(R))                                              (1)
//   e_k+1 = Phi e_k + w,                      dy = H e                                                                          (2)
//
// Some of the n numbers may be constants (unknown parameters): nothing moves them, and what is known of them never fades.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// (1) and (2). Derive your own from it to filter anything else than an arm.
class DiscreteProcess {
 public:
  virtual ~DiscreteProcess() = default;

  /// Numbers of a state.
  virtual int point_size() const = 0;
  /// n: numbers of an error.
  virtual int error_size() const = 0;
  /// How many instruments there are.
  virtual int reading_count() const = 0;
  /// The last so many numbers of an error are those of constants.
  virtual int constant_count() const { return 0; }
  /// R of an instrument: the variance of its noise, > 0.
  virtual double variance(int sensor) const = 0;
  /// Whether Q is not zero.
  virtual bool is_disturbed() const = 0;

  /// result = x (+) error.
  virtual void displace(const Eigen::VectorXd& x, const Eigen::VectorXd& error, Eigen::VectorXd& result) = 0;
  /// The other way round: from (+) error = to.
  virtual void difference(const Eigen::VectorXd& from, const Eigen::VectorXd& to, Eigen::VectorXd& error) = 0;
  /// States that follow will lie around this one: a process may prepare for that.
  virtual void expect(const Eigen::VectorXd& /*x*/) {}

  /// What goes along with a state; null: it is not asked for.
  struct Carried {
    Eigen::MatrixXd* covariance = nullptr;  ///< P becomes Phi P Phi^T + Q
    Eigen::MatrixXd* transition = nullptr;  ///< A becomes Phi A
  };
  /// x at the time `from` becomes x at `to`, not before it [s].
  virtual void predict(double from, double to, Eigen::VectorXd& x, Carried carried) = 0;
  /// What these instruments would show at a state, and, where `slopes` is not null, H (a row for each of them, n columns).
  virtual void read(double t, const Eigen::VectorXd& x, const std::vector<int>& sensors,
                    Eigen::VectorXd& readings, Eigen::MatrixXd* slopes) = 0;
};

}  // namespace limber
