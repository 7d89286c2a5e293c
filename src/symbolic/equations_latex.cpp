// SPDX-License-Identifier: BSD-3-Clause
// Equations as a LaTeX document.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "equation_words.hpp"
#include "limber/symbolic/equations.hpp"
#include "limber/symbolic/formula_writer.hpp"
#include "model_names.hpp"

namespace limber {
namespace {

// `left` = `right`, a formula of lines that end in `line_end`. TeX keeps an environment as a whole, and has room for some ten thousand lines.
constexpr const char* line_end = " \\\\\n& {}";
std::string display(const std::string& left, const std::string& right) {
  constexpr int most_lines = 200;
  const std::string_view end = line_end;
  std::string text = "\\begin{align*}\n" + left + " = {}& ";
  int lines = 1;
  for (std::size_t from = 0; from <= right.size();) {
    const std::size_t to = right.find(end, from);
    text += right.substr(from, to - from);
    if (to == std::string::npos) break;
    const bool is_full = lines++ % most_lines == 0;
    text += is_full ? "\n\\end{align*}\n\\begin{align*}\n& {}" : end;
    from = to + end.size();
  }
  return text + "\n\\end{align*}\n";
}

}  // namespace

std::string Equations::latex() {
  std::vector<NamedFunction> functions;
  const std::vector<Line> formulas = lines(functions);
  const Model& model = arm_.model;
  const auto letter = [](char quantity) {
    return quantity == 'r' ? std::string("\\mathrm{rest}") : name_of_quantity(quantity);
  };
  std::map<std::string, std::string> symbols;
  for (const Parameter& p : arm_.parameters) symbols[p.name] = p.latex;
  for (int i = 1; i <= model.nq(); ++i) symbols[fmt::format("q{}", i)] = fmt::format("q_{{{}}}", i);
  for (int i = 1; i <= model.nv(); ++i)
    symbols[fmt::format("v{}", i)] =
        model.has_quaternions() ? fmt::format("v_{{{}}}", i) : fmt::format("\\dot{{q}}_{{{}}}", i);
  for (const NamedFunction& f : functions) {
    const auto line = f.name.find('_');
    symbols[f.name] = fmt::format(
        "{}_{{{}}}",
        f.name.substr(0, line).size() == 2 ? f.name.substr(0, 1) : "\\mathrm{" + f.name.substr(0, line) + "}",
        f.name.substr(0, line).size() == 2 ? f.name.substr(1, 1) + "," + f.name.substr(line + 1)
                                           : f.name.substr(line + 1));
  }
  const FormulaStyle style{true, std::min(options_.digits, 10), [&](int variable) {
                             const std::string name = variable_names_(variable);
                             const auto there = symbols.find(name);
                             return there == symbols.end() ? name : there->second;
                           }};
  std::string text = fmt::format(
      "\\documentclass[a4paper,10pt]{{article}}\n\\usepackage{{amsmath}}\n\\usepackage[margin=15mm]{{"
      "geometry}}\n"
      "\\allowdisplaybreaks\n\\setlength{{\\parindent}}{{0pt}}\n\\begin{{document}}\n\\section*{{{}: "
      "equations of motion}}\n"
      "\\[ M(q) \\ddot q + C(q, \\dot q) \\dot q + D \\dot q + K (q - \\mathrm{{rest}}) + G(q) = B u{} \\]\n",
      latex_text(model.name()), has_rest(model) ? "" : ", \\quad \\mathrm{rest} = 0");
  text += "\\subsection*{Coordinates}\n";
  for (int i = 0; i < model.nq(); ++i)
    text += fmt::format("$q_{{{}}}$ {}{}\n", i + 1, latex_text(coordinate_meaning(model, i)),
                        i + 1 < model.nq() ? ", " : "");
  const auto parameters = used_parameters();
  if (!parameters.empty()) text += "\\subsection*{Parameters}\n";
  for (const Parameter& p : parameters)
    text += fmt::format("${} = {}$ {}: {}\\\\\n", p.latex, write_decimal(p.value, {true, 10, {}}),
                        latex_text(p.unit), latex_text(p.meaning));
  char before = 0;
  for (const Line& line : formulas) {
    if (line.quantity != before)
      text += fmt::format("\\subsection*{{${}$: {}}}\n", letter(line.quantity),
                          latex_text(meaning_of_quantity(line.quantity)));
    before = line.quantity;
    if (line.formula.groups.empty() && formulas.size() > 1) continue;
    const bool is_vector = quantity(line.quantity).cols() == 1;
    const std::string index =
        is_vector ? std::to_string(line.row) : fmt::format("{},{}", line.row, line.column);
    text += display(fmt::format("{}_{{{}}}", letter(line.quantity), index),
                    write_formula(line.formula, style, line_end));
  }
  if (!functions.empty()) text += "\\subsection*{Functions}\n";
  for (const NamedFunction& f : functions) {
    constexpr const char* definitions[] = {
        "\\frac{\\sin x}{x}", "\\frac{1 - \\cos x}{x^2}", "\\frac{x - \\sin x}{x^3}",
        "\\frac{x \\sin x - 2 (1 - \\cos x)}{2 x^4}", "\\frac{3 \\sin x - 2 x - x \\cos x}{2 x^5}"};
    const int which = static_cast<int>(f.operation) - static_cast<int>(Operation::c1);
    const std::string argument = write_formula(f.argument, style, line_end);
    text += which >= 0
                ? display(fmt::format("{} = {}, \\quad x^2", symbols[f.name], definitions[which]), argument)
                : display("1 / " + symbols[f.name], argument);
  }
  return text + "\\end{document}\n";
}

}  // namespace limber
