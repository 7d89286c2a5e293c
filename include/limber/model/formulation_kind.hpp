// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// Which equations of motion (formulations/formulation.hpp).
enum class FormulationKind { recursive, dense, dual_screw, dae, generated };

}  // namespace limber
