// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Formulas that people read: expressions multiplied out, trigonometric functions reduced to sums of angles, terms collected.
//
// One substitution makes every trigonometric identity plain algebra. With E = e^(i x) for each angle x,
//
//   cos x = (E + 1/E) / 2,    sin x = (E - 1/E) / 2i                                                              (1)
//
// an expression becomes a polynomial in the symbols and the E's (with negative powers). Multiplied out, sin^2 + cos^2 is 1 and
// products of cosines are cosines of sums by themselves; a polynomial has one form, so that what is zero is seen to be zero.
// Back again, a E^n + a* E^-n = 2 Re(a) cos(n x) - 2 Im(a) sin(n x), with n x a sum of angles.
//
// Coefficients carry the size of what was added up in them: a sum that cancels to rounding is dropped.
//
// In space a formula that is multiplied out has a hundred thousand terms, where the algorithm had some hundred operations. There the other form is the one
// that people read: what is used more than once gets a name, and so does a sum that would be multiplied with another. What stands between two
// names is multiplied out and collected as before. A part that is another one times a number is that one.

#include <complex>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/symbolic/expression.hpp"

namespace limber LIMBER_EXPORT {

/// A product of powers: (variable, exponent) in ascending order of variables. Variables below `first_angle` are symbols of
/// the graph, then come E's of (1), functions that are left as they are, and parts that have a name.
using Monomial = std::vector<std::pair<int, int>>;
///@{
/// Where the variables of Monomial begin that are E's, those that are functions, and those that are parts.
inline constexpr int first_angle = 1 << 20, first_function = 1 << 21, first_part = 1 << 22;
///@}

/// Of a term.
struct Coefficient {
  std::complex<double> value;  ///< complex, because of (1)
  double size = 0.0;           ///< sum of the absolute values of what was added
};

/// For tables of monomials.
struct MonomialHash {
  /// Of variables and exponents.
  std::size_t operator()(const Monomial& monomial) const;
};
/// A sum of terms, each monomial once.
using Polynomial = std::unordered_map<Monomial, Coefficient, MonomialHash>;

/// One number times parameters.
struct Product {
  double number;     ///< with its sign
  Monomial symbols;  ///< parameters and their powers
};

/// What multiplies a group: nothing, or a function of an angle.
enum class Wave : std::uint8_t { none, cosine, sine };

/// common (inner[0] + inner[1] + ...) coordinates wave(angle)
struct Group {
  Product common;              ///< a number and parameters
  std::vector<Product> inner;  ///< one product 1, or several without a common factor
  Monomial coordinates;        ///< and their powers
  Wave wave = Wave::none;      ///< of `angle`
  std::vector<Product> angle;  ///< a sum
  bool in_brackets = false;    ///< `inner` is written so, although nothing but `common` stands with it
};

/// A sum of groups, ready to be written.
struct Formula {
  std::vector<Group> groups;  ///< none: zero
  /// Operations in it as it is written.
  OperationCount count() const;
};

/// Something left as it is: a function of a formula, with a name.
struct NamedFunction {
  std::string name;     ///< c1_1
  Operation operation;  ///< c1, c2, ...
  Formula argument;     ///< what it is a function of
};

/// A part of formulas that has a name.
struct NamedPart {
  std::string name;  ///< t12, sin2, c1_3
  Operation
      operation;  ///< add: the formula itself; sine, cosine, root, c1, ...: that function of it; divide: 1 over it
  Formula formula;           ///< of symbols and of parts before it
  std::uint64_t groups = 0;  ///< those of Simplifier::Options::group on whose symbols it depends, as bits
  int summed_over = 0;       ///< a sum of the formula over so many points; 0: none
  int one_for_each_of = 0;   ///< there is one for each of so many points; 0: one
};

/// A symbol that stands for a sum over points.
struct SumOverPoints {
  Expression term;  ///< what is summed: has symbols that are numbers of the points
  int points;       ///< how many
};

/// Turns expressions of one graph into formulas.
class Simplifier {
 public:
  /// Bounds, and what terms are collected by.
  struct Options {
    std::size_t most_terms = 2000000;             ///< held at a time, of all polynomials together
    std::function<void()> pause = [] {};          ///< called now and then: may throw to stop
    std::function<bool(int)> is_coordinate = {};  ///< of a symbol's index: what terms are collected by
    bool names_parts = false;                     ///< else everything is multiplied out
    std::function<int(int)> group = {};  ///< of a symbol's index: by what parts are ordered; -1: none
    std::unordered_map<int, SumOverPoints> sums = {};  ///< by a symbol's index; become parts
    std::unordered_map<std::int32_t, int> abbreviations =
        {};                                    ///< a node: the index of the symbol that stands for it
    std::unordered_map<int, int> points = {};  ///< of a symbol that is a number for each point: how many
  };
  /// The graph must outlive it.
  Simplifier(const Graph& graph, Options options) : graph_(graph), options_(std::move(options)) {}
  Simplifier(Graph&&, Options) = delete;

  /// Throws ComputationError where there would be more terms than allowed: never are more of them held. Throws Interrupted where somebody
  /// asked to stop.
  Formula formula(Expression expression);
  /// Whether it is zero for all values of its symbols.
  bool is_identically_zero(Expression expression);

  /// The most terms that were held at a time so far, products under way included: what Options::most_terms bounds.
  std::size_t most_held() const { return most_held_; }

  /// In the order in which formulas named them.
  const std::vector<NamedFunction>& functions() const { return functions_; }

  /// Formulas with parts, of all expressions at once, so that what they share is known. Told the number of each before it is worked at.
  std::vector<Formula> formulas_with_parts(const std::vector<Expression>& expressions,
                                           const std::function<void(std::size_t)>& before_each);
  /// Parts that these formulas need, by their number (variable - first_part), in an order in which none is used before it is defined: what depends on
  /// fewer groups first.
  std::vector<int> parts_of(const std::vector<const Formula*>& formulas) const;
  /// By its number.
  const NamedPart& part(int number) const { return parts_[static_cast<std::size_t>(number)]; }

 private:
  Polynomial expand(Expression expression);
  Polynomial expand_node(std::int32_t node);
  Polynomial product(const Polynomial& a, const Polynomial& b);
  Polynomial wave(std::int32_t angle, bool sine);
  Polynomial opaque(Operation operation, std::int32_t node);
  void replace_squared_roots(Monomial& monomial, Coefficient& c) const;
  bool has_room_for(std::size_t terms);
  Polynomial named(const Polynomial& polynomial);
  Polynomial named_function(Operation operation, std::int32_t argument);
  bool deserves_a_name(std::int32_t node, const Polynomial& polynomial) const;
  void keep_sums_apart(const GraphNode& product);
  bool share_sums(std::vector<Polynomial*>& all);
  bool share_products(std::vector<Polynomial*>& all);
  void write_single_uses_in_place(std::vector<Polynomial*>& all);
  void forget_unused(const std::vector<Polynomial>& asked);
  void expect(const std::vector<Expression>& expressions);
  Polynomial named_sum(const SumOverPoints& sum);
  int add_part(const std::string& name, Operation operation, const Polynomial& polynomial,
               int summed_over = 0);
  Formula collect(const Polynomial& polynomial);
  std::vector<Product> sum_of_angles(const Monomial& waves);

  const Graph& graph_;
  Options options_;
  std::unordered_map<std::int32_t, Polynomial> known_;
  std::size_t terms_ = 0, most_held_ = 0;
  std::vector<std::vector<std::int32_t>>
      needed_;                          ///< nodes of the expressions that are being expanded, innermost last
  std::vector<std::int32_t> angles_;    ///< nodes
  std::vector<Polynomial> angle_sums_;  ///< their polynomials
  std::vector<std::pair<Operation, std::int32_t>> opaque_;
  std::vector<NamedFunction> functions_;
  /// Of functions that are roots of a single product: that product.
  std::unordered_map<int, std::pair<Monomial, Coefficient>> under_roots_;
  std::unordered_map<std::int32_t, int> uses_;
  std::vector<NamedPart> parts_;
  std::deque<Polynomial> polynomials_;  ///< of parts, which are formulas in the end
  std::unordered_map<std::string, std::pair<int, double>> same_parts_;  ///< by what they are but for a factor
  std::vector<std::int32_t> arguments_;  ///< nodes, of functions that are parts
};

}  // namespace limber
