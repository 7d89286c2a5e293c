// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "limber/algorithms/jacobian.hpp"

namespace limber::python {

/// `world`, `local` or `spatial`: Pinocchio's LOCAL_WORLD_ALIGNED, LOCAL and WORLD.
MotionAxes axes_named(const std::string& name);

}  // namespace limber::python
