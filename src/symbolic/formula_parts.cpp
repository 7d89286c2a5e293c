// SPDX-License-Identifier: BSD-3-Clause
// Formulas with parts that have names: which ones, and in which order.

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "limber/symbolic/formula.hpp"

namespace limber {
namespace {

// Factors of a term, its number among them.
long factors(const Monomial& monomial, const Coefficient& c) {
  long count = std::abs(c.value.real()) == 1.0 ? 0 : 1;
  for (const auto& factor : monomial) count += std::abs(factor.second);
  return count;
}

// What a polynomial is but for a factor: equal texts are equal parts. Twelve digits: rounding makes no parts.
std::string but_for_a_factor(const Polynomial& polynomial, double& factor) {
  std::vector<std::pair<Monomial, double>> terms;
  for (const auto& [monomial, c] : polynomial) terms.emplace_back(monomial, c.value.real());
  std::sort(terms.begin(), terms.end());
  factor = terms.front().second;
  std::string text;
  for (const auto& [monomial, value] : terms) {
    text += fmt::format("{:.12g}", value / factor);
    for (const auto& [variable, exponent] : monomial) text += fmt::format(" {}^{}", variable, exponent);
    text += '+';
  }
  return text;
}

constexpr const char* function_names[] = {"",    "",     "",   "",   "",   "inverse", "",   "sin",
                                          "cos", "root", "c1", "c2", "c3", "dc2",     "dc3"};

}  // namespace

void Simplifier::expect(const std::vector<Expression>& expressions) {
  for (const std::int32_t node : graph_.needed_for(expressions)) {
    const GraphNode& n = graph_[node];
    const int operands = operand_count(n.operation);
    if (operands >= 1) ++uses_[n.a];
    if (operands == 2) ++uses_[n.b];
  }
}

// It depends on what its formula depends on: what has cancelled does not count.
int Simplifier::add_part(const std::string& name, Operation operation, const Polynomial& polynomial,
                         int summed_over) {
  std::uint64_t groups = 0;
  int points = 0;
  for (const auto& term : polynomial)
    for (const auto& factor : term.first) {
      const int variable = factor.first;
      constexpr int last_bit = 63;  // links beyond share it
      if (variable >= first_part) points = std::max(points, part(variable - first_part).one_for_each_of);
      if (const auto there = options_.points.find(variable); there != options_.points.end())
        points = there->second;
      if (variable >= first_part)
        groups |= part(variable - first_part).groups;
      else if (options_.group && options_.group(variable) >= 0)
        groups |= std::uint64_t{1} << std::min(options_.group(variable), last_bit);
    }
  parts_.push_back({name, operation, {}, groups, summed_over, summed_over > 0 ? 0 : points});
  polynomials_.push_back(polynomial);
  return first_part + static_cast<int>(parts_.size()) - 1;
}

// A sum that is used again, or a product of three or more.
bool Simplifier::deserves_a_name(std::int32_t node, const Polynomial& polynomial) const {
  const Operation operation = graph_[node].operation;
  if (operand_count(operation) == 0 || operation == Operation::negate || polynomial.empty()) return false;
  const auto uses = uses_.find(node);
  if (uses == uses_.end() || uses->second < 2) return false;
  const auto& [monomial, c] = *polynomial.begin();
  return polynomial.size() > 1 || factors(monomial, c) > 2;
}

Polynomial Simplifier::named(const Polynomial& polynomial) {
  double factor = 1.0;
  const std::string key = but_for_a_factor(polynomial, factor);
  auto there = same_parts_.find(key);
  if (there == same_parts_.end()) {
    const int variable = add_part(fmt::format("t{}", same_parts_.size() + 1), Operation::add, polynomial);
    there = same_parts_.emplace(key, std::pair{variable, factor}).first;
  }
  constexpr double rounding = 1e-13;
  double ratio = factor / there->second.second;
  if (std::abs(std::abs(ratio) - 1.0) < rounding) ratio = std::copysign(1.0, ratio);
  return {{Monomial{{there->second.first, 1}}, {ratio, std::abs(ratio)}}};
}

// sin, cos, roots, 1/x and small-angle functions. Those of one argument carry one number: its coordinate's, where it is one.
Polynomial Simplifier::named_function(Operation operation, std::int32_t argument) {
  const Polynomial polynomial = expand(Expression(argument, graph_));
  auto place = std::find(arguments_.begin(), arguments_.end(), argument);
  if (place == arguments_.end()) {
    arguments_.push_back(argument);
    place = arguments_.end() - 1;
  }
  const GraphNode& a = graph_[argument];
  const std::string base = function_names[static_cast<int>(operation)];
  const bool is_coordinate = a.operation == Operation::symbol && graph_.symbol_name(a.a).front() == 'q';
  const std::string name = is_coordinate ? base + graph_.symbol_name(a.a).substr(1)
                                         : fmt::format("{}_{}", base, place - arguments_.begin() + 1);
  const auto there =
      std::find_if(parts_.begin(), parts_.end(), [&](const NamedPart& part) { return part.name == name; });
  const int variable = there == parts_.end() ? add_part(name, operation, polynomial)
                                             : first_part + static_cast<int>(there - parts_.begin());
  if (operation == Operation::root && polynomial.size() == 1) under_roots_[variable] = *polynomial.begin();
  return {{Monomial{{variable, 1}}, {1.0, 1.0}}};
}

Polynomial Simplifier::named_sum(const SumOverPoints& sum) {
  const Polynomial term = expand(sum.term);
  if (term.empty()) return {};
  const int variable = add_part("S", Operation::add, term, sum.points);
  return {{Monomial{{variable, 1}}, {1.0, 1.0}}};
}

// Two sums are not multiplied with each other, and a long one with nothing but numbers.
void Simplifier::keep_sums_apart(const GraphNode& product) {
  const auto name = [&](std::int32_t node) {
    Polynomial& polynomial = known_.at(node);
    terms_ -= polynomial.size() - 1;
    polynomial = named(polynomial);
  };
  const auto terms = [&](std::int32_t node) { return known_.at(node).size(); };
  const auto is_number = [&](std::int32_t node) {
    return terms(node) == 1 && known_.at(node).begin()->first.empty();
  };
  if (terms(product.a) > 1 && terms(product.b) > 1)
    name(terms(product.a) > terms(product.b) ? product.a : product.b);
  for (const auto& [sum, other] : {std::pair{product.a, product.b}, std::pair{product.b, product.a}})
    if (terms(sum) > 2 && !is_number(other)) name(sum);
}

std::vector<int> Simplifier::parts_of(const std::vector<const Formula*>& formulas) const {
  std::vector<int> numbers;
  std::vector<bool> seen(parts_.size(), false);
  // Each after those that it is made of: a part stands before its first use.
  const std::function<void(const Formula&)> add = [&](const Formula& formula) {
    const auto look = [&](const Monomial& monomial) {
      for (const auto& factor : monomial) {
        const int number = factor.first - first_part;
        if (number < 0 || seen[static_cast<std::size_t>(number)]) continue;
        seen[static_cast<std::size_t>(number)] = true;
        add(part(number).formula);
        numbers.push_back(number);
      }
    };
    for (const Group& group : formula.groups) {
      look(group.common.symbols);
      for (const Product& product : group.inner) look(product.symbols);
      look(group.coordinates);
    }
  };
  for (const Formula* formula : formulas) add(*formula);
  // What a part is made of depends on no more than it does itself: fewer groups first leaves the order sound.
  const auto size = [&](int number) { return std::popcount(part(number).groups); };
  std::stable_sort(numbers.begin(), numbers.end(), [&](int a, int b) {
    return std::pair{size(a), part(a).groups} < std::pair{size(b), part(b).groups};
  });
  return numbers;
}

}  // namespace limber
