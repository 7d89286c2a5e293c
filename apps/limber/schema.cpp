// SPDX-License-Identifier: BSD-3-Clause
// limber schema: the formats of our files, from the same source as the readers.

#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "limber/io/model_schema.hpp"

namespace limber::app {

void add_schema(CLI::App& app, Common& common) {
  struct Options {
    bool scenario = false, study = false, plan = false, fit = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      add_command(app, common, "schema", "Print a file's format: tables, or a JSON Schema with --json");
  CLI::Option* const scenario =
      command->add_flag("--scenario", options->scenario, "Of scenario files; without it, of model files");
  CLI::Option* const study =
      command->add_flag("--study", options->study, "Of study files")->excludes(scenario);
  CLI::Option* const plan =
      command->add_flag("--plan", options->plan, "Of plan files")->excludes(scenario)->excludes(study);
  command->add_flag("--fit", options->fit, "Of study files with `fit`, for `limber identify`")
      ->excludes(scenario)
      ->excludes(study)
      ->excludes(plan);
  command->callback([options, &common] {
    if (options->fit)
      fmt::print("{}", common.json ? fit_json_schema() : fit_format_markdown());
    else if (options->plan)
      fmt::print("{}", common.json ? plan_json_schema() : plan_format_markdown());
    else if (options->study)
      fmt::print("{}", common.json ? study_json_schema() : study_format_markdown());
    else if (options->scenario)
      fmt::print("{}", common.json ? scenario_json_schema() : scenario_format_markdown());
    else
      fmt::print("{}", common.json ? model_json_schema() : model_format_markdown());
  });
}

}  // namespace limber::app
