// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the languages share: the same functions with the same statements, written by each in its own way.

#include <functional>
#include <string>
#include <vector>

#include "limber/symbolic/code_writer.hpp"
#include "limber/symbolic/documents.hpp"

namespace limber {

/// Of a language: its statements, and how elements of arrays are called, both counted from 0.
struct Dialect {
  CodeStyle style;
  std::function<std::string(const std::string& array, int index)> input;
  /// Of a matrix; a vector is one of a single column.
  std::function<std::string(const std::string& array, int row, int column, const MatrixX<Expression>& shape)>
      output;
  std::string parameter;  ///< before a parameter's name: "p."
};

/// The bodies of an arm's functions in one language.
class FunctionBodies {
 public:
  FunctionBodies(Equations& equations, Dialect dialect);
  /// Its statements.
  std::string operator()(const CodeFunction& function);
  /// "12 multiplications, 3 additions, 2 functions."
  std::string count(const CodeFunction& function);

 private:
  std::vector<CodeOutput> outputs(const CodeFunction& function);
  Equations& equations_;
  Dialect dialect_;
  std::vector<CodeSymbol> symbols_;
};

/// What every file says of itself: one comment per line, without the language's sign for it.
std::vector<std::string> opening_comment(Equations& equations, const std::string& needs,
                                         const std::string& matrices);
/// Each line behind a sign: "# ".
std::string commented(const std::vector<std::string>& lines, const std::string& sign);
/// "length of link1, m"
std::string parameter_comment(const Parameter& parameter);
/// Names of what a function writes: M, h, J; joined by commas.
std::vector<std::string> result_names(const CodeFunction& function);
/// Whether a quantity is a vector in every language, whatever its number of rows.
bool is_vector_quantity(char quantity);
/// "6, nv": as a function of the constants that every language has; rows of loops and cylinders as numbers.
std::string size_text(char quantity, const MatrixX<Expression>& values);
/// 1, 2, 3: by rows.
std::string number_list(const Eigen::MatrixXd& values);
/// [[1, 2], [3, 4]]
std::string nested_list(const Eigen::MatrixXd& values);

std::vector<Document> write_c(Equations& equations, CodeReal real);
std::vector<Document> write_python(Equations& equations);
std::vector<Document> write_sympy(Equations& equations);
std::vector<Document> write_octave(Equations& equations);
std::vector<Document> write_julia(Equations& equations);
std::vector<Document> write_graph(Equations& equations);

}  // namespace limber
