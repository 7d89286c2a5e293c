// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "limber/algorithms/beam_state.hpp"
#include "limber/algorithms/finite.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/analysis/range.hpp"
#include "limber/analysis/stress.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/lookup.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "sampler.hpp"
#include "stepper.hpp"
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
        instruments_(scenario),
        sampler_(scenario, system_, instruments_),
        position_(positions_of_coordinates(scenario.model)),
        // Rows are made between steps, and so are writing, progress and Ctrl-C: no step is as long as a thousand rows.
        chosen_(choose_integrator(scenario, system_, 1000.0 / scenario.output.rate, options.log)),
        stepper_(scenario, system_, instruments_, chosen_.description) {}

  RunSummary go() {
    const auto begin = Clock::now();
    RunSummary summary;
    summary.integrator = stepper_.method_name();
    summary.reason = chosen_.reason;
    if (sink_) sink_->begin({chosen_.description.method, summary.reason});
    start();
    const double wall_before = check_.wall_s;
    const double started_at = check_.integrator.t;

    if (check_.rows == 0) {
      stepper_.enter();
      emit(0.0, check_.integrator.y);
    }
    while (check_.integrator.t < scenario_.duration && summary.finished) {
      step();
      check_.wall_s = wall_before + seconds_since(begin);
      if (sink_) sink_->step(check_);
      if (options_.progress && !options_.progress({check_.integrator.t, scenario_.duration,
                                                   check_.wall_s - wall_before, check_.steps}))
        summary.finished = false;
      if (stepper_.has_stopped()) {
        summary.stopped_by = stepper_.occurrences().back();
        break;
      }
    }
    summary.occurrences = stepper_.occurrences();
    if (std::holds_alternative<integrators::Rkmk4>(chosen_.description.method))
      summary.constraint_violation = {stepper_.statistics().largest_gap, stepper_.statistics().largest_turn};
    finish(summary, started_at, seconds_since(begin));
    return summary;
  }

  const Checkpoint& checkpoint() const { return check_; }

 private:
  void log(const std::string& sentence) const {
    if (options_.log) options_.log(sentence);
  }

  void start() {
    if (options_.sample && !instruments_.empty()) {
      instruments_.readings().expect_looks(scenario_.output.rate);
      instruments_.readings().expect_look(scenario_.duration);
    }
    if (options_.resume) {
      check_ = *options_.resume;
      last_row_ = check_.integrator.t;
      stepper_.begin(check_.integrator, check_.readings);
      system_.enter_interval(0.5 * (check_.integrator.t + system_.next_corner(check_.integrator.t)));
      last_ledger_ = sampler_.at(check_.integrator.t, check_.integrator.y, check_.start).ledger;
      return;
    }
    check_.integrator.y = system_.initial_state();
    VectorXd q = check_.integrator.y.head(system_.nq()),
             v = check_.integrator.y.segment(system_.nq(), system_.nv());
    const Energy<double> energy = system_.energy(q, v);
    check_.start = {energy.kinetic, energy.gravity, energy.strain, 0.0, 0.0, 0.0, 0.0};
    start_peaks(q);
    stepper_.begin(check_.integrator);
  }

  void start_peaks(const VectorXd& q) {
    const std::vector<Peak> of_coordinates(static_cast<std::size_t>(scenario_.model.nv()) +
                                           scenario_.model.cylinders().size()),
        of_links(scenario_.model.links().size());
    RunPeaks& peaks = check_.peaks;
    for (auto* kind :
         {&peaks.deviation, &peaks.effort, &peaks.asked, &peaks.rate, &peaks.lowest, &peaks.highest})
      *kind = of_coordinates;
    peaks.deflection = peaks.slope = of_links;
    if (has_segments(scenario_.model))
      peaks.whole_deflection = peaks.whole_slope = std::vector<Peak>(whole_links(scenario_.model).size());
    for (std::size_t c = 0; c < position_.size(); ++c)
      if (position_[c] >= 0) peaks.lowest[c].value = peaks.highest[c].value = q[position_[c]];
    if (scenario_.model.cylinders().empty()) return;
    Struts struts(scenario_.model);
    struts.update(q, VectorXd::Zero(scenario_.model.nv()));
    for (int i = 0; i < struts.count(); ++i) {
      const auto c = static_cast<std::size_t>(scenario_.model.nv() + i);
      peaks.lowest[c].value = peaks.highest[c].value = struts.lengths()[i];
    }
  }

  // The time of row k; the last one is the end, whatever the rate, and no row is so near to it that only rounding can be
  // between them.
  double row_time(long k) const {
    const double t = static_cast<double>(k) / scenario_.output.rate;
    constexpr double rounding = 1e-6;  // of the distance of rows
    return t > scenario_.duration - rounding / scenario_.output.rate ? scenario_.duration : t;
  }

  void step() {
    const long evaluations = system_.evaluations(), tangents = system_.tangents();
    const IntegratorStatistics before = stepper_.statistics();
    stepper_.step(scenario_.duration);
    check_.integrator = stepper_.state();
    for (; noted_ < stepper_.notes().size(); ++noted_) check_.notes.push_back(stepper_.notes()[noted_]);
    if (options_.sample) emit_rows();
    if (instruments_.readings().samples()) instruments_.readings().write_state(check_.readings);
    check_.steps += stepper_.statistics().steps - before.steps;
    check_.rejected += stepper_.statistics().rejected - before.rejected;
    check_.evaluations += system_.evaluations() - evaluations;
    check_.tangents += system_.tangents() - tangents;
  }

  void emit_rows() {
    // A row at a corner belongs to the interval that begins there.
    const double t = check_.integrator.t;
    const bool at_end = t >= scenario_.duration;
    const bool is_open = at_end || !stepper_.is_at_corner();
    while (row_time(check_.rows) < t || (row_time(check_.rows) == t && is_open)) {
      const double row = row_time(check_.rows);
      stepper_.interpolate(row, row_y_);
      emit(row, row_y_);
      if (row >= scenario_.duration) break;
    }
    // Where a run is stopped it has its last row.
    if (stepper_.has_stopped() && last_row_ < t) emit(t, check_.integrator.y);
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
    last_row_ = t;
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
        const int cylinder = target.coordinate - model.nv();
        const double found = cylinder < 0 ? sample.q[target.position]
                                          : sample.cylinders[static_cast<std::size_t>(cylinder)].length;
        peaks.deviation[static_cast<std::size_t>(target.coordinate)].note(std::abs(wanted - found), sample.t);
      }
    for (std::size_t i = 0; i < sample.cylinders.size(); ++i) {
      const CylinderState& cylinder = sample.cylinders[i];
      const std::size_t c = static_cast<std::size_t>(model.nv()) + i;
      peaks.effort[c].note(std::abs(cylinder.force), sample.t);
      peaks.asked[c].note_magnitude(cylinder.asked, sample.t);
      peaks.rate[c].note(std::abs(cylinder.rate), sample.t);
      peaks.lowest[c].note_lower(cylinder.length, sample.t);
      peaks.highest[c].note(cylinder.length, sample.t);
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
      peaks.deflection[l].note(counted_deflection(link, tip.position<double>(eta_) - tip.r0()), sample.t);
      peaks.slope[l].note(tip.rotation_vector<double>(eta_).norm(), sample.t);
    }
    if (sampler_.sections()) sampler_.sections()->note_peaks(sample.t, peaks);
    if (!peaks.whole_deflection.empty()) note_whole_links(sample);
  }

  void note_whole_links(const Sample& sample) {
    const std::vector<WholeLink> whole = whole_links(scenario_.model);
    for (std::size_t w = 0; w < whole.size(); ++w) {
      const TipState tip = tip_state(scenario_.model, whole[w], sample.q);
      check_.peaks.whole_deflection[w].note(
          counted_deflection(scenario_.model.links()[static_cast<std::size_t>(whole[w].first)],
                             tip.deflection),
          sample.t);
      check_.peaks.whole_slope[w].note(tip.slope.norm(), sample.t);
    }
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
  Instruments instruments_;
  Sampler sampler_;
  std::vector<int> position_;  ///< in q, of each of nv; -1 where the joint has a quaternion
  ChosenMethod chosen_;
  Stepper stepper_;
  Checkpoint check_;
  Ledger last_ledger_;
  double last_row_ = -1.0;  ///< its time
  std::size_t noted_ = 0;   ///< of the stepper's notes
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

std::vector<LinkPeaks> link_peaks(const Model& model, const RunPeaks& peaks) {
  std::vector<LinkPeaks> all;
  if (peaks.deflection.size() != model.links().size()) return all;
  const std::vector<WholeLink> whole = whole_links(model);
  const bool is_cut = peaks.whole_deflection.size() == whole.size();
  for (std::size_t w = 0; w < whole.size(); ++w) {
    const auto first = static_cast<std::size_t>(whole[w].first);
    if (model.links()[first].elastic_count == 0) continue;
    all.push_back({whole[w].name, is_cut ? peaks.whole_deflection[w] : peaks.deflection[first],
                   is_cut ? peaks.whole_slope[w] : peaks.slope[first]});
  }
  return all;
}

std::vector<std::string> range_warnings(const Scenario& scenario, const RunPeaks& peaks) {
  const Model& model = scenario.model;
  std::vector<std::string> warnings;
  if (peaks.deflection.size() != model.links().size())
    return warnings;  // of a run that failed before its first row
  std::vector<double> deflections, slopes;
  for (const Peak& peak : peaks.deflection) deflections.push_back(peak.value);
  for (const Peak& peak : peaks.slope) slopes.push_back(peak.value);
  warnings = deflection_warnings(model, deflections, slopes);
  for (std::size_t l = 0; l < peaks.stress.size() && l < model.links().size(); ++l)
    if (const auto warning = strength_warning(model.links()[l], peaks.stress[l].value,
                                              fmt::format("at t = {:.6g} s", peaks.stress[l].time)))
      warnings.push_back(*warning);
  if (!lacks_stiffening(model) || elastic_coordinates(model).empty()) return warnings;
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
