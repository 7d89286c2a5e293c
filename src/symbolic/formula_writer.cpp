// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/formula_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "exact_numbers.hpp"
#include "limber/core/interruption.hpp"

namespace limber {
namespace {

std::string power(const std::string& base, int exponent, bool latex) {
  if (exponent == 1) return base;
  if (!latex) return fmt::format("{}^{}", base, exponent);
  // \dot{q}^2 needs no braces, a subscript none either
  return fmt::format("{}^{{{}}}", base, exponent);
}

// Factors above and below the line, as text.
struct Fraction {
  std::vector<std::string> above, below;

  void add(const Monomial& monomial, const FormulaStyle& style) {
    for (const auto& [variable, exponent] : monomial) {
      const std::string name = style.variable(variable);
      (exponent > 0 ? above : below).push_back(power(name, std::abs(exponent), style.latex));
    }
  }
  // |number| as a factor, where it is not 1 in the digits that are shown.
  void add(double number, const FormulaStyle& style) {
    const std::string text = write_number(std::abs(number), style);
    if (text != "1") above.insert(above.begin(), text);
  }
  std::string str(bool latex, bool in_line) const {
    const std::string between = latex ? " \\, " : "*";
    const std::string top = above.empty() ? "1" : fmt::format("{}", fmt::join(above, between));
    if (below.empty()) return top;
    if (latex && !in_line) return fmt::format("\\frac{{{}}}{{{}}}", top, fmt::join(below, between));
    std::string text = top;
    for (const std::string& factor : below) text += "/" + factor;
    return text;
  }
};

// Joins signed terms: "a - b + c".
class Sum {
 public:
  explicit Sum(std::string break_line = "") : break_line_(std::move(break_line)) {}
  void add(bool negative, const std::string& term) {
    constexpr std::size_t longest_line = 110;
    if (!break_line_.empty() && !text_.empty() && since_break_ + term.size() > longest_line) {
      text_ += break_line_;
      since_break_ = 0;
    }
    const std::string sign = text_.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    text_ += sign + term;
    since_break_ += term.size() + sign.size();
  }
  std::string str() const { return text_.empty() ? "0" : text_; }

 private:
  std::string break_line_, text_;
  std::size_t since_break_ = 0;
};

std::string write_sum(const std::vector<Product>& products, const FormulaStyle& style) {
  Sum sum;
  for (const Product& p : products) {
    Fraction fraction;
    fraction.add(p.number, style);
    fraction.add(p.symbols, style);
    sum.add(p.number < 0.0, fraction.str(style.latex, style.in_line));
  }
  return sum.str();
}

}  // namespace

std::string write_number(double value, const FormulaStyle& style) {
  constexpr int largest_denominator = 24;
  if (const auto fraction = small_fraction(value, largest_denominator)) {
    if (fraction->denominator == 1) return fmt::format("{}", fraction->numerator);
    return fmt::format(style.latex ? fmt::runtime("\\tfrac{{{}}}{{{}}}") : fmt::runtime("{}/{}"),
                       fraction->numerator, fraction->denominator);
  }
  const std::string text = write_decimal(value, style);
  return style.number ? style.number(text) : text;
}

std::string write_decimal(double value, const FormulaStyle& style) {
  std::string text = fmt::format("{:.{}g}", value, style.digits);
  const auto e = text.find('e');
  if (style.latex && e != std::string::npos)
    text = fmt::format("{} \\cdot 10^{{{}}}", text.substr(0, e), std::stoi(text.substr(e + 1)));
  return text;
}

namespace {

// common * inner * coordinates * wave
void add_group(const Product& common, const std::string& inner, const Group& group, bool negative,
               const FormulaStyle& style, Sum& sum) {
  Fraction fraction;
  fraction.add(common.number, style);
  fraction.add(common.symbols, style);
  if (!inner.empty())
    fraction.above.push_back(style.latex && !style.in_line ? "\\left(" + inner + "\\right)"
                                                           : "(" + inner + ")");
  fraction.add(group.coordinates, style);
  if (group.wave != Wave::none) {
    const char* name = group.wave == Wave::cosine ? "cos" : "sin";
    const std::string angle = write_sum(group.angle, style);
    fraction.above.push_back(style.latex ? fmt::format("\\{}\\left({}\\right)", name, angle)
                                         : fmt::format("{}({})", name, angle));
  }
  sum.add(negative, fraction.str(style.latex, style.in_line));
}

// x y, with the variables of both
Product product_of(const Product& x, const Product& y) {
  Product result{x.number * y.number, x.symbols};
  for (const auto& factor : y.symbols) {
    const auto there = std::find_if(result.symbols.begin(), result.symbols.end(),
                                    [&](const auto& other) { return other.first == factor.first; });
    if (there == result.symbols.end())
      result.symbols.push_back(factor);
    else
      there->second += factor.second;
  }
  std::erase_if(result.symbols, [](const auto& factor) { return factor.second == 0; });
  std::sort(result.symbols.begin(), result.symbols.end());
  return result;
}

}  // namespace

std::string write_formula(const Formula& formula, const FormulaStyle& style, const std::string& break_line) {
  constexpr std::size_t longest_in_brackets = 150;  // of LaTeX, which breaks no line inside of them
  Sum sum(break_line);
  for (const Group& group : formula.groups) {
    stop_if_asked();
    const bool several = group.inner.size() > 1;
    const std::string inner = several ? write_sum(group.inner, style) : "";
    const bool stands_alone = group.wave == Wave::none && group.coordinates.empty();
    if (several && !group.in_brackets &&
        (stands_alone || (style.latex && inner.size() > longest_in_brackets))) {
      for (const Product& p : group.inner) {
        const Product whole = product_of(group.common, p);
        add_group(whole, "", group, whole.number < 0.0, style, sum);
      }
      continue;
    }
    add_group(group.common, inner, group, group.common.number < 0.0, style, sum);
  }
  return sum.str();
}

}  // namespace limber
