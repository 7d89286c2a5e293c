// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Expressions as C++ without dependencies: straight lines of arithmetic, each common part once.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/symbolic/expression.hpp"

namespace limber LIMBER_EXPORT {

/// How a function's arguments are called: `text` for every symbol it may use.
struct CodeSymbol {
  Expression symbol;  ///< the symbol itself
  std::string text;   ///< q[0], p.L2
};

/// What a function writes.
struct CodeOutput {
  std::string text;  ///< M[3]
  Expression value;  ///< what is written there
};

/// The statements of a function's body. Parts that are used more than once, and long ones, get a name.
std::string write_statements(const Graph& graph, const std::vector<CodeSymbol>& symbols,
                             const std::vector<CodeOutput>& outputs);

/// Whether these need the small-angle functions.
bool needs_small_angles(const Graph& graph, const std::vector<Expression>& expressions);
/// struct SmallAngle, to stand before functions that need it.
std::string small_angle_code();

/// A double that reads back as itself: 2.0, 0.1, 1e-30.
std::string code_number(double value);

}  // namespace limber
