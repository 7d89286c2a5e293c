// SPDX-License-Identifier: BSD-3-Clause
// limber identify STUDY: parameters from measurements; with --design, what to measure.

#include "limber/identification/identify.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "identify_design.hpp"
#include "json_numbers.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/report/fit_page.hpp"
#include "measurement_commands.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Json = nlohmann::ordered_json;

struct IdentifyOptions {
  std::string study, csv, report;
  bool force = false, design = false;
};

Json channel_json(const FitChannel& channel) {
  return {{"name", channel.name},
          {"experiment", channel.experiment},
          {"samples", channel.measured.size()},
          {"rms", channel.rms},
          {"fit_percent", channel.fit_percent},
          {"whiteness", channel.whiteness},
          {"normality", channel.normality}};
}

Json as_json(const Identified& found) {
  Json parameters = Json::object(), correlation = Json::array(), channels = Json::array(),
       unclear = Json::array(), paths = Json::array();
  for (const FoundParameter& one : found.parameters) {
    paths.push_back(one.path);
    parameters[one.path] = {{"value", one.value},
                            {"standard_error", finite_or_null(one.standard_error)},
                            {"start", one.start},
                            {"at_bound", one.is_at_bound}};
  }
  for (Eigen::Index i = 0; i < found.correlation.rows(); ++i) {
    Json row = Json::array();
    for (const double value : found.correlation.row(i)) row.push_back(finite_or_null(value));
    correlation.push_back(row);
  }
  for (const FitChannel& channel : found.channels) channels.push_back(channel_json(channel));
  for (const UnclearDirection& one : found.unclear) {
    Json direction = Json::object();
    for (std::size_t j = 0; j < found.parameters.size(); ++j)
      direction[found.parameters[j].path] = one.direction[static_cast<Eigen::Index>(j)];
    unclear.push_back(
        {{"standard_deviation", finite_or_null(one.standard_deviation)}, {"direction", direction}});
  }
  return {{"parameters", parameters},
          {"residual_rms", found.residual_rms},
          {"weighted_rms", found.weighted_rms},
          {"correlation", correlation},
          {"correlation_of", paths},
          {"iterations", found.iterations},
          {"evaluations", found.evaluations},
          {"fit_percent", found.fit_percent},
          {"converged", found.converged},
          {"sigma_estimated", found.estimates_sigma},
          {"channels", channels},
          {"unidentified", unclear}};
}

void print(const Identified& found, const IdentifyOptions& options) {
  using Align = Table::Align;
  fmt::print("{}  {}: {} iterations, {} evaluations; fit {:.2f} %\n\n", styled(Style::bold, options.study),
             found.end, found.iterations, found.evaluations, found.fit_percent);
  Table table({{"parameter", ""},
               {"value", "", Align::right},
               {"standard error", "", Align::right},
               {"start", "", Align::right}});
  for (const FoundParameter& one : found.parameters)
    table.add_row({one.path, fmt::format("{:.7g}", one.value),
                   std::isfinite(one.standard_error)
                       ? fmt::format("{:.2g} ({:.2g} %)", one.standard_error,
                                     100.0 * one.standard_error / std::abs(one.value))
                       : "not told",
                   number(one.start)});
  fmt::print("{}\n", table.str());
  Table channels({{"measured", ""},
                  {"data", "", Align::right},
                  {"residual", "rms", Align::right},
                  {"fit", "%", Align::right},
                  {"whiteness", "p", Align::right},
                  {"normality", "p", Align::right}});
  for (const FitChannel& one : found.channels)
    channels.add_row({one.name, fmt::format("{}", one.measured.size()), number(one.rms),
                      fmt::format("{:.2f}", one.fit_percent),
                      one.times.size() > 1 ? fmt::format("{:.2g}", one.whiteness) : "",
                      one.times.size() > 1 ? fmt::format("{:.2g}", one.normality) : ""});
  fmt::print("{}", channels.str());
  for (Eigen::Index i = 0; i < found.correlation.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) {
      constexpr double close = 0.9;
      if (std::abs(found.correlation(i, j)) > close)
        fmt::print("  correlation {:.4f} of `{}` and `{}`\n", found.correlation(i, j),
                   found.parameters[static_cast<std::size_t>(j)].path,
                   found.parameters[static_cast<std::size_t>(i)].path);
    }
  if (!options.csv.empty()) fmt::print("  residuals   {}\n", options.csv);
  if (!options.report.empty()) fmt::print("  page        {}\n", options.report);
}

/// Every number that was measured, beside what the fitted arm shows.
void write_residuals(const std::string& file, const Identified& found) {
  std::string text = "experiment,output,t,measured,computed,sigma\n";
  for (const FitChannel& one : found.channels)
    for (Eigen::Index i = 0; i < one.measured.size(); ++i)
      text += fmt::format("{},{},{},{},{},{}\n", one.experiment, one.name,
                          one.times.size() > 0 ? one.times[i] : static_cast<double>(i), one.measured[i],
                          one.computed[i], one.sigma[i]);
  write_whole_file(file, text);
}

void run_identify(const IdentifyOptions& options, const Common& common) {
  if (options.design) return run_design(options.study, common);
  if (!options.csv.empty()) check_output({"--csv", options.csv, {".csv"}}, {options.study}, options.force);
  if (!options.report.empty())
    check_output({"--report", options.report, {".html", ".htm"}}, {options.study}, options.force);
  const Interruption interruption;
  const bool is_shown = !common.quiet && isatty(STDERR_FILENO) != 0;
  const Identified found =
      identify(std::filesystem::path(options.study), settings(common), [&](const IdentifyProgress& progress) {
        if (is_shown)
          print_error_text(fmt::format("\r\033[Kidentify: {} evaluations, residual {:.4g} sigma",
                                       progress.evaluations, progress.weighted_rms));
      });
  if (is_shown) print_error_text("\r\033[K");
  warn(common, found.warnings);
  if (!options.csv.empty()) write_residuals(options.csv, found);
  if (!options.report.empty()) write_whole_file(options.report, fit_page(found, options.study));
  if (common.json) return print_json(as_json(found));
  print(found, options);
}

}  // namespace

void add_identify(CLI::App& app, Common& common) {
  CLI::App* command = add_command(app, common, "identify", "Parameters of an arm from measurements");
  add_set_option(*command, common);
  auto options = std::make_shared<IdentifyOptions>();
  command->add_option("study", options->study, "Study file (YAML) with `fit` and `data`")->required();
  command->add_option("--csv", options->csv, "Table of what was measured and what the fitted arm shows");
  command->add_option("--report", options->report,
                      "Page (HTML) with parameters, correlations, and what is left over: over time, its "
                      "autocorrelation, its distribution");
  command->add_flag("--force", options->force, "Replace files that exist");
  command
      ->add_flag("--design", options->design,
                 "What to measure: which of the study's `design` experiments tells most (D-optimal)")
      ->excludes("--csv")
      ->excludes("--report");
  command->footer(
      "Time histories, natural frequencies and readings at rest, together or alone. docs/measurements.md\n"
      "  limber identify studies/identify_strip.yaml --report fit.html\n"
      "  limber identify studies/design_swing.yaml --design");
  command->callback([options, &common] { run_identify(*options, common); });
}

}  // namespace limber::app
