// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bindings.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber::python {

/// limber::observe() by a dictionary with `rate` and, where they are not as usual, `method`, `sensors` and the deviations; None: nothing.
void observe_by(Scenario& scenario, const py::object& observer);

}  // namespace limber::python
