// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/code_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "limber/core/interruption.hpp"

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
    std::vector<Expression> expressions;
    for (const CodeOutput& output : outputs) expressions.push_back(output.value);
    const auto nodes = graph_.needed_for(expressions);
    count_uses(nodes, outputs);
    for (const std::int32_t node : nodes) {
      if (texts_.contains(node)) continue;
      stop_if_asked();
      texts_[node] = named_if_long(node, text_of(node));
    }
    for (const CodeOutput& output : outputs)
      lines_ += fmt::format(fmt::runtime(style_.output), output.text, texts_.at(output.value.node()).text);
    return lines_;
  }

 private:
  void count_uses(const std::vector<std::int32_t>& nodes, const std::vector<CodeOutput>& outputs) {
    for (const std::int32_t node : nodes) {
      const GraphNode& n = graph_[node];
      const int operands = operand_count(n.operation);
      if (operands >= 1) ++uses_[n.a];
      if (operands == 2) ++uses_[n.b];
    }
    for (const CodeOutput& output : outputs) ++uses_[output.value.node()];
  }

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
    lines_ += fmt::format(fmt::runtime(style_.part), name, text.text);
    return {name, atom};
  }

  Text text_of(std::int32_t node) {
    const GraphNode& n = graph_[node];
    const auto a = [&](Binding at_least) { return within(texts_.at(n.a), at_least); };
    const auto b = [&](Binding at_least) { return within(texts_.at(n.b), at_least); };
    switch (n.operation) {
      case Operation::constant:
        return {code_number(n.value) + style_.suffix, n.value < 0.0 ? sum : atom};
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

  std::string function(const char* name) const { return fmt::format(fmt::runtime(style_.function), name); }

  static const char* member(Operation operation) {
    constexpr const char* members[] = {".c1", ".c2", ".c3", ".dc2", ".dc3"};
    return members[static_cast<int>(operation) - static_cast<int>(Operation::c1)];
  }

  // All functions of one angle at once.
  std::string small_angle(std::int32_t squared_angle) {
    std::string& name = small_angles_[squared_angle];
    if (name.empty()) {
      name = fmt::format("r{}", small_angles_.size());
      lines_ += fmt::format(fmt::runtime(style_.small_angle), name, texts_.at(squared_angle).text);
    }
    return name;
  }

  const Graph& graph_;
  const CodeStyle& style_;
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
