// SPDX-License-Identifier: BSD-3-Clause
// limber help [COMMAND]: what --help says.

#include <fmt/format.h>

#include <CLI/Formatter.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "limber/core/input_error.hpp"

namespace limber::app {
namespace {

// The parser's own help() would explain the command that is being run, which is this one.
std::string help_of(const CLI::App& app, const std::string& name) {
  return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
}

}  // namespace

void add_help(CLI::App& app, Common& common) {
  auto topic = std::make_shared<std::string>();
  CLI::App* command = add_command(app, common, "help", "Explain a command: the same as COMMAND --help");
  command->add_option("COMMAND", *topic, "Which command; without it, all of them in short");
  command->callback([&app, topic, &common] {
    std::string text;
    if (topic->empty()) {
      text = help_of(app, app.get_name());
    } else {
      const CLI::App& about = command_named(app, *topic);
      text = help_of(about, app.get_name() + " " + about.get_name());
    }
    if (common.json)
      print_json({{"help", text}});
    else
      fmt::print("{}", text);
  });
}

}  // namespace limber::app
