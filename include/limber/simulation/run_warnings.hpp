// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What somebody should know about a scenario before it runs, and about a run: as sentences, each with the joint or link,
// the value, the limit and the time.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// Starts and targets beyond limits, numbers that look like degrees, starts that controllers will not hold, gains that look like
/// another unit.
std::vector<std::string> scenario_warnings(const Scenario& scenario);

/// By how much the ledger is off, and what to do about it; `integrator`: the method's name.
std::string ledger_warning(const Checkpoint& reached, const std::string& integrator);

/// Everything about a run: scenario_warnings, limits that joints passed and by how much at most, the range of the model
/// (range_warnings), doubts of the formulation, the energy ledger. All of it stands in the checkpoint: a run that was interrupted
/// says the same when it has gone on.
std::vector<std::string> run_warnings(const Scenario& scenario, const Checkpoint& reached,
                                      const std::vector<std::string>& doubts = {});

}  // namespace limber
