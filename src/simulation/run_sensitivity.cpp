// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/run_sensitivity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "limber/algorithms/configuration.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/simulation/step_derivatives.hpp"
#include "sampler.hpp"
#include "stepper.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
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

// Sensors show what is there; steps that have derivatives are taken.
Scenario& prepared(Scenario& scenario) {
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

/// One scenario of a family, where the run is.
struct Variant {
  explicit Variant(Scenario& from) : system(from), instruments(from), sampler(from, system, instruments) {}
  System system;
  Instruments instruments;
  Sampler sampler;
};

}  // namespace

struct RunSensitivity::Inside {
  Inside(Scenario from, std::vector<ScenarioFamily> all)
      : scenario(std::move(from)),
        families(std::move(all)),
        system(prepared(scenario)),
        instruments(scenario),
        stepper(scenario, system, instruments, scenario.integrator),
        sampler(scenario, system, instruments),
        steps(system, scenario.integrator),
        effect(families.size(), false) {
    if (!system.past().sticking.empty())
      throw InputError(Problem{"joint.friction", "friction with a `transition_velocity`", "joints that stick",
                               "where they do, motions have no derivatives"});
    if (const std::vector<RateJump> jumps = rate_jumps(scenario); !jumps.empty())
      throw InputError(Problem{
          "actuation", "prescribed joints whose rates do not jump",
          fmt::format("`{}`, whose rate jumps by {:.4g} at t = {:.6g} s",
                      scenario.model.coordinates()[static_cast<std::size_t>(jumps.front().coordinate)],
                      jumps.front().size, jumps.front().t),
          "let the trajectory begin and end at rest, or at the ends of the run"});
    for (ScenarioFamily& family : families) {
      variants.emplace_back();
      for (Scenario& one : family.scenarios) {
        variants.back().push_back(std::make_unique<Variant>(prepared(one)));
        require_same_paths(family, one);
      }
    }
  }

  // Prescribed joints move as they are told: how that changes is no part of (1).
  void require_same_paths(const ScenarioFamily& family, const Scenario& one) const {
    constexpr int places = 5;
    for (std::size_t i = 0; i < scenario.prescribed.size() && i < one.prescribed.size(); ++i)
      for (int k = 0; k <= places; ++k) {
        const double t = scenario.duration * k / places;
        if (scenario.prescribed[i].trajectory->at(t).position != one.prescribed[i].trajectory->at(t).position)
          throw InputError(Problem{family.name, "a number that does not move prescribed joints",
                                   "one that does", "drive the joint by an effort, or by `pd`"});
      }
  }

  template <typename Of>
  auto difference_of(std::size_t f, const VectorXd& own, Of&& of) const {
    const DifferenceFormula& formula = families[f].formula;
    VectorXd sum = VectorXd::Zero(own.size());
    for (std::size_t i = 0; i < formula.at.size(); ++i) sum += formula.weights[i] * (of(i) - own);
    return VectorXd(sum / families[f].unit);
  }

  VectorXd state_vector() const {
    const StepStage& at = steps.state();
    VectorXd y(system.size());
    y << at.q, at.v, at.integrals;
    return y;
  }
  // s + k e S as y.
  VectorXd moved(std::size_t f, std::size_t i) {
    const StepStage& at = steps.state();
    const double way = families[f].formula.at[i] * families[f].unit;
    const VectorXd S = way * steps.changes().col(static_cast<Index>(f));
    const int n = system.nv(), m = system.memory_size();
    VectorXd y(system.size()), q(system.nq());
    displace(scenario.model, at.q, S.head(n), q);
    y << q, at.v + S.segment(n, n), at.integrals;
    y.tail(m) += S.tail(m);
    return y;
  }

  // ds_0/dp.
  MatrixXd start_sensitivity(const VectorXd& y0) {
    const int n = system.nv(), m = system.memory_size();
    MatrixXd S(2 * n + m, static_cast<Index>(families.size()));
    for (std::size_t f = 0; f < families.size(); ++f) {
      S.col(static_cast<Index>(f)) = difference_of(f, VectorXd::Zero(2 * n + m), [&](std::size_t i) {
        const VectorXd y = variants[f][i]->system.initial_state();
        VectorXd change(2 * n + m), d(n);
        difference(scenario.model, y0.head(system.nq()), y.head(system.nq()), d);
        change << d, y.segment(system.nq(), n) - y0.segment(system.nq(), n), y.tail(m) - y0.tail(m);
        return change;
      });
      if (!S.col(static_cast<Index>(f)).isZero(0.0)) effect[f] = true;
    }
    return S;
  }

  // g of (1) at a stage, by (2); and rates of memory.
  void find_source(const StepStage& stage, MatrixXd& force, MatrixXd& rates) {
    const int m = system.memory_size();
    VectorXd q, v, a, missing, all_rates;
    const auto ask = [&](System& of) {
      q = stage.q;
      v = stage.v;
      a = stage.a;
      if (!of.missing_forces(stage.t, q, v, stage.integrals, a, missing, all_rates))
        throw InputError(Problem{"formulation", "one that says which forces are missing: recursive",
                                 "another", "leave `formulation` out"});
      VectorXd both(missing.size() + m);
      both << missing, all_rates.tail(m);
      return both;
    };
    const VectorXd own = ask(system);
    for (std::size_t f = 0; f < families.size(); ++f) {
      const VectorXd change =
          difference_of(f, own, [&](std::size_t i) { return ask(variants[f][i]->system); });
      force.col(static_cast<Index>(f)) = change.head(missing.size());
      rates.col(static_cast<Index>(f)) = change.tail(m);
      if (!change.isZero(0.0)) effect[f] = true;
    }
  }

  void enter() {
    const bool is_new = stepper.is_at_corner();
    stepper.enter();
    const double t = stepper.state().t;
    if (is_new) {
      const double corner = system.next_corner(t),
                   within = std::isfinite(corner) ? 0.5 * (t + corner) : t + 1.0;
      for (auto& family : variants)
        for (auto& variant : family) variant->system.enter_interval(within);
      if (system.samples().size() > 0) take_samples(t);
    }
    if (system.switch_count() > 0) {
      const System::Past past = system.past();
      for (auto& family : variants)
        for (auto& variant : family) {
          System::Past own = variant->system.past();
          own.switches = past.switches;
          own.stops = past.stops;
          variant->system.set_past(own);
        }
    }
    if ((is_new || system.switch_count() > 0) && has_begun) steps.inputs_changed(source);
  }

  // What sampled controllers hold from now on, and its derivative.
  void take_samples(double t) {
    if (held_change.cols() == 0)
      held_change.setZero(system.samples().size(), static_cast<Index>(families.size()));
    for (std::size_t f = 0; f < families.size(); ++f) {
      const auto column = static_cast<Index>(f);
      const auto way = [&](std::size_t i) { return families[f].formula.at[i] * families[f].unit; };
      const VectorXd before = held.size() > 0 ? held : VectorXd(VectorXd::Zero(system.samples().size()));
      const VectorXd change = difference_of(f, system.samples(), [&](std::size_t i) {
        System& one = variants[f][i]->system;
        one.set_samples(before + way(i) * held_change.col(column));
        one.sample(t, has_begun ? moved(f, i) : one.initial_state());
        return one.samples();
      });
      held_change.col(column) = change;
      for (std::size_t i = 0; i < variants[f].size(); ++i)
        variants[f][i]->system.set_samples(system.samples() + way(i) * change);
    }
    held = system.samples();
  }

  void begin() {
    IntegratorState start;
    start.y = system.initial_state();
    stepper.begin(start);
    const MatrixXd S = start_sensitivity(start.y);
    source = [this](const StepStage& stage, MatrixXd& force, MatrixXd& rates) {
      find_source(stage, force, rates);
    };
    enter();
    steps.begin(0.0, start.y.head(system.nq()), start.y.segment(system.nq(), system.nv()),
                start.y.tail(system.memory_size()), S, source);
    has_begun = true;
  }

  void go_to(double t) {
    const double near = std::max(system.time_resolution(), 1e-12 * t);
    while (t - stepper.state().t > near) {
      enter();
      const double from = stepper.state().t;
      stepper.step(t);
      const double h = stepper.state().t - from;
      if (h > 0.0) {
        steps.step(h, source);
        ++count;
      }
      if (is_stop_asked_for()) throw Interrupted();
      if (stepper.has_stopped())
        throw ComputationError(fmt::format(
            "at t = {:.6g} s the run stops by itself: when it does depends on what is varied, and "
            "such times have no derivatives here. Leave `stop_when` out",
            stepper.state().t));
    }
  }

  void emit(double t, ResultSink& rows, const std::vector<std::vector<ResultSink*>>& varied) {
    rows.add(sampler.at(t, state_vector(), {}));
    for (std::size_t f = 0; f < families.size(); ++f)
      for (std::size_t i = 0; i < variants[f].size(); ++i)
        varied[f][i]->add(variants[f][i]->sampler.at(t, moved(f, i), {}));
  }

  Scenario scenario;
  std::vector<ScenarioFamily> families;
  System system;
  Instruments instruments;
  Stepper stepper;
  Sampler sampler;
  StepDifferentiator steps;
  std::vector<std::vector<std::unique_ptr<Variant>>> variants;
  std::vector<bool> effect;
  StepSource source;
  VectorXd held;
  MatrixXd held_change;
  bool has_begun = false;
  long count = 0;
};

RunSensitivity::RunSensitivity(Scenario scenario, std::vector<ScenarioFamily> families)
    : inside_(std::make_unique<Inside>(std::move(scenario), std::move(families))) {}
RunSensitivity::~RunSensitivity() = default;
RunSensitivity::RunSensitivity(RunSensitivity&&) noexcept = default;
RunSensitivity& RunSensitivity::operator=(RunSensitivity&&) noexcept = default;

const Scenario& RunSensitivity::scenario() const { return inside_->scenario; }
const Scenario& RunSensitivity::scenario_of(std::size_t family, std::size_t which) const {
  return inside_->families.at(family).scenarios.at(which);
}
const char* RunSensitivity::method() const { return inside_->stepper.method_name(); }
const MatrixXd& RunSensitivity::final_sensitivity() const { return inside_->steps.changes(); }
bool RunSensitivity::has_effect(std::size_t family) const { return inside_->effect.at(family); }
long RunSensitivity::steps() const { return inside_->count; }

void RunSensitivity::run(ResultSink& rows, const std::vector<std::vector<ResultSink*>>& varied) {
  Inside& in = *inside_;
  in.begin();
  const double rate = in.scenario.output.rate, duration = in.scenario.duration;
  constexpr double rounding = 1e-6;  // of a row
  for (long k = 0;; ++k) {
    const double wanted = static_cast<double>(k) / rate;
    const bool is_last = wanted > duration - rounding / rate;
    const double t = is_last ? duration : wanted;
    in.go_to(t);
    // A row at a corner belongs to the interval that begins there.
    if (!is_last) in.enter();
    in.emit(t, rows, varied);
    if (is_last) break;
  }
}

}  // namespace limber
