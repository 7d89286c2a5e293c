// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/summary_text.hpp"

#include <iterator>
#include <nlohmann/json.hpp>

#include "limber/analysis/stress.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// CONTRACT names the first ones; a number that there is none of is null.
Json metrics_json(const RunMetrics& metrics) {
  Json joints = Json::object(), links = Json::object();
  for (const JointMetrics& joint : metrics.joints)
    joints[joint.name] = {{"settling_time", or_null(joint.settling_time)},
                          {"overshoot", or_null(joint.overshoot)},
                          {"peak_effort", joint.peak_effort},
                          {"rms_effort", joint.rms_effort},
                          {"energy", joint.energy},
                          {"position_margin", or_null(joint.position_margin)},
                          {"velocity_margin", or_null(joint.velocity_margin)},
                          {"effort_margin", or_null(joint.effort_margin)},
                          {"utilisation", or_null(joint.utilisation)}};
  for (const auto& [link, deflection] : metrics.largest_deflection)
    links[link] = {{"largest_deflection", deflection}};
  for (const BeamMetrics& beam : metrics.beams) {
    Json& link = links[beam.link];
    link["largest_stress"] = beam.largest_stress;
    link["largest_stress_time"] = beam.time;
    link["utilisation"] = or_null(beam.utilisation);
    link["damage"] = or_null(beam.damage);
    link["largest_stress_range"] = or_null(beam.largest_range);
  }
  return {{"settling_time", or_null(metrics.settling_time)},
          {"residual_vibration", or_null(metrics.residual_vibration)},
          {"largest_utilisation", or_null(metrics.largest_utilisation)},
          {"targets_end", or_null(metrics.targets_end)},
          {"way", metrics.way},
          {"energy", metrics.energy},
          {"joints", joints},
          {"links", links}};
}

Json events_json(const std::vector<Occurrence>& occurrences) {
  Json list = Json::array();
  for (const Occurrence& occurrence : occurrences)
    list.push_back({{"time", occurrence.t}, {"name", occurrence.name}});
  return list;
}

Json json_of(const Peak& peak) { return {{"value", peak.value}, {"time", peak.time}}; }

Json peaks_json(const Model& model, const RunPeaks& peaks) {
  Json deflections = Json::object(), deviations = Json::object(), efforts = Json::object();
  for (const LinkPeaks& link : link_peaks(model, peaks)) deflections[link.name] = json_of(link.deflection);
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      const auto i = static_cast<std::size_t>(link.joint.v_index + j);
      const std::string& name = model.coordinates()[i];
      if (peaks.deviation[i].value > 0.0) deviations[name] = json_of(peaks.deviation[i]);
      efforts[name] = json_of(peaks.effort[i]);
    }
  for (std::size_t k = 0; k < model.cylinders().size(); ++k) {
    const std::size_t i = static_cast<std::size_t>(model.nv()) + k;
    const std::string& name = model.cylinders()[k].name;
    if (peaks.deviation[i].value > 0.0) deviations[name] = json_of(peaks.deviation[i]);
    efforts[name] = json_of(peaks.effort[i]);
  }
  Json peaks_by_name = {{"deviation", deviations}, {"effort", efforts}, {"tip_deflection", deflections}};
  for (std::size_t l = 0; l < model.links().size() && !peaks.section_forces.empty(); ++l) {
    if (!model.links()[l].beam) continue;
    for (std::size_t i = 0; i < std::size(section_force_names); ++i)
      peaks_by_name["section_forces"][model.links()[l].name][section_force_names[i]] =
          json_of(peaks.section_forces[6 * l + i]);
    if (has_stress(model.links()[l]))
      peaks_by_name["stress"][model.links()[l].name] = json_of(peaks.stress[l]);
  }
  return peaks_by_name;
}

Json energy_json(const RunSummary& run) {
  const Checkpoint& c = run.last;
  const Ledger& e = run.ledger;
  return {
      {"work", e.work_actuators + e.work_loads},
      {"kinetic", e.kinetic},
      {"gravity", e.gravity},
      {"strain", e.strain},
      {"dissipated", e.dissipated},
      {"friction", e.friction},
      {"error", c.largest_error},
      {"error_relative", c.energy_size > 0.0 ? c.largest_error / c.energy_size : 0.0},
      {"work_actuators", e.work_actuators},
      {"work_loads", e.work_loads},
      {"initial", {{"kinetic", c.start.kinetic}, {"gravity", c.start.gravity}, {"strain", c.start.strain}}}};
}

Json numbers(const Eigen::VectorXd& vector) { return std::vector<double>(vector.begin(), vector.end()); }

}  // namespace

std::string summary_text(const Model& model, const RunSummary& run, const RunMetrics& metrics,
                         const std::string& status) {
  const Checkpoint& c = run.last;
  Json document = {{"name", model.name()}, {"status", status}};
  if (c.rows > 0) {
    document.update({{"integrator", run.integrator},
                     {"reason", run.reason},
                     {"end", run.end},
                     {"rows", c.rows},
                     {"steps", c.steps},
                     {"rejected_steps", c.rejected},
                     {"rhs_evaluations", c.evaluations},
                     {"jacobian_evaluations", c.tangents},
                     {"wall_s", run.wall_s},
                     {"real_time_factor", run.real_time_factor},
                     {"energy", energy_json(run)},
                     {"coordinates", model.coordinates()},
                     {"final", {{"q", numbers(run.q)}, {"v", numbers(run.v)}}},
                     {"peaks", peaks_json(model, c.peaks)},
                     {"metrics", metrics_json(metrics)},
                     {"events", events_json(run.occurrences)}});
    if (run.stopped_by)
      document["stopped_by"] = {{"time", run.stopped_by->t}, {"name", run.stopped_by->name}};
    if (const auto& violation = run.constraint_violation)
      document["constraint_violation"] = {{"position", violation->position},
                                          {"rotation", violation->rotation}};
  }
  // Names need not be UTF-8.
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace limber
