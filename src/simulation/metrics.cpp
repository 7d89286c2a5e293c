// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/model/coordinates.hpp"

namespace limber {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double settled = 0.01;  ///< of the way
constexpr double no_way = 1e-9;   ///< [m or rad]: what stays where it is does not settle
constexpr double infinity = std::numeric_limits<double>::infinity();

// Whether it goes on after a time. Between corners a trajectory is smooth, so that one that moves does so at almost all of a few times.
bool moves_after(const Trajectory& trajectory, double t, double end) {
  constexpr int looks = 7;
  for (int i = 1; i <= looks; ++i)
    if (trajectory.at(t + (end - t) * i / looks).velocity != 0.0) return true;
  return false;
}

// When all targets and signals of controllers, and those of prescribed joints, have come to rest; infinity: some go on to the end.
double end_of_targets(const Scenario& scenario) {
  double end = 0.0;
  const auto look = [&](const TrajectoryPointer& trajectory) {
    double last = 0.0;
    for (const double corner : trajectory->corners()) last = std::max(last, corner);
    end = std::max(end, moves_after(*trajectory, last, scenario.duration) ? infinity : last);
  };
  for (const auto& controller : scenario.controllers)
    for (const TrajectoryPointer& signal : controller->signals()) look(signal);
  for (const JointTarget& target : scenario.prescribed) look(target.trajectory);
  return end;
}

}  // namespace

MetricsRecorder::MetricsRecorder(const Scenario& scenario, ResultSink* next)
    : model_(scenario.model),
      next_(next),
      targets_end_(end_of_targets(scenario)),
      lowest_(Vector3d::Constant(infinity)),
      highest_(Vector3d::Constant(-infinity)) {
  const std::vector<int> position = positions_of_coordinates(scenario.model);
  const std::vector<JointTarget> targets = joint_targets(scenario);
  for (const Link& link : model_.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      const int c = link.joint.v_index + j;
      const auto of = std::find_if(targets.begin(), targets.end(),
                                   [&](const JointTarget& target) { return target.coordinate == c; });
      Watched joint{&link.joint.limits, c, position[static_cast<std::size_t>(c)], nullptr};
      if (of != targets.end()) joint.target = of->trajectory;
      joint.lowest = infinity;
      joint.highest = -infinity;
      watched_.push_back(std::move(joint));
    }
  if (!scenario.output.section_forces) return;
  Eigen::Index first = 0;
  for (std::size_t l = 0; l < model_.links().size(); ++l) {
    const Link& link = model_.links()[l];
    if (!link.beam) continue;
    if (link.beam->sn_curve && has_stress(link)) {
      Fatigue fatigue{static_cast<int>(l), first, *link.beam->sn_curve,
                      stress_factors(*link.beam->basis.profile().geometry_at(0.0))};
      fatigue.counters.resize(fatigue.root.fibres.size());
      fatigue.damage.resize(fatigue.root.fibres.size());
      fatigue.largest_range.resize(fatigue.root.fibres.size());
      fatigue_.push_back(std::move(fatigue));
    }
    first += 6L * scenario.output.section_points;
  }
}

void MetricsRecorder::begin(const MethodChoice& choice) {
  if (next_) next_->begin(choice);
}

void MetricsRecorder::step(const Checkpoint& checkpoint) {
  if (next_) next_->step(checkpoint);
}

void MetricsRecorder::add(const Sample& sample) {
  note(sample.t, sample.q, sample.v, sample.efforts, sample.end_effector_position);
  note_sections(sample.section_forces);
  if (next_) next_->add(sample);
}

void MetricsRecorder::note(double t, const VectorXd& q, const VectorXd& v, const VectorXd& efforts,
                           const Vector3d& end_effector) {
  const bool is_first = times_.empty();
  const double half = is_first ? 0.0 : 0.5 * (t - times_.back());
  for (Watched& joint : watched_) {
    const int c = joint.coordinate;
    const double effort = efforts[c], power = std::abs(effort * v[c]);
    joint.peak_effort = std::max(joint.peak_effort, std::abs(effort));
    joint.peak_speed = std::max(joint.peak_speed, std::abs(v[c]));
    if (!is_first) {
      const double before = last_efforts_[c];
      joint.effort_squared += half * (before * before + effort * effort);
      joint.energy += half * (std::abs(before * last_v_[c]) + power);
    }
    if (joint.position < 0) continue;
    joint.lowest = std::min(joint.lowest, q[joint.position]);
    joint.highest = std::max(joint.highest, q[joint.position]);
    if (joint.target) joint.positions.push_back(q[joint.position]);
  }
  if (t >= targets_end_) {
    lowest_ = lowest_.cwiseMin(end_effector);
    highest_ = highest_.cwiseMax(end_effector);
  }
  times_.push_back(t);
  path_.push_back(end_effector);
  last_v_ = v;
  last_efforts_ = efforts;
}

void MetricsRecorder::note_sections(const Input<double>& section_forces) {
  if (section_forces.size() == 0) return;
  for (Fatigue& beam : fatigue_) {
    const Vector6<double> root = section_forces.segment<6>(beam.first);
    for (std::size_t i = 0; i < beam.counters.size(); ++i) {
      closed_.clear();
      beam.counters[i].add(normal_stress(beam.root, root, beam.root.fibres[i]), closed_);
      for (const StressCycle& cycle : closed_) {
        beam.damage[i] += miner_damage(cycle, beam.curve);
        beam.largest_range[i] = std::max(beam.largest_range[i], cycle.range);
      }
    }
  }
}

void MetricsRecorder::finish_beams(const RunPeaks& peaks, RunMetrics& all) const {
  const std::vector<Link>& links = model_.links();
  for (std::size_t l = 0; l < links.size() && l < peaks.stress.size(); ++l) {
    if (!has_stress(links[l])) continue;
    BeamMetrics beam;
    beam.link = links[l].name;
    beam.largest_stress = peaks.stress[l].value;
    beam.time = peaks.stress[l].time;
    if (links[l].beam->strength) {
      beam.utilisation = beam.largest_stress / *links[l].beam->strength;
      all.largest_utilisation = std::max(all.largest_utilisation.value_or(0.0), *beam.utilisation);
    }
    for (const Fatigue& fatigue : fatigue_) {
      if (fatigue.link != static_cast<int>(l)) continue;
      for (std::size_t i = 0; i < fatigue.counters.size(); ++i) {
        double damage = fatigue.damage[i], range = fatigue.largest_range[i];
        for (const StressCycle& cycle : fatigue.counters[i].rest()) {
          damage += miner_damage(cycle, fatigue.curve);
          range = std::max(range, cycle.range);
        }
        if (beam.damage && damage <= *beam.damage) continue;
        beam.damage = damage;
        beam.largest_range = range;
      }
    }
    all.beams.push_back(std::move(beam));
  }
}

std::optional<double> MetricsRecorder::settling_time(const std::vector<double>& distances, double way) const {
  if (!(way > no_way)) return std::nullopt;
  for (std::size_t i = distances.size(); i-- > 0;)
    if (distances[i] > settled * way) return times_[i];
  return times_.front();
}

std::optional<double> MetricsRecorder::utilisation(const Watched& joint) {
  std::optional<double> largest;
  const auto look = [&](double used, double limit) {
    if (limit > 0.0) largest = std::max(largest.value_or(0.0), used / limit);
  };
  const JointLimits& limits = *joint.limits;
  if (limits.effort) look(joint.peak_effort, *limits.effort);
  if (limits.velocity) look(joint.peak_speed, *limits.velocity);
  if (joint.position >= 0 && limits.lower && limits.upper) {
    const double middle = 0.5 * (*limits.lower + *limits.upper);
    look(std::max(joint.highest - middle, middle - joint.lowest), *limits.upper - middle);
  }
  return largest;
}

void MetricsRecorder::finish_joint(const Watched& joint, JointMetrics& metrics) const {
  const double duration = times_.back() - times_.front();
  metrics.peak_effort = joint.peak_effort;
  metrics.rms_effort = duration > 0.0 ? std::sqrt(joint.effort_squared / duration) : joint.peak_effort;
  metrics.energy = joint.energy;
  const JointLimits& limits = *joint.limits;
  if (joint.position >= 0 && (limits.lower || limits.upper))
    metrics.position_margin = std::min(limits.lower ? joint.lowest - *limits.lower : infinity,
                                       limits.upper ? *limits.upper - joint.highest : infinity);
  if (limits.velocity) metrics.velocity_margin = *limits.velocity - joint.peak_speed;
  if (limits.effort) metrics.effort_margin = *limits.effort - joint.peak_effort;
  metrics.utilisation = utilisation(joint);
  if (!joint.target || joint.positions.empty()) return;
  const double start = joint.positions.front(), end = joint.positions.back();
  const double wanted = joint.target->at(times_.back()).position;
  std::vector<double> distances;
  for (const double position : joint.positions) distances.push_back(std::abs(position - end));
  metrics.settling_time = settling_time(distances, std::abs(end - start));
  if (std::abs(wanted - start) > no_way)
    metrics.overshoot = std::max(0.0, wanted > start ? joint.highest - wanted : wanted - joint.lowest);
}

RunMetrics MetricsRecorder::metrics(const RunPeaks& peaks) const {
  RunMetrics all;
  if (targets_end_ < infinity) all.targets_end = targets_end_;
  for (const Watched& joint : watched_) {
    JointMetrics metrics;
    metrics.name = model_.coordinates()[static_cast<std::size_t>(joint.coordinate)];
    if (!times_.empty()) finish_joint(joint, metrics);
    all.energy += metrics.energy;
    if (metrics.utilisation)
      all.largest_utilisation = std::max(all.largest_utilisation.value_or(0.0), *metrics.utilisation);
    all.joints.push_back(std::move(metrics));
  }
  for (const LinkPeaks& link : link_peaks(model_, peaks))
    all.largest_deflection.emplace_back(link.name, link.deflection.value);
  finish_beams(peaks, all);
  if (times_.empty()) return all;
  all.way = (path_.back() - path_.front()).norm();
  std::vector<double> distances;
  for (const Vector3d& place : path_) distances.push_back((place - path_.back()).norm());
  all.settling_time = settling_time(distances, all.way);
  if (times_.back() > targets_end_) all.residual_vibration = (highest_ - lowest_).maxCoeff();
  return all;
}

std::vector<std::pair<std::string, double>> RunMetrics::named() const {
  std::vector<std::pair<std::string, double>> list;
  const auto add = [&](std::string name, const std::optional<double>& value) {
    if (value) list.emplace_back(std::move(name), *value);
  };
  add("settling_time", settling_time);
  add("residual_vibration", residual_vibration);
  add("largest_utilisation", largest_utilisation);
  add("targets_end", targets_end);
  add("way", way);
  add("energy", energy);
  for (const JointMetrics& joint : joints) {
    const std::string of = "joints." + joint.name + ".";
    add(of + "settling_time", joint.settling_time);
    add(of + "overshoot", joint.overshoot);
    add(of + "peak_effort", joint.peak_effort);
    add(of + "rms_effort", joint.rms_effort);
    add(of + "energy", joint.energy);
    add(of + "position_margin", joint.position_margin);
    add(of + "velocity_margin", joint.velocity_margin);
    add(of + "effort_margin", joint.effort_margin);
    add(of + "utilisation", joint.utilisation);
  }
  for (const auto& [link, deflection] : largest_deflection)
    add("links." + link + ".largest_deflection", deflection);
  for (const BeamMetrics& beam : beams) {
    const std::string of = "links." + beam.link + ".";
    add(of + "largest_stress", beam.largest_stress);
    add(of + "utilisation", beam.utilisation);
    add(of + "damage", beam.damage);
    add(of + "largest_stress_range", beam.largest_range);
  }
  return list;
}

}  // namespace limber
