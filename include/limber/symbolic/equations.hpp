// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The equations of an arm as documents: text, LaTeX, C++ (docs/symbolic.md).

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/symbolic/derive.hpp"
#include "limber/symbolic/formula.hpp"

namespace limber LIMBER_EXPORT {

/// M, C, K, D, G, B, h (= C v + G), J, r (rest); all of it or one entry, counted from 1.
struct Selection {
  char quantity;                             ///< one of the letters
  std::optional<int> row = {}, column = {};  ///< from 1; none: all
};

/// "M[1,1],rest" -> two selections. Throws InputError for what is none of this arm's.
std::vector<Selection> parse_selection(const std::string& text, const Model& model);
/// M, C, K, D, G and B; rest, where a spring is relaxed elsewhere than at zero.
std::vector<Selection> usual_selection(const Model& model);

/// What to derive, and how it is written.
struct EquationsOptions {
  ParameterStyle parameters = ParameterStyle::symbols;  ///< names or numbers
  std::vector<Selection> only = {};                     ///< empty: the usual ones
  int digits = 10;                   ///< significant, of numbers that are no simple fractions
  std::size_t most_terms = 2000000;  ///< held at a time, before it gives up
  /// Told what is being done, and how far it is (0 to 1), often: may throw to stop.
  std::function<void(const std::string& what, double part)> progress = [](const std::string&, double) {};
};

/// How much was saved.
struct EquationsReport {
  double written_out = 0.0;  ///< operations if the algorithms' result were written out in full
  long shared = 0;           ///< operations with common parts computed once
  long simplified = 0;       ///< operations in the formulas that are printed
  std::size_t entries = 0, zero_entries = 0;  ///< that were derived; zero among those written
  std::size_t terms = 0;  ///< that were held at a time at most, of EquationsOptions::most_terms
};

/// The equations of one arm, derived as they are asked for.
class Equations {
 public:
  /// Of an arm, of which it keeps a copy.
  Equations(const Model& model, EquationsOptions options);

  /// The matrix (or vector, one column) of a quantity, derived when first asked for.
  const MatrixX<Expression>& quantity(char name);
  /// Its symbols and parameters.
  SymbolicArm& arm() { return arm_; }

  /// As text that other programs can read.
  std::string text();
  /// As a document.
  std::string latex();
  /// The header, and a program that tests it against numbers of the numeric core.
  std::string code();
  /// That program.
  std::string code_test();
  /// Accelerations and missing forces (derive.hpp) as functions with C names, for a module to be loaded.
  std::string module_code();
  /// The operations of that code, each shared part once: by them a compiler's time can be foretold.
  long module_operations();
  /// Of what was asked for so far.
  const EquationsReport& report() const { return report_; }
  /// A name for files and namespaces.
  std::string identifier() const;

 private:
  struct Line {
    char quantity;
    int row, column;  ///< from 1
    Formula formula;
  };
  std::vector<Line> lines(std::vector<NamedFunction>& functions);
  std::vector<Parameter> used_parameters();
  std::vector<Expression> module_expressions();

  EquationsOptions options_;
  SymbolicArm arm_;
  std::map<char, MatrixX<Expression>> derived_;
  EquationsReport report_;
  std::function<std::string(int)> variable_names_;
};

}  // namespace limber
