// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A measure over all variants in a few numbers, and what each parameter does to it on average.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Of the variants that did not fail.
struct MeasureSummary {
  long count = 0;                                      ///< of them
  double mean = 0.0;                                   ///< of all
  double standard_deviation = 0.0;                     ///< with count - 1
  double smallest = 0.0, median = 0.0, largest = 0.0;  ///< of all
  double percentile_5 = 0.0, percentile_95 = 0.0;      ///< 5 and 95 of 100 are below
  long smallest_variant = -1, largest_variant = -1;    ///< which variants have them
};

/// Everything is NaN, and variants are -1, where all have failed.
MeasureSummary summary(const Eigen::VectorXd& values);

/// The mean of a measure where a parameter lies in one of twelve parts with as many variants each, or has one of its values where these are few.
struct MainEffect {
  std::vector<double> at;    ///< mean of the parameter in each part
  std::vector<double> mean;  ///< of the measure
  std::vector<double>
      half_width;  ///< of the mean's 95 % interval, 1.96 standard errors; NaN for a single variant
};

/// Of a parameter on a measure, variant by variant; failed ones (not finite) are left out.
MainEffect main_effect(const Eigen::VectorXd& parameter, const Eigen::VectorXd& measure);

}  // namespace limber
