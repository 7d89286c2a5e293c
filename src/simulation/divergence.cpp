// SPDX-License-Identifier: BSD-3-Clause
#include "divergence.hpp"

#include <fmt/format.h>

#include <cmath>

#include "limber/core/computation_error.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

// What the formulation itself finds wrong, there or before, as the end of a sentence.
std::string finding_of_formulation(System& system, const IntegratorState& state) {
  try {
    VectorXd q = state.y.head(system.nq()), v = state.y.segment(system.nq(), system.nv());
    System::Forces forces;
    system.forces(state.t, q, v, state.y.tail(system.integral_count()), forces);
  } catch (const ComputationError& error) {
    return std::string(". ") + error.what();
  }
  const std::vector<std::string> doubts = system.doubts();
  return doubts.empty() ? "" : ". " + doubts.front();
}

[[noreturn]] void refuse(const Model& model, System& system, const IntegrationMethod& method,
                         const IntegratorState& state, int coordinate) {
  VectorXd q = state.y.head(model.nq()), v = state.y.segment(model.nq(), model.nv());
  const Energy<double> energy = system.energy(q, v);
  const bool fixed = fixed_step(method) && !std::holds_alternative<integrators::GeneralizedAlpha>(method);
  throw ComputationError(fmt::format(
      "the motion diverges at t = {:.6g} s: `{}` moves at {:.3g}, kinetic energy {:.3g} J, strain energy "
      "{:.3g} J. "
      "{}{}{}",
      state.t, model.coordinates()[static_cast<std::size_t>(coordinate)], v[coordinate], energy.kinetic,
      energy.strain,
      fixed ? "Take a shorter step, or method auto (a fixed step must be shorter than about 2.8 over the "
              "fastest "
              "frequency of `limber modes --joints free`)"
            : "Check gains, loads and units, and with `limber modes` whether the arm is stable where it "
              "starts",
      model.kinematics() == KinematicOrder::first ? "; kinematics: first has no geometric stiffening, and "
                                                    "arms that spin fast need kinematics: second"
                                                  : "",
      finding_of_formulation(system, state)));
}

}  // namespace

void refuse_divergence(const Scenario& scenario, System& system, const IntegrationMethod& method,
                       const IntegratorState& state, VectorXd& eta) {
  const Model& model = scenario.model;
  const VectorXd& y = state.y;
  if (model.has_telescopes())
    if (const std::string problem = free_length_problem(model, y.head(model.nq())); !problem.empty())
      throw ComputationError(fmt::format("at t = {:.6g} s {}", state.t, problem));
  constexpr double most_lengths = 20.0, most_speed = 1e9;
  int worst = -1;
  double worst_speed = most_speed;
  for (int i = 0; i < model.nv() && std::isfinite(worst_speed); ++i) {
    const double speed = std::abs(y[model.nq() + i]);
    if (speed < worst_speed) continue;
    worst = i;
    worst_speed = speed;
  }
  for (const Link& link : model.links()) {
    if (worst >= 0 || link.elastic_count == 0) continue;
    const BeamNode& tip = link.nodes.front().field;
    // To first order, without the heap: what bends by less than this is looked at no further.
    constexpr double suspicious = 1.0;  // lengths
    const Eigen::Vector3d bent = tip.Phi.lazyProduct(y.segment(link.elastic_q_index, link.elastic_count));
    if (bent.norm() < suspicious * link.length()) continue;
    eta = y.segment(link.elastic_q_index, link.elastic_count);
    const double deflection = (tip.position<double>(eta) - tip.r0()).norm();
    if (deflection < most_lengths * link.length()) continue;
    Eigen::Index largest = 0;
    eta.cwiseAbs().maxCoeff(&largest);
    worst = link.elastic_v_index + static_cast<int>(largest);
  }
  if (worst >= 0) refuse(model, system, method, state, worst);
}

void explain_failure(const Scenario& scenario, System& system, const IntegrationMethod& method,
                     const IntegratorState& state, bool is_first, const std::string& reason) {
  const Model& model = scenario.model;
  if (is_first || model.nv() == 0)
    throw ComputationError(fmt::format("at t = {:.6g} s: {}", state.t, reason));
  Eigen::Index fastest = 0;
  state.y.segment(model.nq(), model.nv()).cwiseAbs().maxCoeff(&fastest);
  if (fixed_step(method)) refuse(model, system, method, state, static_cast<int>(fastest));
  throw ComputationError(fmt::format("at t = {:.6g} s: {}. `{}` moves at {:.3g} there{}", state.t, reason,
                                     model.coordinates()[static_cast<std::size_t>(fastest)],
                                     state.y[model.nq() + fastest], finding_of_formulation(system, state)));
}

}  // namespace limber
