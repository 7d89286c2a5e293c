// SPDX-License-Identifier: BSD-3-Clause
// What formulas with parts have in common beyond single nodes of the graph.
//
// Three things are looked for in all polynomials, those of parts and those that were asked for, until none is found:
//
//   sums      terms with one number, taken out with what else they share: n x (a + b - c). What stands in brackets and appears twice, whatever n and x, is a part,  (1)
//             or the part that it is already: rows of M that belong to two shapes of one beam differ in n alone
//   products  two factors that appear together in several terms                                                  (2)
//   one use   a part that is added in one place only is written there                                            (3)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "limber/core/interruption.hpp"
#include "limber/symbolic/formula.hpp"

namespace limber {
namespace {

constexpr double rounding = 1e-12;
constexpr int uses_worth_a_name = 4;  // of a product of two factors

using Term = std::pair<Monomial, Coefficient>;

// Terms of a sum but for a factor: a text that is the same for the same sums.
struct Bracket {
  std::string text;
  double number = 1.0;                             // in front, with the sign of the first term
  Monomial shared;                                 // in front
  std::vector<Monomial> whole;                     // as they stand in the polynomial
  std::vector<std::pair<Monomial, double>> inner;  // 1 or -1 each
};

Monomial common_factors(const std::vector<Monomial>& monomials) {
  Monomial common = monomials.front();
  for (const Monomial& monomial : monomials) {
    Monomial shared;
    for (const auto& [variable, exponent] : common)
      for (const auto& [other, power] : monomial)
        if (other == variable && (power > 0) == (exponent > 0))
          shared.emplace_back(variable, power > 0 ? std::min(exponent, power) : std::max(exponent, power));
    common = shared;
  }
  return common;
}

Monomial divided(const Monomial& monomial, const Monomial& by) {
  Monomial result;
  for (const auto& [variable, exponent] : monomial) {
    int left = exponent;
    for (const auto& [other, power] : by)
      if (other == variable) left -= power;
    if (left != 0) result.emplace_back(variable, left);
  }
  return result;
}

Monomial multiplied(const Monomial& a, const Monomial& b) {
  std::map<int, int> powers;
  for (const auto& [variable, exponent] : a) powers[variable] += exponent;
  for (const auto& [variable, exponent] : b) powers[variable] += exponent;
  Monomial result;
  for (const auto& [variable, exponent] : powers)
    if (exponent != 0) result.emplace_back(variable, exponent);
  return result;
}

// Those that (1) speaks of, one for each number that several terms have.
std::vector<Bracket> brackets_of(const Polynomial& polynomial) {
  std::map<std::string, std::vector<Term>> by_number;
  for (const auto& term : polynomial)
    by_number[fmt::format("{:.11e}", std::abs(term.second.value.real()))].push_back(term);
  std::vector<Bracket> brackets;
  for (auto& [number, terms] : by_number) {
    if (terms.size() < 2) continue;
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.first < b.first; });
    Bracket bracket;
    for (const Term& term : terms) bracket.whole.push_back(term.first);
    bracket.shared = common_factors(bracket.whole);
    bracket.number = terms.front().second.value.real();
    for (const auto& [monomial, c] : terms) {
      const Monomial left = divided(monomial, bracket.shared);
      const double sign = c.value.real() * bracket.number > 0.0 ? 1.0 : -1.0;
      bracket.inner.emplace_back(left, sign);
      bracket.text += sign > 0.0 ? '+' : '-';
      for (const auto& [variable, exponent] : left) bracket.text += fmt::format("{}^{} ", variable, exponent);
    }
    brackets.push_back(std::move(bracket));
  }
  return brackets;
}

// Whether all of its factors are there.
bool contains(const Monomial& monomial, const Monomial& factors) {
  return std::all_of(factors.begin(), factors.end(), [&](const auto& factor) {
    return std::any_of(monomial.begin(), monomial.end(), [&](const auto& there) {
      return there.first == factor.first && (factor.second > 0 ? there.second > 0 : there.second < 0);
    });
  });
}

bool is_one(double number) { return std::abs(std::abs(number) - 1.0) < rounding; }

}  // namespace

// (1) for all polynomials. True: something was found.
bool Simplifier::share_sums(std::vector<Polynomial*>& all) {
  // a part that is such a bracket as a whole
  std::map<std::string, int> known;
  std::map<std::string, int> uses;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const std::vector<Bracket> own = brackets_of(polynomials_[i]);
    if (parts_[i].operation == Operation::add && parts_[i].summed_over == 0 && own.size() == 1 &&
        own.front().whole.size() == polynomials_[i].size() && own.front().shared.empty() &&
        own.front().number == 1.0)
      known.emplace(own.front().text, first_part + static_cast<int>(i));
  }
  for (const Polynomial* polynomial : all)
    for (const Bracket& bracket : brackets_of(*polynomial)) ++uses[bracket.text];
  bool found = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    stop_if_asked();
    for (const Bracket& bracket : brackets_of(*all[at])) {
      if (uses[bracket.text] < 2) continue;
      auto there = known.find(bracket.text);
      const bool is_itself =
          there != known.end() && at < parts_.size() && there->second == first_part + static_cast<int>(at);
      if (is_itself) continue;
      if (there == known.end()) {
        Polynomial inner;
        for (const auto& [monomial, sign] : bracket.inner) inner[monomial] = {sign, 1.0};
        there = known.emplace(bracket.text, add_part("t", Operation::add, inner)).first;
      }
      for (const Monomial& monomial : bracket.whole) all[at]->erase(monomial);
      const Monomial replaced = multiplied(bracket.shared, {{there->second, 1}});
      Coefficient& c = (*all[at])[replaced];
      c.value += bracket.number;
      c.size += std::abs(bracket.number);
      found = true;
    }
  }
  return found;
}

// (2): pairs that appear most often, none with a factor of another, so that one pass replaces all of them. Powers of one variable are left alone.
// True: there were some.
bool Simplifier::share_products(std::vector<Polynomial*>& all) {
  // negative: a divisor
  const auto signed_variable = [](const std::pair<int, int>& factor) {
    return factor.second > 0 ? factor.first : -factor.first;
  };
  std::map<std::pair<int, int>, int> uses;
  for (const Polynomial* polynomial : all)
    for (const auto& [monomial, c] : *polynomial)
      for (std::size_t i = 0; i < monomial.size(); ++i)
        for (std::size_t j = i + 1; j < monomial.size(); ++j)
          if (monomial[i].second > 0 || monomial[j].second > 0)
            ++uses[{signed_variable(monomial[i]), signed_variable(monomial[j])}];
  std::vector<std::pair<int, std::pair<int, int>>> often;
  for (const auto& [pair, count] : uses)
    if (count >= uses_worth_a_name) often.emplace_back(-count, pair);
  if (often.empty()) return false;
  std::sort(often.begin(), often.end());
  // parts that are such a product already
  std::map<Monomial, int> known;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].operation == Operation::add && parts_[i].summed_over == 0 && polynomials_[i].size() == 1 &&
        polynomials_[i].begin()->second.value.real() == 1.0)
      known.emplace(polynomials_[i].begin()->first, first_part + static_cast<int>(i));
  struct Chosen {
    Monomial pair;
    int name;
  };
  std::map<int, Chosen> by_variable;  // the pair of each of its variables, signed
  const std::size_t parts_before = parts_.size();
  for (const auto& [count, pair] : often) {
    const auto [first, second] = pair;
    const auto is_taken = [&](int variable) {
      return by_variable.contains(variable) || by_variable.contains(-variable);
    };
    if (is_taken(first) || is_taken(second)) continue;
    Monomial monomial{{std::abs(first), first > 0 ? 1 : -1}, {std::abs(second), second > 0 ? 1 : -1}};
    std::sort(monomial.begin(), monomial.end());
    const auto there = known.find(monomial);
    const Chosen chosen{monomial, there != known.end()
                                      ? there->second
                                      : add_part("t", Operation::add, {{monomial, {1.0, 1.0}}})};
    by_variable.emplace(first, chosen);
    by_variable.emplace(second, chosen);
  }
  bool found = false;
  for (std::size_t at = 0; at < all.size(); ++at) {
    stop_if_asked();
    const bool is_part = at < parts_before;
    Polynomial changed;
    for (const auto& [monomial, c] : *all[at]) {
      Monomial left = monomial;
      for (const auto& factor : monomial) {
        const auto chosen = by_variable.find(signed_variable(factor));
        if (chosen == by_variable.end()) continue;
        const auto& [pair, name] = chosen->second;
        if (is_part && name == first_part + static_cast<int>(at)) continue;
        while (contains(left, pair)) {
          left = multiplied(divided(left, pair), {{name, 1}});
          found = true;
        }
      }
      Coefficient& there = changed[left];
      there.value += c.value;
      there.size += c.size;
    }
    *all[at] = std::move(changed);
  }
  return found;
}

// (3)
void Simplifier::write_single_uses_in_place(std::vector<Polynomial*>& all) {
  std::vector<int> uses(parts_.size(), 0);
  for (const Polynomial* polynomial : all)
    for (const auto& [monomial, c] : *polynomial)
      for (const auto& [variable, exponent] : monomial)
        if (variable >= first_part)
          uses[static_cast<std::size_t>(variable - first_part)] += std::abs(exponent);
  for (Polynomial* polynomial : all)
    for (bool again = true; again;) {
      again = false;
      for (const auto& [monomial, c] : *polynomial) {
        if (monomial.size() != 1 || monomial.front().first < first_part || monomial.front().second != 1)
          continue;
        const auto number = static_cast<std::size_t>(monomial.front().first - first_part);
        const Polynomial& own = polynomials_[number];
        if (uses[number] != 1 || parts_[number].operation != Operation::add ||
            parts_[number].summed_over > 0 || &own == polynomial ||
            (own.size() > 1 && !is_one(c.value.real())))
          continue;
        const double factor = c.value.real();
        polynomial->erase(Monomial(monomial));
        for (const auto& [other, inner] : own) {
          Coefficient& there = (*polynomial)[other];
          there.value += factor * inner.value;
          there.size += std::abs(factor) * inner.size;
        }
        uses[number] = 0;
        again = true;
        break;
      }
    }
}

// Parts that nothing needs any more are empty.
void Simplifier::forget_unused(const std::vector<Polynomial>& asked) {
  std::vector<bool> needed(parts_.size(), false);
  const auto need = [&](const Polynomial& polynomial) {
    for (const auto& term : polynomial)
      for (const auto& factor : term.first)
        if (factor.first >= first_part) needed[static_cast<std::size_t>(factor.first - first_part)] = true;
  };
  for (const Polynomial& polynomial : asked) need(polynomial);
  for (std::size_t i = parts_.size(); i-- > 0;)  // before anything is shared, a part's own are before it
    if (needed[i])
      need(polynomials_[i]);
    else
      polynomials_[i].clear();
}

std::vector<Formula> Simplifier::formulas_with_parts(const std::vector<Expression>& expressions,
                                                     const std::function<void(std::size_t)>& before_each) {
  std::vector<Expression> all_expressions = expressions;
  for (const auto& sum : options_.sums) all_expressions.push_back(sum.second.term);
  expect(all_expressions);
  std::vector<Polynomial> asked;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    before_each(i);
    asked.push_back(expand(expressions[i]));
  }
  // Parts come and go: the list of all of them is made anew each time.
  const auto all = [&] {
    std::vector<Polynomial*> list;
    for (Polynomial& polynomial : polynomials_) list.push_back(&polynomial);
    for (Polynomial& polynomial : asked) list.push_back(&polynomial);
    return list;
  };
  forget_unused(asked);
  const auto share = [&](auto&& once) {
    for (bool again = true; again;) {
      options_.pause();
      std::vector<Polynomial*> list = all();
      again = once(list);
    }
  };
  share([&](auto& list) { return share_sums(list); });
  share([&](auto& list) { return share_products(list); });
  share([&](auto& list) { return share_sums(list); });
  std::vector<Polynomial*> list = all();
  write_single_uses_in_place(list);
  for (std::size_t i = 0; i < parts_.size(); ++i) parts_[i].formula = collect(polynomials_[i]);
  std::vector<Formula> formulas;
  for (const Polynomial& polynomial : asked) formulas.push_back(collect(polynomial));
  return formulas;
}

}  // namespace limber
