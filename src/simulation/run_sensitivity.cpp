// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/run_sensitivity.hpp"

#include <cmath>

#include "varied_run.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

struct RunSensitivity::Inside : VariedRun {
  using VariedRun::VariedRun;

  // s + k e S as y.
  VectorXd moved_along(std::size_t f, std::size_t i) {
    const double way = families[f].formula.at[i] * families[f].unit;
    return moved(state_vector(), way * steps.changes().col(static_cast<Index>(f)));
  }

  // ds_0/dp.
  MatrixXd start_sensitivity(const VectorXd& y0) {
    const VectorXd still = VectorXd::Zero(steps.size());
    MatrixXd S(still.size(), static_cast<Index>(families.size()));
    for (std::size_t f = 0; f < families.size(); ++f) {
      auto column = S.col(static_cast<Index>(f));
      column = difference_of(f, still, [&](std::size_t i) { return start_change(f, i, y0); });
      if (!column.isZero(0.0)) effect[f] = true;
    }
    return S;
  }

  // g of (1) at a stage, by (2); and rates of memory.
  void find_source(const StepStage& stage, MatrixXd& force, MatrixXd& rates) {
    const VectorXd own = missing_at(system, stage);
    for (std::size_t f = 0; f < families.size(); ++f) {
      const VectorXd change =
          difference_of(f, own, [&](std::size_t i) { return missing_at(variants[f][i]->system, stage); });
      force.col(static_cast<Index>(f)) = change.head(force.rows());
      rates.col(static_cast<Index>(f)) = change.tail(rates.rows());
      if (!change.isZero(0.0)) effect[f] = true;
    }
  }

  void enter() override {
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
        for (auto& variant : family) variant->take_modes(past);
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
        one.sample(t, has_begun ? moved_along(f, i) : one.initial_state());
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

  void emit(double t, ResultSink& rows, const std::vector<std::vector<ResultSink*>>& varied) {
    rows.add(sampler.at(t, state_vector(), {}));
    for (std::size_t f = 0; f < families.size(); ++f)
      for (std::size_t i = 0; i < variants[f].size(); ++i)
        varied[f][i]->add(variants[f][i]->sampler.at(t, moved_along(f, i), {}));
  }

  StepSource source;
  VectorXd held;
  MatrixXd held_change;
  bool has_begun = false;
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
  in.for_each_row([&](double t, bool is_last) {
    in.go_to(t, [&](double h) { in.steps.step(h, in.source); });
    // A row at a corner belongs to the interval that begins there.
    if (!is_last) in.enter();
    in.emit(t, rows, varied);
  });
}

}  // namespace limber
