// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/description.hpp"

namespace limber LIMBER_EXPORT {

/// Everything that is wrong with a description: numbers out of their ranges (description_fields.hpp), and
/// rules between fields: names, parents, axes, inertias, sections, modes. Empty: `build_model` may rely on
/// it.
std::vector<Problem> check(const ModelDescription& model);

/// The second half of `check` for a reader that has tested every field by itself, with the problems it knows
/// already. A link that has one is left out, and so are rules between links when one concerns their names:
/// what follows from a slip is not worth a message of its own.
std::vector<Problem> check_rules(const ModelDescription& model, const std::vector<Problem>& known);

}  // namespace limber
