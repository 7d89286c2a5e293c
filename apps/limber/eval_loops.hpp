// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "limber/formulations/formulation.hpp"
#include "limber/io/state_file.hpp"

namespace limber::app {

/// What `eval` says of closed loops, after the formulation has evaluated the state: rows, their Jacobian and bias, multipliers, rows that say nothing of their own, joints that
/// tell the others, and of each loop its force, its moment and how far its places are apart.
nlohmann::ordered_json loops_json(const Formulation& formulation, const State& state);
/// The same in short.
void print_loops(const nlohmann::ordered_json& loops);

}  // namespace limber::app
