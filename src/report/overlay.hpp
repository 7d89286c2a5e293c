// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Measured signals in figures.

#include "limber/report/figure.hpp"

namespace limber {

/// The curves of a figure that were measured, too, each followed by what was measured, on the figure's times; NaN where nothing was.
void add_measured(const RunRecord& record, Figure& figure);

struct CurveWithUnit {
  Curve curve;
  std::string unit;  ///< as on axes, with brackets
};

/// Measured minus simulated, on the run's times.
std::vector<CurveWithUnit> residual_curves(const RunRecord& record);

}  // namespace limber
