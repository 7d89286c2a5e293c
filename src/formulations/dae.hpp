// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/formulations/formulation.hpp"

namespace limber {

/// `dae`: links as free bodies, joints as constraints, wrenches as unknowns.
std::unique_ptr<Formulation> make_dae(const Model& model);

}  // namespace limber
