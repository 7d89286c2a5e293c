// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/regressor.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <unordered_map>

#include "exact_numbers.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/symbolic/derive.hpp"
#include "limber/symbolic/formula.hpp"
#include "numeric_check.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A polynomial in the parameters, with coefficients that are free of them.
using Terms = std::map<Monomial, Expression>;

void add_to(Terms& terms, const Monomial& monomial, Expression coefficient) {
  const auto [place, is_new] = terms.try_emplace(monomial, coefficient);
  if (!is_new) place->second += coefficient;
  if (place->second.is_zero()) terms.erase(place);
}

// The product (sign 1) or quotient (-1) of two monomials.
Monomial times(const Monomial& a, const Monomial& b, int sign) {
  std::map<int, int> powers(a.begin(), a.end());
  for (const auto& [variable, power] : b)
    if ((powers[variable] += sign * power) == 0) powers.erase(variable);
  return {powers.begin(), powers.end()};
}

// Expressions as polynomials in all parameters but those that are held.
class InParameters {
 public:
  InParameters(Graph& graph, std::set<int> parameters) : graph_(graph), free_(std::move(parameters)) {}

  // Of each, in the same order. A parameter that turns out to stand inside of a function is held, and all begins anew.
  std::vector<Terms> of(const std::vector<Expression>& expressions) {
    for (;;) {
      terms_.clear();
      count_ = 0;
      const std::size_t before = free_.size();
      for (const std::int32_t node : graph_.needed_for(expressions)) {
        const Terms& found = terms_[node] = terms_of(node);
        constexpr std::size_t most_terms = 1000000;
        if ((count_ += found.size()) > most_terms)
          throw ComputationError(
              "Y: there are more than a million products of parameters on the way; fewer links, or fewer "
              "shapes of each, have fewer");
      }
      if (free_.size() < before) continue;
      std::vector<Terms> result;
      for (const Expression& e : expressions) result.push_back(terms_.at(e.node()));
      return result;
    }
  }

 private:
  static bool is_free_of_parameters(const Terms& terms) {
    return terms.empty() || (terms.size() == 1 && terms.begin()->first.empty());
  }
  void hold(const Terms& terms) {
    for (const auto& entry : terms)
      for (const auto& factor : entry.first) free_.erase(factor.first);
  }
  Terms whole(std::int32_t node) const { return node == 0 ? Terms{} : Terms{{{}, Expression(node, graph_)}}; }

  Terms terms_of(std::int32_t node) {
    const GraphNode n = graph_[node];
    if (n.operation == Operation::constant) return whole(node);
    if (n.operation == Operation::symbol)
      return free_.contains(n.a) ? Terms{{{{n.a, 1}}, Expression(1.0)}} : whole(node);
    const Terms& a = terms_.at(n.a);
    Terms result;
    switch (n.operation) {
      case Operation::add:
      case Operation::subtract: {
        result = a;
        for (const auto& [monomial, c] : terms_.at(n.b))
          add_to(result, monomial, n.operation == Operation::add ? c : -c);
        return result;
      }
      case Operation::multiply:
        for (const auto& [left, c] : a)
          for (const auto& [right, d] : terms_.at(n.b)) add_to(result, times(left, right, 1), c * d);
        return result;
      case Operation::divide: {
        const Terms& b = terms_.at(n.b);
        if (b.size() == 1) {
          for (const auto& [monomial, c] : a)
            add_to(result, times(monomial, b.begin()->first, -1), c / b.begin()->second);
          return result;
        }
        hold(a);
        hold(b);
        return whole(node);
      }
      case Operation::negate:
        for (const auto& [monomial, c] : a) result[monomial] = -c;
        return result;
      default:
        if (!is_free_of_parameters(a)) hold(a);
        return whole(node);
    }
  }

  Graph& graph_;
  std::set<int> free_;
  std::unordered_map<std::int32_t, Terms> terms_;
  std::size_t count_ = 0;
};

// The left side of (1).
std::vector<Expression> left_side(SymbolicArm& arm) {
  const UseGraph use(*arm.graph);
  const int n = arm.model.nv();
  const MatrixX<Expression> M = derive_mass_matrix(arm), K = derive_stiffness(arm), D = derive_damping(arm);
  const VectorX<Expression> h = derive_bias(arm), G = derive_gravity(arm), rest = derive_rest(arm);
  std::vector<Expression> forces(G.data(), G.data() + n);
  const std::vector<Expression> bias(h.data(), h.data() + n);
  for (int k = 0; k < n; ++k) {
    const std::vector<Expression> slopes = arm.graph->derivatives(bias, arm.v[k]);
    for (int i = 0; i < n; ++i) {
      Expression& force = forces[static_cast<std::size_t>(i)];
      force += M(i, k) * arm.a[k] + D(i, k) * arm.w[k] + K(i, k) * (arm.q[k] - rest[k]);
      force += Expression(0.5) * slopes[static_cast<std::size_t>(i)] * arm.w[k];  // (2)
    }
  }
  return forces;
}

// Values of the columns at some states, with parameters of any value: what is the same here but for a number is so everywhere.
MatrixXd sampled(const SymbolicArm& arm, const MatrixX<Expression>& Y) {
  constexpr int states = 4;
  MatrixXd samples(Y.rows() * states, Y.cols());
  std::mt19937 dice(7);
  std::uniform_real_distribution<double> factor(0.6, 1.5);
  for (int s = 0; s < states; ++s) {
    const TestState state = random_state(arm.model, 30U + static_cast<unsigned>(s));
    std::vector<double> values = arm.values(state.q, state.v, state.a, state.tau, state.tau);
    for (const Parameter& p : arm.parameters)
      values[static_cast<std::size_t>((*arm.graph)[p.symbol].a)] *= factor(dice);
    const std::vector<double> nodes = arm.graph->evaluate(values);
    for (Eigen::Index i = 0; i < Y.rows(); ++i)
      for (Eigen::Index k = 0; k < Y.cols(); ++k)
        samples(s * Y.rows() + i, k) = nodes[static_cast<std::size_t>(Y(i, k).node())];
  }
  return samples;
}

// Of one column, how many times the other it is.
std::optional<double> ratio_of(const VectorXd& column, const VectorXd& to) {
  constexpr double rounding = 1e-9;
  Eigen::Index at = 0;
  to.cwiseAbs().maxCoeff(&at);
  const double ratio = column[at] / to[at];
  if ((column - ratio * to).cwiseAbs().maxCoeff() > rounding * column.cwiseAbs().maxCoeff()) return {};
  return without_rounding(ratio);
}

Expression product_of(const Graph& graph, const SymbolicArm& arm, const Monomial& monomial) {
  Expression above(1.0), below(1.0);
  for (const auto& [symbol, power] : monomial)
    for (const Parameter& parameter : arm.parameters)
      if (graph[parameter.symbol].a == symbol)
        for (int i = 0; i < std::abs(power); ++i) (power > 0 ? above : below) *= parameter.symbol;
  return above / below;
}

// Our own mistake if it throws.
void check(const SymbolicArm& arm, const Regressor& regressor) {
  const Model& model = arm.model;
  const TestState state = random_state(model);
  Workspace<double> work(model);
  VectorXd forces(model.nv()), passive(model.nv());
  inverse_dynamics(model, work, state.q, state.v, state.a, forces);
  elastic_and_damping_forces(model, work, state.q, state.v, passive);
  const std::vector<double> nodes =
      arm.graph->evaluate(arm.values(state.q, state.v, state.a, state.tau, state.v));
  const auto value = [&](Expression e) { return nodes[static_cast<std::size_t>(e.node())]; };
  const VectorXd p = regressor.p.unaryExpr(value);
  const MatrixXd Y = regressor.Y.unaryExpr(value);
  const VectorXd size = Y.cwiseAbs() * p.cwiseAbs();
  const double difference = (Y * p - forces - passive).cwiseAbs().maxCoeff();
  if (!(difference <= check_rounding * size.maxCoeff()))
    throw std::logic_error(fmt::format("Y p differs by {} from what the numeric core gives", difference));
}

}  // namespace

Regressor derive_regressor(SymbolicArm& arm) {
  const int n = arm.model.nv();
  for (const Link& link : arm.model.links())
    if (link.joint.has_quaternion())
      throw InputError(Problem{"Y", "joints whose velocities are rates of their coordinates",
                               fmt::format("`{}`, which carries a quaternion", link.joint.name), ""});
  if (arm.parameters.empty())
    throw InputError(Problem{"Y", "parameters that have names", "numbers", "--parameters symbols"});
  std::set<int> parameters;
  for (const Parameter& p : arm.parameters)
    if (p.name != "g") parameters.insert((*arm.graph)[p.symbol].a);
  const std::vector<Expression> forces = left_side(arm);
  const UseGraph use(*arm.graph);
  const std::vector<Terms> rows = InParameters(*arm.graph, parameters).of(forces);

  // A column for each product that occurs. What has none (a number of the file without a name) stands with the product 1.
  std::map<Monomial, int> columns;
  for (const Terms& row : rows)
    for (const auto& entry : row) columns.try_emplace(entry.first, 0);
  int count = 0;
  std::vector<Expression> products;
  for (auto& [monomial, column] : columns) {
    column = count++;
    products.push_back(product_of(*arm.graph, arm, monomial));
  }
  MatrixX<Expression> all = MatrixX<Expression>::Constant(n, count, Expression());
  for (int i = 0; i < n; ++i)
    for (const auto& [monomial, coefficient] : rows[static_cast<std::size_t>(i)])
      all(i, columns.at(monomial)) = coefficient;

  // Columns that are the same but for a number are one; those that cancel but for rounding are none.
  constexpr double nothing = 1e-13;
  const MatrixXd samples = sampled(arm, all);
  const double size = samples.size() > 0 ? samples.cwiseAbs().maxCoeff() : 0.0;
  std::vector<int> kept;
  std::vector<Expression> p;
  for (int k = 0; k < count; ++k) {
    if (samples.col(k).cwiseAbs().maxCoeff() <= nothing * size) continue;
    bool is_new = true;
    for (std::size_t j = 0; j < kept.size() && is_new; ++j) {
      const std::optional<double> ratio = ratio_of(samples.col(k), samples.col(kept[j]));
      if (!ratio) continue;
      p[j] += Expression(*ratio) * products[static_cast<std::size_t>(k)];
      is_new = false;
    }
    if (!is_new) continue;
    kept.push_back(k);
    p.push_back(products[static_cast<std::size_t>(k)]);
  }
  Regressor regressor{MatrixX<Expression>(n, static_cast<int>(kept.size())),
                      VectorX<Expression>(static_cast<int>(kept.size()))};
  for (std::size_t j = 0; j < kept.size(); ++j) {
    regressor.Y.col(static_cast<Eigen::Index>(j)) = all.col(kept[j]);
    regressor.p[static_cast<Eigen::Index>(j)] = p[j];
  }
  check(arm, regressor);
  return regressor;
}

}  // namespace limber
