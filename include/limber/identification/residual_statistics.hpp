// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is left over when a model has been fitted should be what the instruments' noise is: white, and normal. With n residuals e of mean m,
//
//   r_k = Sum (e_i - m)(e_{i+k} - m) / Sum (e_i - m)^2          autocorrelation; of white noise normal with standard deviation 1/sqrt(n)      (1)
//   Q = n (n + 2) Sum r_k^2 / (n - k),  k = 1 ... lags          chi-squared with `lags` degrees of freedom (Ljung and Box)                    (2)
//   B = n/6 (g^2 + h^2/4),  g = m_3 / m_2^(3/2),  h = m_4 / m_2^2 - 3       chi-squared with two (Jarque and Bera)                            (3)
//
// (G. M. Ljung and G. E. P. Box, Biometrika 65 (1978), 297-303; C. M. Jarque and A. K. Bera, Econ. Lett. 6 (1980), 255-259.) (3) holds for many
// residuals: of less than a hundred the true probability is a few hundredths off.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Of one output's residuals, in the order of time.
struct ResidualStatistics {
  Eigen::VectorXd
      autocorrelation;  ///< (1), from lag 0 (which is 1) on; empty where there are less than four, or all are the same
  double band = 0.0;             ///< 95 of 100 correlations of white noise lie within +-band: 1.96/sqrt(n)
  double whiteness = 1.0;        ///< probability that white noise has a Q as large as (2)
  double mean = 0.0;             ///< m
  double deviation = 0.0;        ///< sqrt(m_2)
  double skewness = 0.0;         ///< g
  double excess_kurtosis = 0.0;  ///< h
  double normality = 1.0;        ///< probability that normal noise has a B as large as (3)
};

/// `lags`: how many r_k are looked at; at most a quarter of the residuals.
ResidualStatistics residual_statistics(const Eigen::VectorXd& residuals, int lags = 20);

}  // namespace limber
