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

// t_{12}, \\mathrm{s}_{2} for sin(q2), c_{1,3}; t_{12k} where there is one for each point k
std::string part_symbol(const std::string& whole) {
  const bool for_each = whole.back() == ']';
  const std::string name = for_each ? whole.substr(0, whole.find('[')) + "k" : whole;
  const auto digit = name.find_first_of("0123456789");
  const std::string base = name.substr(0, name.find('_')), number = name.substr(name.find('_') + 1);
  if (name.front() == 't' || name.front() == 'f')
    return fmt::format("{}_{{{}}}", name.front(), name.substr(1));
  if (name.rfind("sum", 0) == 0) return fmt::format("\\Sigma_{{{}}}", name.substr(3));
  for (const char* wave : {"sin", "cos"})
    if (name.rfind(wave, 0) == 0)
      return name.find('_') == std::string::npos
                 ? fmt::format("\\mathrm{{{}}}_{{{}}}", wave[0], name.substr(digit))
                 : fmt::format("\\mathrm{{{}}}'_{{{}}}", wave[0], number);
  if (base.size() == 2) return fmt::format("{}_{{{},{}}}", base.substr(0, 1), base.substr(1), number);
  return fmt::format("\\mathrm{{{}}}_{{{}}}", base, number);
}

std::string function_of(Operation operation, const std::string& argument) {
  constexpr const char* functions[] = {"",     "",    "",      "",      "",
                                       "1 / ", "",    "\\sin", "\\cos", "\\mathrm{sqrt}",
                                       "c_1",  "c_2", "c_3",   "c'_2",  "c'_3"};
  if (operation == Operation::add) return argument;
  return fmt::format("{}({})", functions[static_cast<int>(operation)], argument);
}

using Column = std::pair<std::string, std::vector<double>>;

// A row for each point.
std::string table_of_points(const Column* columns, std::size_t count, const FormulaStyle& style) {
  std::string text =
      fmt::format("{{\\scriptsize\\tabcolsep=3pt\n\\begin{{tabular}}{{r{}}}\n$k$", std::string(count, 'l'));
  for (std::size_t i = 0; i < count; ++i)
    text += fmt::format(" & ${}$", part_symbol(columns[i].first + "[k]"));
  for (std::size_t k = 0; k < columns->second.size(); ++k) {
    text += fmt::format(" \\\\\n{}", k + 1);
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format(" & ${}$", write_decimal(columns[i].second[k], style));
  }
  return text + "\n\\end{tabular}\n}\n\n";
}

// As many columns side by side as a page is wide, of the same number of points.
std::string tables_of_points(const std::vector<Column>& columns, const FormulaStyle& style) {
  if (columns.empty()) return "";
  constexpr std::size_t signs_of_a_line = 125, between = 2;
  const auto width = [&](const Column& column) {
    std::size_t longest = 0;
    for (const double value : column.second)
      longest = std::max(longest, write_decimal(value, {false, style.digits, {}}).size());
    return longest + between;
  };
  std::string text = "Numbers of the points $k$ of a beam over which its sections are summed:\n\n";
  for (std::size_t first = 0; first < columns.size();) {
    std::size_t end = first, signs = 0;
    do signs += width(columns[end++]);
    while (end < columns.size() && columns[end].second.size() == columns[first].second.size() &&
           signs + width(columns[end]) <= signs_of_a_line);
    text += table_of_points(columns.data() + first, end - first, style);
    first = end;
  }
  return text;
}

const char* small_angle_words(const std::vector<NamedPart>& parts) {
  const bool has_them = std::any_of(parts.begin(), parts.end(),
                                    [](const NamedPart& p) { return p.operation >= Operation::c1; });
  return has_them ? "With $x^2 = s$: $c_1(s) = \\sin x / x$, $c_2(s) = (1 - \\cos x) / x^2$, $c_3(s) = (x - "
                    "\\sin x) / "
                    "x^3$; $c'$ are derivatives by $s$.\n\n"
                  : "";
}

}  // namespace

std::string Equations::latex() {
  const Lines written = lines();
  const std::vector<Line>& formulas = written.entries;
  const std::vector<NamedFunction>& functions = written.functions;
  const Model& model = arm_.model;
  const auto letter = [](char quantity) {
    const std::string name = name_of_quantity(quantity);
    return name.size() > 1 ? "\\mathrm{" + name + "}" : name;
  };
  std::map<std::string, std::string> symbols;
  for (const Parameter& p : arm_.parameters) symbols[p.name] = p.latex;
  for (int i = 1; i <= model.nq(); ++i) symbols[fmt::format("q{}", i)] = fmt::format("q_{{{}}}", i);
  for (int i = 1; i <= model.nv(); ++i) {
    symbols[fmt::format("v{}", i)] =
        model.has_quaternions() ? fmt::format("v_{{{}}}", i) : fmt::format("\\dot{{q}}_{{{}}}", i);
    symbols[fmt::format("qdd{}", i)] =
        model.has_quaternions() ? fmt::format("a_{{{}}}", i) : fmt::format("\\ddot{{q}}_{{{}}}", i);
    symbols[fmt::format("w{}", i)] = fmt::format("w_{{{}}}", i);
  }
  for (const FreeLength& free : arm_.free_lengths)
    symbols[free.name] = fmt::format("\\ell_{{{}}}", free.link + 1);
  for (const NamedFunction& f : functions) {
    const auto line = f.name.find('_');
    symbols[f.name] = fmt::format(
        "{}_{{{}}}",
        f.name.substr(0, line).size() == 2 ? f.name.substr(0, 1) : "\\mathrm{" + f.name.substr(0, line) + "}",
        f.name.substr(0, line).size() == 2 ? f.name.substr(1, 1) + "," + f.name.substr(line + 1)
                                           : f.name.substr(line + 1));
  }
  for (const NamedPart& part : written.parts) symbols[part.name] = part_symbol(part.name);
  for (const auto& column : written.columns)
    symbols[column.first + "[k]"] = part_symbol(column.first + "[k]");
  const FormulaStyle style{true, std::min(options_.digits, 10), [&](int variable) {
                             const std::string name = variable_names_(variable);
                             const auto there = symbols.find(name);
                             return there == symbols.end() ? name : there->second;
                           }};
  FormulaStyle in_line = style;
  in_line.in_line = true;
  const std::vector<std::string> numbers =
      written.parts.empty() ? std::vector<std::string>{} : name_numbers(written, in_line);
  std::string text = fmt::format(
      "\\documentclass[a4paper,10pt]{{article}}\n\\usepackage{{amsmath}}\n\\usepackage[margin=15mm]{{"
      "geometry}}\n"
      "\\allowdisplaybreaks\n\\setlength{{\\parindent}}{{0pt}}\n\\begin{{document}}\n\\section*{{{}: "
      "equations of motion}}\n"
      "\\[ M(q) \\ddot q + C(q, \\dot q) \\dot q + D \\dot q + K (q - \\mathrm{{rest}}) + G(q) = B u{}{}{} "
      "\\]\n",
      latex_text(model.name()), model.cylinders().empty() ? "" : " + S(q)^T f",
      model.loops().empty() ? "" : " + A(q)^T \\lambda, \\quad c(q) = 0",
      has_rest(model) ? "" : ", \\quad \\mathrm{rest} = 0");
  text += "\\subsection*{Coordinates}\n";
  for (int i = 0; i < model.nq(); ++i)
    text += fmt::format("$q_{{{}}}$ {}{}\n", i + 1, latex_text(coordinate_meaning(model, i)),
                        i + 1 < model.nq() ? ", " : "");
  const auto parameters = used_parameters();
  if (!parameters.empty()) text += "\\subsection*{Parameters}\n";
  for (const Parameter& p : parameters)
    text += fmt::format("${} = {}$ {}: {}{}\n", p.latex, write_decimal(p.value, {true, 10, {}}),
                        latex_text(p.unit), latex_text(p.meaning), written.parts.empty() ? "\\\\" : ";");
  for (const FreeLength& free : used_free_lengths())
    text += fmt::format("${} = {}$: free length of {}{}\n", symbols[free.name], sum_of(free, style),
                        latex_text(model.links()[static_cast<std::size_t>(free.link)].name),
                        written.parts.empty() ? "\\\\" : ";");
  // Parts run on as in a sentence: TeX breaks lines at their signs.
  if (!written.parts.empty())
    text +=
        "\\subsection*{Parts}\n" + std::string(small_angle_words(written.parts)) + "{\\small\\raggedright\n";
  text += tables_of_points(written.columns, style);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    text += fmt::format("$\\nu_{{{}}} = {}$;\n", i + 1, numbers[i]);
  const NamedPart* part_before = nullptr;
  for (const NamedPart& part : written.parts) {
    if (!part_before || part_before->groups != part.groups)
      text += fmt::format("\n\\medskip\\emph{{{}:}}\n", latex_text(parts_heading(part.groups)));
    part_before = &part;
    const std::string formula = function_of(part.operation, write_formula(part.formula, in_line));
    text += fmt::format(
        part.summed_over > 0 ? fmt::runtime("${} = \\sum_k ({})$;\n") : fmt::runtime("${} = {}$;\n"),
        symbols[part.name], formula);
  }
  if (!written.parts.empty()) text += "\n}\n";
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
    const std::string left = line.quantity == 'T' || line.quantity == 'V'
                                 ? letter(line.quantity)
                                 : fmt::format("{}_{{{}}}", letter(line.quantity), index);
    text += written.parts.empty()
                ? display(left, write_formula(line.formula, style, line_end))
                : fmt::format("{{\\small${} = {}$;}}\n", left, write_formula(line.formula, in_line));
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
