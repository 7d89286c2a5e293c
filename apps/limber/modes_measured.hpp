// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// --measured of `modes`: measured modes beside computed ones.

#include <nlohmann/json.hpp>
#include <string>

#include "limber/analysis/modal_assurance.hpp"

namespace limber::app {

/// From a table with `frequency_hz` and the shapes at points. Throws InputError.
MeasuredModes read_measured_modes(const std::string& file);

/// Pairs, in the order of the file. Throws InputError for names of points that are none.
nlohmann::ordered_json measured_modes(const std::string& file, const Model& model, const Eigen::VectorXd& q,
                                      const NaturalModes& modes, const MeasuredModes& measured);
void print_measured_modes(const nlohmann::ordered_json& pairs);

}  // namespace limber::app
