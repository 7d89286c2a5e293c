// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "command.hpp"

namespace limber::app {

/// limber check FILE --dae: are the stacked equations of a model, or of a scenario where it starts, well posed? `state`
/// for models (empty: at rest at q = 0); `step` [s], for scenarios their own if they have one.
void report_dae(const std::string& file, const std::string& state, std::optional<double> step,
                const Common& common);

}  // namespace limber::app
