// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "limber/formulations/formulation.hpp"

namespace limber {

/// A formulation of an arm with cylinders, from one that knows of loads only.
std::unique_ptr<Formulation> add_struts(std::unique_ptr<Formulation> plain);

}  // namespace limber
