// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/unscented_kalman_filter.hpp"

#include <cmath>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// Weights of (1) for d directions: of the mean's own point in means and in covariances; of all others 1/6.
struct Weights {
  explicit Weights(Index d)
      : mean(1.0 - static_cast<double>(d) / 3.0),
        covariance(d == 0 ? mean : mean + 3.0 - 3.0 / static_cast<double>(d)) {}
  double mean, covariance;
  static constexpr double others = 1.0 / 6.0;
};

}  // namespace

// Cholesky's factor of P in the order of order_; what is left of a variance by rounding alone is none.
void UnscentedKalmanFilter::find_directions() {
  const Index n = P_.rows(), constants = process_.constant_count();
  if (order_.empty()) {
    for (Index i = n - constants; i < n; ++i) order_.push_back(static_cast<int>(i));
    for (Index i = 0; i < n - constants; ++i) order_.push_back(static_cast<int>(i));
  }
  constexpr double rounding = 1e-14;
  MatrixXd left = P_;
  directions_.resize(n, n);
  Index count = 0;
  for (Index k = 0; k < n; ++k) {
    const int at = order_[static_cast<std::size_t>(k)];
    const double pivot = left(at, at);
    if (!(pivot > rounding * P_(at, at))) continue;
    auto direction = directions_.col(count);
    direction.setZero();
    for (Index i = k; i < n; ++i) {
      const int row = order_[static_cast<std::size_t>(i)];
      direction[row] = left(row, at) / std::sqrt(pivot);
    }
    for (Index i = k + 1; i < n; ++i)
      for (Index j = k + 1; j < n; ++j) {
        const int row = order_[static_cast<std::size_t>(i)], column = order_[static_cast<std::size_t>(j)];
        left(row, column) -= direction[row] * direction[column];
      }
    ++count;
  }
  directions_.conservativeResize(n, count);
  directions_ *= std::sqrt(3.0);
}

void UnscentedKalmanFilter::go_to(double to) {
  find_directions();
  const Index n = P_.rows(), d = directions_.cols();
  Eigen::VectorXd centre = x_, other = x_;
  added_.setZero(n, n);
  process_.predict(t_, to, centre, {process_.is_disturbed() ? &added_ : nullptr, nullptr});
  errors_.resize(n, 2 * d);
  for (Index i = 0; i < 2 * d; ++i) {
    point_ = (i < d ? 1.0 : -1.0) * directions_.col(i % d);
    process_.displace(x_, point_, other);
    process_.predict(t_, to, other, {});
    process_.difference(centre, other, error_);
    errors_.col(i) = error_;
  }
  // The first point's own error is zero.
  const Weights weights(d);
  mean_ = Weights::others * errors_.rowwise().sum();
  errors_.colwise() -= mean_;
  P_ = added_;
  P_.noalias() += Weights::others * (errors_ * errors_.transpose());
  P_.noalias() += weights.covariance * (mean_ * mean_.transpose());
  process_.displace(centre, mean_, x_);
}

void UnscentedKalmanFilter::take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) {
  find_directions();
  const Index d = directions_.cols(), m = readings.size();
  Eigen::VectorXd other = x_;
  process_.read(t_, x_, sensors, reading_, nullptr);
  const Eigen::VectorXd centre = reading_;
  shown_.resize(m, 2 * d);
  for (Index i = 0; i < 2 * d; ++i) {
    point_ = (i < d ? 1.0 : -1.0) * directions_.col(i % d);
    process_.displace(x_, point_, other);
    process_.read(t_, other, sensors, reading_, nullptr);
    shown_.col(i) = reading_ - centre;
  }
  const Weights weights(d);
  mean_ = Weights::others * shown_.rowwise().sum();
  y_ = centre + mean_;
  shown_.colwise() -= mean_;
  S_.noalias() = Weights::others * (shown_ * shown_.transpose());
  S_.noalias() += weights.covariance * (mean_ * mean_.transpose());
  W_.noalias() = Weights::others * ((shown_.leftCols(d) - shown_.rightCols(d)) * directions_.transpose());
  correct(sensors, readings);
}

}  // namespace limber
