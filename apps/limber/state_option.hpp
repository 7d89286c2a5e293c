// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What commands that work at a state share: --state, and its loads as the algorithms take them.

#include <string>
#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/io/state_file.hpp"

namespace limber::app {

/// The state in the file, or the neutral one when no file was named.
State read_state_or_neutral(const std::string& file, const Model& model);

/// Loads at nodes; adds the nodes that the model does not have yet.
std::vector<Load> place_loads(const std::vector<StateLoad>& loads, Model& model);

}  // namespace limber::app
