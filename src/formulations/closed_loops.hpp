// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/formulations/formulation.hpp"

namespace limber {

/// The same equations with closed loops (algorithms/constraints.hpp): what a formulation finds for the open arm, and once more under the loops' forces.
std::unique_ptr<Formulation> close_loops(std::unique_ptr<Formulation> open);

}  // namespace limber
