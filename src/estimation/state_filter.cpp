// SPDX-License-Identifier: BSD-3-Clause
#include "limber/estimation/state_filter.hpp"

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

StateFilter::StateFilter(DiscreteProcess& process, double t, VectorXd x, MatrixXd covariance)
    : process_(process), t_(t), x_(std::move(x)), P_(std::move(covariance)), moved_(process.point_size()) {
  detail::require_state(process_, "StateFilter", t_, x_, P_);
}

StateFilter::~StateFilter() = default;

void StateFilter::set_state(double t, const VectorXd& x, const MatrixXd& covariance) {
  detail::require_state(process_, "StateFilter::set_state", t, x, covariance);
  t_ = t;
  x_ = x;
  P_ = covariance;
}

void StateFilter::predict(double to) {
  if (!(to >= t_) || !std::isfinite(to))
    throw InputError(Problem{"StateFilter::predict: to", "a time from " + std::to_string(t_) + " s on",
                             std::to_string(to), ""});
  if (to == t_) return;
  process_.expect(x_);
  go_to(to);
  t_ = to;
}

void StateFilter::update(const std::vector<int>& sensors, const VectorXd& readings) {
  detail::require_readings(process_, "StateFilter::update", sensors, readings);
  innovations_.resize(readings.size());
  if (sensors.empty()) return;
  process_.expect(x_);
  take(sensors, readings);
}

// L L^T = noisy_, in place of a library's: readings are few, and nothing is allocated. Then half_ = L^-1 W.
void StateFilter::find_factor() {
  const Index m = noisy_.rows();
  L_.resize(m, m);
  for (Index j = 0; j < m; ++j) {
    const double pivot = noisy_(j, j) - L_.row(j).head(j).squaredNorm();
    if (!(pivot > 0.0))
      throw ComputationError(
          "the covariance of expected readings is not positive: what is known of the state has become "
          "contradictory. Take shorter steps, or some process noise");
    L_(j, j) = std::sqrt(pivot);
    for (Index i = j + 1; i < m; ++i)
      L_(i, j) = (noisy_(i, j) - L_.row(i).head(j).dot(L_.row(j).head(j))) / L_(j, j);
  }
  half_ = W_;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < i; ++j) half_.row(i) -= L_(i, j) * half_.row(j);
    half_.row(i) /= L_(i, i);
  }
}

// (1) is not held.
bool StateFilter::learns_too_fast() const {
  constexpr double most = 0.75;  // of a variance
  const Index n = P_.rows();
  for (Index j = n - process_.constant_count(); j < n; ++j)
    if (half_.col(j).squaredNorm() > most * P_(j, j)) return true;
  return false;
}

void StateFilter::correct(const std::vector<int>& sensors, const VectorXd& readings) {
  const auto m = static_cast<Index>(sensors.size());
  R_.resize(m);
  for (Index i = 0; i < m; ++i) R_[i] = process_.variance(sensors[static_cast<std::size_t>(i)]);
  left_ = readings - y_;
  for (Index i = 0; i < m; ++i) innovations_[i] = left_[i] / std::sqrt(S_(i, i) + R_[i]);
  const auto weigh = [&](double factor) {
    noisy_ = S_;
    noisy_.diagonal() += factor * R_;
    find_factor();
  };
  weigh(1.0);
  if (process_.constant_count() > 0 && learns_too_fast()) {
    // To a tenth of its own size, which is more than is known of it.
    double low = 1.0, high = 1.0;
    constexpr double most = 1e30, enough = 1.1;
    do {
      low = high;
      high *= 8.0;
      weigh(high);
    } while (learns_too_fast() && high < most);
    while (high > enough * low) {
      const double middle = std::sqrt(low * high);
      weigh(middle);
      (learns_too_fast() ? low : high) = middle;
    }
    weigh(high);
  }
  // K^T = L^-T half_
  gain_ = half_;
  for (Index i = m - 1; i >= 0; --i) {
    gain_.row(i) /= L_(i, i);
    for (Index j = 0; j < i; ++j) gain_.row(j) -= L_(i, j) * gain_.row(i);
  }
  error_.noalias() = gain_.transpose() * left_;
  rest_ = W_.transpose();
  rest_.noalias() -= gain_.transpose() * noisy_;
  P_.noalias() -= gain_.transpose() * W_;
  P_.noalias() -= rest_ * gain_;
  product_ = P_.transpose();
  P_ = 0.5 * (P_ + product_);
  process_.displace(x_, error_, moved_);
  x_ = moved_;
}

double normalized_error_squared(const VectorXd& error, const MatrixXd& covariance, int* count, int first) {
  std::vector<Index> known;
  const Index n = first < 0 ? error.size() : std::min<Index>(first, error.size());
  for (Index i = 0; i < n; ++i)
    if (covariance(i, i) > 0.0) known.push_back(i);
  if (count) *count = static_cast<int>(known.size());
  // In their own standard deviations: numbers of different units stand side by side.
  const VectorXd sizes = covariance.diagonal()(known).cwiseSqrt();
  const MatrixXd correlation = sizes.cwiseInverse().asDiagonal() * MatrixXd(covariance(known, known)) *
                               sizes.cwiseInverse().asDiagonal();
  const VectorXd scaled = error(known).cwiseQuotient(sizes);
  return scaled.dot(correlation.ldlt().solve(scaled));
}

}  // namespace limber
