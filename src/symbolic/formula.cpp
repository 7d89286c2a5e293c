// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/formula.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "exact_numbers.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"

namespace limber {
namespace {

// A coefficient below this share of what was added up in it is rounding.
constexpr double rounding = 1e-12;

bool is_wave(int variable) { return variable >= first_angle && variable < first_function; }

Monomial times(const Monomial& a, const Monomial& b) {
  Monomial result;
  result.reserve(a.size() + b.size());
  auto i = a.begin();
  auto j = b.begin();
  while (i != a.end() || j != b.end()) {
    if (j == b.end() || (i != a.end() && i->first < j->first)) {
      result.push_back(*i++);
    } else if (i == a.end() || j->first < i->first) {
      result.push_back(*j++);
    } else {
      if (i->second + j->second != 0) result.emplace_back(i->first, i->second + j->second);
      ++i, ++j;
    }
  }
  return result;
}

void add_to(Polynomial& sum, const Monomial& monomial, const Coefficient& c, double factor = 1.0) {
  Coefficient& there = sum[monomial];
  there.value += factor * c.value;
  there.size += std::abs(factor) * c.size;
}

void drop_rounding(Polynomial& p) {
  std::erase_if(p,
                [](const auto& term) { return std::abs(term.second.value) <= rounding * term.second.size; });
}

Polynomial monomial_of(int variable, std::complex<double> value = 1.0) {
  return {{Monomial{{variable, 1}}, {value, std::abs(value)}}};
}

// The part of a monomial whose variables are chosen.
template <typename Choose>
Monomial chosen(const Monomial& monomial, Choose&& choose) {
  Monomial result;
  for (const auto& factor : monomial)
    if (choose(factor.first)) result.push_back(factor);
  return result;
}

// What divides all of them, and is taken out: powers, a number if all numbers are the same but for their signs, and a sign
// if all have it.
Product take_out_common(std::vector<Product>& products) {
  Product common{1.0, products.front().symbols};
  for (const Product& p : products) {
    Monomial shared;
    for (const auto& [variable, exponent] : common.symbols) {
      int least = exponent;
      bool found = false;
      for (const auto& [other, power] : p.symbols)
        if (other == variable) found = true, least = std::min(least, power);
      if (found) shared.emplace_back(variable, least);
    }
    common.symbols = shared;
  }
  Monomial inverse = common.symbols;
  for (auto& factor : inverse) factor.second = -factor.second;
  const double number = products.front().number;
  const bool same = std::all_of(products.begin(), products.end(), [&](const Product& p) {
    return std::abs(std::abs(p.number) - std::abs(number)) <= rounding * std::abs(number);
  });
  const bool all_negative =
      std::all_of(products.begin(), products.end(), [](const Product& p) { return p.number < 0.0; });
  if (same)
    common.number = number;
  else if (all_negative)
    common.number = -1.0;
  for (Product& p : products) {
    p.symbols = times(p.symbols, inverse);
    if (same)
      p.number = p.number * number > 0.0 ? 1.0 : -1.0;
    else
      p.number *= common.number;
  }
  return common;
}

// common inner coordinates, of a group with nothing in brackets
Product product_of(const Group& group) {
  return {group.common.number * group.inner.front().number,
          times(times(group.common.symbols, group.inner.front().symbols), group.coordinates)};
}

// What all products have is written once, and so is a number that several have.
void put_in_brackets(Formula& formula) {
  const auto is_product = [](const Group& group) {
    return group.inner.size() == 1 && group.wave == Wave::none;
  };
  const auto gather = [](std::vector<Product> products) {
    Group group{{1.0, {}}, std::move(products), {}, Wave::none, {}, true};
    group.common = take_out_common(group.inner);
    return group;
  };
  std::vector<Product> products;
  for (const Group& group : formula.groups)
    if (is_product(group)) products.push_back(product_of(group));
  if (products.size() < 2) return;
  std::vector<Product> whole = products;
  if (products.size() == formula.groups.size() && !take_out_common(whole).symbols.empty()) {
    formula.groups = {gather(std::move(products))};
    return;
  }
  std::erase_if(formula.groups, is_product);
  std::vector<bool> done(products.size(), false);
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (done[i]) continue;
    std::vector<Product> same{products[i]};
    const double number = std::abs(products[i].number);
    for (std::size_t j = i + 1; j < products.size() && number != 1.0; ++j)
      if (!done[j] && std::abs(std::abs(products[j].number) - number) <= rounding * number) {
        same.push_back(products[j]);
        done[j] = true;
      }
    if (same.size() > 1)
      formula.groups.push_back(gather(std::move(same)));
    else  // parameters and coordinates in one: what they are is said by their names
      formula.groups.push_back(
          {{same.front().number, {}}, {{1.0, {}}}, same.front().symbols, Wave::none, {}});
  }
}

long count_product(const Product& p) {
  long factors = std::abs(p.number) != 1.0 ? 1 : 0;
  for (const auto& factor : p.symbols) factors += std::abs(factor.second);
  return factors;
}

}  // namespace

// FNV-1a, with its offset and prime; exponents are below 64 as a rule.
std::size_t MonomialHash::operator()(const Monomial& monomial) const {
  constexpr std::size_t offset = 1469598103934665603ULL, prime = 1099511628211ULL, most_exponents = 64;
  std::size_t hash = offset;
  for (const auto& [variable, exponent] : monomial)
    hash =
        (hash ^ (static_cast<std::size_t>(variable) * most_exponents + static_cast<std::size_t>(exponent))) *
        prime;
  return hash;
}

OperationCount Formula::count() const {
  OperationCount count;
  const auto sum = [&](const std::vector<Product>& products) {
    for (const Product& p : products) count.multiplications += std::max(0L, count_product(p) - 1);
    count.additions += static_cast<long>(products.size()) - 1;
  };
  for (const Group& group : groups) {
    long factors = count_product(group.common);
    for (const auto& factor : group.coordinates) factors += std::abs(factor.second);
    if (group.inner.size() > 1) ++factors, sum(group.inner);
    if (group.wave != Wave::none) ++factors, ++count.functions, sum(group.angle);
    count.multiplications += std::max(0L, factors - 1);
  }
  count.additions += std::max(0L, static_cast<long>(groups.size()) - 1);
  return count;
}

// For so many more. Makes room if need be: what no expression at work needs can be made again.
bool Simplifier::has_room_for(std::size_t terms) {
  if (terms_ + terms > options_.most_terms) {
    std::erase_if(known_, [&](const auto& entry) {
      return std::none_of(needed_.begin(), needed_.end(), [&](const std::vector<std::int32_t>& nodes) {
        return std::binary_search(nodes.begin(), nodes.end(), entry.first);
      });
    });
    terms_ = 0;
    for (const auto& entry : known_) terms_ += entry.second.size();
  }
  most_held_ = std::max(most_held_, terms_ + terms);
  return terms_ + terms <= options_.most_terms;
}

// r^2 = x where r = sqrt(x), and 1 / r^2 = 1 / x.
void Simplifier::replace_squared_roots(Monomial& monomial, Coefficient& c) const {
  if (under_roots_.empty()) return;
  for (std::size_t i = 0; i < monomial.size(); ++i) {
    const auto [variable, exponent] = monomial[i];
    if (std::abs(exponent) < 2) continue;
    const auto root = under_roots_.find(variable);
    if (root == under_roots_.end()) continue;
    const auto& [x, factor] = root->second;
    const int squares = exponent / 2;
    Monomial rest = monomial, whole = x;
    rest[i].second -= 2 * squares;
    if (rest[i].second == 0) rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& f : whole) f.second *= squares;
    monomial = times(rest, whole);
    const double number = std::pow(factor.value.real(), squares);
    c.value *= number;
    c.size *= number;
    return replace_squared_roots(monomial, c);
  }
}

Polynomial Simplifier::product(const Polynomial& a, const Polynomial& b) {
  const auto refuse = [&](const char* what) {
    throw ComputationError(fmt::format(
        "the formula is too long: multiplying sums of {} and {} terms out {} the limit of {} terms. Raise "
        "--max-terms, leave --expand away, ask for single entries (--only), for numbers (--parameters "
        "numbers), or "
        "for code (--format "
        "cpp), which does not multiply out",
        a.size(), b.size(), what, options_.most_terms));
  };
  // hopeless: terms fall together, but not that many
  if (a.size() * b.size() + terms_ > 4 * options_.most_terms) refuse("would leave");
  constexpr std::size_t usual_size = 4096, often = 4096;
  Polynomial result;
  result.reserve(std::min(a.size() * b.size(), usual_size));
  std::size_t done = often;
  for (const auto& [left, x] : a) {
    if (done >= often) options_.pause(), done = 0;
    done += b.size();
    for (const auto& [right, y] : b) {
      stop_if_asked();
      Monomial monomial = times(left, right);
      Coefficient c{x.value * y.value, x.size * y.size};
      replace_squared_roots(monomial, c);
      add_to(result, monomial, c);
      if (result.size() + terms_ > options_.most_terms && !has_room_for(result.size())) refuse("leaves");
    }
  }
  most_held_ = std::max(most_held_, terms_ + result.size());
  drop_rounding(result);
  return result;
}

// (1)
Polynomial Simplifier::wave(std::int32_t angle, bool sine) {
  if (options_.names_parts) return named_function(sine ? Operation::sine : Operation::cosine, angle);
  auto there = std::find(angles_.begin(), angles_.end(), angle);
  if (there == angles_.end()) {
    angle_sums_.push_back(expand(Expression(angle, graph_)));
    angles_.push_back(angle);
    there = angles_.end() - 1;
  }
  const int variable = first_angle + static_cast<int>(there - angles_.begin());
  const std::complex<double> factor = sine ? std::complex<double>(0.0, -0.5) : std::complex<double>(0.5, 0.0);
  return {{Monomial{{variable, 1}}, {factor, 0.5}},
          {Monomial{{variable, -1}}, {sine ? -factor : factor, 0.5}}};
}

Polynomial Simplifier::opaque(Operation operation, std::int32_t node) {
  if (options_.names_parts) return named_function(operation, node);
  const std::pair key{operation, node};
  auto there = std::find(opaque_.begin(), opaque_.end(), key);
  if (there == opaque_.end()) {
    const Polynomial polynomial = expand(Expression(node, graph_));
    const Formula argument = collect(polynomial);
    if (operation == Operation::root && polynomial.size() == 1)
      under_roots_[first_function + static_cast<int>(opaque_.size())] = *polynomial.begin();
    constexpr const char* names[] = {"", "",     "",   "",   "",   "inverse", "",   "",
                                     "", "root", "c1", "c2", "c3", "dc2",     "dc3"};
    opaque_.push_back(key);
    functions_.push_back(
        {fmt::format("{}_{}", names[static_cast<int>(operation)], opaque_.size()), operation, argument});
    there = opaque_.end() - 1;
  }
  return monomial_of(first_function + static_cast<int>(there - opaque_.begin()));
}

Polynomial Simplifier::expand_node(std::int32_t node) {
  if (const auto symbol = options_.abbreviations.find(node); symbol != options_.abbreviations.end())
    return monomial_of(symbol->second);
  const GraphNode& n = graph_[node];
  switch (n.operation) {
    case Operation::constant:
      if (n.value == 0.0) return {};
      return {{Monomial{}, {n.value, std::abs(n.value)}}};
    case Operation::symbol:
      if (const auto sum = options_.sums.find(n.a); sum != options_.sums.end()) return named_sum(sum->second);
      return monomial_of(n.a);
    case Operation::add:
    case Operation::subtract: {
      Polynomial sum = known_.at(n.a);
      for (const auto& [monomial, c] : known_.at(n.b)) {
        stop_if_asked();
        add_to(sum, monomial, c, n.operation == Operation::add ? 1.0 : -1.0);
      }
      drop_rounding(sum);
      return sum;
    }
    case Operation::multiply:
      if (options_.names_parts) keep_sums_apart(n);
      return product(known_.at(n.a), known_.at(n.b));
    case Operation::divide: {
      const Polynomial& divisor = known_.at(n.b);
      if (divisor.size() != 1) return product(known_.at(n.a), opaque(Operation::divide, n.b));
      Monomial inverse = divisor.begin()->first;
      for (auto& factor : inverse) factor.second = -factor.second;
      const std::complex<double> value = 1.0 / divisor.begin()->second.value;
      return product(known_.at(n.a), {{inverse, {value, std::abs(value)}}});
    }
    case Operation::negate: {
      Polynomial result = known_.at(n.a);
      for (auto& term : result) term.second.value = -term.second.value;
      return result;
    }
    case Operation::sine:
      return wave(n.a, true);
    case Operation::cosine:
      return wave(n.a, false);
    default:
      return opaque(n.operation, n.a);
  }
}

Polynomial Simplifier::expand(Expression expression) {
  const std::vector<std::int32_t> nodes = graph_.needed_for({expression});
  needed_.push_back(nodes);
  for (const std::int32_t node : nodes) {
    if (known_.contains(node)) continue;
    stop_if_asked();
    Polynomial polynomial = expand_node(node);
    if (options_.names_parts && deserves_a_name(node, polynomial)) polynomial = named(polynomial);
    if (!has_room_for(polynomial.size()))
      throw ComputationError(
          fmt::format("the formula has more than {} terms on its way. Raise --max-terms, leave --expand "
                      "away, ask for single "
                      "entries (--only), or for code (--format cpp)",
                      options_.most_terms));
    terms_ += polynomial.size();
    known_.emplace(node, std::move(polynomial));
  }
  needed_.pop_back();
  return known_.at(expression.node());
}

// The argument of E1^n1 E2^n2 ...: a sum of products.
std::vector<Product> Simplifier::sum_of_angles(const Monomial& waves) {
  Polynomial sum;
  for (const auto& [variable, exponent] : waves)
    for (const auto& [monomial, c] : angle_sums_[static_cast<std::size_t>(variable - first_angle)])
      add_to(sum, monomial, c, exponent);
  drop_rounding(sum);
  std::vector<Product> products;
  for (const auto& [monomial, c] : sum) products.push_back({without_rounding(c.value.real()), monomial});
  std::sort(products.begin(), products.end(),
            [](const Product& a, const Product& b) { return a.symbols < b.symbols; });
  return products;
}

Formula Simplifier::collect(const Polynomial& polynomial) {
  // E^n and E^-n make one cosine and one sine; what stands with the same wave and coordinates is one group.
  struct Key {
    Monomial waves, coordinates;
    Wave wave;
    auto operator<=>(const Key&) const = default;
  };
  const auto is_coordinate = [&](int variable) {
    if (variable >= first_part) return parts_[static_cast<std::size_t>(variable - first_part)].groups != 0;
    return variable >= first_function ||
           (variable < first_angle && (!options_.is_coordinate || options_.is_coordinate(variable)));
  };
  std::map<Key, std::map<Monomial, Coefficient>> groups;
  for (const auto& [monomial, c] : polynomial) {
    stop_if_asked();
    Monomial waves = chosen(monomial, is_wave);
    const Monomial coordinates = chosen(monomial, is_coordinate);
    const Monomial parameters = chosen(monomial, [&](int v) { return !is_wave(v) && !is_coordinate(v); });
    const bool reversed = !waves.empty() && waves.front().second < 0;
    if (reversed)
      for (auto& factor : waves) factor.second = -factor.second;
    const auto add = [&, size = c.size](Wave wave, double value) {
      Coefficient& there = groups[{waves, coordinates, wave}][parameters];
      there.value += value;
      there.size += size;
    };
    if (waves.empty()) {
      add(Wave::none, c.value.real());
      continue;
    }
    add(Wave::cosine, c.value.real());
    add(Wave::sine, reversed ? c.value.imag() : -c.value.imag());
  }
  Formula formula;
  for (const auto& [key, coefficients] : groups) {
    stop_if_asked();
    Group group{{1.0, {}}, {}, key.coordinates, key.wave, sum_of_angles(key.waves)};
    for (const auto& [parameters, c] : coefficients)
      if (std::abs(c.value.real()) > rounding * c.size)
        group.inner.push_back({without_rounding(c.value.real()), parameters});
    if (group.inner.empty()) continue;
    // what stands by itself is a sum like any other, without brackets
    const bool stands_alone = key.wave == Wave::none && key.coordinates.empty();
    if (!stands_alone || group.inner.size() == 1) group.common = take_out_common(group.inner);
    formula.groups.push_back(std::move(group));
  }
  if (options_.names_parts) put_in_brackets(formula);
  std::stable_sort(formula.groups.begin(), formula.groups.end(), [](const Group& a, const Group& b) {
    if (a.coordinates.size() != b.coordinates.size()) return a.coordinates.size() < b.coordinates.size();
    return (a.wave != Wave::none) < (b.wave != Wave::none);
  });
  return formula;
}

Formula Simplifier::formula(Expression expression) { return collect(expand(expression)); }

bool Simplifier::is_identically_zero(Expression expression) { return expand(expression).empty(); }

}  // namespace limber
