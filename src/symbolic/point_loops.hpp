// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Code for sums over the points of a beam (point_sums.hpp): loops over packets of four points, in vectors that g++ and clang know, in place of as many straight
// lines as there are points. For code that is compiled where it is written: other compilers need not know it.

#include <string>
#include <vector>

#include "limber/symbolic/code_writer.hpp"
#include "point_sums.hpp"

namespace limber::detail {

/// As write_statements, of outputs that fold_point_sums has given.
std::string write_with_loops(const Graph& graph, const std::vector<CodeSymbol>& symbols,
                             const std::vector<CodeOutput>& outputs, const FoldedSums& folded);

/// What must stand before functions with loops, behind SmallAngle.
std::string point_loop_code();

}  // namespace limber::detail
