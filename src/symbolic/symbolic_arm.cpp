// SPDX-License-Identifier: BSD-3-Clause
#include "limber/symbolic/symbolic_arm.hpp"
#include "limber/model/loops.hpp"

#include <fmt/format.h>

#include "exact_numbers.hpp"
#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/core/input_error.hpp"
#include "link_parameters.hpp"

namespace limber {

using namespace detail;

namespace {

void set_parameters(const Model& model, Namer& namer, SymbolicArm& arm) {
  arm.slope_scales.resize(model.links().size());
  if (!namer.names()) return;
  for (const Link& link : model.links())
    if (link.body)
      throw InputError(Problem{"links", "beams and rigid links, whose parameters have names",
                               "`" + link.name + "`, a body of finite elements",
                               "`--parameters numbers` takes its integrals as numbers"});
  Workspace<Expression>& work = *arm.work;
  std::vector<LinkParameters> links;
  links.reserve(model.links().size());
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) links.emplace_back(model, i, namer);
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkWork<Expression>& link = work.arm().links[i];
    links[i].set_joint(model, links, link);
    if (link.flexible)
      links[i].set_beam(link);
    else
      links[i].set_rigid(link);
    arm.slope_scales[i] = links[i].slope_scales();
  }
  // g in the direction it has.
  const double g = model.gravity().norm();
  if (g == 0.0) return;
  const Expression symbol = namer.add("g", "g", g, "m/s^2", "gravity");
  work.set_gravity((model.gravity() / g).cast<Expression>() * symbol);
}

// Before parameters, so that a length stands in front of the masses that it multiplies.
void name_free_lengths(SymbolicArm& arm) {
  for (std::size_t i = 0; i < arm.model.links().size(); ++i) {
    if (!arm.model.links()[i].telescopes()) continue;
    const std::string name = fmt::format("l{}", i + 1);
    arm.free_lengths.push_back({static_cast<int>(i), name, arm.graph->symbol(name), Expression()});
  }
}

VectorX<Expression> symbols(Graph& graph, const char* base, int count) {
  VectorX<Expression> result(count);
  for (int i = 0; i < count; ++i) result[i] = graph.symbol(fmt::format("{}{}", base, i + 1));
  return result;
}

}  // namespace

SymbolicArm::SymbolicArm(const Model& arm, ParameterStyle style)
    : model(arm), graph(std::make_shared<Graph>()) {
  const UseGraph use(*graph);
  q = symbols(*graph, "q", arm.nq());
  v = symbols(*graph, "v", arm.nv());
  a = symbols(*graph, "qdd", arm.nv());  // a1 is a parameter: where a joint sits
  tau = symbols(*graph, "u", arm.nv());
  w = symbols(*graph, "w", arm.nv());
  name_free_lengths(*this);
  work = std::make_unique<Workspace<Expression>>(arm);
  for (LinkWork<Expression>& link : work->arm().links) remove_rounding(link);
  Namer namer(style, *graph, parameters);
  set_parameters(arm, namer, *this);
  for (FreeLength& free : free_lengths) {
    const LinkWork<Expression>& link = work->arm().links[static_cast<std::size_t>(free.link)];
    free.sum = link.telescope.free_length + q[link.elastic_q()];
  }
}

std::vector<double> SymbolicArm::values(const Eigen::VectorXd& q_values, const Eigen::VectorXd& v_values,
                                        const Eigen::VectorXd& a_values, const Eigen::VectorXd& tau_values,
                                        const Eigen::VectorXd& w_values) const {
  std::vector<double> all(static_cast<std::size_t>(graph->symbol_count()), 0.0);
  const auto set = [&](const VectorX<Expression>& names, const Eigen::VectorXd& numbers) {
    for (Eigen::Index i = 0; i < names.size(); ++i)
      all[static_cast<std::size_t>((*graph)[names[i]].a)] = numbers[i];
  };
  set(q, q_values);
  set(v, v_values);
  set(a, a_values);
  set(tau, tau_values);
  if (w_values.size() > 0) set(w, w_values);
  for (const Parameter& parameter : parameters)
    all[static_cast<std::size_t>((*graph)[parameter.symbol].a)] = parameter.value;
  return all;
}

}  // namespace limber
