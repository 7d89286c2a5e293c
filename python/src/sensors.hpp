// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "arm.hpp"
#include "limber/model/sensors.hpp"

namespace limber::python {

/// Instruments as Python gives them: the list of a scenario's `sensors`, a dictionary with that key, or the name of a file that has it. None: none.
/// Throws InputError with everything that is wrong with them for this arm.
std::vector<SensorDescription> sensors_of(const Arm& arm, const py::object& sensors);

}  // namespace limber::python
