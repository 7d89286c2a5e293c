// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The page: one HTML file with everything in it, that opens in any browser and asks no network for anything. The page
// itself is the viewer (viewer/), built once and embedded in this library; what is added here is its data, as JSON in
// which no text can end the block it stands in.

#include <string>
#include <vector>

#include "limber/analysis/modal_assurance.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/export.hpp"
#include "limber/report/run_record.hpp"

namespace limber LIMBER_EXPORT {

/// Whether the library was built with the viewer.
bool has_viewer();

/// Numbers in one page; results with more of them are thinned out, and the page says so.
inline constexpr double most_numbers_in_page = 1.6e6;

/// Throws ComputationError where the library has no viewer.
std::string run_page(const std::vector<RunRecord>& records, double most_numbers = most_numbers_in_page);

/// Natural modes about q; with `measured`, points that were measured move beside them, each mode with its computed one.
std::string modes_page(const Model& model, const Eigen::VectorXd& q, const NaturalModes& modes,
                       const std::string& conditions, const std::vector<std::string>& warnings,
                       const MeasuredModes* measured = nullptr);

}  // namespace limber
