// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/run_sensitivity.hpp"

#include <algorithm>
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

  // What sampled controllers hold from now on, h <- H(s, h, p), and its derivative: by p at one state of all, by s and h along their changes.
  void take_samples(double t) {
    const VectorXd now = system.samples(), before = held.size() > 0 ? held : VectorXd::Zero(now.size()),
                   y = has_begun ? state_vector() : stepper.state().y, here = held_by(system, t, before, y);
    const MatrixXd& S = has_begun ? steps.changes() : start;
    if (held_change.cols() == 0) held_change.setZero(now.size(), static_cast<Index>(families.size()));
    for (std::size_t f = 0; f < families.size(); ++f) {
      const auto column = static_cast<Index>(f);
      const auto of_variant = [&](std::size_t i) { return held_by(variants[f][i]->system, t, before, y); };
      VectorXd change = difference_of(f, here, of_variant);
      if (is_rough(change, difference_by(families[f].formula.coarse, f, here, of_variant))) rough[f] = true;
      const VectorXd ds = S.col(column), dh = held_change.col(column);
      add_along(
          f, ds, 1.0, [&](double way) { return held_by(system, t, before, moved(y, way * ds)); }, change);
      add_along(
          f, dh, std::max(1.0, before.lpNorm<Eigen::Infinity>()),
          [&](double way) { return held_by(system, t, before + way * dh, y); }, change);
      held_change.col(column) = change;
      for (std::size_t i = 0; i < variants[f].size(); ++i)
        variants[f][i]->system.set_samples(now + families[f].formula.at[i] * families[f].unit * change);
    }
    system.set_samples(now);
    held = now;
  }
  // change += d(of)/dway along a direction, of numbers of this size.
  template <typename Of>
  void add_along(std::size_t f, const VectorXd& direction, double size, Of&& of, VectorXd& change) {
    const double longest = direction.lpNorm<Eigen::Infinity>();
    if (longest == 0.0) return;
    const Slope slope = slope_of_samples(sample_way * size / longest, of);
    if (slope.is_rough) rough[f] = true;
    change += slope.value;
  }

  void begin() {
    IntegratorState at;
    at.y = system.initial_state();
    stepper.begin(at);
    start = start_sensitivity(at.y);
    source = [this](const StepStage& stage, MatrixXd& force, MatrixXd& rates) {
      find_source(stage, force, rates);
    };
    enter();
    steps.begin(0.0, at.y.head(system.nq()), at.y.segment(system.nq(), system.nv()),
                at.y.tail(system.memory_size()), start, source);
    has_begun = true;
  }

  void emit(double t, ResultSink& rows, const std::vector<std::vector<ResultSink*>>& varied) {
    rows.add(sampler.at(t, state_vector(), {}));
    for (std::size_t f = 0; f < families.size(); ++f)
      for (std::size_t i = 0; i < variants[f].size(); ++i)
        varied[f][i]->add(variants[f][i]->sampler.at(t, moved_along(f, i), {}));
  }

  StepSource source;
  MatrixXd start;  // S(0)
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
bool RunSensitivity::is_rough(std::size_t family) const { return inside_->rough.at(family); }
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
