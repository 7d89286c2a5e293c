// SPDX-License-Identifier: BSD-3-Clause
// (12): beams' strength on the way.

#include <algorithm>

#include "collocation.hpp"
#include "limber/core/interruption.hpp"

namespace limber {

double Collocation::stress_allowed(const Eigen::VectorXd& x) const {
  if (task_.goal == CollocationGoal::stress) return x[peak_at()];
  if (!is_relaxed()) return 0.0;
  const double most = *task_.utilisation * x[peak_at()];
  return most * most;
}

// At the stages of the guess; at least what a thousandth of the strength is.
double Collocation::largest_stress_of_guess() {
  double largest = 1e-6;
  for (int k = 0; k < N_; ++k)
    for (int i = 0; i < s_; ++i) {
      place(guess_, 0, k, i, at_);
      utilisation_->squares(at_, U2_);
      largest = std::max(largest, U2_.maxCoeff());
    }
  return largest;
}

// By (1) of gauss.hpp: the stage's q and v' follow from the unknowns of its interval.
void Collocation::add_stress_rows(const Eigen::VectorXd& x, SparseEntries& entries) {
  for (int k = 0; k < N_ && utilisation_; ++k) {
    stop_if_asked();
    for (int i = 0; i < s_; ++i) {
      place(x, 0, k, i, at_);
      utilisation_->slopes(at_, U2_, U2_slopes_);
      const int first = stress_row(k, i);
      for (int row = 0; row < sections(); ++row) {
        for (int b = 0; b < 2 + s_; ++b) {
          const double of_q = rule_.position(i, b), of_v = rule_.velocity(i, b);
          for (int c = 0; c < n_; ++c)
            add(entries, first + row, position_at(0, k) + b * n_ + c,
                of_q * U2_slopes_(row, c) + of_v * U2_slopes_(row, n_ + c) +
                    (b == 2 + i ? U2_slopes_(row, 2 * n_ + c) : 0.0));
        }
        add(entries, first + row, time_at(), U2_slopes_(row, 3 * n_));
        if (task_.goal == CollocationGoal::stress) add(entries, first + row, peak_at(), -1.0);
        if (is_relaxed())
          add(entries, first + row, peak_at(), -2.0 * *task_.utilisation * *task_.utilisation * x[peak_at()]);
      }
    }
  }
}

void Collocation::add_stress_curvature(const Eigen::VectorXd& x, const Point& multipliers,
                                       SparseEntries& entries) {
  const int size = (2 + s_) * n_;
  for (int k = 0; k < N_ && utilisation_; ++k)
    for (int i = 0; i < s_; ++i) {
      const int row = stress_row(k, i);
      const Eigen::VectorXd weights =
          multipliers.segment(row, sections()).cwiseProduct(row_sizes_.segment(row, sections()));
      place(x, 0, k, i, at_);
      utilisation_->slopes(at_, U2_, U2_slopes_);
      utilisation_->curvature(weights, H_);
      // [q; v'; a'; T] of the stage by the unknowns of its interval, then T.
      Eigen::MatrixXd stage = Eigen::MatrixXd::Zero(3 * n_ + 1, size + 1);
      for (int b = 0; b < 2 + s_; ++b)
        for (int c = 0; c < n_; ++c) {
          stage(c, b * n_ + c) = rule_.position(i, b);
          stage(n_ + c, b * n_ + c) = rule_.velocity(i, b);
          if (b == 2 + i) stage(2 * n_ + c, b * n_ + c) = 1.0;
        }
      stage(3 * n_, size) = 1.0;
      const Eigen::MatrixXd whole = stage.transpose() * H_ * stage;
      const auto unknown = [&](int c) { return c == size ? time_at() : position_at(0, k) + c; };
      for (int c = 0; c <= size; ++c)
        for (int r = c; r <= size; ++r) add_second(entries, unknown(r), unknown(c), whole(r, c));
      if (is_relaxed())
        add_second(entries, peak_at(), peak_at(),
                   -2.0 * *task_.utilisation * *task_.utilisation * weights.sum());
    }
}

}  // namespace limber
