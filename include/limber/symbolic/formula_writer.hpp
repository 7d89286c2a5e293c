// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Formulas as text that other programs can read (+ - * / ^, sin, cos) and as LaTeX.

#include <functional>
#include <string>

#include "limber/core/export.hpp"
#include "limber/symbolic/formula.hpp"

namespace limber LIMBER_EXPORT {

/// How formulas are written.
struct FormulaStyle {
  bool latex = false;                        ///< else as text that programs can read
  int digits = 10;                           ///< significant, of numbers that are no simple fractions
  std::function<std::string(int)> variable;  ///< the name of a variable of Monomial
  bool in_line = false;  ///< LaTeX in running text: a/b, and brackets in which lines break
  /// What is written in place of a factor that is no simple fraction, if anything: of its text.
  std::function<std::string(const std::string& number)> number = {};
};

/// "0", or the groups one after the other. In LaTeX, `break_line` stands between lines of some length.
std::string write_formula(const Formula& formula, const FormulaStyle& style,
                          const std::string& break_line = "");

/// 3, 1/3, 0.5497897482; in LaTeX `\frac{1}{3}`.
std::string write_number(double value, const FormulaStyle& style);
/// 0.5497897482, never a fraction; in LaTeX with powers of ten.
std::string write_decimal(double value, const FormulaStyle& style);

}  // namespace limber
