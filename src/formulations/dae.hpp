// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/formulations/formulation.hpp"

namespace limber {

/// `dae`: links as free bodies, joints as constraints, wrenches as unknowns. `body_frame`: FormulationOptions's.
std::unique_ptr<Formulation> make_dae(const Model& model, double body_frame = 0.0);

}  // namespace limber
