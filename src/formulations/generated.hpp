// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/formulations/formulation.hpp"

namespace limber {

/// `generated`: the equations of this very arm as straight lines of code, derived, compiled and loaded (docs/symbolic.md).
std::unique_ptr<Formulation> make_generated(const Model& model, const FormulationOptions& options);

}  // namespace limber
