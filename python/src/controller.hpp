// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scenarios that Python drives: controllers and watches that are written in it.

#include <pybind11/pybind11.h>

#include "limber/io/scenario_file.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber::python {

namespace py = pybind11;

/// The scenario of a file with controllers and watches of Python's besides its own (lists; None: none). Each controller is told of the arm that it is about to
/// drive: start(arm). Throws InputError for what are none.
Scenario driven_scenario(const ScenarioFile& file, const py::object& controllers, const py::object& watches);

/// Lets go of them: a run that has ended asks nobody.
void forget_python(Scenario& scenario);

}  // namespace limber::python
