// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/model/model.hpp"
#include "limber/scenario/description.hpp"

namespace limber {

using Problems = std::vector<Problem>;

/// What is wrong with where a scenario starts: names, angles, quaternions, what `settle` finds itself.
void check_initial(const ScenarioDescription& scenario, const Model& model, Problems& problems);

}  // namespace limber
