// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// basis_error() (modes.hpp) of many arms whose beams are partly the same.

#include "limber/analysis/modes.hpp"
#include "limber/core/export.hpp"
#include "limber/model/prepared_beams.hpp"

namespace limber LIMBER_EXPORT {

/// The same, to the last bit; the refined arm takes its beams from `kept` where they are there.
BasisError basis_error(const Model& model, PreparedBeams& kept);

}  // namespace limber
