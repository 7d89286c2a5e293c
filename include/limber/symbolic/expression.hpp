// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scalar that remembers how it was computed: the algorithms, run once with it, write the equations of motion down.
//
// Expressions are numbers of nodes in a graph. Equal ones are the same node (a table finds what exists already), so common
// subexpressions, across everything derived in one graph, are found while they are made. What costs nothing is done at once:
//
//   0 + a, 0 a, 1 a, -(-a), a - a, a + (b - a), sqrt(a) sqrt(a), numbers with numbers                         (1)
//
// and a rotation about an axis that stays fixed, which the algorithms write with the small-angle functions c1(s), c2(s) of
// rotation_series.hpp, s = t^2, becomes what people know:
//
//   t c1(t^2) = sin t,    t^2 c2(t^2) = 1 - cos t                                                              (2)
//
// (A computer algebra system's expressions would serve as a scalar too; why these are our own: docs/symbolic.md.)

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/rotation_series.hpp"

namespace limber LIMBER_EXPORT {

class Graph;

/// A formula: a node of the graph of this thread. A scalar of the algorithms.
class Expression {
 public:
  Expression() = default;  ///< 0
  /// A number.
  Expression(double value);  // NOLINT: numbers become expressions by themselves
  /// A number.
  Expression(int value) : Expression(static_cast<double>(value)) {}  // NOLINT
  /// A node of a graph.
  explicit Expression(std::int32_t node, const Graph&) : node_(node) {}

  /// Its number in the graph.
  std::int32_t node() const { return node_; }
  /// Whether it is the number 0, not merely equal to it for all values.
  bool is_zero() const { return node_ == 0; }

  friend Expression operator+(Expression a, Expression b);
  friend Expression operator-(Expression a, Expression b);
  friend Expression operator*(Expression a, Expression b);
  friend Expression operator/(Expression a, Expression b);
  friend Expression operator-(Expression a);
  ///@{
  /// Makes a new node, or finds it.
  Expression& operator+=(Expression b) { return *this = *this + b; }
  Expression& operator-=(Expression b) { return *this = *this - b; }
  Expression& operator*=(Expression b) { return *this = *this * b; }
  Expression& operator/=(Expression b) { return *this = *this / b; }
  ///@}
  friend Expression sin(Expression a);
  friend Expression cos(Expression a);
  friend Expression sqrt(Expression a);
  friend bool operator==(Expression a, Expression b) { return a.node_ == b.node_; }
  /// Numbers are compared. What depends on symbols is taken as larger: the one question algorithms ask is whether a pivot
  /// of the mass matrix is positive, and that of an arm is.
  friend bool operator>(Expression a, Expression b);

 private:
  std::int32_t node_ = 0;
};

/// What a node does with its operands.
enum class Operation : std::uint8_t {
  constant,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  negate,
  sine,
  cosine,
  root,
  c1,  ///< of rotation_series.hpp, from here on
  c2,
  c3,
  dc2,
  dc3
};

/// A node of a graph: an operation and its operands.
struct GraphNode {
  Operation operation;        ///< which
  std::int32_t a = 0, b = 0;  ///< operands; of a symbol, its index
  double value = 0.0;         ///< of a constant
};

/// What was counted in a set of expressions, each shared part once.
struct OperationCount {
  long multiplications = 0, additions = 0, functions = 0;  ///< as OperationCount's total() adds them up
  /// All of them.
  long total() const { return multiplications + additions + functions; }
};

/// Expressions, each once: a node's operands stand before it.
class Graph {
 public:
  Graph();

  /// The graph in which expressions of this thread are made.
  static Graph& current();

  /// The symbol of that name, made where there is none.
  Expression symbol(const std::string& name);
  /// Of GraphNode::a of a symbol.
  const std::string& symbol_name(int index) const { return symbols_[static_cast<std::size_t>(index)]; }
  /// How many have been made.
  int symbol_count() const { return static_cast<int>(symbols_.size()); }

  /// By its number.
  const GraphNode& operator[](std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }
  /// Of an expression.
  const GraphNode& operator[](Expression e) const { return (*this)[e.node()]; }
  /// Nodes in all.
  std::int32_t size() const { return static_cast<std::int32_t>(nodes_.size()); }
  /// Whether it is a number.
  bool is_constant(std::int32_t node) const { return (*this)[node].operation == Operation::constant; }

  ///@{
  /// The node of an operation, made where there is none; what costs nothing is done at once, (1) and (2).
  std::int32_t constant(double value);
  std::int32_t add(std::int32_t a, std::int32_t b);
  std::int32_t subtract(std::int32_t a, std::int32_t b);
  std::int32_t multiply(std::int32_t a, std::int32_t b);
  std::int32_t divide(std::int32_t a, std::int32_t b);
  std::int32_t negate(std::int32_t a);
  std::int32_t function(Operation operation, std::int32_t a);
  ///@}

  /// Values of all nodes from those of the symbols.
  std::vector<double> evaluate(const std::vector<double>& symbols) const;
  /// Derivatives of expressions with respect to one symbol. (Of dc2 and dc3 there is none: nothing asks for it.)
  std::vector<Expression> derivatives(const std::vector<Expression>& of, Expression by);

  /// Nodes on which these depend, ascending: operands before what uses them.
  std::vector<std::int32_t> needed_for(const std::vector<Expression>& expressions) const;
  /// With common parts computed once.
  OperationCount count(const std::vector<Expression>& expressions) const;
  /// The same when every expression is written out in full, as a formula on paper is.
  double written_out(const std::vector<Expression>& expressions) const;

 private:
  std::int32_t find_or_make(Operation operation, std::int32_t a, std::int32_t b);
  std::int32_t find(Operation operation, std::int32_t a, std::int32_t b) const;
  std::int32_t square_root_of(std::int32_t node) const;
  std::int32_t rotation_product(std::int32_t a, std::int32_t b);
  std::int32_t sum_of_constants(std::int32_t a, std::int32_t b, double sign);
  std::int32_t sum_of_multiples(std::int32_t a, std::int32_t b);

  std::vector<GraphNode> nodes_;
  std::vector<std::string> symbols_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> table_;
  std::unordered_map<std::uint64_t, std::int32_t> constants_;
  std::unordered_map<std::int32_t, double> largest_in_sum_;  ///< of constants that were made as sums
};

/// Expressions are made in this graph while the object lives.
class UseGraph {
 public:
  /// The graph must outlive it.
  explicit UseGraph(Graph& graph);
  ~UseGraph();
  UseGraph(const UseGraph&) = delete;
  UseGraph& operator=(const UseGraph&) = delete;

 private:
  Graph* before_;
};

/// Where an operand stands: how many of them an operation has.
int operand_count(Operation operation);

namespace rotation_series {
/// The functions themselves, as nodes: no series, no branch.
template <>
Values<Expression> values(const Expression& s);
}  // namespace rotation_series

}  // namespace limber

/// \cond
template <>
struct Eigen::NumTraits<limber::Expression> : Eigen::NumTraits<double> {
  using Real = limber::Expression;
  using NonInteger = limber::Expression;
  using Nested = limber::Expression;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 10,
    MulCost = 10
  };
};
/// \endcond
