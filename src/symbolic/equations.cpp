// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <random>

#include "equation_words.hpp"
#include "limber/core/input_error.hpp"
#include "limber/symbolic/formula_writer.hpp"
#include "model_names.hpp"

namespace limber {
namespace {

constexpr const char* all_quantities = "MCKDGBhJr";

struct Size {
  int rows, columns;
};

Size size_of(char quantity, const Model& model) {
  int joints = 0;
  for (const Link& link : model.links()) joints += link.joint.nv;
  switch (quantity) {
    case 'G':
    case 'h':
    case 'r':
      return {model.nv(), 1};
    case 'B':
      return {model.nv(), joints};
    case 'J':
      return {6, model.nv()};
    default:
      return {model.nv(), model.nv()};
  }
}

// At commas that stand in no brackets.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '[') ++depth;
    if (c == ']') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ')
      parts.back() += c;
  }
  return parts;
}

Selection parse_one(const std::string& asked, const Model& model) {
  const auto refuse = [&](const std::string& expected) {
    return InputError(Problem{"--only", expected, "`" + asked + "`", "e.g. M[1,1],G or C"});
  };
  const std::string rest = name_of_quantity('r');
  const std::string text = asked.rfind(rest, 0) == 0 ? "r" + asked.substr(rest.size()) : asked;
  if (text.empty() || std::string(all_quantities).find(text[0]) == std::string::npos)
    throw refuse("one of M C K D G B h J rest, perhaps with an entry: M[1,2]");
  Selection selection{text[0]};
  if (text.size() == 1) return selection;
  const Size size = size_of(text[0], model);
  int numbers[2] = {1, 1};  // NOLINT
  const char *at = text.data() + 1, *end = text.data() + text.size();
  const int wanted = size.columns == 1 ? 1 : 2;
  for (int i = 0; i < wanted; ++i) {
    const char before = i == 0 ? '[' : ',';
    const auto parsed = at < end && *at == before ? std::from_chars(at + 1, end, numbers[i])
                                                  : std::from_chars_result{at, std::errc::invalid_argument};
    if (parsed.ec != std::errc())
      throw refuse(fmt::format("{}[{}]", name_of_quantity(text[0]), wanted == 1 ? "i" : "i,j"));
    at = parsed.ptr;
  }
  if (at + 1 != end || *at != ']')
    throw refuse(fmt::format("{}[{}]", name_of_quantity(text[0]), wanted == 1 ? "i" : "i,j"));
  if (numbers[0] < 1 || numbers[0] > size.rows || numbers[1] < 1 || numbers[1] > size.columns)
    throw refuse(fmt::format("an entry of {}, which has {} rows and {} columns", name_of_quantity(text[0]),
                             size.rows, size.columns));
  selection.row = numbers[0];
  selection.column = numbers[1];
  return selection;
}

std::string entry_name(char quantity, int row, int column, bool is_vector) {
  const std::string name = name_of_quantity(quantity);
  return is_vector ? fmt::format("{}[{}]", name, row) : fmt::format("{}[{},{}]", name, row, column);
}

std::vector<Expression> entries(const MatrixX<Expression>& A) { return {A.data(), A.data() + A.size()}; }

// What named functions stand for.
std::string function_text(Operation operation, const std::string& s) {
  switch (operation) {
    case Operation::divide:
      return "1/(" + s + ")";
    case Operation::root:
      return "sqrt(" + s + ")";
    case Operation::c1:
      return "sin(x)/x, x^2 = " + s;
    case Operation::c2:
      return "(1 - cos(x))/x^2, x^2 = " + s;
    case Operation::c3:
      return "(x - sin(x))/x^3, x^2 = " + s;
    case Operation::dc2:
      return "(x*sin(x) - 2*(1 - cos(x)))/(2*x^4), x^2 = " + s;
    default:
      return "(3*sin(x) - 2*x - x*cos(x))/(2*x^5), x^2 = " + s;
  }
}

}  // namespace

std::vector<Selection> parse_selection(const std::string& text, const Model& model) {
  std::vector<Selection> selections;
  for (const std::string& part : split(text)) selections.push_back(parse_one(part, model));
  return selections;
}

std::vector<Selection> usual_selection(const Model& model) {
  std::vector<Selection> selections;
  for (const char quantity : std::string("MCKDGB"))
    selections.push_back({quantity == 'C' && model.has_quaternions() ? 'h' : quantity});
  if (has_rest(model)) selections.push_back({'r'});
  return selections;
}

Equations::Equations(const Model& model, EquationsOptions options)
    : options_(std::move(options)), arm_(model, options_.parameters) {
  if (options_.only.empty()) options_.only = usual_selection(model);
}

const MatrixX<Expression>& Equations::quantity(char name) {
  const auto there = derived_.find(name);
  if (there != derived_.end()) return there->second;
  options_.progress(fmt::format("deriving {}", name), 0.0);
  const auto derive = [&]() -> MatrixX<Expression> {
    switch (name) {
      case 'M':
        return derive_mass_matrix(arm_);
      case 'C':
        return derive_coriolis_matrix(arm_, quantity('M'));
      case 'K':
        return derive_stiffness(arm_);
      case 'D':
        return derive_damping(arm_);
      case 'G':
        return derive_gravity(arm_);
      case 'B':
        return derive_input_matrix(arm_);
      case 'h':
        return derive_bias(arm_);
      case 'J':
        return derive_jacobian(arm_);
      case 'r':
        return derive_rest(arm_);
      case 'a':
        return derive_accelerations(arm_);
      default:
        return derive_missing_forces(arm_);
    }
  };
  return derived_[name] = derive();
}

std::string Equations::identifier() const { return identifier_of(arm_.model.name()); }

std::vector<Equations::Line> Equations::lines(std::vector<NamedFunction>& functions) {
  std::vector<Line> wanted;
  std::vector<Expression> expressions;
  for (const Selection& selection : options_.only) {
    const MatrixX<Expression>& A = quantity(selection.quantity);
    for (int i = 1; i <= A.rows(); ++i)
      for (int j = 1; j <= A.cols(); ++j) {
        const bool is_chosen =
            selection.row ? i == *selection.row && j == *selection.column
                          : j >= i || std::string("MKD").find(selection.quantity) == std::string::npos;
        if (!is_chosen) continue;
        wanted.push_back({selection.quantity, i, j, {}});
        expressions.push_back(A(i - 1, j - 1));
      }
  }
  report_ = {
      arm_.graph->written_out(expressions), arm_.graph->count(expressions).total(), 0, wanted.size(), 0, 0};

  double part = 0.0;
  std::string what;
  Simplifier::Options options;
  options.most_terms = options_.most_terms;
  options.pause = [&] { options_.progress(what, part); };
  // coordinates, rates, accelerations and forces are made first
  options.is_coordinate = [count = arm_.model.nq() + 3 * arm_.model.nv()](int symbol) {
    return symbol < count;
  };
  Simplifier simplifier(*arm_.graph, options);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Line& line = wanted[i];
    what = "simplifying " +
           entry_name(line.quantity, line.row, line.column, quantity(line.quantity).cols() == 1);
    part = static_cast<double>(i) / static_cast<double>(wanted.size());
    line.formula = simplifier.formula(expressions[i]);
    report_.simplified += line.formula.count().total();
    if (line.formula.groups.empty()) ++report_.zero_entries;
  }
  report_.terms = simplifier.most_held();
  functions = simplifier.functions();
  std::vector<std::string> names;
  for (const NamedFunction& function : functions) names.push_back(function.name);
  variable_names_ = [graph = arm_.graph, names](int variable) {
    return variable < first_function ? graph->symbol_name(variable)
                                     : names[static_cast<std::size_t>(variable - first_function)];
  };
  return wanted;
}

std::vector<Parameter> Equations::used_parameters() {
  std::vector<Expression> expressions;
  for (const auto& entry : derived_)
    for (const Expression& e : entries(entry.second)) expressions.push_back(e);
  const auto nodes = arm_.graph->needed_for(expressions);
  std::vector<Parameter> used;
  for (const Parameter& parameter : arm_.parameters)
    if (std::binary_search(nodes.begin(), nodes.end(), parameter.symbol.node())) used.push_back(parameter);
  return used;
}

std::string Equations::text() {
  std::vector<NamedFunction> functions;
  const std::vector<Line> formulas = lines(functions);
  const FormulaStyle style{false, options_.digits, variable_names_};
  const Model& model = arm_.model;
  std::string text = fmt::format(
      "# {}: equations of motion\n#\n#   M a + C v + D v + K (q - rest) + G = B u,   v = dq/dt, a = "
      "dv/dt{}\n#\n",
      comment_text(model.name()), has_rest(model) ? "" : ",   rest = 0");
  for (int i = 0; i < model.nq(); ++i)
    text += fmt::format("# q{} = {}\n", i + 1, comment_text(coordinate_meaning(model, i)));
  for (const Parameter& p : used_parameters())
    text += fmt::format("# {} = {} {}{}{}\n", p.name, p.value, p.unit, p.unit.empty() ? "" : ": ",
                        comment_text(p.meaning));
  char before = 0;
  for (const Line& line : formulas) {
    if (line.quantity != before)
      text += fmt::format(
          "\n# {}: {}. Entries that are not shown are zero{}.\n", name_of_quantity(line.quantity),
          meaning_of_quantity(line.quantity),
          std::string("MKD").find(line.quantity) != std::string::npos ? ", or follow from symmetry" : "");
    before = line.quantity;
    if (line.formula.groups.empty() && formulas.size() > 1) continue;
    text += fmt::format("{} = {}\n",
                        entry_name(line.quantity, line.row, line.column, quantity(line.quantity).cols() == 1),
                        write_formula(line.formula, style));
  }
  if (!functions.empty()) text += "\n# where\n";
  for (const NamedFunction& f : functions)
    text += fmt::format("# {} = {}\n", f.name, function_text(f.operation, write_formula(f.argument, style)));
  return text;
}

}  // namespace limber
