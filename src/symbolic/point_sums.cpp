// SPDX-License-Identifier: BSD-3-Clause
#include "point_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <unordered_map>

#include "limber/core/interruption.hpp"

namespace limber::detail {
namespace {

constexpr std::size_t fewest_points = 5;     // what is alike by chance is less
constexpr std::size_t most_monomials = 256;  // of a polynomial (2) on its way
constexpr double rounding = 1e-12;

using Nodes = std::vector<std::int32_t>;  // one for each point, or of a sum
using Numbers = std::vector<double>;

// Products of nodes, each with its numbers at the points.
using Factors = std::vector<std::int32_t>;  // ascending
using PointPolynomial = std::map<Factors, Numbers>;

bool is_sum(Operation operation) {
  return operation == Operation::add || operation == Operation::subtract || operation == Operation::negate;
}

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9E3779B97F4A7C15ULL ^ (b + 0x7F4A7C15ULL + (a << 6U) + (a >> 2U));
  x ^= x >> 31U;
  return x * 0xBF58476D1CE4E5B9ULL;
}

// a / b, where it is one number for all points.
std::optional<double> ratio_of(const Numbers& a, const Numbers& b) {
  std::optional<double> ratio;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] == 0.0 && b[k] == 0.0) continue;
    if (a[k] == 0.0 || b[k] == 0.0) return {};
    const double here = a[k] / b[k];
    if (ratio && std::abs(here - *ratio) > rounding * std::abs(*ratio)) return {};
    if (!ratio) ratio = here;
  }
  return ratio;
}

Numbers product_of(const Numbers& a, const Numbers& b) {
  Numbers result(a);
  for (std::size_t k = 0; k < a.size(); ++k) result[k] *= b[k];
  return result;
}

class Folder {
 public:
  Folder(Graph& graph, const std::vector<Expression>& expressions, bool with_functions)
      : graph_(graph), expressions_(expressions), with_functions_(with_functions) {}

  FoldedSums fold() {
    find_shapes();
    for (const Expression& e : expressions_) result_.expressions.emplace_back(folded(e.node()), graph_);
    if (!claims_hold()) return {expressions_, {}, {}};
    return std::move(result_);
  }

 private:
  struct Term {
    double sign;
    std::int32_t node;
  };

  void find_shapes() {
    const Nodes nodes = graph_.needed_for(expressions_);
    std::unordered_map<std::uint64_t, int> members;
    for (const std::int32_t node : nodes) {
      const GraphNode& n = graph_[node];
      const auto operation = static_cast<std::uint64_t>(n.operation) + 1;
      std::uint64_t shape = operation;
      if (n.operation == Operation::symbol) {
        shape = mixed(operation, static_cast<std::uint64_t>(n.a));
      } else if (n.operation != Operation::constant) {
        std::uint64_t a = shapes_.at(n.a), b = operand_count(n.operation) == 2 ? shapes_.at(n.b) : 0;
        if ((n.operation == Operation::add || n.operation == Operation::multiply) && b < a) std::swap(a, b);
        shape = mixed(mixed(operation, a), b);
      }
      shapes_[node] = shape;
      ++members[shape];
      if (operand_count(n.operation) >= 1) ++uses_[n.a];
      if (operand_count(n.operation) == 2) ++uses_[n.b];
    }
    for (const auto& [node, shape] : shapes_)
      is_one_of_many_[node] = members.at(shape) >= static_cast<int>(fewest_points);
  }

  // Whether what it adds last is like what it added before: a sum over points on its way. There may be many such sums that differ in their numbers alone.
  bool is_running_sum(std::int32_t node) const {
    const GraphNode& n = graph_[node];
    if (n.operation != Operation::add && n.operation != Operation::subtract) return false;
    const auto adds = [&](std::int32_t sum, std::int32_t term) {
      const GraphNode& s = graph_[sum];
      if (s.operation != Operation::add && s.operation != Operation::subtract) return false;
      return shapes_.at(s.a) == shapes_.at(term) || shapes_.at(s.b) == shapes_.at(term);
    };
    return shapes_.at(n.a) == shapes_.at(n.b) || adds(n.a, n.b) || adds(n.b, n.a);
  }

  // Whether it is a term of a sum: what is one of many is, not a sum of terms, and so is a sum that others need as well.
  bool is_term(std::int32_t node) const {
    return !is_sum(graph_[node].operation) || (is_one_of_many_.at(node) && !is_running_sum(node));
  }

  void collect_terms(std::int32_t node, double sign, bool is_whole, std::vector<Term>& terms) const {
    const GraphNode& n = graph_[node];
    if (is_term(node) || (!is_whole && uses_.at(node) > 1)) {
      terms.push_back({sign, node});
      return;
    }
    collect_terms(n.a, n.operation == Operation::negate ? -sign : sign, false, terms);
    if (n.operation != Operation::negate)
      collect_terms(n.b, n.operation == Operation::subtract ? -sign : sign, false, terms);
  }

  // The same without sums (1).
  std::int32_t folded(std::int32_t node) {
    const auto there = folded_.find(node);
    if (there != folded_.end()) return there->second;
    stop_if_asked();
    const GraphNode n = graph_[node];
    std::int32_t result = node;
    if (!is_term(node))
      result = folded_sum(node);
    else if (operand_count(n.operation) > 0)
      result = remade(n, folded(n.a), operand_count(n.operation) == 2 ? folded(n.b) : 0);
    return folded_[node] = result;
  }

  std::int32_t remade(const GraphNode& n, std::int32_t a, std::int32_t b) {
    switch (n.operation) {
      case Operation::add:
        return graph_.add(a, b);
      case Operation::subtract:
        return graph_.subtract(a, b);
      case Operation::multiply:
        return graph_.multiply(a, b);
      case Operation::divide:
        return graph_.divide(a, b);
      case Operation::negate:
        return graph_.negate(a);
      default:
        return graph_.function(n.operation, a);
    }
  }

  std::int32_t folded_sum(std::int32_t node) {
    std::vector<Term> terms;
    collect_terms(node, 1.0, true, terms);
    // Terms of one shape and sign, in the order in which they first appear.
    std::vector<std::vector<std::size_t>> alike;
    std::map<std::pair<std::uint64_t, bool>, std::size_t> places;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (!is_one_of_many_.at(terms[i].node)) continue;
      const auto [there, is_new] =
          places.try_emplace({shapes_.at(terms[i].node), terms[i].sign < 0.0}, alike.size());
      if (is_new) alike.emplace_back();
      alike[there->second].push_back(i);
    }
    std::int32_t sum = 0;
    PointPolynomial merged;  // of all sums (2) in this one
    std::vector<bool> done(terms.size(), false);
    for (const std::vector<std::size_t>& places_of_one : alike) {
      if (places_of_one.size() < fewest_points) continue;
      Nodes nodes;
      for (const std::size_t i : places_of_one) nodes.push_back(terms[i].node);
      const double sign = terms[places_of_one.front()].sign;
      if (const auto polynomial = expanded(nodes)) {
        for (const auto& [factors, numbers] : *polynomial) {
          Numbers& there = merged[factors];
          for (const double number : numbers) there.push_back(sign * number);
        }
      } else if (const std::int32_t symbol = with_functions_ ? symbol_of_sum(nodes) : -1; symbol >= 0) {
        sum = sign < 0.0 ? graph_.subtract(sum, symbol) : graph_.add(sum, symbol);
      } else {
        continue;
      }
      for (const std::size_t i : places_of_one) done[i] = true;
    }
    if (std::none_of(done.begin(), done.end(), [](bool one) { return one; })) {
      const GraphNode n = graph_[node];
      const std::int32_t a = folded(n.a);
      return remade(n, a, operand_count(n.operation) == 2 ? folded(n.b) : 0);
    }
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (done[i]) continue;
      const std::int32_t one = folded(terms[i].node);
      sum = terms[i].sign < 0.0 ? graph_.subtract(sum, one) : graph_.add(sum, one);
    }
    return graph_.add(sum, node_of(merged));
  }

  // ---- (2) ----

  // Of the points' nodes: none, where there is a function of what differs, or too much of it.
  std::optional<PointPolynomial> expanded(const Nodes& nodes) {
    const std::size_t points = nodes.size();
    const auto all = [&](auto&& property) { return std::all_of(nodes.begin(), nodes.end(), property); };
    if (all([&](std::int32_t node) { return graph_.is_constant(node); })) {
      Numbers numbers;
      for (const std::int32_t node : nodes) numbers.push_back(graph_[node].value);
      return PointPolynomial{{Factors{}, numbers}};
    }
    const GraphNode first = graph_[nodes.front()];
    const bool same = all([&](std::int32_t node) { return node == nodes.front(); });
    if (same && !is_one_of_many_.at(nodes.front()))
      return PointPolynomial{{Factors{folded(nodes.front())}, Numbers(points, 1.0)}};
    if (!all([&](std::int32_t node) { return graph_[node].operation == first.operation; })) return {};
    const bool is_product = first.operation == Operation::multiply;
    if (!is_product && !is_sum(first.operation)) {
      if (same) return PointPolynomial{{Factors{folded(nodes.front())}, Numbers(points, 1.0)}};
      return {};
    }
    const auto [left, right] = operands(nodes);
    const auto a = expanded(left);
    if (!a) return {};
    if (first.operation == Operation::negate) return scaled(*a, -1.0);
    const auto b = expanded(right);
    if (!b) return {};
    if (is_product) return product(*a, *b);
    PointPolynomial sum = *a;
    for (const auto& [factors, numbers] : *b)
      add_to(sum, factors, numbers, first.operation == Operation::add ? 1.0 : -1.0);
    return sum;
  }

  static PointPolynomial scaled(PointPolynomial polynomial, double factor) {
    for (auto& [factors, numbers] : polynomial)
      for (double& number : numbers) number *= factor;
    return polynomial;
  }
  static void add_to(PointPolynomial& sum, const Factors& factors, const Numbers& numbers, double sign) {
    Numbers& there = sum[factors];
    there.resize(numbers.size(), 0.0);
    for (std::size_t k = 0; k < numbers.size(); ++k) there[k] += sign * numbers[k];
  }
  static std::optional<PointPolynomial> product(const PointPolynomial& a, const PointPolynomial& b) {
    if (a.size() * b.size() > most_monomials) return {};
    PointPolynomial result;
    for (const auto& [x, x_numbers] : a)
      for (const auto& [y, y_numbers] : b) {
        Factors factors;
        std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(factors));
        add_to(result, factors, product_of(x_numbers, y_numbers), 1.0);
      }
    return result;
  }

  // A sum of products, what is common to most of them outside of brackets.
  std::int32_t node_of(const PointPolynomial& polynomial) {
    std::vector<std::pair<Factors, double>> terms;
    for (const auto& [factors, numbers] : polynomial) {
      double sum = 0.0, size = 0.0;
      for (const double number : numbers) sum += number, size += std::abs(number);
      if (std::abs(sum) > rounding * size) terms.emplace_back(factors, sum);
    }
    return node_of(std::move(terms));
  }
  std::int32_t node_of(std::vector<std::pair<Factors, double>> terms) {
    std::map<std::int32_t, int> uses;
    for (const auto& [factors, number] : terms)
      for (std::size_t i = 0; i < factors.size(); ++i)
        if (i == 0 || factors[i] != factors[i - 1]) ++uses[factors[i]];
    const auto most = std::max_element(uses.begin(), uses.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == uses.end() || most->second < 2) {
      std::int32_t sum = 0;
      for (const auto& [factors, number] : terms) {
        std::int32_t product = graph_.constant(1.0);
        for (const std::int32_t factor : factors) product = graph_.multiply(product, factor);
        sum = graph_.add(sum, graph_.multiply(graph_.constant(number), product));
      }
      return sum;
    }
    std::vector<std::pair<Factors, double>> with, without;
    for (auto& [factors, number] : terms) {
      const auto there = std::find(factors.begin(), factors.end(), most->first);
      auto& list = there == factors.end() ? without : with;
      if (there != factors.end()) factors.erase(there);
      list.emplace_back(std::move(factors), number);
    }
    const std::int32_t inner = node_of(std::move(with)), rest = node_of(std::move(without));
    return graph_.add(graph_.multiply(most->first, inner), rest);
  }

  // ---- (1) ----

  // Operands of all points, side by side: of commuting ones those of one shape.
  std::pair<Nodes, Nodes> operands(const Nodes& nodes) const {
    Nodes left, right;
    const GraphNode first = graph_[nodes.front()];
    const bool commutes = first.operation == Operation::add || first.operation == Operation::multiply;
    for (const std::int32_t node : nodes) {
      std::int32_t a = graph_[node].a, b = graph_[node].b;
      if (commutes && shapes_.at(a) != shapes_.at(first.a)) std::swap(a, b);
      left.push_back(a);
      right.push_back(b);
    }
    return {left, right};
  }

  // T as a node, or -1.
  std::int32_t shape_with_columns(const Nodes& nodes) {
    const auto there = templates_.find(nodes);
    if (there != templates_.end()) return there->second;
    const auto all = [&](auto&& property) { return std::all_of(nodes.begin(), nodes.end(), property); };
    const GraphNode first = graph_[nodes.front()];
    std::int32_t result = -1;
    if (all([&](std::int32_t node) { return node == nodes.front(); })) {
      result = folded(nodes.front());
    } else if (all([&](std::int32_t node) { return graph_.is_constant(node); })) {
      Numbers numbers;
      for (const std::int32_t node : nodes) numbers.push_back(graph_[node].value);
      result = column(numbers);
    } else if (operand_count(first.operation) > 0 &&
               all([&](std::int32_t node) { return graph_[node].operation == first.operation; })) {
      const bool two = operand_count(first.operation) == 2;
      const auto [left, right] = operands(nodes);
      // numbers in front of a product last: those within are the columns that others are products of
      const bool number_first = graph_.is_constant(left.front());
      std::int32_t b = two && number_first ? shape_with_columns(right) : 0;
      const std::int32_t a = b >= 0 ? shape_with_columns(left) : -1;
      if (two && !number_first && a >= 0) b = shape_with_columns(right);
      if (a >= 0 && b >= 0) result = remade(first, a, b);
    }
    return templates_[nodes] = result;
  }

  std::int32_t column(const Numbers& numbers) {
    const auto times = [&](double factor, std::int32_t node) {
      return graph_.multiply(graph_.constant(clean(factor)), node);
    };
    if (const auto ratio = ratio_of(numbers, Numbers(numbers.size(), 1.0))) return graph_.constant(*ratio);
    const std::vector<PointColumn>& columns = result_.columns;
    for (const PointColumn& one : columns)
      if (one.values.size() == numbers.size())
        if (const auto ratio = ratio_of(numbers, one.values)) return times(*ratio, one.symbol.node());
    for (std::size_t i = 0; i < columns.size(); ++i)
      for (std::size_t j = 0; j <= i; ++j)
        if (columns[i].values.size() == numbers.size() && columns[j].values.size() == numbers.size())
          if (const auto ratio = ratio_of(numbers, product_of(columns[i].values, columns[j].values)))
            return times(*ratio, graph_.multiply(columns[i].symbol.node(), columns[j].symbol.node()));
    const Expression symbol = graph_.symbol(fmt::format("f{}", columns.size() + 1));
    result_.columns.push_back({symbol, numbers});
    return symbol.node();
  }

  static double clean(double factor) {
    return std::abs(std::abs(factor) - 1.0) < rounding ? std::copysign(1.0, factor) : factor;
  }

  // Of the points' terms; -1: they are not alike after all.
  std::int32_t symbol_of_sum(const Nodes& nodes) {
    std::int32_t term = shape_with_columns(nodes);
    if (term < 0 || has_sums(term)) return -1;
    claims_.push_back({term, nodes});
    double factor = 1.0;
    const GraphNode n = graph_[term];
    if (n.operation == Operation::multiply && graph_.is_constant(n.a)) factor = graph_[n.a].value, term = n.b;
    auto there = std::find_if(result_.sums.begin(), result_.sums.end(), [&](const PointSum& sum) {
      return sum.term.node() == term && sum.points == static_cast<int>(nodes.size());
    });
    if (there == result_.sums.end()) {
      const Expression symbol = graph_.symbol(fmt::format("S{}", result_.sums.size() + 1));
      result_.sums.push_back({symbol, Expression(term, graph_), static_cast<int>(nodes.size())});
      there = result_.sums.end() - 1;
    }
    return graph_.multiply(graph_.constant(factor), there->symbol.node());
  }

  bool has_sums(std::int32_t term) const {
    const Nodes nodes = graph_.needed_for({Expression(term, graph_)});
    return std::any_of(result_.sums.begin(), result_.sums.end(), [&](const PointSum& sum) {
      return std::binary_search(nodes.begin(), nodes.end(), sum.symbol.node());
    });
  }

  // Whether each T is its points' terms with their numbers, for any values of all other symbols: two operands of one shape could stand crosswise.
  bool claims_hold() const {
    constexpr unsigned seed = 7;  // any
    constexpr double tolerance = 1e-9;
    std::mt19937 dice(seed);
    std::uniform_real_distribution<double> number(0.5, 1.5);
    std::vector<double> symbols;
    for (int i = 0; i < graph_.symbol_count(); ++i) symbols.push_back(number(dice));
    std::size_t most_points = 0;
    for (const Claim& claim : claims_) most_points = std::max(most_points, claim.nodes.size());
    for (std::size_t k = 0; k < most_points; ++k) {
      for (const PointColumn& one : result_.columns)
        if (k < one.values.size()) symbols[static_cast<std::size_t>(graph_[one.symbol].a)] = one.values[k];
      const std::vector<double> values = graph_.evaluate(symbols);
      for (const Claim& claim : claims_) {
        if (k >= claim.nodes.size()) continue;
        const double expected = values[static_cast<std::size_t>(claim.nodes[k])],
                     found = values[static_cast<std::size_t>(claim.term)];
        if (!(std::abs(found - expected) <= tolerance * (1.0 + std::abs(expected)))) return false;
      }
    }
    return true;
  }

  Graph& graph_;
  const std::vector<Expression>& expressions_;
  bool with_functions_;
  std::unordered_map<std::int32_t, std::uint64_t> shapes_;
  std::unordered_map<std::int32_t, bool> is_one_of_many_;
  std::unordered_map<std::int32_t, int> uses_;
  std::unordered_map<std::int32_t, std::int32_t> folded_;
  std::map<Nodes, std::int32_t> templates_;
  struct Claim {
    std::int32_t term;
    Nodes nodes;
  };
  std::vector<Claim> claims_;
  FoldedSums result_;
};

}  // namespace

FoldedSums fold_point_sums(Graph& graph, const std::vector<Expression>& expressions, bool with_functions) {
  return Folder(graph, expressions, with_functions).fold();
}

}  // namespace limber::detail
