// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Refuses an arm with closed loops: InputError with path `loops`, where `what` ("`derive`") has no equations for them.
void require_no_loops(const Model& model, const char* what);
/// Index in Model::cylinders of a name; -1: none has it.
int find_cylinder(const Model& model, const std::string& name);
/// Refuses an arm with cylinders: InputError with path `cylinders`, likewise.
void require_no_cylinders(const Model& model, const char* what);
/// Refuses both: only joints connect the links of the arm.
void require_plain_tree(const Model& model, const char* what);

}  // namespace limber
