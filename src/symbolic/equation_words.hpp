// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What documents say about quantities and coordinates.

#include <string>

#include "limber/model/model.hpp"

namespace limber {

/// M, C, ... and `rest`, whose letter is r.
std::string name_of_quantity(char quantity);
/// M(q) a + h(q, v) + ... = B u, as code has it, with loops and cylinders where there are some.
std::string equation_of_motion(const Model& model);
/// In words.
std::string meaning_of_quantity(char quantity);
/// Whether some spring is relaxed elsewhere than at zero.
bool has_rest(const Model& model);
/// The number of q that belongs to a coordinate's name; quaternions have more numbers than names.
std::string coordinate_meaning(const Model& model, int i);

}  // namespace limber
