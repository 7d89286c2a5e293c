// SPDX-License-Identifier: BSD-3-Clause
#include "languages.hpp"

#include <fmt/format.h>

#include "../equation_words.hpp"
#include "../model_names.hpp"
#include "limber/core/input_error.hpp"

namespace limber {

FunctionBodies::FunctionBodies(Equations& equations, Dialect dialect)
    : equations_(equations), dialect_(std::move(dialect)) {
  const SymbolicArm& arm = equations.arm();
  const auto add = [&](const char* array, const VectorX<Expression>& names) {
    for (int i = 0; i < names.size(); ++i) symbols_.push_back({names[i], dialect_.input(array, i)});
  };
  add("q", arm.q);
  add("v", arm.v);
  add("u", arm.tau);
  for (const Parameter& p : equations.used_parameters())
    symbols_.push_back({p.symbol, dialect_.parameter + p.name});
}

std::vector<CodeOutput> FunctionBodies::outputs(const CodeFunction& function) {
  std::vector<CodeOutput> outputs;
  for (const char letter : function.results) {
    const MatrixX<Expression>& values = equations_.quantity(letter);
    for (int i = 0; i < values.rows(); ++i)
      for (int j = 0; j < values.cols(); ++j)
        outputs.push_back({dialect_.output(name_of_quantity(letter), i, j, values), values(i, j)});
  }
  return outputs;
}

std::string FunctionBodies::operator()(const CodeFunction& function) {
  equations_.tell("writing " + function.name, 0.5);
  return write_statements(*equations_.arm().graph, symbols_, outputs(function), dialect_.style);
}

std::string FunctionBodies::count(const CodeFunction& function) {
  std::vector<Expression> values;
  for (const CodeOutput& output : outputs(function)) values.push_back(output.value);
  const OperationCount count = equations_.arm().graph->count(values);
  return fmt::format("{} multiplications, {} additions, {} functions.", count.multiplications,
                     count.additions, count.functions);
}

std::vector<std::string> opening_comment(Equations& equations, const std::string& needs,
                                         const std::string& matrices) {
  const Model& model = equations.arm().model;
  std::vector<std::string> lines = {
      fmt::format("The equations of motion of `{}`, written by limber derive. Needs {}.",
                  comment_text(model.name()), needs),
      "", "  " + equation_of_motion(model), ""};
  for (int i = 0; i < model.nq(); ++i)
    lines.push_back(fmt::format("q{}: {}", i + 1, comment_text(coordinate_meaning(model, i))));
  lines.emplace_back("");
  lines.push_back(matrices + "SI units, radians.");
  return lines;
}

std::string commented(const std::vector<std::string>& lines, const std::string& sign) {
  std::string text;
  for (const std::string& line : lines) {
    text += sign + line;
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

std::string parameter_comment(const Parameter& parameter) {
  return comment_text(parameter.meaning) + (parameter.unit.empty() ? "" : ", " + parameter.unit);
}

std::vector<std::string> result_names(const CodeFunction& function) {
  std::vector<std::string> names;
  for (const char letter : function.results) names.push_back(name_of_quantity(letter));
  return names;
}

bool is_vector_quantity(char quantity) { return std::string("hGracgl").find(quantity) != std::string::npos; }

std::string size_text(char quantity, const MatrixX<Expression>& values) {
  if (std::string("cgl").find(quantity) != std::string::npos) return fmt::format("{}", values.rows());
  if (quantity == 'A' || quantity == 'S') return fmt::format("{}, nv", values.rows());
  if (is_vector_quantity(quantity)) return "nv";
  return quantity == 'J' ? "6, nv" : quantity == 'B' ? "nv, inputs" : "nv, nv";
}

std::string number_list(const Eigen::MatrixXd& values) {
  std::string text;
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j < values.cols(); ++j)
      text += (text.empty() ? "" : ", ") + code_number(values(i, j));
  return text;
}

std::string nested_list(const Eigen::MatrixXd& values) {
  std::string text;
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    text += (text.empty() ? "[" : ", [") + number_list(values.row(i)) + "]";
  return "[" + text + "]";
}

const std::vector<DocumentFormat>& document_formats() {
  using enum ParameterStyle;
  static const std::vector<DocumentFormat> formats = {
      {"text", "formulas that programs can read", symbols},
      {"latex", "formulas as a document", symbols},
      {"cpp", "C++, a header", numbers},
      {"c", "C99, a header", numbers},
      {"python", "Python with NumPy, for one state or many", numbers},
      {"sympy", "Python with SymPy, expressions", symbols},
      {"octave", "MATLAB and Octave", numbers},
      {"julia", "Julia, a module", numbers},
      {"json", "the graph of operations", symbols}};
  return formats;
}

namespace {

const DocumentFormat& format_named(const std::string& name) {
  std::vector<std::string> names;
  for (const DocumentFormat& known : document_formats()) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  throw InputError(Problem{"format", fmt::format("one of {}", fmt::join(names, ", ")), "`" + name + "`", ""});
}

}  // namespace

ParameterStyle default_style(const std::string& format) { return format_named(format).parameters; }

namespace {

std::vector<Document> all_documents(Equations& equations, const std::string& format, CodeReal real) {
  const std::string name = equations.identifier();
  format_named(format);
  if (format == "text") return {{name + ".txt", equations.text()}};
  if (format == "latex") return {{name + ".tex", equations.latex()}};
  if (format == "cpp")
    return {{name + ".hpp", equations.code()}, {name + "_test.cpp", equations.code_test()}};
  if (format == "c") return write_c(equations, real);
  if (format == "python") return write_python(equations);
  if (format == "sympy") return write_sympy(equations);
  if (format == "octave") return write_octave(equations);
  if (format == "julia") return write_julia(equations);
  return write_graph(equations);
}

}  // namespace

// The numbers of a test are those of the nonlinear model.
std::vector<Document> write_documents(Equations& equations, const std::string& format, CodeReal real) {
  std::vector<Document> documents = all_documents(equations, format, real);
  if (equations.is_linear()) documents.resize(1);
  return documents;
}

}  // namespace limber
