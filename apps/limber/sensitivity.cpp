// SPDX-License-Identifier: BSD-3-Clause
// limber sensitivity FILE --by PATH --of MEASURE: how what Limber finds changes with numbers of a file.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "json_numbers.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/study/parameter_gradient.hpp"
#include "output_file.hpp"
#include "progress.hpp"
#include "study_commands.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

struct SensitivityOptions {
  std::string file, state, csv, joints = "held", way = choice_name(GradientWay::automatic);
  std::vector<std::string> by, of, outputs;
  bool settle = false, force = false;
};

nlohmann::ordered_json gradients_json(const ParameterGradients& found) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object(),
                         numbers = nlohmann::ordered_json::object(),
                         gradient = nlohmann::ordered_json::object(),
                         error = nlohmann::ordered_json::object();
  for (std::size_t j = 0; j < found.paths.size(); ++j)
    numbers[found.paths[j]] = found.parameters[static_cast<Eigen::Index>(j)];
  for (std::size_t i = 0; i < found.measures.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    values[found.measures[i]] = found.values[row];
    for (std::size_t j = 0; j < found.paths.size(); ++j) {
      gradient[found.measures[i]][found.paths[j]] = found.gradient(row, static_cast<Eigen::Index>(j));
      error[found.measures[i]][found.paths[j]] = found.error(row, static_cast<Eigen::Index>(j));
    }
  }
  nlohmann::ordered_json document = {
      {"values", values}, {"parameters", numbers}, {"gradient", gradient}, {"error", error}};
  if (!found.method.empty()) {
    document["integrator"] = found.method;
    document["steps"] = found.steps;
    document["way"] = choice_name(found.way);
  }
  return document;
}

void print_gradients(const ParameterGradients& found, const SensitivityOptions& options) {
  using Align = Table::Align;
  fmt::print("{}", styled(Style::bold, options.file));
  if (!found.method.empty())
    fmt::print("  {} steps of {}, differentiated {}", found.steps, found.method,
               found.way == GradientWay::adjoint ? "back from the end" : "as they are taken");
  fmt::print("\n\n");
  Table table({{"measure", ""},
               {"value", "", Align::right},
               {"by", ""},
               {"at", "", Align::right},
               {"gradient", "", Align::right},
               {"per 1 %", "", Align::right}});
  for (std::size_t i = 0; i < found.measures.size(); ++i)
    for (std::size_t j = 0; j < found.paths.size(); ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      const double slope = found.gradient(row, column);
      table.add_row({found.measures[i], number(found.values[row]), found.paths[j],
                     number(found.parameters[column]), fmt::format("{:.10g}", slope),
                     number(0.01 * found.parameters[column] * slope)});
    }
  fmt::print("{}", table.str());
}

std::string gradients_csv(const ParameterGradients& found) {
  std::string text = "t";
  const auto channels = static_cast<std::size_t>(found.courses.cols());
  std::vector<std::string> names;
  for (std::size_t c = 0; c < channels; ++c) {
    text += "," + found.measures[c];
    for (const std::string& path : found.paths) text += fmt::format(",d({})/d({})", found.measures[c], path);
  }
  text += '\n';
  for (Eigen::Index t = 0; t < found.times.size(); ++t) {
    text += fmt::format("{}", found.times[t]);
    for (std::size_t c = 0; c < channels; ++c) {
      text += fmt::format(",{}", found.courses(t, static_cast<Eigen::Index>(c)));
      for (const double slope : found.gradients[c].row(t)) text += fmt::format(",{}", slope);
    }
    text += '\n';
  }
  return text;
}

void run_sensitivity_command(const SensitivityOptions& options, const Common& common) {
  GradientQuestion question;
  question.by = options.by;
  for (const std::string& of : options.of) question.of.push_back(parse_measure(of));
  question.state = options.state;
  question.settle = options.settle;
  question.joints = options.joints;
  question.outputs = options.outputs;
  question.histories = !options.csv.empty();
  question.way = *choice_named<GradientWay>(options.way);
  if (!options.csv.empty()) check_output({"--csv", options.csv, {".csv"}}, {options.file}, options.force);
  const Interruption interruption;
  const ParameterGradients found = parameter_gradients(options.file, question, settings(common));
  for (const std::string& warning : found.warnings) warn(common, warning);
  if (!options.csv.empty()) write_whole_file(options.csv, gradients_csv(found));
  if (common.json)
    print_json(gradients_json(found));
  else
    print_gradients(found, options);
}

}  // namespace

void add_sensitivity(CLI::App& app, Common& common) {
  auto options = std::make_shared<SensitivityOptions>();
  CLI::App* command =
      add_command(app, common, "sensitivity",
                  "How frequencies, sag, accelerations and runs change with numbers of a file");
  command->add_option("FILE", options->file, "Model or scenario (*.yaml)")->required();
  add_set_option(*command, common);
  command
      ->add_option("--by", options->by,
                   "Path of a number: links.boom.beam.length; in a scenario model.links...; repeatable")
      ->required()
      ->take_all();
  command
      ->add_option(
          "--of", options->of,
          "Of a model modes.frequencies_hz[0], statics.sag.distance, eval.acceleration[1]; of a scenario "
          "besides channels of its run, end_effector.z:max; repeatable")
      ->required()
      ->take_all();
  command->add_option("--state", options->state, "State file, for tasks of the model")
      ->check(CLI::ExistingFile);
  command->add_flag("--settle", options->settle, "modes, linearize: about the static equilibrium");
  command->add_option("--joints", options->joints, "modes: held, locked, free or as-modelled")
      ->check(CLI::IsMember({"held", "locked", "free", "as-modelled"}));
  command->add_option("--outputs", options->outputs, "linearize, zeros: outputs by their names");
  command
      ->add_option(
          "--way", options->way,
          "Of runs: forward (a column for each number), adjoint (once back, for many numbers and few "
          "measures), or auto")
      ->check(CLI::IsMember(choice_names<GradientWay>()));
  command->add_option("--csv", options->csv, "Write channels of the run and their derivatives, row by row");
  command->add_flag("--force", options->force, "Replace a file that exists");
  command->footer(
      "Runs are differentiated step by step, all else by differences of sixth order of prepared arms. "
      "docs/sensitivity.md\n"
      "  limber sensitivity models/lab_link/lab_link.yaml --by links.strip.beam.length --of "
      "modes.frequencies_hz[0]");
  command->callback([options, &common] { run_sensitivity_command(*options, common); });
}

}  // namespace limber::app
