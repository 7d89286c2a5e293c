// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/moving_horizon_smoother.hpp"

#include <cmath>
#include <string>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "readings_check.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

MovingHorizonSmoother::MovingHorizonSmoother(DiscreteProcess& process, double t, VectorXd x,
                                             MatrixXd covariance, SmootherOptions options)
    : process_(process),
      options_(options),
      t_(t),
      prior_(std::move(x)),
      prior_covariance_(std::move(covariance)),
      point_(process.point_size()),
      error_(process.error_size()) {
  detail::require_state(process_, "MovingHorizonSmoother", t_, prior_, prior_covariance_);
  if (options_.horizon < 1 || options_.most_iterations < 1)
    throw InputError(Problem{"MovingHorizonSmoother: options", "a horizon of at least one row",
                             std::to_string(options_.horizon), ""});
}

std::optional<SmoothedPoint> MovingHorizonSmoother::add(double t, const std::vector<int>& sensors,
                                                        const VectorXd& readings) {
  detail::require_readings(process_, "MovingHorizonSmoother::add", sensors, readings);
  const bool is_first = rows_.empty();
  if (!(is_first ? t >= t_ : t > t_) || !std::isfinite(t))
    throw InputError(Problem{"MovingHorizonSmoother::add: t", "a time after " + std::to_string(t_) + " s",
                             std::to_string(t), ""});
  std::optional<SmoothedPoint> gone;
  if (static_cast<int>(rows_.size()) == options_.horizon) {
    Row& oldest = rows_.front();
    gone = SmoothedPoint{oldest.t, oldest.x, oldest.smoothed};
    if (rows_.size() > 1) {
      process_.displace(rows_[1].about, rows_[1].before, prior_);
      prior_covariance_ = rows_[1].P;
      rows_.pop_front();
    } else {
      // Of one row the filter's own prediction is the prior of the next.
      prior_ = oldest.x;
      prior_covariance_ = oldest.smoothed;
      t_ = oldest.t;
      rows_.pop_front();
    }
  }
  Row row;
  row.t = t;
  row.sensors = sensors;
  row.readings = readings;
  if (rows_.empty()) {
    // The prior goes on to the first row.
    process_.expect(prior_);
    if (t > t_) process_.predict(t_, t, prior_, {&prior_covariance_, nullptr});
    row.x = prior_;
  } else {
    row.x = rows_.back().x;
    process_.predict(rows_.back().t, t, row.x, {});
  }
  rows_.push_back(std::move(row));
  t_ = t;
  solve();
  return gone;
}

// (2)
void MovingHorizonSmoother::linearise() {
  const Index n = process_.error_size();
  process_.expect(rows_.back().x);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    row.about = row.x;
    if (k > 0) {
      point_ = rows_[k - 1].x;
      row.transition.setIdentity(n, n);
      row.added.setZero(n, n);
      process_.predict(rows_[k - 1].t, row.t, point_,
                       {process_.is_disturbed() ? &row.added : nullptr, &row.transition});
      process_.difference(row.x, point_, error_);
      row.gap = error_;
    }
    process_.read(row.t, row.x, row.sensors, row.expected, &row.H);
    row.expected = row.readings - row.expected;
  }
}

void MovingHorizonSmoother::filter() {
  const Index n = process_.error_size();
  VectorXd e(n);
  MatrixXd P(n, n);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    if (k == 0) {
      process_.difference(row.x, prior_, e);
      P = prior_covariance_;
    } else {
      e = row.transition * e + row.gap;
      P = row.transition * P * row.transition.transpose() + row.added;
    }
    row.before = e;
    row.P = P;
    row.nu = row.expected - row.H * e;
    MatrixXd S = row.H * P * row.H.transpose();
    for (std::size_t i = 0; i < row.sensors.size(); ++i)
      S(static_cast<Index>(i), static_cast<Index>(i)) += process_.variance(row.sensors[i]);
    row.inverse = S.llt().solve(MatrixXd::Identity(S.rows(), S.rows()));
    row.gain = P * row.H.transpose() * row.inverse;
    row.deviations = S.diagonal().cwiseSqrt();
    e += row.gain * row.nu;
    const MatrixXd C = MatrixXd::Identity(n, n) - row.gain * row.H;
    P = C * P;
    P = (0.5 * (P + P.transpose())).eval();
  }
}

// (3); the largest change, in standard deviations.
double MovingHorizonSmoother::smooth() {
  const Index n = process_.error_size();
  MatrixXd N = MatrixXd::Zero(n, n);
  VectorXd later = VectorXd::Zero(n);
  double largest = 0.0;
  for (std::size_t k = rows_.size(); k-- > 0;) {
    Row& row = rows_[k];
    const MatrixXd C = MatrixXd::Identity(n, n) - row.gain * row.H;
    const MatrixXd L = row.H.transpose() * row.inverse * row.H + C.transpose() * N * C;
    const VectorXd l = -row.H.transpose() * (row.inverse * row.nu) + C.transpose() * later;
    const VectorXd e = row.before - row.P * l;
    row.smoothed = row.P - row.P * L * row.P;
    row.smoothed = (0.5 * (row.smoothed + row.smoothed.transpose())).eval();
    for (Index i = 0; i < n; ++i)
      if (row.P(i, i) > 0.0)
        largest =
            std::max(largest, std::abs(e[i]) / std::sqrt(std::max(row.smoothed(i, i), 1e-16 * row.P(i, i))));
    process_.displace(row.about, e, point_);
    row.x = point_;
    if (k == 0) break;
    N = row.transition.transpose() * L * row.transition;
    later = row.transition.transpose() * l;
  }
  return largest;
}

void MovingHorizonSmoother::solve() {
  constexpr double still_useful = 1e-2;
  double change = 0.0;
  for (int i = 0; i < options_.most_iterations; ++i) {
    ++iterations_;
    linearise();
    filter();
    if (i == 0) innovations_ = rows_.back().nu.cwiseQuotient(rows_.back().deviations);
    change = smooth();
    if (change <= options_.tolerance) return;
  }
  if (!(change <= still_useful))
    throw ComputationError("the course of the last " + std::to_string(rows_.size()) + " rows up to " +
                           std::to_string(t_) + " s is not found in " +
                           std::to_string(options_.most_iterations) +
                           " iterations: take a shorter horizon, or a start that is nearer");
}

std::vector<SmoothedPoint> MovingHorizonSmoother::window() const {
  std::vector<SmoothedPoint> points;
  for (const Row& row : rows_) points.push_back({row.t, row.x, row.smoothed});
  return points;
}

}  // namespace limber
