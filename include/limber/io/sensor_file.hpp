// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sensors of an arm from a file: YAML with the key `sensors`, as a scenario has it, and nothing else; or a scenario, of which the sensors
// alone are read.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/file_error.hpp"
#include "limber/model/sensors.hpp"

namespace limber LIMBER_EXPORT {

///@{
/// Throws FileError with everything that is wrong with them for this arm, each with its place.
std::vector<SensorDescription> read_sensors(const std::filesystem::path& file, const Model& model);
std::vector<SensorDescription> parse_sensors(const std::string& text, const std::string& file_name,
                                             const Model& model);
///@}

}  // namespace limber
