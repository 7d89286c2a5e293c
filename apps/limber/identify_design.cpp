// SPDX-License-Identifier: BSD-3-Clause
#include "identify_design.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json_numbers.hpp"
#include "limber/identification/experiment_design.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

Json settings_json(const Settings& settings) {
  Json all = Json::object();
  for (const Setting& one : settings) all[one.path] = one.value;
  return all;
}

Json candidate_json(const CandidateExperiment& one, const ExperimentDesign& found) {
  Json errors = Json::object();
  for (std::size_t j = 0; j < found.parameters.size(); ++j)
    if (one.trouble.empty())
      errors[found.parameters[j].path] = finite_or_null(one.standard_errors[static_cast<Eigen::Index>(j)]);
  Json json = {{"name", one.name},
               {"scenario", one.scenario},
               {"set", settings_json(one.settings)},
               {"log_det", finite_or_null(one.log_determinant)},
               {"standard_errors", errors},
               {"keeps_limits", one.keeps_limits}};
  if (!one.trouble.empty()) json["trouble"] = one.trouble;
  return json;
}

Json design_json(const ExperimentDesign& found) {
  Json parameters = Json::object(), candidates = Json::array(), values = Json::object(),
       correlation = Json::array(), paths = Json::array(), unclear = Json::array();
  for (const ExpectedParameter& one : found.parameters) {
    paths.push_back(one.path);
    parameters[one.path] = {{"value", one.value}, {"standard_error", finite_or_null(one.standard_error)}};
  }
  for (Eigen::Index i = 0; i < found.correlation.rows(); ++i) {
    Json row = Json::array();
    for (const double value : found.correlation.row(i)) row.push_back(finite_or_null(value));
    correlation.push_back(row);
  }
  for (const CandidateExperiment& one : found.candidates) candidates.push_back(candidate_json(one, found));
  for (const DesignedValue& one : found.values)
    values[one.path] = {{"value", one.value}, {"start", one.start}};
  for (const UnclearDirection& one : found.unclear) {
    Json direction = Json::object();
    for (std::size_t j = 0; j < found.parameters.size(); ++j)
      direction[found.parameters[j].path] = one.direction[static_cast<Eigen::Index>(j)];
    unclear.push_back(
        {{"standard_deviation", finite_or_null(one.standard_deviation)}, {"direction", direction}});
  }
  Json json = {{"log_det", finite_or_null(found.log_determinant)},
               {"parameters", parameters},
               {"correlation", correlation},
               {"correlation_of", paths},
               {"chosen", found.chosen},
               {"candidates", candidates},
               {"values", values},
               {"evaluations", found.evaluations},
               {"unidentified", unclear}};
  if (found.measured_log_determinant)
    json["measured_log_det"] = finite_or_null(*found.measured_log_determinant);
  if (!found.end.empty()) json["end"] = found.end;
  return json;
}

std::string determinant_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.3f}", value) : "open";
}

void print_candidates(const ExperimentDesign& found) {
  using Align = Table::Align;
  Table table({{"experiment", ""}, {"log det", "", Align::right}, {"", ""}});
  for (std::size_t i = 0; i < found.candidates.size(); ++i) {
    const CandidateExperiment& one = found.candidates[i];
    const auto times = std::count(found.chosen.begin(), found.chosen.end(), static_cast<int>(i));
    table.add_row({one.name, determinant_text(one.log_determinant),
                   !one.trouble.empty() ? one.trouble
                   : !one.keeps_limits  ? "beyond limits"
                   : times > 1          ? fmt::format("chosen, {} times", times)
                   : times == 1         ? "chosen"
                                        : ""});
  }
  fmt::print("{}", table.str());
}

// What makes it: to be tried before it is made.
void print_commands(const ExperimentDesign& found, const std::string& study) {
  const std::size_t folder = study.find_last_of('/');
  std::vector<int> chosen = found.chosen;
  std::sort(chosen.begin(), chosen.end());
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  for (const int i : chosen) {
    const CandidateExperiment& one = found.candidates[static_cast<std::size_t>(i)];
    std::string command =
        "limber simulate " + (folder == std::string::npos ? "" : study.substr(0, folder + 1)) + one.scenario;
    for (const Setting& setting : one.settings)
      command += fmt::format(" --set '{}={}'", setting.path, setting.value);
    fmt::print("{}\n", styled(Style::dim, "  " + command));
  }
}

void print_design(const ExperimentDesign& found, const std::string& study) {
  using Align = Table::Align;
  fmt::print("{}  log det of the information {} after {} simulations{}\n\n", styled(Style::bold, study),
             determinant_text(found.log_determinant), found.evaluations,
             found.measured_log_determinant ? fmt::format("; {} of what was measured already",
                                                          determinant_text(*found.measured_log_determinant))
                                            : "");
  print_candidates(found);
  if (!found.values.empty()) {
    Table values({{"free", ""}, {"best", "", Align::right}, {"start", "", Align::right}});
    for (const DesignedValue& one : found.values)
      values.add_row({one.path, fmt::format("{:.6g}", one.value), fmt::format("{:.6g}", one.start)});
    fmt::print("\n{}", values.str());
  }
  Table table(
      {{"parameter", ""}, {"value", "", Align::right}, {"standard error to expect", "", Align::right}});
  for (const ExpectedParameter& one : found.parameters)
    table.add_row({one.path, fmt::format("{:.6g}", one.value),
                   std::isfinite(one.standard_error)
                       ? fmt::format("{:.2g} ({:.2g} %)", one.standard_error,
                                     100.0 * one.standard_error / std::abs(one.value))
                       : "not told"});
  fmt::print("\n{}", table.str());
  if (!found.end.empty()) fmt::print("{}\n", styled(Style::dim, "  " + found.end));
  print_commands(found, study);
}

}  // namespace

void run_design(const std::string& study, const Common& common) {
  const Interruption interruption;
  const bool is_shown = !common.quiet && isatty(STDERR_FILENO) != 0;
  const ExperimentDesign found =
      design_experiment(std::filesystem::path(study), settings(common), [&](long evaluations, double best) {
        if (is_shown)
          print_error_text(fmt::format("\r\033[Kdesign: {} simulations, log det {:.4g}", evaluations, best));
      });
  if (is_shown) print_error_text("\r\033[K");
  warn(common, found.warnings);
  if (common.json) return print_json(design_json(found));
  print_design(found, study);
}

}  // namespace limber::app
