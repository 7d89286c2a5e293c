// SPDX-License-Identifier: BSD-3-Clause
#include "limber/identification/residual_statistics.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>

namespace limber {

using Eigen::Index;
using Eigen::VectorXd;

ResidualStatistics residual_statistics(const VectorXd& residuals, int most_lags) {
  ResidualStatistics found;
  const Index n = residuals.size(), lags = std::min<Index>(most_lags, n / 4);
  if (n == 0) return found;
  const auto count = static_cast<double>(n);
  found.mean = residuals.mean();
  const VectorXd centred = residuals.array() - found.mean;
  const double power = centred.squaredNorm(), variance = power / count;
  found.deviation = std::sqrt(variance);
  if (lags < 1 || !(power > 0.0)) return found;

  // (1), (2)
  constexpr double normal_95 = 1.959963984540054;
  found.band = normal_95 / std::sqrt(count);
  found.autocorrelation.resize(lags + 1);
  found.autocorrelation[0] = 1.0;
  double q = 0.0;
  for (Index k = 1; k <= lags; ++k) {
    const double r = centred.head(n - k).dot(centred.tail(n - k)) / power;
    found.autocorrelation[k] = r;
    q += r * r / static_cast<double>(n - k);
  }
  q *= count * (count + 2.0);
  found.whiteness = boost::math::gamma_q(0.5 * static_cast<double>(lags), 0.5 * q);

  // (3); chi-squared with two degrees of freedom is an exponential distribution
  found.skewness = centred.array().cube().mean() / std::pow(variance, 1.5);
  found.excess_kurtosis = centred.array().square().square().mean() / (variance * variance) - 3.0;
  const double b =
      count / 6.0 * (found.skewness * found.skewness + 0.25 * found.excess_kurtosis * found.excess_kurtosis);
  found.normality = std::exp(-0.5 * b);
  return found;
}

}  // namespace limber
