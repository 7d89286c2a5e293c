// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What controllers remember, x, at the stages of an implicit Runge-Kutta method: x_i = x_0 + h Sum_j A_ij x'_j for positions and
// velocities that are given. Filters may be fast, so it is solved by Newton's iteration, with G = dx'/dx at the beginning of the step:
//
//   (1 - h A (x) G) d[x_1; ..; x_s] = x_0 + h A x' - [x_1; ..; x_s]                                      (1)

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/simulation/system.hpp"
#include "one_step.hpp"

namespace limber {

template <int s>
class StageMemory {
 public:
  using Stages = Eigen::Matrix<double, Eigen::Dynamic, s>;  ///< a column for each
  using Square = Eigen::Matrix<double, s, s>;
  using Row = Eigen::Matrix<double, s, 1>;

  explicit StageMemory(System& system)
      : system_(system),
        n_(system.memory_size()),
        integrals_(Stages::Zero(system.integral_count(), s)),
        change_(n_, s) {}

  /// Of the stages, as System has them; the ledger's rows are of no interest.
  const Stages& integrals() const { return integrals_; }

  /// Of x at the stages, where solve() ended.
  const Stages& rates() const { return rates_; }

  /// `slope`: G.
  void factor(const Eigen::MatrixXd& slope, const Square& A, double h) {
    if (n_ == 0) return;
    matrix_.setIdentity(s * n_, s * n_);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) matrix_.block(i * n_, j * n_, n_, n_) -= h * A(i, j) * slope;
    lu_.compute(matrix_);
  }

  /// A first guess: x goes on as at the beginning.
  void guess(const StepEnd& at, const Row& c, double h) {
    for (int i = 0; n_ > 0 && i < s; ++i) integrals_.col(i) = at.integrals + c[i] * h * at.rates;
  }

  /// (1). `find_rates(i, integrals of the stage, rates of x)`; `tolerated` in units of System's tolerances. False where it does not
  /// converge.
  template <typename FindRates>
  bool solve(const StepEnd& at, const Square& A, double h, double tolerated, FindRates&& find_rates) {
    if (n_ == 0) return true;
    constexpr int most_iterations = 6;
    rates_.resize(n_, s);
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      for (int i = 0; i < s; ++i) {
        shifted_ = integrals_.col(i);
        find_rates(i, shifted_, rates_.col(i));
      }
      change_.noalias() = h * rates_.lazyProduct(A.transpose());
      change_.colwise() += at.integrals.tail(n_);
      change_ -= integrals_.bottomRows(n_);
      Eigen::Map<Eigen::VectorXd> all(change_.data(), change_.size());
      solved_ = lu_.solve(all);
      all = solved_;
      integrals_.bottomRows(n_) += change_;
      if (is_small(tolerated)) return true;
    }
    return false;
  }

 private:
  bool is_small(double tolerated) const {
    constexpr double rounding = 16.0 * std::numeric_limits<double>::epsilon();
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < n_; ++k) {
        const double x = integrals_(ledger_size + k, i);
        const double enough = tolerated * system_.memory_tolerance(x) + rounding * std::abs(x);
        if (!(std::abs(change_(k, i)) <= enough)) return false;
      }
    return true;
  }

  System& system_;
  int n_;
  Eigen::MatrixXd matrix_;
  Eigen::VectorXd shifted_, solved_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Stages integrals_, rates_, change_;
};

}  // namespace limber
