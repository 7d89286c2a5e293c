// SPDX-License-Identifier: BSD-3-Clause
#include "varied_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"

namespace limber {

using Eigen::Index;
using Eigen::VectorXd;

DifferenceFormula DifferenceFormula::central() {
  return {{-3.0, -2.0, -1.0, 1.0, 2.0, 3.0},
          {-1.0 / 60, 9.0 / 60, -45.0 / 60, 45.0 / 60, -9.0 / 60, 1.0 / 60},
          {0.0, 1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12, 0.0}};
}

DifferenceFormula DifferenceFormula::forward() {
  return {{1.0, 2.0, 3.0, 4.0, 5.0, 6.0},
          {6.0, -15.0 / 2, 20.0 / 3, -15.0 / 4, 6.0 / 5, -1.0 / 6},
          {4.0, -3.0, 4.0 / 3, -1.0 / 4, 0.0, 0.0}};
}

namespace {

bool has_derivatives(const IntegrationMethod& method) {
  return std::holds_alternative<integrators::Euler>(method) ||
         std::holds_alternative<integrators::Rk4>(method) ||
         std::holds_alternative<integrators::GeneralizedAlpha>(method) ||
         std::holds_alternative<integrators::Radau>(method) ||
         std::holds_alternative<integrators::Radau9>(method) ||
         std::holds_alternative<integrators::Radau13>(method);
}

}  // namespace

Scenario& prepare_for_derivatives(Scenario& scenario) {
  if (scenario.formulation == FormulationKind::dual_screw)
    throw InputError(Problem{"formulation", "the arm's own equations of motion",
                             "dual-screw, which simplifies them", "take recursive"});
  if (!has_derivatives(scenario.integrator.method)) scenario.integrator.method = integrators::Radau9{};
  for (SensorDescription& sensor : scenario.sensors) {
    sensor.rate.reset();
    sensor.delay = sensor.noise = sensor.quantum = 0.0;
  }
  for (const auto& controller : scenario.controllers)
    if (!controller->sensors().empty())
      throw InputError(Problem{"actuation", "controllers that see the state itself",
                               "one that looks at sensors", "its samples have no derivatives here"});
  return scenario;
}

VariedRun::VariedRun(Scenario from, std::vector<ScenarioFamily> all)
    : scenario(std::move(from)),
      families(std::move(all)),
      system(prepare_for_derivatives(scenario)),
      instruments(scenario),
      stepper(scenario, system, instruments, scenario.integrator),
      sampler(scenario, system, instruments),
      steps(system, scenario.integrator),
      effect(families.size(), false),
      rough(families.size(), false) {
  if (!system.past().sticking.empty())
    throw InputError(Problem{"joint.friction", "friction with a `transition_velocity`", "joints that stick",
                             "where they do, motions have no derivatives"});
  if (const std::vector<RateJump> jumps = rate_jumps(scenario); !jumps.empty())
    throw InputError(
        Problem{"actuation", "prescribed joints whose rates do not jump",
                fmt::format("`{}`, whose rate jumps by {:.4g} at t = {:.6g} s",
                            scenario.model.coordinates()[static_cast<std::size_t>(jumps.front().coordinate)],
                            jumps.front().size, jumps.front().t),
                "let the trajectory begin and end at rest, or at the ends of the run"});
  for (ScenarioFamily& family : families) {
    variants.emplace_back();
    for (Scenario& one : family.scenarios) {
      variants.back().push_back(std::make_unique<Variant>(prepare_for_derivatives(one)));
      require_same_paths(family, one);
      require_same_times(family, one);
      require_same_limits(family, one);
    }
  }
}

// Prescribed joints move as they are told: how that changes is no part of (1).
void VariedRun::require_same_paths(const ScenarioFamily& family, const Scenario& one) const {
  constexpr int places = 5;
  for (std::size_t i = 0; i < scenario.prescribed.size() && i < one.prescribed.size(); ++i)
    for (int k = 0; k <= places; ++k) {
      const double t = scenario.duration * k / places;
      if (scenario.prescribed[i].trajectory->at(t).position != one.prescribed[i].trajectory->at(t).position)
        throw InputError(Problem{family.name, "a number that does not move prescribed joints",
                                 "one that does", "drive the joint by an effort, or by `pd`"});
    }
}

// When something happens has no derivative here.
void VariedRun::require_same_times(const ScenarioFamily& family, const Scenario& one) const {
  const auto refuse = [&](const char* what) {
    throw InputError(Problem{family.name, std::string("a number that does not move ") + what, "one that does",
                             "derivatives by times at which something happens are not followed"});
  };
  if (one.duration != scenario.duration) refuse("the end of the run");
  for (std::size_t i = 0; i < std::min(scenario.controllers.size(), one.controllers.size()); ++i)
    if (one.controllers[i]->rate() != scenario.controllers[i]->rate()) refuse("the samples of a controller");
  for (std::size_t i = 0; i < std::min(scenario.loads.size(), one.loads.size()); ++i)
    if (one.loads[i].from != scenario.loads[i].from || one.loads[i].to != scenario.loads[i].to)
      refuse("the beginning or the end of a load");
}

// Limits of efforts and stops are in the modes of the run, which its neighbours take over.
void VariedRun::require_same_limits(const ScenarioFamily& family, const Scenario& one) const {
  const auto is_other = [](const auto& a, const auto& b) {
    const bool stops = a.stop_stiffness.has_value();
    return a.effort != b.effort ||
           (stops && (a.lower != b.lower || a.upper != b.upper || a.stop_stiffness != b.stop_stiffness ||
                      a.stop_damping != b.stop_damping));
  };
  const auto refuse = [&](const std::string& of) {
    throw InputError(Problem{family.name, "a number that is no limit of an effort, and no stop's",
                             "one of `" + of + "`", "runs are not differentiated by them"});
  };
  const std::vector<Link>&links = scenario.model.links(), &others = one.model.links();
  for (std::size_t i = 0; i < std::min(links.size(), others.size()); ++i)
    if (is_other(links[i].joint.limits, others[i].joint.limits)) refuse(links[i].joint.name);
  const auto &cylinders = scenario.model.cylinders(), &other_cylinders = one.model.cylinders();
  for (std::size_t i = 0; i < std::min(cylinders.size(), other_cylinders.size()); ++i)
    if (is_other(cylinders[i].limits, other_cylinders[i].limits)) refuse(cylinders[i].name);
}

VectorXd VariedRun::start_change(std::size_t f, std::size_t i, const VectorXd& y0) const {
  const int n = system.nv(), m = system.memory_size(), nq = system.nq();
  const VectorXd y = variants[f][i]->system.initial_state();
  VectorXd change(2 * n + m), d(n);
  difference(scenario.model, y0.head(nq), y.head(nq), d);
  change << d, y.segment(nq, n) - y0.segment(nq, n), y.tail(m) - y0.tail(m);
  return change;
}

VectorXd VariedRun::missing_at(System& of, const StepStage& stage) {
  q_ = stage.q;
  v_ = stage.v;
  a_ = stage.a;
  if (!of.missing_forces(stage.t, q_, v_, stage.integrals, a_, missing_, rates_))
    throw InputError(Problem{"formulation", "one that says which forces are missing: recursive", "another",
                             "leave `formulation` out"});
  VectorXd both(missing_.size() + system.memory_size());
  both << missing_, rates_.tail(system.memory_size());
  return both;
}

void VariedRun::require_going_on() const {
  if (is_stop_asked_for()) throw Interrupted();
  if (stepper.has_stopped())
    throw ComputationError(
        fmt::format("at t = {:.6g} s the run stops by itself: when it does depends on what is varied, and "
                    "such times have no derivatives here. Leave `stop_when` out",
                    stepper.state().t));
}

VectorXd VariedRun::state_vector() const {
  const StepStage& at = steps.state();
  VectorXd y(system.size());
  y << at.q, at.v, at.integrals;
  return y;
}

VectorXd VariedRun::moved(const VectorXd& y, const VectorXd& change) const {
  const int n = system.nv(), m = system.memory_size(), nq = system.nq();
  VectorXd result = y, q(nq);
  displace(scenario.model, y.head(nq), change.head(n), q);
  result.head(nq) = q;
  result.segment(nq, n) += change.segment(n, n);
  result.tail(m) += change.tail(m);
  return result;
}

}  // namespace limber
