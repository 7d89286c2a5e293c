// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Expressions as code without dependencies, C++ or another language: straight lines of arithmetic, each common part once.

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

/// How statements read in a language: patterns with {} for what stands there. As they are, those of C++.
struct CodeStyle {
  std::string part = "  const double {} = {};\n";  ///< a part that gets a name
  std::string output = "  {} = {};\n";             ///< what a function writes
  std::string small_angle =
      "  const SmallAngle {}({});\n";  ///< all small-angle functions of one angle, as members
  std::string function = "std::{}";    ///< sin, cos and sqrt
  std::string suffix;                  ///< of numbers: f
};

/// The statements of a function's body. Parts that are used more than once, and long ones, get a name.
std::string write_statements(const Graph& graph, const std::vector<CodeSymbol>& symbols,
                             const std::vector<CodeOutput>& outputs, const CodeStyle& style = {});

/// Whether these need the small-angle functions.
bool needs_small_angles(const Graph& graph, const std::vector<Expression>& expressions);
/// struct SmallAngle, to stand before functions that need it.
std::string small_angle_code();
/// 1/n! - s (1/(n+2)! - s (...)) with so many terms, which are arithmetic in every language.
std::string small_angle_series(int n, int terms, const std::string& suffix = "");

/// A double that reads back as itself: 2.0, 0.1, 1e-30.
std::string code_number(double value);

}  // namespace limber
