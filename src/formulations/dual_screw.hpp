// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/formulations/formulation.hpp"

namespace limber {

std::unique_ptr<Formulation> make_dual_screw(const Model& model, const FormulationOptions& options);

}  // namespace limber
