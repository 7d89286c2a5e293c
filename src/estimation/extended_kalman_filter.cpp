// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/extended_kalman_filter.hpp"

#include <cmath>

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;

// b_j, one after the other: constants that are known, or follow from those before, have none.
void ExtendedKalmanFilter::find_spread() {
  constexpr double rounding = 1e-14;
  const Index n = P_.rows(), constants = process_.constant_count();
  MatrixXd left = P_;
  B_.resize(n, constants);
  Index count = 0;
  for (Index j = n - constants; j < n; ++j) {
    if (!(left(j, j) > rounding * P_(j, j))) continue;
    B_.col(count) = left.col(j) / std::sqrt(left(j, j));
    left -= B_.col(count) * B_.col(count).transpose();
    ++count;
  }
  B_.conservativeResize(n, count);
}

// (1), (3)
void ExtendedKalmanFilter::go_to(double to) {
  if (process_.constant_count() == 0) return process_.predict(t_, to, x_, {&P_, nullptr});
  find_spread();
  before_ = x_;
  Phi_.setIdentity(P_.rows(), P_.cols());
  process_.predict(t_, to, x_, {&P_, &Phi_});
  shift_.setZero(P_.rows());
  for (Index j = 0; j < B_.cols(); ++j) {
    for (const double way : {1.0, -1.0}) {
      process_.displace(before_, way * std::sqrt(3.0) * B_.col(j), there_);
      process_.predict(t_, to, there_, {});
      process_.difference(x_, there_, way > 0.0 ? above_ : below_);
    }
    straight_.noalias() = Phi_ * B_.col(j);
    above_ = 0.5 * (above_ - below_);  // o_j
    below_ += above_;                  // z_j
    shift_ += below_ / 3.0;
    P_ += above_ * above_.transpose() / 3.0 - straight_ * straight_.transpose() +
          2.0 / 9.0 * below_ * below_.transpose();
  }
  process_.displace(x_, shift_, there_);
  x_ = there_;
}

// (2), (3)
void ExtendedKalmanFilter::take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) {
  process_.read(t_, x_, sensors, y_, &H_);
  W_.noalias() = H_ * P_;
  S_.noalias() = W_ * H_.transpose();
  if (process_.constant_count() > 0) {
    find_spread();
    shift_.setZero(y_.size());
    for (Index j = 0; j < B_.cols(); ++j) {
      for (const double way : {1.0, -1.0}) {
        process_.displace(x_, way * std::sqrt(3.0) * B_.col(j), there_);
        process_.read(t_, there_, sensors, way > 0.0 ? above_ : below_, nullptr);
      }
      straight_.noalias() = H_ * B_.col(j);
      const auto odd = (0.5 * (above_ - below_)).eval(), even = (0.5 * (above_ + below_) - y_).eval();
      shift_ += even / 3.0;
      S_ += odd * odd.transpose() / 3.0 - straight_ * straight_.transpose() +
            2.0 / 9.0 * even * even.transpose();
      W_ += (odd / std::sqrt(3.0) - straight_) * B_.col(j).transpose();
    }
    y_ += shift_;
  }
  correct(sensors, readings);
}

}  // namespace limber
