// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What commands that work at a state share: --state and --sensors.

#include <string>
#include <vector>

#include "command.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/io/sensor_file.hpp"
#include "limber/io/state_file.hpp"

namespace limber::app {

/// The state in the file, or the neutral one when no file was named; of an arm with closed loops, where they are closed.
State read_state_or_neutral(const std::string& file, const Model& model);

/// Says where the arm bends too far at q for its deflection field.
void warn_about_range(const Common& common, const Model& model, const Eigen::VectorXd& q);

/// What --sensors says in help texts, before what becomes of them.
inline constexpr const char* sensors_help =
    "YAML file with the key `sensors`, or a scenario of which only that is read (docs/sensors.md)";
/// The sensors in the file; none when no file was named.
std::vector<SensorDescription> read_sensors_if_any(const std::string& file, const Model& model);

}  // namespace limber::app
