// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/code_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "limber/core/interruption.hpp"
#include "point_loops.hpp"

namespace limber {
namespace {

bool is_small_angle(Operation operation) { return operation >= Operation::c1; }

// How tightly a text binds: a sum inside a product needs brackets.
enum Binding { sum, product, atom };

struct Text {
  std::string text;
  Binding binding;
};

std::string within(const Text& t, Binding at_least) {
  return t.binding >= at_least ? t.text : "(" + t.text + ")";
}

class Writer {
 public:
  Writer(const Graph& graph, const std::vector<CodeSymbol>& symbols, const CodeStyle& style)
      : graph_(graph), style_(style) {
    for (const CodeSymbol& symbol : symbols) texts_[symbol.symbol.node()] = {symbol.text, atom};
  }

  std::string statements(const std::vector<CodeOutput>& outputs) {
    const std::vector<Expression> values = values_of(outputs);
    const auto nodes = graph_.needed_for(values);
    count_uses(nodes, values);
    write(nodes, style_);
    write_outputs(outputs);
    return lines_;
  }

  // What terms need and is the same at all points; loops over points; all else.
  std::string statements(const std::vector<CodeOutput>& outputs, const detail::FoldedSums& folded) {
    std::vector<Expression> all = values_of(outputs), terms;
    for (const detail::PointSum& sum : folded.sums) terms.push_back(sum.term);
    all.insert(all.end(), terms.begin(), terms.end());
    const auto nodes = graph_.needed_for(all), of_terms = graph_.needed_for(terms);
    count_uses(nodes, all);
    find_points(of_terms, folded);
    std::vector<std::int32_t> before;
    for (const std::int32_t node : of_terms)
      if (!on_points_.contains(node)) before.push_back(node);
    write(before, style_);
    for (const std::vector<std::size_t>& loop : loops_of(folded)) write_loop(folded, loop);
    write(nodes, style_);
    write_outputs(outputs);
    return lines_;
  }

 private:
  static std::vector<Expression> values_of(const std::vector<CodeOutput>& outputs) {
    std::vector<Expression> values;
    for (const CodeOutput& output : outputs) values.push_back(output.value);
    return values;
  }

  void count_uses(const std::vector<std::int32_t>& nodes, const std::vector<Expression>& results) {
    for (const std::int32_t node : nodes) {
      const GraphNode& n = graph_[node];
      const int operands = operand_count(n.operation);
      if (operands >= 1) ++uses_[n.a];
      if (operands == 2) ++uses_[n.b];
    }
    for (const Expression& result : results) ++uses_[result.node()];
  }

  void write(const std::vector<std::int32_t>& nodes, const CodeStyle& style) {
    style_in_use_ = &style;
    for (const std::int32_t node : nodes) {
      if (texts_.contains(node) || (&style == &style_ && on_points_.contains(node))) continue;
      stop_if_asked();
      texts_[node] = named_if_long(node, text_of(node));
    }
  }

  void write_outputs(const std::vector<CodeOutput>& outputs) {
    for (const CodeOutput& output : outputs)
      lines_ += fmt::format(fmt::runtime(style_.output), output.text, texts_.at(output.value.node()).text);
  }

  // ---- loops over points ----

  // Which nodes differ from point to point. What those need and is the same at all of them gets a name: it is computed once.
  void find_points(const std::vector<std::int32_t>& nodes, const detail::FoldedSums& folded) {
    for (const detail::PointColumn& column : folded.columns) on_points_.insert(column.symbol.node());
    for (const std::int32_t node : nodes) {
      const GraphNode& n = graph_[node];
      const int operands = operand_count(n.operation);
      const bool a = operands >= 1 && on_points_.contains(n.a), b = operands == 2 && on_points_.contains(n.b);
      if (!a && !b) continue;
      on_points_.insert(node);
      for (const std::int32_t operand : {n.a, n.b})
        if (operands == 2 && !on_points_.contains(operand)) uses_[operand] += 2;
    }
  }

  std::vector<std::size_t> columns_of(const detail::FoldedSums& folded, const detail::PointSum& sum) const {
    const auto nodes = graph_.needed_for({sum.term});
    std::vector<std::size_t> columns;
    for (std::size_t c = 0; c < folded.columns.size(); ++c)
      if (std::binary_search(nodes.begin(), nodes.end(), folded.columns[c].symbol.node()))
        columns.push_back(c);
    return columns;
  }

  // Sums that have a column in common, directly or by others, are summed in one loop.
  std::vector<std::vector<std::size_t>> loops_of(const detail::FoldedSums& folded) const {
    std::vector<std::size_t> loop_of(folded.columns.size(), folded.sums.size());
    std::vector<std::vector<std::size_t>> loops;
    for (std::size_t i = 0; i < folded.sums.size(); ++i) {
      const std::vector<std::size_t> columns = columns_of(folded, folded.sums[i]);
      const std::size_t own = loops.size();
      loops.push_back({i});
      for (const std::size_t column : columns) {
        const std::size_t other = loop_of[column];
        if (other < own) {
          loops[own].insert(loops[own].end(), loops[other].begin(), loops[other].end());
          loops[other].clear();
          for (std::size_t& loop : loop_of)
            if (loop == other) loop = own;
        }
        loop_of[column] = own;
      }
    }
    std::erase_if(loops, [](const auto& loop) { return loop.empty(); });
    return loops;
  }

  void write_loop(const detail::FoldedSums& folded, std::vector<std::size_t> sums) {
    std::sort(sums.begin(), sums.end());
    const int points = folded.sums[sums.front()].points, packets = (points + 3) / 4;
    std::vector<bool> is_needed(folded.columns.size(), false);
    std::vector<Expression> terms;
    for (const std::size_t i : sums) {
      terms.push_back(folded.sums[i].term);
      for (const std::size_t column : columns_of(folded, folded.sums[i])) is_needed[column] = true;
      lines_ += fmt::format("  Points S{}{{}};\n", i + 1);
    }
    std::string loads;
    for (std::size_t c = 0; c < folded.columns.size(); ++c) {
      if (!is_needed[c]) continue;
      std::string numbers;
      for (int k = 0; k < 4 * packets; ++k)  // the last point again, with no weight
        numbers += (k > 0 ? ", " : "") +
                   code_number(folded.columns[c].values[static_cast<std::size_t>(std::min(k, points - 1))]);
      lines_ += fmt::format("  static const double f{}[{}] = {{{}}};\n", c + 1, 4 * packets, numbers);
      const std::string name = fmt::format("y{}", c + 1);
      loads += fmt::format("    const Points {} = points_at(f{} + k);\n", name, c + 1);
      texts_[folded.columns[c].symbol.node()] = {name, atom};
    }
    lines_ += fmt::format("  for (int k = 0; k < {}; k += 4) {{\n{}", 4 * packets, loads);
    if (4 * packets > points)
      lines_ += fmt::format("    const Points here = points_before(k, {});\n", points);
    const auto nodes = graph_.needed_for(terms);
    std::vector<std::int32_t> within;
    for (const std::int32_t node : nodes)
      if (on_points_.contains(node)) within.push_back(node);
    write(within, loop_style_);
    for (const std::size_t i : sums)
      lines_ += fmt::format("    S{} += {}{};\n", i + 1, 4 * packets > points ? "here * " : "",
                            limber::within(texts_.at(folded.sums[i].term.node()), atom));
    lines_ += "  }\n";
    for (const std::size_t i : sums) {
      lines_ += fmt::format("  const double s{} = sum_of(S{});\n", i + 1, i + 1);
      texts_[folded.sums[i].symbol.node()] = {fmt::format("s{}", i + 1), atom};
    }
  }

  // ---- nodes ----

  // Statements stay short, so that neither people nor compilers stumble over them.
  Text named_if_long(std::int32_t node, Text text) {
    constexpr std::size_t longest = 160;
    const Operation operation = graph_[node].operation;
    if (operation == Operation::constant || is_small_angle(operation)) return text;
    const bool used_again = uses_[node] > 1 && operation != Operation::negate;
    const bool is_function =
        operation == Operation::sine || operation == Operation::cosine || operation == Operation::root;
    if (!used_again && !is_function && text.text.size() <= longest) return text;
    const std::string name = fmt::format("x{}", ++names_);
    lines_ += fmt::format(fmt::runtime(style_in_use_->part), name, text.text);
    return {name, atom};
  }

  Text text_of(std::int32_t node) {
    const GraphNode& n = graph_[node];
    const auto a = [&](Binding at_least) { return within(texts_.at(n.a), at_least); };
    const auto b = [&](Binding at_least) { return within(texts_.at(n.b), at_least); };
    switch (n.operation) {
      case Operation::constant:
        return {code_number(n.value) + style_in_use_->suffix, n.value < 0.0 ? sum : atom};
      case Operation::symbol:
        throw std::logic_error("a function was asked for `" + graph_.symbol_name(n.a) +
                               "`, which it is not given");
      case Operation::add:
        return {a(sum) + " + " + b(product), sum};
      case Operation::subtract:
        return {a(sum) + " - " + b(product), sum};
      case Operation::multiply:
        return {a(product) + " * " + b(atom), product};
      case Operation::divide:
        return {a(product) + " / " + b(atom), product};
      case Operation::negate:
        return {"-" + a(product), sum};
      case Operation::sine:
        return {function("sin") + "(" + a(sum) + ")", atom};
      case Operation::cosine:
        return {function("cos") + "(" + a(sum) + ")", atom};
      case Operation::root:
        return {function("sqrt") + "(" + a(sum) + ")", atom};
      default:
        return {small_angle(n.a) + member(n.operation), atom};
    }
  }

  std::string function(const char* name) const {
    return fmt::format(fmt::runtime(style_in_use_->function), name);
  }

  static const char* member(Operation operation) {
    constexpr const char* members[] = {".c1", ".c2", ".c3", ".dc2", ".dc3"};
    return members[static_cast<int>(operation) - static_cast<int>(Operation::c1)];
  }

  // All functions of one angle at once.
  std::string small_angle(std::int32_t squared_angle) {
    std::string& name = small_angles_[squared_angle];
    if (name.empty()) {
      name = fmt::format("r{}", small_angles_.size());
      lines_ += fmt::format(fmt::runtime(style_in_use_->small_angle), name, texts_.at(squared_angle).text);
    }
    return name;
  }

  const Graph& graph_;
  const CodeStyle& style_;
  const CodeStyle loop_style_ = {"    const Points {} = {};\n", "", "    const PointAngles {}({});\n",
                                 "point_{}", ""};
  const CodeStyle* style_in_use_ = &style_;
  std::unordered_set<std::int32_t> on_points_;
  std::unordered_map<std::int32_t, Text> texts_;
  std::unordered_map<std::int32_t, int> uses_;
  std::unordered_map<std::int32_t, std::string> small_angles_;
  std::string lines_;
  int names_ = 0;
};

// A series as a statement of SmallAngle.
std::string series(const char* name, int first, int terms) {
  return fmt::format("      {} = {};\n", name, small_angle_series(first, terms));
}

}  // namespace

std::string code_number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string write_statements(const Graph& graph, const std::vector<CodeSymbol>& symbols,
                             const std::vector<CodeOutput>& outputs, const CodeStyle& style) {
  return Writer(graph, symbols, style).statements(outputs);
}

std::string detail::write_with_loops(const Graph& graph, const std::vector<CodeSymbol>& symbols,
                                     const std::vector<CodeOutput>& outputs, const FoldedSums& folded) {
  const CodeStyle style;
  return Writer(graph, symbols, style).statements(outputs, folded);
}

std::string detail::point_loop_code() {
  return "// Four points of a beam at once.\n"
         "typedef double Points __attribute__((vector_size(32)));\n"
         "inline Points points_at(const double* f) {\n"
         "  Points p;\n"
         "  __builtin_memcpy(&p, f, sizeof p);\n"
         "  return p;\n"
         "}\n"
         "// One where there is a point, zero behind the last one.\n"
         "inline Points points_before(int k, int end) {\n"
         "  return Points{k < end ? 1.0 : 0.0, k + 1 < end ? 1.0 : 0.0, k + 2 < end ? 1.0 : 0.0, k + 3 < end "
         "? 1.0 : "
         "0.0};\n"
         "}\n"
         "inline double sum_of(const Points& p) { return (p[0] + p[1]) + (p[2] + p[3]); }\n"
         "template <typename Function>\n"
         "inline Points each(const Points& p, Function function) {\n"
         "  return Points{function(p[0]), function(p[1]), function(p[2]), function(p[3])};\n"
         "}\n"
         "inline Points point_sin(const Points& p) { return each(p, [](double x) { return std::sin(x); }); "
         "}\n"
         "inline Points point_cos(const Points& p) { return each(p, [](double x) { return std::cos(x); }); "
         "}\n"
         "inline Points point_sqrt(const Points& p) { return each(p, [](double x) { return std::sqrt(x); }); "
         "}\n\n"
         "// SmallAngle of four.\n"
         "struct PointAngles {\n"
         "  Points c1, c2, c3, dc2, dc3;\n"
         "  explicit PointAngles(const Points& s) {\n"
         "    if (s[0] < 0.25 && s[1] < 0.25 && s[2] < 0.25 && s[3] < 0.25) {\n"
         "      const Points " +
         series("c4", 4, 7).substr(6) + "      const Points " + series("c5", 5, 7).substr(6) +
         "      c3 = 1.0 / 6.0 - s * c5;\n"
         "      c2 = 0.5 - s * c4;\n"
         "      c1 = 1.0 - s * c3;\n"
         "      dc2 = c4 - 0.5 * c3;\n"
         "      dc3 = 0.5 * (3.0 * c5 - c4);\n"
         "      return;\n"
         "    }\n"
         "    for (int i = 0; i < 4; ++i) {\n"
         "      const SmallAngle one(s[i]);\n"
         "      c1[i] = one.c1, c2[i] = one.c2, c3[i] = one.c3, dc2[i] = one.dc2, dc3[i] = one.dc3;\n"
         "    }\n"
         "  }\n"
         "};\n\n";
}

bool needs_small_angles(const Graph& graph, const std::vector<Expression>& expressions) {
  const auto nodes = graph.needed_for(expressions);
  return std::any_of(nodes.begin(), nodes.end(),
                     [&](std::int32_t node) { return is_small_angle(graph[node].operation); });
}

// In steps of two, as Horner's rule wants them.
std::string small_angle_series(int n, int terms, const std::string& suffix) {
  std::string text;
  const auto coefficient = [&](int k) {
    return code_number(static_cast<double>(1.0L / std::tgamma(2.0L * k + n + 1.0L))) + suffix;
  };
  for (int k = 0; k < terms - 1; ++k) text += fmt::format("{} - s * (", coefficient(k));
  return text + coefficient(terms - 1) + std::string(static_cast<std::size_t>(terms - 1), ')');
}

// From c4 and c5 the others follow without cancellation, (6) of rotation_series.hpp. Below 0.25 seven terms of their series have all digits, below 4
// fourteen; above, differences lose none.
std::string small_angle_code() {
  return "// Functions of a squared angle s = x^2: c1 = sin(x)/x, c2 = (1 - cos x)/x^2, c3 = (x - sin "
         "x)/x^3, and derivatives by s.\n"
         "struct SmallAngle {\n"
         "  double c1, c2, c3, dc2, dc3;\n"
         "  explicit SmallAngle(double s) {\n"
         "    double c4, c5;\n"
         "    if (s < 0.25) {\n" +
         series("c4", 4, 7) + series("c5", 5, 7) + "    } else if (s < 4.0) {\n" + series("c4", 4, 14) +
         series("c5", 5, 14) +
         "    } else {\n"
         "      const double x = std::sqrt(s), half_sine = std::sin(0.5 * x);\n"
         "      c4 = (0.5 - 2.0 * half_sine * half_sine / s) / s;\n"
         "      c5 = (1.0 / 6.0 - (1.0 - std::sin(x) / x) / s) / s;\n"
         "    }\n"
         "    c3 = 1.0 / 6.0 - s * c5;\n"
         "    c2 = 0.5 - s * c4;\n"
         "    c1 = 1.0 - s * c3;\n"
         "    dc2 = c4 - 0.5 * c3;\n"
         "    dc3 = 0.5 * (3.0 * c5 - c4);\n"
         "  }\n"
         "};\n\n";
}

}  // namespace limber
