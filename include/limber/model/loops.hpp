// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Refuses an arm with closed loops: InputError with path `loops`, where `what` ("`derive`") has no equations for them.
void require_no_loops(const Model& model, const char* what);

}  // namespace limber
