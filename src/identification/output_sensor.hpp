// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "limber/model/model.hpp"
#include "limber/model/sensors.hpp"

namespace limber {

/// What is meant by the name of an output: one of the sensors, a coordinate, `<coordinate>.rate`, `end_effector.x`, `LINK@0.5.y`. Throws InputError, with the
/// closest name, for what is none; its path is empty.
SensorDescription output_sensor(const std::string& name, const std::vector<SensorDescription>& sensors,
                                const Model& model);

}  // namespace limber
