// SPDX-License-Identifier: BSD-3-Clause
#include "run_measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "channels.hpp"
#include "documents.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/io/study_choices.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "limber/simulation/metrics.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {
namespace {

const std::vector<std::string> run_metrics = {"settling_time", "residual_vibration",  "targets_end",
                                              "way",           "largest_utilisation", "energy"};
const std::vector<std::string> joint_metrics = {"settling_time",   "overshoot",     "peak_effort",
                                                "rms_effort",      "energy",        "position_margin",
                                                "velocity_margin", "effort_margin", "utilisation"};

bool is_among(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// As RunMetrics::named calls it; empty: it is no metric.
std::string metric_of(std::string name) {
  constexpr std::string_view prefix = "metrics.";
  if (name.starts_with(prefix)) name.erase(0, prefix.size());
  const std::size_t dot = name.rfind('.');
  const std::string last = dot == std::string::npos ? name : name.substr(dot + 1);
  const bool is_of_joint = name.starts_with("joints.") && is_among(last, joint_metrics);
  const bool is_of_link = name.starts_with("links.") && last == "largest_deflection";
  return is_among(name, run_metrics) || is_of_joint || is_of_link ? name : "";
}

/// What stands between the first and the last dot.
std::string middle(const std::string& name) {
  const std::size_t first = name.find('.'), last = name.rfind('.');
  return first == last ? "" : name.substr(first + 1, last - first - 1);
}

void check_metric(const std::string& metric, const std::string& path, const Model& model,
                  std::vector<Problem>& problems) {
  const std::string owner = middle(metric);
  if (owner.empty()) return;
  std::vector<std::string> names = model.coordinates();
  if (metric.starts_with("links.")) {
    names.clear();
    for (const WholeLink& link : whole_links(model))
      if (model.links()[static_cast<std::size_t>(link.first)].elastic_count > 0) names.push_back(link.name);
  }
  if (!is_among(owner, names))
    problems.push_back({path, metric.starts_with("links.") ? "a link that bends" : "a coordinate of a joint",
                        show_text(owner), suggestion(owner, names, "names")});
}

}  // namespace

RunMeasures::RunMeasures(const StudyDescription& study) : study_(study) {
  for (std::size_t i = 0; i < study.measure.size(); ++i) {
    if (study.task_of(study.measure[i]) != StudyTask::simulate) continue;
    measures_.push_back(source_of(study.measure[i].of, fmt::format("measure[{}].of", i)));
    measures_.back().measure = i;
  }
  if (!study.histories) return;
  for (const std::string& name : study.histories->of) {
    histories_.push_back(source_of(name, "histories.of"));
    histories_.back().metric.clear();
  }
}

RunMeasures::Source RunMeasures::source_of(const std::string& name, std::string path) {
  if (std::string metric = metric_of(name); !metric.empty() && !path.starts_with("histories"))
    return {std::move(path), std::move(metric), 0};
  const auto found = std::find(channels_.begin(), channels_.end(), name);
  const auto channel = static_cast<std::size_t>(found - channels_.begin());
  if (found == channels_.end()) channels_.push_back(name);
  return {std::move(path), "", channel};
}

std::vector<Problem> RunMeasures::problems(const Scenario& scenario) const {
  std::vector<Problem> all;
  for (const Source& source : measures_) {
    if (source.metric.empty()) continue;
    check_metric(source.metric, source.path, scenario.model, all);
    if (const auto what = study_.measure[source.measure].what)
      all.push_back({fmt::format("measure[{}].what", source.measure), "nothing: a metric is one number",
                     choice_name(*what), "leave it out"});
  }
  try {
    const Channels attempt(scenario, channels_);
  } catch (const InputError& error) {
    for (Problem problem : error.problems()) {
      // names[i]: of whom?
      const auto channel =
          static_cast<std::size_t>(std::stoul(problem.path.substr(problem.path.find('[') + 1)));
      for (const auto* sources : {&measures_, &histories_})
        for (const Source& source : *sources)
          if (source.metric.empty() && source.channel == channel) {
            problem.path = source.path;
            all.push_back(problem);
          }
    }
  }
  return all;
}

bool RunMeasures::needs_wrenches() const {
  return std::any_of(channels_.begin(), channels_.end(),
                     [](const std::string& name) { return name.starts_with("wrench."); });
}

std::vector<double> RunMeasures::run(Scenario& scenario) const {
  Channels channels(scenario, channels_);
  const bool has_metrics = std::any_of(measures_.begin(), measures_.end(),
                                       [](const Source& source) { return !source.metric.empty(); });
  std::optional<MetricsRecorder> recorder;
  if (has_metrics) recorder.emplace(scenario, &channels);
  RunOptions options;
  options.progress = [](const Progress&) { return !is_stop_asked_for(); };
  ResultSink* const sink = recorder ? static_cast<ResultSink*>(&*recorder) : &channels;
  const RunSummary summary = simulate(scenario, sink, options);
  if (!summary.finished) throw Interrupted();

  std::map<std::string, double> metrics;
  if (recorder)
    for (const auto& [name, value] : recorder->metrics(summary.last.peaks).named()) metrics[name] = value;
  std::vector<double> numbers(study_.measure.size(), std::numeric_limits<double>::quiet_NaN());
  for (const Source& source : measures_) {
    if (source.metric.empty()) {
      const MeasureKind what = study_.measure[source.measure].what.value_or(MeasureKind::final);
      numbers[source.measure] = reduced(what, channels.values(source.channel), channels.times());
    } else if (const auto found = metrics.find(source.metric); found != metrics.end()) {
      numbers[source.measure] = found->second;
    } else {
      throw ComputationError(fmt::format(
          "this run has no `{}`: it does not move, its targets do not end, or a joint has no limits",
          source.metric));
    }
  }
  const auto points = static_cast<std::size_t>(study_.histories ? study_.histories->points : 0);
  for (const Source& source : histories_) {
    const std::vector<double>& values = channels.values(source.channel);
    for (std::size_t j = 0; j < points; ++j)
      numbers.push_back(values[(j * (values.size() - 1) + (points - 1) / 2) / (points - 1)]);
  }
  return numbers;
}

}  // namespace limber
