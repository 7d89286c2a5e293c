// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Expressions of first order in small symbols: Cibicik and Egeland's linear model as formulas.
//
// Each node becomes a + eps b with eps^2 = 0; small symbols are 0 + eps x, all others a. The sum a + b of both parts,
//
//   f(x) ~ f(0) + Sum_j df/dx_j(0) x_j                                                                        (1)
//
// is what `dual-screw` computes with numbers (formulations/truncated_arm.hpp), here as expressions of the same graph. Small angles stand at zero in a: their
// functions are numbers there, and what was summed along a beam becomes a number, too.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/symbolic/expression.hpp"

namespace limber LIMBER_EXPORT {

/// (1) of each. `small` are symbols.
std::vector<Expression> first_order(Graph& graph, const std::vector<Expression>& of,
                                    const std::vector<Expression>& small);

}  // namespace limber
