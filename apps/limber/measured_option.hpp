// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// --measured, --columns and --time of `report` and `plot`: what was measured, laid over a result.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "limber/report/measured.hpp"

namespace limber::app {

struct MeasuredOptions {
  std::string file, time;
  std::vector<std::string> columns;
};

void add_measured_options(CLI::App& command, MeasuredOptions& options);

/// Lays the measured columns over the first result; residuals of each. Nothing where no file was named.
std::vector<Residual> lay_over(const MeasuredOptions& options, std::vector<RunRecord>& records);

/// A table of them.
void print_residuals(const std::vector<Residual>& residuals);
/// The same by names of curves.
nlohmann::ordered_json residuals_json(const std::vector<Residual>& residuals);

}  // namespace limber::app
