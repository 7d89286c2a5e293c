// SPDX-License-Identifier: BSD-3-Clause
// limber schema: the formats of our files, from the same source as the readers.

#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "limber/io/model_schema.hpp"

namespace limber::app {

void add_schema(CLI::App& app, Common& common) {
  auto scenario = std::make_shared<bool>(false);
  CLI::App* command =
      add_command(app, common, "schema", "Print a file's format: tables, or a JSON Schema with --json");
  command->add_flag("--scenario", *scenario, "Of scenario files; without it, of model files");
  command->callback([scenario, &common] {
    if (*scenario)
      fmt::print("{}", common.json ? scenario_json_schema() : scenario_format_markdown());
    else
      fmt::print("{}", common.json ? model_json_schema() : model_format_markdown());
  });
}

}  // namespace limber::app
