// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// modes --measured FILE: measured modes beside the computed ones.

#include <nlohmann/json.hpp>
#include <string>

#include "limber/analysis/modes.hpp"

namespace limber::app {

/// Pairs them, as JSON: a list of {measured_hz, computed_hz, mode (from 1), difference_percent, mac}. Throws InputError for a file that has none.
nlohmann::ordered_json measured_modes(const std::string& file, const Model& model, const Eigen::VectorXd& q,
                                      const NaturalModes& modes);
/// As a table.
void print_measured_modes(const nlohmann::ordered_json& pairs);

}  // namespace limber::app
