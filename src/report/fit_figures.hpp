// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pictures of one instrument's fit.

#include <string>

#include "limber/identification/identify.hpp"
#include "limber/identification/residual_statistics.hpp"

namespace limber {

/// What was measured (dots), and what the fitted arm shows (line).
std::string fitted_svg(const FitChannel& channel);
/// What is left over, and the lines between which 95 of 100 lie.
std::string residual_svg(const FitChannel& channel, const ResidualStatistics& statistics);
/// Its correlation with itself, and the band in which that of white noise lies.
std::string autocorrelation_svg(const FitChannel& channel, const ResidualStatistics& statistics);
/// Its distribution beside the normal one.
std::string distribution_svg(const FitChannel& channel, const ResidualStatistics& statistics);

}  // namespace limber
