// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What each source adds to the module `limber._limber`; names follow the folders of include/limber.

#include <pybind11/pybind11.h>

namespace limber::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_model(py::module_& module);
void bind_algorithms(py::module_& module);
void bind_kinematics(py::module_& module);
void bind_evaluation(py::module_& module);
void bind_analysis(py::module_& module);
void bind_endpoint(py::module_& module);
void bind_linear(py::module_& module);
void bind_literature(py::module_& module);
void bind_symbolic(py::module_& module);
void bind_sensors(py::module_& module);
void bind_scenario(py::module_& module);
void bind_simulation(py::module_& module);
void bind_simulator(py::module_& module);
void bind_results(py::module_& module);
void bind_study(py::module_& module);
void bind_plan(py::module_& module);
void bind_estimation(py::module_& module);
void bind_reduction(py::module_& module);
void bind_identification(py::module_& module);
void bind_outline(py::module_& module);

}  // namespace limber::python
