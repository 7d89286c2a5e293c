// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What there is to say of a run in a few numbers: for people who compare runs, and programs that read them.

#include <string>

#include "limber/core/export.hpp"
#include "limber/simulation/metrics.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// A run as JSON: status, method and its cost, energy, final state, peaks, metrics and events, by the names of `limber simulate --json`. Of a run without
/// a single row there is no more than name and status.
std::string summary_text(const Model& model, const RunSummary& run, const RunMetrics& metrics,
                         const std::string& status);

}  // namespace limber
