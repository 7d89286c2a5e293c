// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run, its neighbours for other values of numbers, and how their differences make derivatives: what RunSensitivity and RunAdjoint begin with.

#include <memory>
#include <string>
#include <vector>

#include "limber/simulation/run_sensitivity.hpp"
#include "limber/simulation/step_derivatives.hpp"
#include "sampler.hpp"
#include "stepper.hpp"

namespace limber {

/// A method whose steps are differentiated, and sensors that show what is there.
Scenario& prepare_for_derivatives(Scenario& scenario);

/// One scenario of a family, where the run is.
struct Variant {
  explicit Variant(Scenario& from) : system(from), instruments(from), sampler(from, system, instruments) {}
  System system;
  Instruments instruments;
  Sampler sampler;

  /// Those of the run.
  void take_modes(const System::Past& past) {
    System::Past own = system.past();
    own.switches = past.switches;
    own.stops = past.stops;
    system.set_past(own);
  }
};

struct VariedRun {
  /// Throws InputError as RunSensitivity does.
  VariedRun(Scenario from, std::vector<ScenarioFamily> all);

  /// (2) of run_sensitivity.hpp, with these weights: of(i) are values of the family's scenario i.
  template <typename Weights, typename Of>
  Eigen::VectorXd difference_by(const Weights& weights, std::size_t f, const Eigen::VectorXd& own,
                                Of&& of) const {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(own.size());
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (weights[i] != 0.0) sum += weights[i] * (of(i) - own);
    return sum / families[f].unit;
  }
  template <typename Of>
  Eigen::VectorXd difference_of(std::size_t f, const Eigen::VectorXd& own, Of&& of) const {
    return difference_by(families[f].formula.weights, f, own, of);
  }

  /// Whether that is no derivative: the formula of fourth order says something else. What samplers decide (a motor at its limit, an integral that is kept) is not smooth.
  static bool is_rough(const Eigen::VectorXd& fine, const Eigen::VectorXd& coarse) {
    constexpr double smooth = 1e-3;
    return (fine - coarse).lpNorm<Eigen::Infinity>() >
           smooth * (fine.lpNorm<Eigen::Infinity>() + coarse.lpNorm<Eigen::Infinity>());
  }

  /// The difference [d; dv; dx] of the starts of scenario i of a family and of the run's own, y0.
  Eigen::VectorXd start_change(std::size_t f, std::size_t i, const Eigen::VectorXd& y0) const;
  /// What sampled controllers hold after their samples at t: of a system that held `before`, at y.
  static Eigen::VectorXd held_by(System& of, double t, const Eigen::VectorXd& before,
                                 const Eigen::VectorXd& y) {
    of.set_samples(before);
    of.sample(t, y);
    return of.samples();
  }
  /// d(of)/dway, of(way): by differences of sixth order over so small a way that hardly any decision falls into it.
  struct Slope {
    Eigen::VectorXd value;
    bool is_rough;
  };
  template <typename Of>
  static Slope slope_of_samples(double way, Of&& of) {
    static const DifferenceFormula formula = DifferenceFormula::central();
    std::vector<Eigen::VectorXd> values;
    for (const double k : formula.at) values.push_back(of(k * way));
    Eigen::VectorXd fine = Eigen::VectorXd::Zero(values.front().size()), coarse = fine;
    for (std::size_t i = 0; i < values.size(); ++i) {
      fine += formula.weights[i] / way * values[i];
      coarse += formula.coarse[i] / way * values[i];
    }
    return {fine, is_rough(fine, coarse)};
  }
  static constexpr double sample_way = 1e-5;  // rounding leaves 1e-11 of a slope

  /// What is missing at a stage, then rates of memory.
  Eigen::VectorXd missing_at(System& of, const StepStage& stage);
  /// Goes on to t: what the stepper takes, step(h) takes as well.
  template <typename Step>
  void go_to(double t, Step&& step) {
    const double near = std::max(system.time_resolution(), 1e-12 * t);
    while (t - stepper.state().t > near) {
      enter();
      const double from = stepper.state().t;
      stepper.step(t);
      const double h = stepper.state().t - from;
      if (h > 0.0) {
        step(h);
        ++count;
      }
      require_going_on();
    }
  }
  /// Before every step: at a corner what lies behind it begins, and modes may have changed.
  virtual void enter() = 0;
  /// Throws where somebody asks to stop, and where the run does by itself.
  void require_going_on() const;
  /// row(t, whether it is the last) at the times of all rows.
  template <typename Row>
  void for_each_row(Row&& row) const {
    const double rate = scenario.output.rate, duration = scenario.duration;
    constexpr double rounding = 1e-6;  // of a row
    for (long k = 0;; ++k) {
      const double wanted = static_cast<double>(k) / rate;
      const bool is_last = wanted > duration - rounding / rate;
      row(is_last ? duration : wanted, is_last);
      if (is_last) break;
    }
  }
  /// The steps' state as y.
  Eigen::VectorXd state_vector() const;
  /// y, changed by [d; dv; dx].
  Eigen::VectorXd moved(const Eigen::VectorXd& y, const Eigen::VectorXd& change) const;

  virtual ~VariedRun() = default;
  VariedRun(const VariedRun&) = delete;
  VariedRun& operator=(const VariedRun&) = delete;

  Scenario scenario;
  std::vector<ScenarioFamily> families;
  System system;
  Instruments instruments;
  Stepper stepper;
  Sampler sampler;
  StepDifferentiator steps;
  std::vector<std::vector<std::unique_ptr<Variant>>> variants;
  std::vector<bool> effect;
  std::vector<bool> rough;  ///< by families: whether a sample was
  long count = 0;

 private:
  void require_same_paths(const ScenarioFamily& family, const Scenario& one) const;
  void require_same_times(const ScenarioFamily& family, const Scenario& one) const;
  void require_same_limits(const ScenarioFamily& family, const Scenario& one) const;

  Eigen::VectorXd q_, v_, a_, missing_, rates_;
};

}  // namespace limber
