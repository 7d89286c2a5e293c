// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/expression.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <stdexcept>

#include "limber/core/interruption.hpp"

namespace limber {
namespace {

thread_local Graph* current_graph = nullptr;

std::uint64_t key(Operation operation, std::int32_t a, std::int32_t b) {
  // 5 bits say which operation, and there is room for more nodes than memory has
  const auto first = static_cast<std::uint64_t>(static_cast<std::uint32_t>(a));
  const auto second = static_cast<std::uint64_t>(static_cast<std::uint32_t>(b));
  return (first * 0x9E3779B97F4A7C15ULL) ^ (second * 0xC2B2AE3D27D4EB4FULL) ^
         static_cast<std::uint64_t>(operation);
}

Expression expression_at(std::int32_t node) { return Expression(node, Graph::current()); }

bool is_small_angle_function(Operation operation) { return operation >= Operation::c1; }

}  // namespace

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::symbol:
      return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
      return 2;
    default:
      return 1;
  }
}

Graph::Graph() { constant(0.0); }

Graph& Graph::current() {
  if (current_graph == nullptr) throw std::logic_error("expressions are made in a graph: UseGraph");
  return *current_graph;
}

UseGraph::UseGraph(Graph& graph) : before_(current_graph) { current_graph = &graph; }
UseGraph::~UseGraph() { current_graph = before_; }

Expression Graph::symbol(const std::string& name) {
  const int index = symbol_count();
  symbols_.push_back(name);
  return Expression(find_or_make(Operation::symbol, index, 0), *this);
}

std::int32_t Graph::find(Operation operation, std::int32_t a, std::int32_t b) const {
  const auto there = table_.find(key(operation, a, b));
  if (there == table_.end()) return -1;
  for (const std::int32_t node : there->second) {
    const GraphNode& n = (*this)[node];
    if (n.operation == operation && n.a == a && n.b == b) return node;
  }
  return -1;
}

std::int32_t Graph::find_or_make(Operation operation, std::int32_t a, std::int32_t b) {
  const std::int32_t there = find(operation, a, b);
  if (there >= 0) return there;
  stop_if_asked();
  nodes_.push_back({operation, a, b, 0.0});
  table_[key(operation, a, b)].push_back(size() - 1);
  return size() - 1;
}

std::int32_t Graph::constant(double value) {
  if (value == 0.0) value = 0.0;  // no -0
  const auto [there, is_new] = constants_.try_emplace(std::bit_cast<std::uint64_t>(value), size());
  if (is_new) nodes_.push_back({Operation::constant, 0, 0, value});
  return there->second;
}

// Numbers that cancel but for rounding (integrals of what is odd, say, added up point by point) are nothing: in a formula what is left of
// them would stand beside symbols as a term of its own. A sum remembers the largest number in it. The same number may be there as no sum, or as
// another one: then what remembers less counts, and rather too much is kept.
std::int32_t Graph::sum_of_constants(std::int32_t a, std::int32_t b, double sign) {
  constexpr double rounding = 1e-13;  // of a sum of hundreds of numbers
  const auto largest_in = [&](std::int32_t node) {
    const auto there = largest_in_sum_.find(node);
    return there == largest_in_sum_.end() ? std::abs((*this)[node].value) : there->second;
  };
  const double sum = (*this)[a].value + sign * (*this)[b].value;
  const double largest = std::max(largest_in(a), largest_in(b));
  if (std::abs(sum) <= rounding * largest) return 0;
  const std::int32_t before = size(), node = constant(sum);
  if (node == before) largest_in_sum_[node] = largest;
  return node;
}

// c x + d x = (c + d) x with numbers c, d; -1 where it is none.
std::int32_t Graph::sum_of_multiples(std::int32_t a, std::int32_t b) {
  const auto split = [&](std::int32_t node, double& factor) {
    const GraphNode& n = (*this)[node];
    factor = 1.0;
    if (n.operation != Operation::multiply || !is_constant(n.a)) return node;
    factor = (*this)[n.a].value;
    return n.b;
  };
  double first = 0.0, second = 0.0;
  if (split(a, first) != split(b, second)) return -1;
  const std::int32_t x = split(a, first);
  return multiply(sum_of_constants(constant(first), constant(second), 1.0), x);
}

std::int32_t Graph::add(std::int32_t a, std::int32_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  const GraphNode x = (*this)[a], y = (*this)[b];
  if (is_constant(a) && is_constant(b)) return sum_of_constants(a, b, 1.0);
  if (y.operation == Operation::negate) return subtract(a, y.a);
  if (x.operation == Operation::negate) return subtract(b, x.a);
  if (x.operation == Operation::subtract && x.b == b) return x.a;
  if (y.operation == Operation::subtract && y.b == a) return y.a;
  if (const std::int32_t sum = sum_of_multiples(a, b); sum >= 0) return sum;
  return a < b ? find_or_make(Operation::add, a, b) : find_or_make(Operation::add, b, a);
}

std::int32_t Graph::subtract(std::int32_t a, std::int32_t b) {
  if (a == b) return 0;
  if (b == 0) return a;
  if (a == 0) return negate(b);
  const GraphNode x = (*this)[a], y = (*this)[b];
  if (is_constant(a) && is_constant(b)) return sum_of_constants(a, b, -1.0);
  if (y.operation == Operation::negate) return add(a, y.a);
  if (x.operation == Operation::negate) return negate(add(x.a, b));
  if (x.operation == Operation::add && x.a == b) return x.b;
  if (x.operation == Operation::add && x.b == b) return x.a;
  if (y.operation == Operation::add && y.a == a) return negate(y.b);
  if (y.operation == Operation::add && y.b == a) return negate(y.a);
  if (x.operation == Operation::subtract && x.a == b) return negate(x.b);
  if (y.operation == Operation::subtract && y.a == a) return y.b;
  if (const std::int32_t sum = sum_of_multiples(a, negate(b)); sum >= 0) return sum;
  if (const std::int32_t opposite = find(Operation::subtract, b, a); opposite >= 0) return negate(opposite);
  return find_or_make(Operation::subtract, a, b);
}

std::int32_t Graph::negate(std::int32_t a) {
  const GraphNode x = (*this)[a];
  if (x.operation == Operation::constant) return constant(-x.value);
  if (x.operation == Operation::negate) return x.a;
  if (x.operation == Operation::multiply && is_constant(x.a))
    return multiply(constant(-(*this)[x.a].value), x.b);
  if (x.operation == Operation::subtract)
    if (const std::int32_t opposite = find(Operation::subtract, x.b, x.a); opposite >= 0) return opposite;
  return find_or_make(Operation::negate, a, 0);
}

// t of t * t, or -1.
std::int32_t Graph::square_root_of(std::int32_t node) const {
  const GraphNode& n = (*this)[node];
  return n.operation == Operation::multiply && n.a == n.b ? n.a : -1;
}

// (2), and t (t f) = f t^2 for small-angle functions f of t^2, so that one product has one form. -1: neither.
std::int32_t Graph::rotation_product(std::int32_t a, std::int32_t b) {
  const GraphNode x = (*this)[a];
  if (is_small_angle_function(x.operation)) {
    const std::int32_t t = square_root_of(x.a);
    if (t >= 0 && x.operation == Operation::c1 && b == t) return function(Operation::sine, t);
    if (t >= 0 && x.operation == Operation::c2 && b == x.a)
      return subtract(constant(1.0), function(Operation::cosine, t));
    if (t >= 0 && (b == t || b == x.a))
      return find_or_make(Operation::multiply, std::min(a, b), std::max(a, b));
  }
  if (x.operation == Operation::multiply)
    for (const auto& [f, t] : {std::pair{x.a, x.b}, std::pair{x.b, x.a}}) {
      const GraphNode g = (*this)[f];
      if (t == b && is_small_angle_function(g.operation) && square_root_of(g.a) == t) return multiply(f, g.a);
    }
  return -1;
}

std::int32_t Graph::multiply(std::int32_t a, std::int32_t b) {
  if (is_constant(b)) std::swap(a, b);
  const GraphNode x = (*this)[a], y = (*this)[b];
  if (is_constant(a)) {
    if (a == 0) return 0;
    if (is_constant(b)) return constant(x.value * y.value);
    if (x.value == 1.0) return b;
    if (x.value == -1.0) return negate(b);
    if (y.operation == Operation::negate) return multiply(constant(-x.value), y.a);
    if (y.operation == Operation::multiply && is_constant(y.a))
      return multiply(constant(x.value * (*this)[y.a].value), y.b);
    return find_or_make(Operation::multiply, a, b);
  }
  if (x.operation == Operation::negate) return negate(multiply(x.a, b));
  if (y.operation == Operation::negate) return negate(multiply(a, y.a));
  if (a == b && x.operation == Operation::root) return x.a;
  if (a == b) return find_or_make(Operation::multiply, a, a);  // squares stay what they are, for (2)
  if (const std::int32_t known = rotation_product(a, b); known >= 0) return known;
  if (const std::int32_t known = rotation_product(b, a); known >= 0) return known;
  // numbers go to the front
  if (x.operation == Operation::multiply && is_constant(x.a)) return multiply(x.a, multiply(x.b, b));
  if (y.operation == Operation::multiply && is_constant(y.a)) return multiply(y.a, multiply(a, y.b));
  return a < b ? find_or_make(Operation::multiply, a, b) : find_or_make(Operation::multiply, b, a);
}

std::int32_t Graph::divide(std::int32_t a, std::int32_t b) {
  if (a == 0) return 0;
  if (a == b) return constant(1.0);
  const GraphNode x = (*this)[a], y = (*this)[b];
  if (is_constant(b)) return multiply(constant(1.0 / y.value), a);
  if (x.operation == Operation::negate) return negate(divide(x.a, b));
  if (y.operation == Operation::negate) return negate(divide(a, y.a));
  return find_or_make(Operation::divide, a, b);
}

std::int32_t Graph::function(Operation operation, std::int32_t a) {
  const GraphNode x = (*this)[a];
  if (is_constant(a)) {
    using namespace rotation_series;
    const double s = x.value;
    switch (operation) {
      case Operation::sine:
        return constant(std::sin(s));
      case Operation::cosine:
        return constant(std::cos(s));
      case Operation::root:
        return constant(std::sqrt(s));
      default: {
        const Values<double> c = values(s);
        const double all[] = {c.c1, c.c2, c.c3, c.dc2, c.dc3};
        return constant(all[static_cast<int>(operation) - static_cast<int>(Operation::c1)]);
      }
    }
  }
  if (x.operation == Operation::negate && operation == Operation::sine)
    return negate(function(operation, x.a));
  if (x.operation == Operation::negate && operation == Operation::cosine) return function(operation, x.a);
  return find_or_make(operation, a, 0);
}

std::vector<double> Graph::evaluate(const std::vector<double>& symbols) const {
  assert(symbols.size() == symbols_.size());
  std::vector<double> v(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const GraphNode& n = nodes_[i];
    const auto a = static_cast<std::size_t>(n.a), b = static_cast<std::size_t>(n.b);
    switch (n.operation) {
      case Operation::constant:
        v[i] = n.value;
        break;
      case Operation::symbol:
        v[i] = symbols[a];
        break;
      case Operation::add:
        v[i] = v[a] + v[b];
        break;
      case Operation::subtract:
        v[i] = v[a] - v[b];
        break;
      case Operation::multiply:
        v[i] = v[a] * v[b];
        break;
      case Operation::divide:
        v[i] = v[a] / v[b];
        break;
      case Operation::negate:
        v[i] = -v[a];
        break;
      case Operation::sine:
        v[i] = std::sin(v[a]);
        break;
      case Operation::cosine:
        v[i] = std::cos(v[a]);
        break;
      case Operation::root:
        v[i] = std::sqrt(v[a]);
        break;
      case Operation::c1:
        v[i] = rotation_series::values(v[a]).c1;
        break;
      case Operation::c2:
        v[i] = rotation_series::values(v[a]).c2;
        break;
      case Operation::c3:
        v[i] = rotation_series::values(v[a]).c3;
        break;
      case Operation::dc2:
        v[i] = rotation_series::values(v[a]).dc2;
        break;
      case Operation::dc3:
        v[i] = rotation_series::values(v[a]).dc3;
        break;
    }
  }
  return v;
}

std::vector<Expression> Graph::derivatives(const std::vector<Expression>& of, Expression by) {
  std::unordered_map<std::int32_t, std::int32_t> d;  // what is absent is zero
  const auto at = [&](std::int32_t node) {
    const auto there = d.find(node);
    return there == d.end() ? 0 : there->second;
  };
  for (const std::int32_t node : needed_for(of)) {
    const GraphNode n = (*this)[node];
    if (node == by.node()) d[node] = constant(1.0);
    if (operand_count(n.operation) == 0) continue;
    const std::int32_t da = at(n.a), db = operand_count(n.operation) == 2 ? at(n.b) : 0;
    if (da == 0 && db == 0) continue;
    std::int32_t slope = 0;
    switch (n.operation) {
      case Operation::add:
        slope = add(da, db);
        break;
      case Operation::subtract:
        slope = subtract(da, db);
        break;
      case Operation::multiply:
        slope = add(multiply(da, n.b), multiply(n.a, db));
        break;
      case Operation::divide:
        slope = divide(subtract(da, multiply(node, db)), n.b);
        break;
      case Operation::negate:
        slope = negate(da);
        break;
      case Operation::sine:
        slope = multiply(function(Operation::cosine, n.a), da);
        break;
      case Operation::cosine:
        slope = negate(multiply(function(Operation::sine, n.a), da));
        break;
      case Operation::root:
        slope = divide(multiply(constant(0.5), da), node);
        break;
      case Operation::c1:  // (6) of rotation_series.hpp: dc1/ds = (c3 - c2) / 2
        slope = multiply(
            multiply(constant(0.5), subtract(function(Operation::c3, n.a), function(Operation::c2, n.a))),
            da);
        break;
      case Operation::c2:
        slope = multiply(function(Operation::dc2, n.a), da);
        break;
      case Operation::c3:
        slope = multiply(function(Operation::dc3, n.a), da);
        break;
      default:
        throw std::logic_error(
            "second derivatives of small-angle functions are not known to Graph::derivatives");
    }
    if (slope != 0) d[node] = slope;
  }
  std::vector<Expression> result;
  for (const Expression& e : of) result.emplace_back(at(e.node()), *this);
  return result;
}

std::vector<std::int32_t> Graph::needed_for(const std::vector<Expression>& expressions) const {
  std::int32_t last = -1;
  for (const Expression& e : expressions) last = std::max(last, e.node());
  std::vector<bool> needed(static_cast<std::size_t>(last + 1), false);
  for (const Expression& e : expressions) needed[static_cast<std::size_t>(e.node())] = true;
  std::vector<std::int32_t> nodes;
  for (std::int32_t i = last; i >= 0; --i) {
    if (!needed[static_cast<std::size_t>(i)]) continue;
    nodes.push_back(i);
    const GraphNode& n = (*this)[i];
    const int operands = operand_count(n.operation);
    if (operands >= 1) needed[static_cast<std::size_t>(n.a)] = true;
    if (operands == 2) needed[static_cast<std::size_t>(n.b)] = true;
  }
  return {nodes.rbegin(), nodes.rend()};
}

namespace {

void count_one(Operation operation, OperationCount& count) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
      ++count.additions;
      break;
    case Operation::multiply:
    case Operation::divide:
      ++count.multiplications;
      break;
    case Operation::constant:
    case Operation::symbol:
    case Operation::negate:
      break;
    default:
      ++count.functions;
  }
}

}  // namespace

OperationCount Graph::count(const std::vector<Expression>& expressions) const {
  OperationCount count;
  for (const std::int32_t node : needed_for(expressions)) count_one((*this)[node].operation, count);
  return count;
}

double Graph::written_out(const std::vector<Expression>& expressions) const {
  std::unordered_map<std::int32_t, double> size;
  for (const std::int32_t node : needed_for(expressions)) {
    const GraphNode& n = (*this)[node];
    OperationCount own;
    count_one(n.operation, own);
    const int operands = operand_count(n.operation);
    size[node] = static_cast<double>(own.total()) + (operands >= 1 ? size[n.a] : 0.0) +
                 (operands == 2 ? size[n.b] : 0.0);
  }
  double total = 0.0;
  for (const Expression& e : expressions) total += size[e.node()];
  return total;
}

Expression::Expression(double value) : node_(value == 0.0 ? 0 : Graph::current().constant(value)) {}
Expression operator+(Expression a, Expression b) {
  return expression_at(Graph::current().add(a.node_, b.node_));
}
Expression operator-(Expression a, Expression b) {
  return expression_at(Graph::current().subtract(a.node_, b.node_));
}
Expression operator*(Expression a, Expression b) {
  return expression_at(Graph::current().multiply(a.node_, b.node_));
}
Expression operator/(Expression a, Expression b) {
  return expression_at(Graph::current().divide(a.node_, b.node_));
}
Expression operator-(Expression a) { return expression_at(Graph::current().negate(a.node_)); }
Expression sin(Expression a) { return expression_at(Graph::current().function(Operation::sine, a.node_)); }
Expression cos(Expression a) { return expression_at(Graph::current().function(Operation::cosine, a.node_)); }
Expression sqrt(Expression a) { return expression_at(Graph::current().function(Operation::root, a.node_)); }
bool operator>(Expression a, Expression b) {
  const Graph& graph = Graph::current();
  if (!graph.is_constant(a.node_) || !graph.is_constant(b.node_)) return true;
  return graph[a].value > graph[b].value;
}

template <>
rotation_series::Values<Expression> rotation_series::values(const Expression& s) {
  const auto of = [&](Operation operation) {
    return expression_at(Graph::current().function(operation, s.node()));
  };
  return {of(Operation::c1), of(Operation::c2), of(Operation::c3), of(Operation::dc2), of(Operation::dc3)};
}

}  // namespace limber
