// SPDX-License-Identifier: BSD-3-Clause
// limber estimate SCENARIO --data RUN.csv: where the arm was, from what its sensors showed.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "built_scenario.hpp"
#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/kalman_filter.hpp"
#include "limber/io/number_table.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/simulation/reading_course.hpp"
#include "measurement_commands.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

struct EstimateOptions {
  std::string scenario, data, csv, time = "t";
  KalmanOptions filter;
  bool force = false;
};

/// What was measured, by the scenario's sensors that have a column.
struct Readings {
  VectorXd times;
  std::vector<int> sensors;  ///< in the scenario as it is written
  std::vector<VectorXd> columns;
};

/// A problem with sensor k of those that are used, where it is written.
Problem as_written(Problem problem, const std::vector<int>& sensors) {
  for (std::size_t k = 0; k < sensors.size(); ++k) {
    const std::string used = fmt::format("sensors[{}]", k);
    if (problem.path.starts_with(used)) {
      problem.path = fmt::format("sensors[{}]", sensors[k]) + problem.path.substr(used.size());
      break;
    }
  }
  return problem;
}

Readings readings_of(const EstimateOptions& options, Scenario& scenario) {
  const NumberTable table = read_number_table(options.data);
  Readings all{table.column(options.time, "--time"), {}, {}};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.sensors.size(); ++i) {
    names.push_back(scenario.sensors[i].name);
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c] == names.back()) {
        all.sensors.push_back(static_cast<int>(i));
        all.columns.push_back(table.values.col(static_cast<Eigen::Index>(c)));
      }
  }
  if (names.empty())
    throw InputError(Problem{"sensors", "at least one sensor in the scenario", "none",
                             "docs/sensors.md says what there is"});
  if (all.sensors.empty())
    throw InputError(
        Problem{"--data", "a column named as one of the scenario's sensors: " + show_names(names),
                show_names(table.columns), "`limber simulate --as-measured` writes such a file"});
  for (Eigen::Index i = 1; i < all.times.size(); ++i)
    if (!(all.times[i] > all.times[i - 1]))
      throw InputError(Problem{"--data", "ascending times",
                               fmt::format("{} after {}, in row {}", all.times[i], all.times[i - 1], i + 1),
                               ""});
  if (all.times[0] < 0.0)
    throw InputError(
        Problem{"--data", "times from 0 on: the scenario begins there", fmt::format("{}", all.times[0]), ""});
  // Sensors without a column are no instruments here.
  std::vector<SensorDescription> used;
  for (const int i : all.sensors) used.push_back(scenario.sensors[static_cast<std::size_t>(i)]);
  scenario.sensors = std::move(used);
  return all;
}

/// One row of the table of estimates.
std::string row_of(const KalmanFilter& filter) {
  const Eigen::Index n = filter.model().nv();
  std::string row = fmt::format("{}", filter.time());
  const VectorXd deviations = filter.covariance().diagonal().cwiseMax(0.0).cwiseSqrt();
  for (const double value : filter.q()) row += fmt::format(",{}", value);
  for (const double value : filter.v()) row += fmt::format(",{}", value);
  for (Eigen::Index i = 0; i < 2 * n; ++i) row += fmt::format(",{}", deviations[i]);
  const TipEstimate tip = filter.tip();
  for (const double value : tip.position) row += fmt::format(",{}", value);
  for (const double value : tip.standard_deviation) row += fmt::format(",{}", value);
  return row + "\n";
}

std::string header_of(const Model& model) {
  std::string header = "t";
  const auto& names = model.coordinates();
  for (int i = 0; i < model.nq(); ++i)
    header += ",q." + (model.nq() == model.nv() ? names[static_cast<std::size_t>(i)] : fmt::format("{}", i));
  for (const char* kind : {"v.", "sd.q.", "sd.v."})
    for (const std::string& name : names) header += std::string(",") + kind + name;
  return header +
         ",end_effector.x,end_effector.y,end_effector.z,sd.end_effector.x,sd.end_effector.y,sd.end_effector."
         "z\n";
}

void run_estimate(const EstimateOptions& options, const Common& common) {
  const ScenarioFile file = read_scenario(options.scenario, settings(common));
  if (!options.csv.empty())
    check_output({"-o", options.csv, {".csv"}}, {options.scenario, options.data}, options.force);
  Scenario scenario = scenario_of(file, options.scenario);
  const Readings readings = [&] {
    try {
      return readings_of(options, scenario);
    } catch (const FileError&) {
      throw;
    } catch (const InputError& error) {
      if (error.problems().front().path != "sensors") throw;
      throw with_places(error, file, options.scenario);
    }
  }();
  const std::vector<SensorDescription> sensors = scenario.sensors;
  std::optional<KalmanFilter> filter;
  try {
    filter.emplace(std::move(scenario), options.filter);
  } catch (const InputError& error) {
    std::vector<Problem> problems;
    for (const Problem& problem : error.problems()) problems.push_back(as_written(problem, readings.sensors));
    throw with_places(InputError(std::move(problems)), file, options.scenario);
  }
  const Interruption interruption;
  std::string table = header_of(filter->model());
  double squares = 0.0;
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < readings.times.size(); ++i) {
    stop_if_asked();
    const double t = readings.times[i];
    filter->predict(t);
    std::vector<int> fresh;
    std::vector<double> values;
    for (std::size_t k = 0; k < readings.sensors.size(); ++k)
      if (i == 0 || sampled_at(sensors[k], t) > sampled_at(sensors[k], readings.times[i - 1])) {
        fresh.push_back(static_cast<int>(k));
        values.push_back(readings.columns[k][i]);
      }
    const VectorXd left = filter->update(
        fresh, Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size())));
    squares += left.squaredNorm();
    count += left.size();
    if (!options.csv.empty()) table += row_of(*filter);
  }
  if (!options.csv.empty()) write_whole_file(options.csv, table);
  const Eigen::Index n = filter->model().nv();
  const VectorXd deviations = filter->covariance().diagonal().cwiseMax(0.0).cwiseSqrt();
  const double innovation = std::sqrt(squares / static_cast<double>(std::max<Eigen::Index>(1, count)));
  const TipEstimate tip = filter->tip();
  if (common.json)
    return print_json({{"time", filter->time()},
                       {"coordinates", filter->model().coordinates()},
                       {"q", vector_json(filter->q())},
                       {"v", vector_json(filter->v())},
                       {"standard_deviations",
                        {{"q", vector_json(deviations.head(n))}, {"v", vector_json(deviations.tail(n))}}},
                       {"end_effector",
                        {{"position", vector_json(tip.position)},
                         {"standard_deviation", vector_json(tip.standard_deviation)}}},
                       {"readings", count},
                       {"innovation_rms", innovation}});
  fmt::print(
      "{}  {} readings up to {:g} s; they differ from what is expected by {:.3f} standard deviations (1 "
      "where "
      "all is as assumed)\n\n",
      styled(Style::bold, filter->model().name()), count, filter->time(), innovation);
  using Align = Table::Align;
  Table out({{"coordinate", ""},
             {"position", "", Align::right},
             {"+-", "", Align::right},
             {"velocity", "", Align::right},
             {"+-", "", Align::right}});
  for (Eigen::Index i = 0; i < n; ++i)
    out.add_row({filter->model().coordinates()[static_cast<std::size_t>(i)],
                 filter->model().nq() == n ? number(filter->q()[i]) : "", number(deviations[i]),
                 number(filter->v()[i]), number(deviations[n + i])});
  fmt::print("{}\n  end effector  {} {} {} m, +- {} {} {} m\n", out.str(), number(tip.position[0]),
             number(tip.position[1]), number(tip.position[2]), number(tip.standard_deviation[0]),
             number(tip.standard_deviation[1]), number(tip.standard_deviation[2]));
  if (!options.csv.empty()) fmt::print("  table         {}\n", options.csv);
}

}  // namespace

void add_estimate(CLI::App& app, Common& common) {
  CLI::App* command =
      add_command(app, common, "estimate", "Where an arm was, from what its sensors showed (Kalman filter)");
  add_set_option(*command, common);
  auto options = std::make_shared<EstimateOptions>();
  command->add_option("SCENARIO", options->scenario, "Scenario file (*.yaml) with sensors")->required();
  command->add_option("--data", options->data, "CSV with a column for each sensor, by its name")->required();
  command->add_option("--time", options->time, "The column with times (default t)");
  command->add_option("-o,--output", options->csv,
                      "Table of all estimates with their standard deviations (CSV)");
  const CLI::Range positive(1e-300, 1e30);
  command
      ->add_option("--position-deviation", options->filter.position_deviation,
                   "Of joints at the start, standard deviation (default 0.01 rad or m)")
      ->check(positive);
  command
      ->add_option("--velocity-deviation", options->filter.velocity_deviation,
                   "Of their rates (default 0.01 rad/s or m/s)")
      ->check(positive);
  command
      ->add_option("--elastic-deviation", options->filter.elastic_deviation,
                   "Of elastic coordinates at the start (default 1e-3); of their rates ten times that")
      ->check(positive);
  command
      ->add_option("--process-noise", options->filter.process_noise,
                   "Spectral density of unknown efforts in joints [(N m)^2 s] (default 0)")
      ->check(CLI::Range(0.0, 1e30));
  command
      ->add_option("--step", options->filter.longest_step, "Longest step between readings [s] (default 1e-3)")
      ->check(positive);
  command->add_flag("--force", options->force, "Replace files that exist");
  command->footer(
      "The scenario's controllers act on the estimate. docs/measurements.md\n"
      "  limber simulate studies/swing.yaml -o swing.h5 --as-measured swing.csv\n"
      "  limber estimate studies/swing.yaml --data swing.csv -o estimate.csv");
  command->callback([options, &common] { run_estimate(*options, common); });
}

}  // namespace limber::app
