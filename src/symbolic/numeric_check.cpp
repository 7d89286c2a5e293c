// SPDX-License-Identifier: BSD-3-Clause
#include "numeric_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "limber/algorithms/detail/arm_work.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void keep_in_guides(const Model& model, VectorXd& q) {
  for (const Link& link : model.links()) {
    if (!link.telescopes()) continue;
    const Telescope& telescope = *link.beam->telescope;
    double& place = q[link.joint.q_index];
    constexpr double middle = 2.0 / 3.0, reach = 1.0 / 3.0;
    place = (middle + reach * place) * telescope.length - telescope.free_length;
  }
}

TestState random_state(const Model& model, unsigned seed) {
  constexpr double angles = 0.8, deflections = 0.05;  // far from zero; beams bend little
  std::mt19937 dice(seed);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  const auto random = [&](int n, double size) {
    return VectorXd(VectorXd::NullaryExpr(n, [&] { return size * number(dice); }));
  };
  TestState state{neutral_configuration(model) + random(model.nq(), angles), random(model.nv(), 1.0),
                  random(model.nv(), 1.0), random(model.nv(), 1.0)};
  for (const Link& link : model.links()) {
    state.q.segment(link.elastic_q_index, link.elastic_count) *= deflections;
    if (link.joint.has_quaternion()) state.q.segment(link.joint.quaternion_index(), 4).normalize();
  }
  keep_in_guides(model, state.q);
  return state;
}

Workspace<Dual> numeric_workspace(const SymbolicArm& arm) {
  Workspace<Dual> work(arm.model);
  for (std::size_t i = 0; i < work.arm().links.size(); ++i) {
    detail::LinkWork<Dual>& link = work.arm().links[i];
    const detail::LinkWork<Expression>& symbolic = arm.work->arm().links[i];
    link.sections.constant_screws = symbolic.sections.constant_screws;
    for (std::size_t k = 0; k < link.nodes.size(); ++k)
      link.nodes[k].constant_screws = symbolic.nodes[k].constant_screws;
  }
  return work;
}

void compare(const SymbolicArm& arm, const char* what, const MatrixX<Expression>& derived,
             const MatrixXd& expected, const TestState& state) {
  const std::vector<double> nodes = arm.graph->evaluate(arm.values(state.q, state.v, state.a, state.tau));
  const double size = expected.size() > 0 ? expected.cwiseAbs().maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < derived.rows(); ++i)
    for (Eigen::Index j = 0; j < derived.cols(); ++j) {
      const double found = nodes[static_cast<std::size_t>(derived(i, j).node())];
      if (!(std::abs(found - expected(i, j)) <= check_rounding * size))
        throw std::logic_error(
            fmt::format("the formula of {}[{},{}] gives {} where the numeric core gives {}", what, i + 1,
                        j + 1, found, expected(i, j)));
    }
}

}  // namespace limber
