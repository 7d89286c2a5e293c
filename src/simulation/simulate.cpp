// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "events.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/range.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "sampler.hpp"
#include "valid_scenario.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Run {
 public:
  Run(Scenario& scenario, ResultSink* sink, const RunOptions& options)
      : scenario_(scenario),
        options_(options),
        sink_(sink),
        system_(scenario),
        sampler_(scenario, system_),
        position_(positions_of_coordinates(scenario.model)),
        events_(system_) {}

  RunSummary go() {
    const auto begin = Clock::now();
    RunSummary summary;
    const IntegratorDescription description = chosen(summary);
    const auto integrator = make_integrator(system_, description);
    summary.integrator = integrator->name();
    if (sink_) sink_->begin({description.method, summary.reason});
    start();
    const double wall_before = check_.wall_s;
    const double started_at = check_.integrator.t;

    while (check_.integrator.t < scenario_.duration && summary.finished) {
      const double t = check_.integrator.t;
      const double corner = next_corner(t);
      system_.enter_interval(0.5 * (t + corner));
      events_.enter(t, check_.integrator.y);
      if (check_.rows == 0) {
        take_samples_at_start();
        emit(0.0, check_.integrator.y);
      }
      integrator->start(check_.integrator, corner);
      while (check_.integrator.t < corner) {
        limit_steps(*integrator, corner);
        step(*integrator, corner);
        check_.wall_s = wall_before + seconds_since(begin);
        if (sink_) sink_->step(check_);
        if (options_.progress && !options_.progress({check_.integrator.t, scenario_.duration,
                                                     check_.wall_s - wall_before, check_.steps})) {
          summary.finished = false;
          break;
        }
      }
      // The next interval begins anew: what the method knew of the one before may not hold there.
      check_.integrator.step = 0.0;
    }
    if (std::holds_alternative<integrators::Rkmk4>(method_))
      summary.constraint_violation = {integrator->statistics().largest_gap,
                                      integrator->statistics().largest_turn};
    finish(summary, started_at, seconds_since(begin));
    return summary;
  }

  const Checkpoint& checkpoint() const { return check_; }

 private:
  IntegratorDescription chosen(RunSummary& summary) {
    IntegratorDescription description = scenario_.integrator;
    // Rows are made between steps, and so are writing, progress and Ctrl-C: no step is as long as a thousand rows.
    constexpr double most_rows = 1000.0;
    double longest = most_rows / scenario_.output.rate;
    if (const auto* automatic = std::get_if<integrators::Automatic>(&description.method)) {
      longest = std::min(longest, automatic->max_step.value_or(longest));
      const MethodChoice choice = choose_method(system_);
      description.method = choice.method;
      summary.reason = choice.reason;
      log(fmt::format("integrator {}: {}", type_name(choice.method), choice.reason));
    }
    std::visit(
        [&](auto& method) {
          if constexpr (requires { method.max_step; })
            method.max_step = std::min(method.max_step.value_or(longest), longest);
        },
        description.method);
    if (std::holds_alternative<integrators::Euler>(description.method))
      log("forward Euler is unstable for undamped vibration at every step: it is there to repeat what papers "
          "did. "
          "Take auto, or rk4");
    method_ = description.method;
    refuse_endless();
    return description;
  }

  // An explicit method takes steps as short as the fastest motion asks for, whether or not anything moves.
  void refuse_endless() {
    constexpr double most_steps = 1e10;  // about a day of the smallest arm
    const bool is_explicit = std::visit(
        []<typename Method>(const Method&) {
          return requires { Method::is_explicit; };
        },
        method_);
    if (!is_explicit) return;
    constexpr double stable = 3.0;  // step times rate
    const FastestMotion fastest = fastest_motion(system_);
    const double steps = scenario_.duration * fastest.rate / stable;
    if (!(steps > most_steps) || fastest.coordinate < 0) return;
    throw ComputationError(
        fmt::format("this run would not end: `{}` moves at {:.2g} rad/s, for which method {} needs {:.0e} "
                    "steps. Look at its "
                    "stiffness, {}mass and units; or take method radau, which need not follow it",
                    scenario_.model.coordinates()[static_cast<std::size_t>(fastest.coordinate)], fastest.rate,
                    type_name(method_), steps, fastest.creeps ? "damping, " : ""));
  }

  void log(const std::string& sentence) const {
    if (options_.log) options_.log(sentence);
  }

  void start() {
    Readings& readings = sampler_.instruments().readings();
    readings.expect_looks(scenario_.output.rate);
    readings.expect_look(scenario_.duration);
    if (options_.resume) {
      check_ = *options_.resume;
      if (readings.samples()) readings.restore(check_.readings);
      next_sample_ = readings.next_sample(check_.integrator.t);
      system_.enter_interval(0.5 * (check_.integrator.t + next_corner(check_.integrator.t)));
      last_ledger_ = sampler_.at(check_.integrator.t, check_.integrator.y, check_.start).ledger;
      return;
    }
    check_.integrator.y = system_.initial_state();
    VectorXd q = check_.integrator.y.head(system_.nq()),
             v = check_.integrator.y.segment(system_.nq(), system_.nv());
    const Energy<double> energy = system_.energy(q, v);
    check_.start = {energy.kinetic, energy.gravity, energy.strain, 0.0, 0.0, 0.0, 0.0};
    start_peaks(q);
  }

  void start_peaks(const VectorXd& q) {
    const std::vector<Peak> of_coordinates(static_cast<std::size_t>(scenario_.model.nv())),
        of_links(scenario_.model.links().size());
    RunPeaks& peaks = check_.peaks;
    for (auto* kind :
         {&peaks.deviation, &peaks.effort, &peaks.asked, &peaks.rate, &peaks.lowest, &peaks.highest})
      *kind = of_coordinates;
    peaks.deflection = peaks.slope = of_links;
    for (std::size_t c = 0; c < position_.size(); ++c)
      if (position_[c] >= 0) peaks.lowest[c].value = peaks.highest[c].value = q[position_[c]];
  }

  double next_corner(double t) const {
    const std::vector<double>& corners = system_.corners();
    const auto next = std::upper_bound(corners.begin(), corners.end(), t);
    return next == corners.end() ? scenario_.duration : *next;
  }
  bool is_corner(double t) const {
    return std::binary_search(system_.corners().begin(), system_.corners().end(), t);
  }

  // The time of row k; the last one is the end, whatever the rate, and no row is so near to it that only rounding can be
  // between them.
  double row_time(long k) const {
    const double t = static_cast<double>(k) / scenario_.output.rate;
    constexpr double rounding = 1e-6;  // of the distance of rows
    return t > scenario_.duration - rounding / scenario_.output.rate ? scenario_.duration : t;
  }

  // Steps pass over nothing that changes in an input, and end where an event is known to be.
  void limit_steps(Integrator& integrator, double corner) {
    const double t = check_.integrator.t;
    if (t >= pace_.until) pace_ = system_.pace(t);
    integrator.limit_steps(std::min({corner, pace_.until, event_ ? event_->t : corner}), pace_.longest);
  }

  void step(Integrator& integrator, double corner) {
    const long evaluations = system_.evaluations(), tangents = system_.tangents();
    const IntegratorStatistics before = integrator.statistics();
    try {
      integrator.step();
    } catch (const ComputationError& error) {
      explain(error.what());
    }
    if (!event_) event_ = events_.find(integrator, check_.integrator.t);
    if (!event_ || ends_by(event_->t, integrator)) {
      refuse_divergence(integrator);
      check_.integrator = integrator.state();
      if (options_.sample) emit_rows(integrator);
    }
    if (event_) go_on_by_event(integrator, corner);
    check_.steps += integrator.statistics().steps - before.steps;
    check_.rejected += integrator.statistics().rejected - before.rejected;
    check_.evaluations += system_.evaluations() - evaluations;
    check_.tangents += system_.tangents() - tangents;
  }
  // Whether the last step ends at an event, or before.
  bool ends_by(double event, Integrator& integrator) const {
    return integrator.state().t <= event || (event > check_.integrator.t && integrator.cut(event));
  }

  // At the event its modes change. Before it, the step is to be made again, or goes on, up to there.
  void go_on_by_event(Integrator& integrator, double corner) {
    const IntegratorState& state = check_.integrator;
    if (state.t < event_->t) {
      if (integrator.state().t > event_->t) integrator.start(state, event_->t);
      return;
    }
    events_.apply(*event_, state.y);
    event_.reset();
    if (state.t < corner) integrator.start(state, corner);
  }

  void emit_rows(Integrator& integrator) {
    // A row at a corner belongs to the interval that begins there.
    const double t = check_.integrator.t;
    const bool at_end = t >= scenario_.duration;
    while (row_time(check_.rows) < t || (row_time(check_.rows) == t && (!is_corner(t) || at_end))) {
      const double row = row_time(check_.rows);
      take_samples(integrator, row);
      integrator.interpolate(row, row_y_);
      emit(row, row_y_);
      if (row >= scenario_.duration) break;
    }
    take_samples(integrator, t);
    if (sampler_.instruments().readings().samples())
      sampler_.instruments().readings().write_state(check_.readings);
  }

  // ---- samples of instruments: before rows of the same time, and before the interval that begins at a corner ----

  void take_samples_at_start() {
    Instruments& instruments = sampler_.instruments();
    if (!instruments.readings().samples()) return;
    instruments.take(system_, 0.0, check_.integrator.y);
    next_sample_ = instruments.readings().next_sample(0.0);
  }

  void take_samples(Integrator& integrator, double until) {
    const double rounding = 1e-12 * scenario_.duration;
    Instruments& instruments = sampler_.instruments();
    while (next_sample_ <= until + rounding) {
      integrator.interpolate(std::min(next_sample_, until), row_y_);
      instruments.take(system_, next_sample_, row_y_);
      next_sample_ = instruments.readings().next_sample(next_sample_);
    }
  }

  void emit(double t, const VectorXd& y) {
    if (!options_.sample) {
      ++check_.rows;
      return;
    }
    const Sample& sample = sample_at(t, y);
    const Ledger& ledger = sample.ledger;
    check_.largest_error = std::max(check_.largest_error, std::abs(ledger.error));
    check_.energy_size = std::max(
        {check_.energy_size, ledger.kinetic + ledger.strain, std::abs(ledger.gravity - check_.start.gravity),
         std::abs(ledger.work_actuators), std::abs(ledger.work_loads), ledger.dissipated});
    note_peaks(sample);
    last_ledger_ = ledger;
    ++check_.rows;
    if (sink_) sink_->add(sample);
  }

  // What integrators do not ask for may fail too: definiteness, wrenches.
  const Sample& sample_at(double t, const VectorXd& y) {
    try {
      return sampler_.at(t, y, check_.start);
    } catch (const ComputationError& error) {
      throw ComputationError(fmt::format("at t = {:.6g} s: {}", t, error.what()));
    }
  }

  void note_peaks(const Sample& sample) {
    const Model& model = scenario_.model;
    RunPeaks& peaks = check_.peaks;
    for (const auto& controller : scenario_.controllers)
      for (const JointTarget& target : controller->targets()) {
        const double wanted = target.trajectory->at(sample.t).position;
        peaks.deviation[static_cast<std::size_t>(target.coordinate)].note(
            std::abs(wanted - sample.q[target.position]), sample.t);
      }
    for (int i = 0; i < model.nv(); ++i) {
      const auto c = static_cast<std::size_t>(i);
      peaks.effort[c].note(std::abs(sample.efforts[i]), sample.t);
      // A motor in its limit does not show what it was asked for; for what moves a prescribed joint nobody asked.
      for (const double effort : {sample.efforts[i], sample.asked[i]})
        peaks.asked[c].note_magnitude(effort, sample.t);
      peaks.rate[c].note(std::abs(sample.v[i]), sample.t);
      if (position_[c] < 0) continue;
      peaks.lowest[c].note_lower(sample.q[position_[c]], sample.t);
      peaks.highest[c].note(sample.q[position_[c]], sample.t);
    }
    for (std::size_t l = 0; l < model.links().size(); ++l) {
      const Link& link = model.links()[l];
      if (link.elastic_count == 0) continue;
      eta_ = sample.q.segment(link.elastic_q_index, link.elastic_count);
      const BeamNode& tip = link.nodes.front().field;
      peaks.deflection[l].note((tip.position<double>(eta_) - tip.r0()).tail<2>().norm(), sample.t);
      peaks.slope[l].note(tip.rotation_vector<double>(eta_).norm(), sample.t);
    }
  }

  // Numbers that are none, or beams bent by many times their length.
  void refuse_divergence(const Integrator& integrator) {
    const Model& model = scenario_.model;
    const VectorXd& y = integrator.state().y;
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
      if (worst >= 0 || !link.beam || link.elastic_count == 0) continue;
      eta_ = y.segment(link.elastic_q_index, link.elastic_count);
      const BeamNode& tip = link.nodes.front().field;
      const double deflection = (tip.position<double>(eta_) - tip.r0()).norm();
      if (deflection < most_lengths * link.beam->basis.length()) continue;
      Eigen::Index largest = 0;
      eta_.cwiseAbs().maxCoeff(&largest);
      worst = link.elastic_v_index + static_cast<int>(largest);
    }
    if (worst >= 0) refuse(integrator.state(), worst);
  }

  // Equations that could be solved at the start, and cannot be any more: the motion has run away.
  [[noreturn]] void explain(const std::string& reason) {
    const IntegratorState& state = check_.integrator;
    if (check_.steps == 0 || scenario_.model.nv() == 0)
      throw ComputationError(fmt::format("at t = {:.6g} s: {}", state.t, reason));
    const Model& model = scenario_.model;
    Eigen::Index fastest = 0;
    state.y.segment(model.nq(), model.nv()).cwiseAbs().maxCoeff(&fastest);
    if (fixed_step(method_)) refuse(state, static_cast<int>(fastest));
    throw ComputationError(fmt::format("at t = {:.6g} s: {}. `{}` moves at {:.3g} there{}", state.t, reason,
                                       model.coordinates()[static_cast<std::size_t>(fastest)],
                                       state.y[model.nq() + fastest], finding_of_formulation(state)));
  }

  // What the formulation itself finds wrong, there or before, as the end of a sentence.
  std::string finding_of_formulation(const IntegratorState& state) {
    try {
      sampler_.at(state.t, state.y, check_.start);
    } catch (const ComputationError& error) {
      return std::string(". ") + error.what();
    }
    const std::vector<std::string> doubts = system_.doubts();
    return doubts.empty() ? "" : ". " + doubts.front();
  }

  [[noreturn]] void refuse(const IntegratorState& state, int coordinate) {
    const Model& model = scenario_.model;
    VectorXd q = state.y.head(model.nq()), v = state.y.segment(model.nq(), model.nv());
    const Energy<double> energy = system_.energy(q, v);
    const bool fixed = fixed_step(method_) && !std::holds_alternative<integrators::GeneralizedAlpha>(method_);
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
        finding_of_formulation(state)));
  }

  void finish(RunSummary& summary, double started_at, double wall_s) {
    summary.last = check_;
    summary.ledger = last_ledger_;
    summary.end = check_.integrator.t;
    summary.wall_s = wall_s;
    summary.real_time_factor = wall_s > 0.0 ? (summary.end - started_at) / wall_s : 0.0;
    summary.q = check_.integrator.y.head(system_.nq());
    summary.v = check_.integrator.y.segment(system_.nq(), system_.nv());
    summary.doubts = system_.doubts();
    summary.ledger_is_off = ledger_is_off(check_);
    if (summary.ledger_is_off) log(ledger_warning(check_, summary.integrator));
  }

  Scenario& scenario_;
  const RunOptions& options_;
  ResultSink* sink_;
  System system_;
  IntegrationMethod method_ = {};  ///< chosen
  Sampler sampler_;
  std::vector<int> position_;  ///< in q, of each of nv; -1 where the joint has a quaternion
  Checkpoint check_;
  Ledger last_ledger_;
  Events events_;
  std::optional<Event> event_;  ///< found within a step, and not passed yet
  Pace pace_{-1.0, 0.0};        ///< of the inputs; until before the start: not known yet
  double next_sample_ = std::numeric_limits<double>::infinity();  ///< of an instrument
  VectorXd row_y_, eta_;
};

}  // namespace

RunSummary simulate(Scenario& scenario, ResultSink* sink, const RunOptions& options) {
  valid("simulate", scenario);
  require_finite(scenario.model, scenario.q, scenario.v);
  Run run(scenario, sink, options);
  try {
    return run.go();
  } catch (...) {
    if (options.last_good) *options.last_good = run.checkpoint();
    throw;
  }
}

std::vector<std::string> range_warnings(const Scenario& scenario, const RunPeaks& peaks) {
  const Model& model = scenario.model;
  std::vector<std::string> warnings;
  if (peaks.deflection.size() != model.links().size())
    return warnings;  // of a run that failed before its first row
  for (std::size_t l = 0; l < model.links().size(); ++l)
    if (const auto warning =
            deflection_warning(model.links()[l], peaks.deflection[l].value, peaks.slope[l].value))
      warnings.push_back(*warning);
  if (model.kinematics() != KinematicOrder::first || elastic_coordinates(model).empty()) return warnings;
  const double first = natural_modes(model, scenario.q, JointTreatment::locked, 1).angular_frequencies[0];
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      if (!link.joint.turns(j)) continue;
      const auto c = static_cast<std::size_t>(link.joint.v_index + j);
      if (const auto warning = spin_warning(model, model.coordinates()[c], peaks.rate[c].value, first))
        warnings.push_back(*warning);
    }
  return warnings;
}

}  // namespace limber
