// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/extended_kalman_filter.hpp"

namespace limber {

// (1)
void ExtendedKalmanFilter::go_to(double to) { process_.predict(t_, to, x_, {&P_, nullptr}); }

// (2)
void ExtendedKalmanFilter::take(const std::vector<int>& sensors, const Eigen::VectorXd& readings) {
  process_.read(t_, x_, sensors, y_, &H_);
  W_.noalias() = H_ * P_;
  S_.noalias() = W_ * H_.transpose();
  correct(sensors, readings);
}

}  // namespace limber
