// SPDX-License-Identifier: BSD-3-Clause
// limber estimate SCENARIO RUN.csv: where the arm was, from what its sensors showed.

#include "limber/estimation/estimate.hpp"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/svg.hpp"
#include "measurement_commands.hpp"
#include "number_range.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

using Eigen::VectorXd;
using Json = nlohmann::ordered_json;

struct EstimateOptions {
  std::string scenario, data, data_option, output, plot, method = "ekf";
  std::vector<std::string> find, columns;
  EstimateRequest request;
  bool force = false;
};

const std::map<std::string, EstimationMethod> estimation_methods = {
    {"ekf", EstimationMethod::ekf}, {"ukf", EstimationMethod::ukf}, {"mhe", EstimationMethod::mhe}};

/// `PATH=NUMBER` or `NAME=NAME`.
std::pair<std::string, std::string> halves(const std::string& option, const std::string& text,
                                           const char* what) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    throw InputError(Problem{option, what, "`" + text + "`", ""});
  return {text.substr(0, at), text.substr(at + 1)};
}

EstimateRequest request_of(const EstimateOptions& options) {
  EstimateRequest request = options.request;
  request.method = estimation_methods.at(options.method);
  for (const std::string& text : options.find) {
    const auto [path, number] =
        halves("--find", text, "PATH=DEVIATION, such as model.links.strip.tip.mass=0.03");
    char* end = nullptr;
    const double deviation = std::strtod(number.c_str(), &end);
    if (end != number.c_str() + number.size())
      throw InputError(Problem{"--find " + path, "a number: the standard deviation of what stands there",
                               "`" + number + "`", ""});
    request.parameters.push_back({path, deviation});
  }
  for (const std::string& text : options.columns)
    request.columns.push_back(halves("--column", text, "SENSOR=COLUMN"));
  return request;
}

std::string data_of(const EstimateOptions& options) {
  if (options.data.empty() == options.data_option.empty())
    throw InputError(Problem{"--data", "a CSV with what sensors showed, once",
                             options.data.empty() ? "none" : "two of them",
                             "limber estimate SCENARIO RUN.csv"});
  return options.data.empty() ? options.data_option : options.data;
}

Json parameters_json(const EstimatedCourse& course) {
  Json all = Json::object();
  const ArmEstimate& last = course.rows.back();
  for (std::size_t j = 0; j < course.parameters.size(); ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    all[course.parameters[j].name] = {{"value", last.parameters[at]},
                                      {"standard_deviation", last.parameter_deviations[at]},
                                      {"start", course.parameters[j].value},
                                      {"start_deviation", course.parameters[j].deviation}};
  }
  return all;
}

Json as_json(const EstimatedCourse& course, const std::string& method) {
  const ArmEstimate& last = course.rows.back();
  Json all = {
      {"method", method},
      {"time", last.t},
      {"coordinates", course.coordinates},
      {"q", vector_json(last.q)},
      {"v", vector_json(last.v)},
      {"standard_deviations", {{"q", vector_json(last.q_deviation)}, {"v", vector_json(last.v_deviation)}}},
      {"end_effector",
       {{"position", vector_json(last.tip.position)},
        {"standard_deviation", vector_json(last.tip.standard_deviation)},
        {"unbent", vector_json(last.tip.unbent)}}},
      {"parameters", parameters_json(course)},
      {"sensors", course.sensors},
      {"rows", course.rows.size()},
      {"readings", course.readings},
      {"innovation_rms", course.innovation_rms}};
  if (course.iterations > 0) all["iterations"] = course.iterations;
  return all;
}

void print(const EstimatedCourse& course, const EstimateOptions& options) {
  const ArmEstimate& last = course.rows.back();
  fmt::print(
      "{}  {}: {} readings up to {:g} s; they differ from what is expected by {:.3f} standard deviations (1 "
      "where all is as assumed)\n\n",
      styled(Style::bold, course.name), options.method, course.readings, last.t, course.innovation_rms);
  using Align = Table::Align;
  Table out({{"coordinate", ""},
             {"position", "", Align::right},
             {"+-", "", Align::right},
             {"velocity", "", Align::right},
             {"+-", "", Align::right}});
  for (std::size_t i = 0; i < course.coordinates.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    out.add_row({course.coordinates[i], last.q.size() == last.v.size() ? number(last.q[at]) : "",
                 number(last.q_deviation[at]), number(last.v[at]), number(last.v_deviation[at])});
  }
  fmt::print("{}", out.str());
  if (!course.parameters.empty()) {
    Table found({{"parameter", ""},
                 {"value", "", Align::right},
                 {"+-", "", Align::right},
                 {"start", "", Align::right},
                 {"+-", "", Align::right}});
    for (std::size_t j = 0; j < course.parameters.size(); ++j) {
      const auto at = static_cast<Eigen::Index>(j);
      found.add_row({course.parameters[j].name, fmt::format("{:.7g}", last.parameters[at]),
                     fmt::format("{:.2g}", last.parameter_deviations[at]), number(course.parameters[j].value),
                     number(course.parameters[j].deviation)});
    }
    fmt::print("\n{}", found.str());
  }
  const auto three = [](const Eigen::Vector3d& of) {
    return fmt::format("{} {} {}", number(of[0]), number(of[1]), number(of[2]));
  };
  fmt::print("\n  end effector  {} m, +- {} m\n", three(last.tip.position),
             three(last.tip.standard_deviation));
  fmt::print("  if unbent     {} m, {:.3g} mm away\n", three(last.tip.unbent),
             1e3 * (last.tip.unbent - last.tip.position).norm());
  if (!options.output.empty()) fmt::print("  table         {}\n", options.output);
  if (!options.plot.empty()) fmt::print("  figure        {}\n", options.plot);
}

/// The end effector between two standard deviations to both sides.
Figure tip_figure(const EstimatedCourse& course) {
  const auto rows = static_cast<Eigen::Index>(course.rows.size());
  Figure figure;
  figure.id = "estimate";
  figure.title = "End effector, estimated, with two standard deviations to both sides";
  figure.x_label = "t [s]";
  figure.y_label = "position [m]";
  figure.x.resize(rows);
  const char* const names[] = {"x", "y", "z"};
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    Curve mean{names[axis], VectorXd(rows)}, above{std::string(names[axis]) + " + 2 sd", VectorXd(rows)},
        below{std::string(names[axis]) + " - 2 sd", VectorXd(rows)};
    above.is_reference = below.is_reference = true;
    for (Eigen::Index i = 0; i < rows; ++i) {
      const ArmEstimate& row = course.rows[static_cast<std::size_t>(i)];
      figure.x[i] = row.t;
      mean.values[i] = row.tip.position[axis];
      above.values[i] = mean.values[i] + 2.0 * row.tip.standard_deviation[axis];
      below.values[i] = mean.values[i] - 2.0 * row.tip.standard_deviation[axis];
    }
    for (Curve* curve : {&mean, &above, &below}) figure.curves.push_back(std::move(*curve));
  }
  return figure;
}

void write(const EstimatedCourse& course, const EstimateOptions& options) {
  if (options.output.ends_with(".h5"))
    write_estimates_h5(options.output, course);
  else if (!options.output.empty())
    write_whole_file(options.output, estimates_csv(course));
  if (!options.plot.empty()) write_whole_file(options.plot, figure_svg({tip_figure(course)}, {course.name}));
}

void run_estimate(const EstimateOptions& options, const Common& common) {
  const std::string data = data_of(options);
  const EstimateRequest request = request_of(options);
  if (!options.output.empty())
    check_output({"-o", options.output, {".csv", ".h5"}}, {options.scenario, data}, options.force);
  if (!options.plot.empty())
    check_output({"--plot", options.plot, {".svg"}}, {options.scenario, data}, options.force);
  const Interruption interruption;
  const EstimatedCourse course =
      estimate(options.scenario, data, request, settings(common), [] { stop_if_asked(); });
  write(course, options);
  if (common.json) return print_json(as_json(course, options.method));
  print(course, options);
}

}  // namespace

void add_estimate(CLI::App& app, Common& common) {
  CLI::App* command = add_command(
      app, common, "estimate",
      "Where an arm was, and what it carried, from what its sensors showed (Kalman filters, smoother)");
  add_set_option(*command, common);
  auto options = std::make_shared<EstimateOptions>();
  command->add_option("SCENARIO", options->scenario, "Scenario file (*.yaml) with sensors")->required();
  command->add_option("RUN", options->data, "CSV with a column for each sensor, by its name");
  command->add_option("--data", options->data_option, "The same");
  command->add_option("--time", options->request.time_column, "The column with times (default t)");
  command->add_option(
      "--column", options->columns,
      "SENSOR=COLUMN: what a sensor's column is called; then only these are taken (repeatable)");
  command
      ->add_option("--method", options->method,
                   "ekf (extended Kalman filter, default), ukf (unscented) or mhe (moving-horizon smoother)")
      ->check(CLI::IsMember({"ekf", "ukf", "mhe"}));
  command->add_option(
      "--find", options->find,
      "PATH=DEVIATION: a number of the files that is estimated, too, and the standard deviation of "
      "what stands there (repeatable)");
  command->add_option("--horizon", options->request.smoother.horizon, "mhe: rows in its window (default 20)")
      ->check(CLI::Range(1, 1000000));
  command->add_option(
      "-o,--output", options->output,
      "Table of all estimates with their standard deviations (CSV, or HDF5 by its ending .h5)");
  command->add_option("--plot", options->plot, "Figure of the end effector with its deviations (SVG)");
  StochasticArmOptions& arm = options->request.arm;
  command
      ->add_option("--position-deviation", arm.position_deviation,
                   "Of joints at the start, standard deviation (default 0.01 rad or m)")
      ->check(above_zero());
  command
      ->add_option("--velocity-deviation", arm.velocity_deviation,
                   "Of their rates (default 0.01 rad/s or m/s)")
      ->check(above_zero());
  command
      ->add_option("--elastic-deviation", arm.elastic_deviation,
                   "Of elastic coordinates at the start (default 1e-3); of their rates ten times that")
      ->check(above_zero());
  command
      ->add_option("--process-noise", arm.process_noise,
                   "Spectral density of unknown efforts in joints [(N m)^2 s] (default 0)")
      ->check(not_below_zero());
  command->add_option("--step", arm.longest_step, "Longest step between readings [s] (default 1e-3)")
      ->check(above_zero());
  command->add_flag("--force", options->force, "Replace files that exist");
  command->footer(
      "The scenario's controllers act on the estimate. docs/measurements.md\n"
      "  limber simulate studies/swing.yaml -o swing.h5 --as-measured swing.csv\n"
      "  limber estimate studies/swing.yaml swing.csv -o estimate.csv\n"
      "  limber estimate studies/swing.yaml swing.csv --set model.links.strip.tip.mass=0.13 \\\n"
      "                  --find model.links.strip.tip.mass=0.03 --method mhe");
  command->callback([options, &common] { run_estimate(*options, common); });
}

}  // namespace limber::app
