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
#include "limber/symbolic/formula_writer.hpp"
#include "limber/symbolic/regressor.hpp"

namespace limber LIMBER_EXPORT {

/// M, C, K, D, G, B, h (= C v + G), J, r (rest), T and V (energies), p (pose of the end effector), t (Kt = d(K (q - rest) + G)/dq), Y and P (the regressor and its parameters, regressor.hpp), c, A and g (closed loops: c(q) = 0, A v, gamma), l and S (cylinders: their lengths, l' = S v); all
/// of it or one entry, counted from 1.
struct Selection {
  char quantity;                             ///< one of the letters
  std::optional<int> row = {}, column = {};  ///< from 1; none: all
};

/// "M[1,1],rest" -> two selections; `linear` is M, D, Kt and B, `Y` is the regressor with its parameters. Throws InputError for what is none of this arm's.
std::vector<Selection> parse_selection(const std::string& text, const Model& model);
/// M, C, K, D, G and B; rest, where a spring is relaxed elsewhere than at zero.
std::vector<Selection> usual_selection(const Model& model);

/// How formulas are put (formula.hpp).
enum class FormulaForm {
  expanded,  ///< multiplied out: nothing but symbols, sines and cosines of sums of angles
  parts,     ///< what is used more than once has a name
  shorter    ///< multiplied out where that is short, else with parts
};

/// Equations of first order in elastic coordinates and rates (`dual-screw`, docs/dual-screw.md).
struct LinearEquations {
  bool consistent = false;             ///< with the second-order part of the local screws; else as published
  std::vector<int> nonlinear_links{};  ///< whose elastic states are not truncated
  std::vector<int> nonlinear_coordinates{};  ///< in v: single ones that are not
};

/// What to derive, and how it is written.
struct EquationsOptions {
  ParameterStyle parameters = ParameterStyle::symbols;  ///< names or numbers
  std::vector<Selection> only = {};                     ///< empty: the usual ones
  int digits = 10;                             ///< significant, of numbers that are no simple fractions
  std::optional<LinearEquations> linear = {};  ///< none: the nonlinear model
  FormulaForm form = FormulaForm::expanded;    ///< of text and LaTeX
  std::size_t most_terms = 2000000;            ///< held at a time, before it gives up
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
  std::size_t parts = 0;  ///< that have a name
};

/// A function of generated code: what it takes, and what it writes.
struct CodeFunction {
  std::string name;     ///< mass_matrix
  std::string comment;  ///< what it gives: a sentence
  std::string inputs;   ///< of q, v and u
  std::string results;  ///< quantities by their letters (`a`: accelerations)
};

/// What the numeric core finds for a function of code.
struct NumericResult {
  CodeFunction function;   ///< with one result
  Eigen::MatrixXd values;  ///< of it
};

/// What the numeric core finds at a state, to test generated code with.
struct NumericCase {
  Eigen::VectorXd q, v, u;                  ///< the state, and generalized forces
  Eigen::MatrixXd M;                        ///< mass matrix
  Eigen::VectorXd h;                        ///< C v + G
  Eigen::MatrixXd J;                        ///< Jacobian of the end effector, world axes
  Eigen::VectorXd a;                        ///< accelerations
  std::vector<NumericResult> closing = {};  ///< of closed loops and cylinders, where it has some
};

/// The equations of one arm, derived as they are asked for.
class Equations {
 public:
  /// Of an arm, of which it keeps a copy. Throws InputError where it has no linear equations as asked for.
  Equations(const Model& model, EquationsOptions options);

  /// The matrix (or vector, one column) of a quantity, derived when first asked for.
  const MatrixX<Expression>& quantity(char name);
  /// Its symbols and parameters.
  SymbolicArm& arm() { return arm_; }

  /// As text that other programs can read.
  std::string text();
  /// As a document.
  std::string latex();
  /// As a header of C++. Other languages: documents.hpp.
  std::string code();
  /// A program that tests it against numbers of the numeric core.
  std::string code_test();
  /// The functions that code has. All that they give is derived, and the report tells of it. C is among it up to ten coordinates.
  std::vector<CodeFunction> code_functions();
  /// Parameters of what has been derived.
  std::vector<Parameter> used_parameters();
  /// What has been derived.
  std::vector<Expression> everything_derived() const;
  /// Ten states, the first one straight, the others bent.
  std::vector<NumericCase> numeric_cases() const;
  /// Says what is being done (EquationsOptions::progress).
  void tell(const std::string& what, double part) const { options_.progress(what, part); }
  /// Accelerations and missing forces (derive.hpp) as functions with C names, for a module to be loaded. Of linear equations M and h, and M a + h.
  std::string module_code();
  /// The operations of that code, each shared part once: by them a compiler's time can be foretold.
  long module_operations();
  /// Whether they are of first order in elastic states.
  bool is_linear() const { return options_.linear.has_value(); }
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
  struct Lines {
    std::vector<Line> entries;
    std::vector<NamedFunction> functions;  ///< of what is multiplied out
    std::vector<NamedPart> parts;          ///< in the order in which they are defined
    std::vector<std::pair<std::string, std::vector<double>>> columns;  ///< numbers of points, f1 .. fn
  };
  Lines lines();
  Lines lines(bool with_parts, std::size_t most_terms, long most_operations);
  std::string parts_text(const Lines& written, FormulaStyle& style) const;
  std::vector<std::string> name_numbers(const Lines& written, FormulaStyle& style) const;
  std::string parts_heading(std::uint64_t groups) const;
  bool is_symmetric(char quantity) const;
  std::vector<FreeLength> used_free_lengths() const;
  std::string sum_of(const FreeLength& free, const FormulaStyle& style) const;
  std::string free_lengths_text(const FormulaStyle& style) const;
  std::vector<Expression> module_expressions();

  MatrixX<Expression> derive(char name);
  const Regressor& regressor();
  void prepare_linear();

  EquationsOptions options_;
  SymbolicArm arm_;
  std::vector<Expression>
      small_;  ///< elastic coordinates and rates in which the equations are of first order
  std::map<char, MatrixX<Expression>> derived_;
  std::optional<Regressor> regressor_;
  EquationsReport report_;
  std::function<std::string(int)> variable_names_;
};

}  // namespace limber
