// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a sweep says at its end, for people and as JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "limber/results/study_result.hpp"

namespace limber::app {

/// A variant's values by their paths.
nlohmann::ordered_json parameters_json(const StudyResult& result, long variant);
/// Spreads, indices and failures; `output` is where the result stands.
nlohmann::ordered_json sweep_json(const StudyResult& result, const std::string& output);
/// The same as tables.
void print_sweep(const StudyResult& result);

}  // namespace limber::app
