// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/first_order.hpp"

#include <unordered_map>
#include <unordered_set>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

struct Truncated {
  std::int32_t real = 0, small = 0;  // nodes of a and b
};

// df/da at the node `a` of a function of one operand.
std::int32_t slope_of(Graph& graph, Operation operation, std::int32_t a) {
  const auto f = [&](Operation other) { return graph.function(other, a); };
  switch (operation) {
    case Operation::sine:
      return f(Operation::cosine);
    case Operation::cosine:
      return graph.negate(f(Operation::sine));
    case Operation::root:
      return graph.divide(graph.constant(0.5), f(Operation::root));
    case Operation::c1:  // (6) of rotation_series.hpp
      return graph.multiply(graph.constant(0.5), graph.subtract(f(Operation::c3), f(Operation::c2)));
    case Operation::c2:
      return f(Operation::dc2);
    case Operation::c3:
      return f(Operation::dc3);
    // Where all states of a link are small, the argument of these is the square of a small angle and has no part of first order.
    default:
      throw InputError(Problem{"--nonlinear", "whole links, where a link turns about more than one axis",
                               "some states of one", "M, G and K are there: --only M,G,K"});
  }
}

}  // namespace

std::vector<Expression> first_order(Graph& graph, const std::vector<Expression>& of,
                                    const std::vector<Expression>& small) {
  std::unordered_set<std::int32_t> small_nodes;
  for (const Expression& x : small) small_nodes.insert(x.node());
  std::unordered_map<std::int32_t, Truncated> known;
  for (const std::int32_t node : graph.needed_for(of)) {
    const GraphNode n = graph[node];
    const int operands = operand_count(n.operation);
    if (operands == 0) {
      known[node] = small_nodes.contains(node) ? Truncated{0, node} : Truncated{node, 0};
      continue;
    }
    const Truncated a = known.at(n.a), b = operands == 2 ? known.at(n.b) : Truncated{};
    Truncated result;
    switch (n.operation) {
      case Operation::add:
        result = {graph.add(a.real, b.real), graph.add(a.small, b.small)};
        break;
      case Operation::subtract:
        result = {graph.subtract(a.real, b.real), graph.subtract(a.small, b.small)};
        break;
      case Operation::multiply:
        result = {graph.multiply(a.real, b.real),
                  graph.add(graph.multiply(a.real, b.small), graph.multiply(a.small, b.real))};
        break;
      case Operation::divide: {
        const std::int32_t quotient = graph.divide(a.real, b.real);
        result = {quotient, graph.divide(graph.subtract(a.small, graph.multiply(quotient, b.small)), b.real)};
        break;
      }
      case Operation::negate:
        result = {graph.negate(a.real), graph.negate(a.small)};
        break;
      default:
        result = {graph.function(n.operation, a.real),
                  a.small == 0 ? 0 : graph.multiply(slope_of(graph, n.operation, a.real), a.small)};
    }
    known[node] = result;
  }
  std::vector<Expression> results;
  for (const Expression& e : of)
    results.emplace_back(graph.add(known.at(e.node()).real, known.at(e.node()).small), graph);
  return results;
}

}  // namespace limber
