// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <random>

#include "equation_words.hpp"
#include "limber/algorithms/constraints.hpp"
#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/telescopes.hpp"
#include "limber/symbolic/first_order.hpp"
#include "limber/symbolic/formula_writer.hpp"
#include "model_names.hpp"
#include "point_sums.hpp"

namespace limber {
namespace {

constexpr const char* all_quantities = "MCKDGBhJrTVptcAglS";

struct Size {
  int rows, columns;
};

Size size_of(char quantity, const Model& model) {
  int joints = 0;
  for (const Link& link : model.links()) joints += link.joint.driven_count();
  switch (quantity) {
    case 'G':
    case 'h':
    case 'r':
      return {model.nv(), 1};
    case 'T':
    case 'V':
      return {1, 1};
    case 'p':
      return {3, 4};
    case 'c':
    case 'g':
      return {loop_row_count(model), 1};
    case 'A':
      return {loop_row_count(model), model.nv()};
    case 'l':
      return {static_cast<int>(model.cylinders().size()), 1};
    case 'S':
      return {static_cast<int>(model.cylinders().size()), model.nv()};
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
  std::string text = asked;
  for (const char letter : std::string("rptg"))  // whose names are longer
    if (const std::string name = name_of_quantity(letter); asked.rfind(name, 0) == 0)
      text = letter + asked.substr(name.size());
  if (text.empty() || (text == asked && std::string("rptg").find(text[0]) != std::string::npos) ||
      std::string(all_quantities).find(text[0]) == std::string::npos)
    throw refuse(
        "one of M C K D G B h J rest T V pose Kt Y linear c A gamma l S, perhaps with an entry (but of Y): "
        "M[1,2]");
  if ((text[0] == 'c' || text[0] == 'A' || text[0] == 'g') && model.loops().empty())
    throw InputError(Problem{"--only", "an arm with closed loops", "`" + asked + "` of one without", ""});
  if ((text[0] == 'l' || text[0] == 'S') && model.cylinders().empty())
    throw InputError(Problem{"--only", "an arm with cylinders", "`" + asked + "` of one without", ""});
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
  if (quantity == 'T' || quantity == 'V') return name;
  return is_vector ? fmt::format("{}[{}]", name, row) : fmt::format("{}[{},{}]", name, row, column);
}

std::vector<Expression> entries(const MatrixX<Expression>& A) { return {A.data(), A.data() + A.size()}; }

// Symbols of q, v, a, u and w, which are made first and in this order.
int coordinate_symbols(const Model& model) { return model.nq() + 4 * model.nv(); }

// Of one of them, or of a free length: the link whose coordinate it belongs to, or -1.
int link_of_symbol(const SymbolicArm& arm, int symbol) {
  const Model& model = arm.model;
  for (const FreeLength& free : arm.free_lengths)
    if ((*arm.graph)[free.symbol].a == symbol) return free.link;
  const int nq = model.nq(), nv = model.nv();
  if (symbol >= coordinate_symbols(model)) return -1;
  const auto& links = model.links();
  const int in_v = symbol < nq ? -1 : (symbol - nq) % nv;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const auto is_in = [](int place, int first, int count) {
      return place >= first && place < first + count;
    };
    const bool own = symbol < nq ? is_in(symbol, link.joint.q_index, link.joint.nq) ||
                                       is_in(symbol, link.elastic_q_index, link.elastic_count)
                                 : is_in(in_v, link.joint.v_index, link.joint.nv) ||
                                       is_in(in_v, link.elastic_v_index, link.elastic_count);
    if (own) return static_cast<int>(i);
  }
  return -1;
}

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
  for (const std::string& part : split(text)) {
    if (part == "linear")
      selections.insert(selections.end(), {{'M'}, {'D'}, {'t'}, {'B'}});
    else if (part == "Y")
      selections.insert(selections.end(), {{'P'}, {'Y'}});
    else
      selections.push_back(parse_one(part, model));
  }
  return selections;
}

std::vector<Selection> usual_selection(const Model& model) {
  std::vector<Selection> selections;
  for (const char quantity : std::string("MCKDGB"))
    selections.push_back({quantity == 'C' && model.has_quaternions() ? 'h' : quantity});
  if (has_rest(model)) selections.push_back({'r'});
  if (!model.loops().empty()) selections.insert(selections.end(), {{'c'}, {'A'}});
  if (!model.cylinders().empty()) selections.insert(selections.end(), {{'l'}, {'S'}});
  return selections;
}

Equations::Equations(const Model& model, EquationsOptions options)
    : options_(std::move(options)),
      arm_(options_.linear ? with_kinematics(model, options_.linear->consistent ? KinematicOrder::second
                                                                                : KinematicOrder::first)
                           : model,
           options_.parameters) {
  if (options_.linear) prepare_linear();
  if (!options_.only.empty()) return;
  options_.only = usual_selection(model);
  if (options_.linear)  // no matrix C goes with the truncated M (docs/dual-screw.md)
    for (Selection& selection : options_.only)
      if (selection.quantity == 'C') selection.quantity = 'h';
}

void Equations::prepare_linear() {
  const Model& model = arm_.model;
  require_no_telescopes(model, "equations of first order");
  const auto has = [](const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  };
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    if (has(options_.linear->nonlinear_links, static_cast<int>(i))) continue;
    const Link& link = model.links()[i];
    int small = 0;
    for (int j = 0; j < link.elastic_count; ++j) {
      if (has(options_.linear->nonlinear_coordinates, link.elastic_v_index + j)) continue;
      small_.push_back(arm_.q[link.elastic_q_index + j]);
      small_.push_back(arm_.v[link.elastic_v_index + j]);
      ++small;
    }
    if (options_.linear->consistent || small < link.elastic_count || small == 0) continue;
    detail::LinkWork<Expression>& work = arm_.work->arm().links[i];
    work.sections.constant_screws = true;
    for (detail::NodeWork<Expression>& node : work.nodes) node.constant_screws = true;
  }
}

const MatrixX<Expression>& Equations::quantity(char name) {
  const auto there = derived_.find(name);
  if (there != derived_.end()) return there->second;
  options_.progress(fmt::format("deriving {}", name), 0.0);
  MatrixX<Expression> result = derive(name);
  if (!small_.empty()) {
    const UseGraph use(*arm_.graph);
    const std::vector<Expression> linear =
        detail::fold_point_sums(*arm_.graph, first_order(*arm_.graph, entries(result), small_), false)
            .expressions;
    std::copy(linear.begin(), linear.end(), result.data());
  }
  return derived_[name] = result;
}

MatrixX<Expression> Equations::derive(char name) {
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
    case 'T':
      return derive_kinetic_energy(arm_);
    case 'V':
      return derive_potential_energy(arm_);
    case 'p':
      return derive_pose(arm_);
    case 'c':
      return derive_loop_gaps(arm_);
    case 'A':
      return derive_loop_jacobian(arm_);
    case 'g':
      return derive_loop_bias(arm_);
    case 'l':
      return derive_cylinder_lengths(arm_);
    case 'S':
      return derive_cylinder_jacobian(arm_);
    case 't':
      return derive_tangent_stiffness(arm_, quantity('K'), quantity('G'));
    case 'Y':
      return regressor().Y;
    case 'P':
      return regressor().p;
    case 'a':
      return derive_accelerations(arm_);
    case 'i':
      return derive_inertial_forces(arm_);
    default:
      return derive_missing_forces(arm_);
  }
}

const Regressor& Equations::regressor() {
  if (options_.linear)
    throw InputError(Problem{"Y", "the nonlinear model", "--formulation dual-screw",
                             "its equations have no Christoffel symbols (docs/dual-screw.md)"});
  if (!regressor_) regressor_ = derive_regressor(arm_);
  return *regressor_;
}

std::string Equations::identifier() const { return identifier_of(arm_.model.name()); }

// Multiplied out where that is short, or at least not much longer than with parts; more terms than this take seconds.
Equations::Lines Equations::lines() {
  constexpr long short_enough = 2000, times_longer = 4, most_operations = 20000;
  constexpr std::size_t most_terms = 100000;
  if (options_.form != FormulaForm::shorter)
    return lines(options_.form == FormulaForm::parts, options_.most_terms, std::numeric_limits<long>::max());
  try {
    Lines expanded = lines(false, std::min(options_.most_terms, most_terms), most_operations);
    if (report_.simplified <=
        std::min(most_operations, std::max(short_enough, times_longer * report_.shared)))
      return expanded;
  } catch (const ComputationError&) {
    // there are too many terms: parts have fewer
  }
  return lines(true, options_.most_terms, std::numeric_limits<long>::max());
}

Equations::Lines Equations::lines(bool with_parts, std::size_t most_terms, long most_operations) {
  Lines result;
  std::vector<Line>& wanted = result.entries;
  std::vector<Expression> expressions;
  for (const Selection& selection : options_.only) {
    const MatrixX<Expression>& A = quantity(selection.quantity);
    for (int i = 1; i <= A.rows(); ++i)
      for (int j = 1; j <= A.cols(); ++j) {
        const bool is_chosen = selection.row ? i == *selection.row && j == *selection.column
                                             : j >= i || !is_symmetric(selection.quantity);
        if (!is_chosen) continue;
        wanted.push_back({selection.quantity, i, j, {}});
        expressions.push_back(A(i - 1, j - 1));
      }
  }
  report_ = {};
  report_.written_out = arm_.graph->written_out(expressions);
  report_.shared = arm_.graph->count(expressions).total();
  report_.entries = wanted.size();

  double part = 0.0;
  std::string what;
  Simplifier::Options options;
  options.most_terms = most_terms;
  options.pause = [&] { options_.progress(what, part); };
  options.is_coordinate = [count = coordinate_symbols(arm_.model)](int symbol) { return symbol < count; };
  options.names_parts = with_parts;
  for (const FreeLength& free : arm_.free_lengths)
    options.abbreviations.emplace(free.sum.node(), (*arm_.graph)[free.symbol].a);
  options.group = [&](int symbol) { return link_of_symbol(arm_, symbol); };
  if (with_parts) {
    const detail::FoldedSums folded = detail::fold_point_sums(*arm_.graph, expressions, true);
    expressions = folded.expressions;
    for (const detail::PointSum& sum : folded.sums)
      options.sums.emplace((*arm_.graph)[sum.symbol].a, SumOverPoints{sum.term, sum.points});
    for (const detail::PointColumn& column : folded.columns) {
      options.points.emplace((*arm_.graph)[column.symbol].a, static_cast<int>(column.values.size()));
      result.columns.emplace_back(arm_.graph->symbol_name((*arm_.graph)[column.symbol].a), column.values);
    }
  }
  Simplifier simplifier(*arm_.graph, options);
  const auto announce = [&](std::size_t i) {
    const Line& line = wanted[i];
    what = "simplifying " +
           entry_name(line.quantity, line.row, line.column, quantity(line.quantity).cols() == 1);
    part = static_cast<double>(i) / static_cast<double>(wanted.size());
  };
  std::vector<Formula> formulas;
  if (with_parts) formulas = simplifier.formulas_with_parts(expressions, announce);
  for (std::size_t i = 0; i < wanted.size() && report_.simplified <= most_operations; ++i) {
    if (!with_parts) announce(i);
    wanted[i].formula = with_parts ? std::move(formulas[i]) : simplifier.formula(expressions[i]);
    report_.simplified += wanted[i].formula.count().total();
    if (wanted[i].formula.groups.empty()) ++report_.zero_entries;
  }
  report_.terms = simplifier.most_held();
  result.functions = simplifier.functions();
  std::map<int, std::string> part_names;
  if (with_parts) {
    std::vector<const Formula*> all;
    for (const Line& line : wanted) all.push_back(&line.formula);
    int parts = 0, sums = 0;
    for (const int number : simplifier.parts_of(all)) {
      result.parts.push_back(simplifier.part(number));
      NamedPart& one = result.parts.back();
      // counted in the order in which they are read
      if (one.operation == Operation::add)
        one.name = one.summed_over > 0 ? fmt::format("sum{}", ++sums) : fmt::format("t{}", ++parts);
      if (one.one_for_each_of > 0) one.name += "[k]";
      part_names[number] = one.name;
      report_.simplified += one.formula.count().total() + (one.operation == Operation::add ? 0 : 1);
    }
    report_.parts = result.parts.size();
  }
  std::vector<std::string> function_names;
  for (const NamedFunction& function : result.functions) function_names.push_back(function.name);
  variable_names_ = [graph = arm_.graph, function_names, part_names, points = options.points](int variable) {
    if (variable >= first_part) return part_names.at(variable - first_part);
    if (points.contains(variable)) return graph->symbol_name(variable) + "[k]";
    return variable < first_function ? graph->symbol_name(variable)
                                     : function_names[static_cast<std::size_t>(variable - first_function)];
  };
  return result;
}

// A telescoping beam has more than its stiffness: what its joint holds against.
bool Equations::is_symmetric(char quantity) const {
  return quantity == 'M' || quantity == 'D' || (quantity == 'K' && arm_.free_lengths.empty());
}

std::vector<FreeLength> Equations::used_free_lengths() const {
  const auto nodes = arm_.graph->needed_for(everything_derived());
  std::vector<FreeLength> used = arm_.free_lengths;
  std::erase_if(used, [&](const FreeLength& free) {
    return !std::binary_search(nodes.begin(), nodes.end(), free.sum.node());
  });
  return used;
}

// L3 - c3 + q8
std::string Equations::sum_of(const FreeLength& free, const FormulaStyle& style) const {
  Simplifier::Options options;
  options.is_coordinate = [count = coordinate_symbols(arm_.model)](int symbol) { return symbol < count; };
  return write_formula(Simplifier(*arm_.graph, options).formula(free.sum), style);
}

// l3 = L3 - c3 + q8
std::string Equations::free_lengths_text(const FormulaStyle& style) const {
  std::string text;
  for (const FreeLength& free : used_free_lengths())
    text += fmt::format("\n# free length of {}\n{} = {}\n",
                        comment_text(arm_.model.links()[static_cast<std::size_t>(free.link)].name), free.name,
                        sum_of(free, style));
  return text;
}

std::vector<Expression> Equations::everything_derived() const {
  std::vector<Expression> expressions;
  for (const auto& entry : derived_)
    for (const Expression& e : entries(entry.second)) expressions.push_back(e);
  return expressions;
}

std::vector<Parameter> Equations::used_parameters() {
  const auto nodes = arm_.graph->needed_for(everything_derived());
  std::vector<Parameter> used;
  for (const Parameter& parameter : arm_.parameters)
    if (std::binary_search(nodes.begin(), nodes.end(), parameter.symbol.node())) used.push_back(parameter);
  return used;
}

// What the parts that follow depend on.
std::string Equations::parts_heading(std::uint64_t groups) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arm_.model.links().size() && i < 64; ++i)
    if ((groups >> i & 1U) != 0) names.push_back(arm_.model.links()[i].name);
  return names.empty() ? "of the parameters alone"
                       : fmt::format("of the coordinates of {}", fmt::join(names, ", "));
}

// Numbers that stand in many places of formulas with parts, in the order in which they are first read: nu1, nu2, ... from here on.
std::vector<std::string> Equations::name_numbers(const Lines& written, FormulaStyle& style) const {
  constexpr int many = 3;
  constexpr std::size_t long_one = 6;
  std::map<std::string, int> uses;
  std::vector<std::string> order;
  FormulaStyle counting = style;
  counting.number = [&](const std::string& number) {
    if (uses[number]++ == 0) order.push_back(number);
    return number;
  };
  for (const NamedPart& part : written.parts) write_formula(part.formula, counting);
  for (const Line& line : written.entries) write_formula(line.formula, counting);
  std::erase_if(order,
                [&](const std::string& number) { return uses[number] < many || number.size() < long_one; });
  style.number = [order, latex = style.latex](const std::string& number) {
    const auto there = std::find(order.begin(), order.end(), number);
    if (there == order.end()) return number;
    return fmt::format(latex ? fmt::runtime("\\nu_{{{}}}") : fmt::runtime("nu{}"), there - order.begin() + 1);
  };
  return order;
}

// t7 = ..., sin2 = sin(q2), c1_3 = c1(...), sum1 = sum(k=1..16, ...): in the order in which they can be computed.
std::string Equations::parts_text(const Lines& written, FormulaStyle& style) const {
  const std::vector<NamedPart>& parts = written.parts;
  const bool has_small_angles = std::any_of(parts.begin(), parts.end(),
                                            [](const NamedPart& p) { return p.operation >= Operation::c1; });
  std::string text;
  if (has_small_angles)
    text +=
        "\n# c1(s) = sin(x)/x, c2(s) = (1 - cos(x))/x^2, c3(s) = (x - sin(x))/x^3, x = sqrt(s); dc2 and dc3 "
        "are "
        "derivatives by s\n";
  if (!written.columns.empty())
    text += "\n# numbers of the points k of a beam over which its sections are summed\n";
  for (const auto& [name, values] : written.columns) {
    std::vector<std::string> numbers;
    for (const double value : values) numbers.push_back(write_decimal(value, style));
    text += fmt::format("{}[k] = [{}]\n", name, fmt::join(numbers, ", "));
  }
  int numbers = 0;
  for (const std::string& number : name_numbers(written, style)) {
    if (numbers == 0) text += "\n# numbers of the shapes\n";
    text += fmt::format("nu{} = {}\n", ++numbers, number);
  }
  const NamedPart* before = nullptr;
  for (const NamedPart& part : parts) {
    if (!before || before->groups != part.groups)
      text += fmt::format("\n# parts {}\n", parts_heading(part.groups));
    before = &part;
    constexpr const char* functions[] = {"",    "",     "",   "",   "",   "1/",  "",   "sin",
                                         "cos", "sqrt", "c1", "c2", "c3", "dc2", "dc3"};
    const std::string formula = write_formula(part.formula, style);
    if (part.summed_over > 0)
      text += fmt::format("{} = sum(k=1..{}, {})\n", part.name, part.summed_over, formula);
    else if (part.operation == Operation::add)
      text += fmt::format("{} = {}\n", part.name, formula);
    else
      text += fmt::format("{} = {}({})\n", part.name, functions[static_cast<int>(part.operation)], formula);
  }
  return text;
}

std::string Equations::text() {
  const Lines written = lines();
  const std::vector<Line>& formulas = written.entries;
  const std::vector<NamedFunction>& functions = written.functions;
  FormulaStyle style{false, options_.digits, variable_names_};
  const Model& model = arm_.model;
  std::string text = fmt::format(
      "# {}: equations of motion\n#\n#   M a + C v + D v + K (q - rest) + G = B u{}{}{},   v = dq/dt, a = "
      "dv/dt{}\n#\n",
      comment_text(model.name()), model.cylinders().empty() ? "" : " + S^T f",
      model.loops().empty() ? "" : " + A^T lambda", model.loops().empty() ? "" : ",   c(q) = 0",
      has_rest(model) ? "" : ",   rest = 0");
  for (int i = 0; i < model.nq(); ++i)
    text += fmt::format("# q{} = {}\n", i + 1, comment_text(coordinate_meaning(model, i)));
  for (std::size_t i = 0; i < model.cylinders().size(); ++i)
    text += fmt::format("# l[{}] = length of {}\n", i + 1, comment_text(model.cylinders()[i].name));
  for (const Parameter& p : used_parameters())
    text += fmt::format("# {} = {} {}{}{}\n", p.name, p.value, p.unit, p.unit.empty() ? "" : ": ",
                        comment_text(p.meaning));
  text += free_lengths_text(style);
  if (!written.parts.empty()) text += parts_text(written, style);
  char before = 0;
  for (const Line& line : formulas) {
    if (line.quantity != before)
      text += fmt::format("\n# {}: {}. Entries that are not shown are zero{}.\n",
                          name_of_quantity(line.quantity), meaning_of_quantity(line.quantity),
                          is_symmetric(line.quantity) ? ", or follow from symmetry" : "");
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
