// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The most probable course of a process over a window of times, given what was shown in it and what was known before (C. V. Rao, J. B. Rawlings and D. Q. Mayne, IEEE Trans. Autom. Control 48
// (2003), 246-258; B. M. Bell, SIAM J. Optim. 4 (1994), 626-636). With the prior x^, P^ of the window's first time, x_0 ... x_N minimise
//
//   |x_0 (-) x^|^2_P^  +  Sum |x_k+1 (-) f(x_k)|^2_Q  +  Sum |y_k - h(x_k)|^2_R                                                (1)
//
// by Gauss and Newton's method: about a course x_k the errors e_k are those of a linear process,
//
//   e_k+1 = Phi_k e_k + (f(x_k) (-) x_k+1) + w,    y_k - h(x_k) = H_k e_k + r                                                  (2)
//
// whose most probable course is found by Kalman's filter forwards and, backwards (G. J. Bierman, "Fixed interval smoothing with discrete measurements", Int. J. Control 18 (1973), 65-75),
//
//   L_k = H^T S^-1 H + C^T N_k C,   l_k = -H^T S^-1 nu + C^T n_k,   C = 1 - K H,   N_k-1 = Phi^T L_k Phi,   n_k-1 = Phi^T l_k,
//   e_k = e_k^- - P_k^- l_k,    P_k = P_k^- - P_k^- L_k P_k^-                                                                 (3)
//
// which asks for no inverse of P or Q: both may be singular, or zero. Then x_k becomes x_k (+) e_k, until nothing changes. When the window moves on by a row, its prior is what the filter
// forwards predicts there: what was shown before counts once, linearised where the course was found to be.

#include <deque>
#include <optional>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/estimation/discrete_process.hpp"

namespace limber LIMBER_EXPORT {

/// A time of the course, as known by all readings up to the end of the window.
struct SmoothedPoint {
  double t;                    ///< [s]
  Eigen::VectorXd x;           ///< the mean
  Eigen::MatrixXd covariance;  ///< of its error
};

/// How it is done.
struct SmootherOptions {
  int horizon = 20;          ///< most rows in the window
  int most_iterations = 20;  ///< of Gauss and Newton's method for each new row
  double tolerance = 1e-6;   ///< it ends where no number changes by more, in standard deviations
};

/// (1) over a window that moves on with the readings.
class MovingHorizonSmoother {
 public:
  /// The process must outlive it; x and covariance are known at t before anything is shown. Throws InputError for other sizes.
  MovingHorizonSmoother(DiscreteProcess& process, double t, Eigen::VectorXd x, Eigen::MatrixXd covariance,
                        SmootherOptions options = {});

  /// Readings (none or more) of a time that is later than all before, or at the start. The row that leaves the window, where one does. Throws InputError as
  /// StateFilter does; ComputationError where the method does not converge.
  std::optional<SmoothedPoint> add(double t, const std::vector<int>& sensors,
                                   const Eigen::VectorXd& readings);
  /// The window's rows as they are known now, the oldest first.
  std::vector<SmoothedPoint> window() const;
  /// How often (2) was solved in all.
  long iterations() const { return iterations_; }
  /// Of the newest row, when it came: readings less what was expected of them, in standard deviations.
  const Eigen::VectorXd& innovations() const { return innovations_; }

 private:
  /// A time of the window, and (2) and (3) there.
  struct Row {
    double t;
    std::vector<int> sensors;
    Eigen::VectorXd readings, x;
    Eigen::VectorXd about;              ///< x where all that follows was found
    Eigen::MatrixXd transition, added;  ///< from the row before: Phi, Q
    Eigen::VectorXd gap;                ///< f(x of the row before) (-) x
    Eigen::VectorXd expected;           ///< y - h(x)
    Eigen::MatrixXd H;
    Eigen::VectorXd before, nu, deviations;      ///< e^-; y - h(x) - H e^-; roots of the diagonal of S
    Eigen::MatrixXd P, inverse, gain, smoothed;  ///< P^-, S^-1, K; P of (3)
  };
  void linearise();
  void filter();
  double smooth();
  void solve();

  DiscreteProcess& process_;
  SmootherOptions options_;
  double t_;
  Eigen::VectorXd prior_;  ///< at the first row's time
  Eigen::MatrixXd prior_covariance_;
  std::deque<Row> rows_;
  long iterations_ = 0;
  Eigen::VectorXd innovations_, point_, error_;
};

}  // namespace limber
