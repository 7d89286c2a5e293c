// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "limber/scenario/linear_law.hpp"
#include "map_reader.hpp"

namespace limber {

/// Reads {A, B, C, D, u0} from a JSON file: matrices as lists of rows. Problems inside the file get their place there; where it cannot be
/// read, the problem is that of `slot`, which names it.
std::optional<LinearLaw> read_linear_law(ReadContext& context, const Slot& slot, const std::string& name);

}  // namespace limber
