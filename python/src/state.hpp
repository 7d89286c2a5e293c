// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A state as Python gives it: arrays, lists, or maps by coordinate name. It is read as a state file is, so that what is wrong with it is
// said in the same words.

#include <pybind11/pybind11.h>

#include "arm.hpp"
#include "limber/io/state_file.hpp"

namespace limber::python {

/// What a user may say of a state; None: nothing.
struct StateArguments {
  py::object q = py::none(), v = py::none(), tau = py::none(), acceleration = py::none(), loads = py::none(),
             hold = py::none();
};

/// Throws InputError with everything that is wrong.
State read_state(const Arm& arm, const StateArguments& arguments);

}  // namespace limber::python
