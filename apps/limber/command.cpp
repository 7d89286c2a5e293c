// SPDX-License-Identifier: BSD-3-Clause
#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "limber/core/input_error.hpp"
#include "limber/io/printable.hpp"
#include "limber/model/field_rule.hpp"
#include "table.hpp"

namespace limber::app {
namespace {

// The program does one thing, so it has one list.
std::vector<std::string>& given_warnings() {
  static std::vector<std::string> list;
  return list;
}

bool is_given(const std::string& warning) {
  const auto& given = given_warnings();
  return std::find(given.begin(), given.end(), warning) != given.end();
}

}  // namespace

CLI::App* add_command(CLI::App& app, Common& common, const std::string& name,
                      const std::string& description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_flag("--json", common.json, "One JSON document on standard output, nothing else");
  command->add_flag("--quiet", common.quiet, "No warnings and no progress on standard error");
  return command;
}

void add_set_option(CLI::App& command, Common& common) {
  command
      .add_option(
          "--set", common.set,
          "PATH=VALUE: another value than the file's, such as links.boom.beam.length=6 (in a scenario "
          "model.links.boom...); may be repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
}

Settings settings(const Common& common) {
  Settings all;
  for (const std::string& text : common.set) all.push_back(parse_setting(text));
  return all;
}

const CLI::App& command_named(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    if (command->get_name() == word) return *command;
    names.push_back(command->get_name());
  }
  throw InputError(Problem{"", fmt::format("a command ({})", fmt::join(names, ", ")), show_text(word),
                           did_you_mean(word, names)});
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names) {
  const auto meant = nearest_name(word, names);
  return meant ? fmt::format("did you mean `{}`?", *meant) : "";
}

void print_json(const nlohmann::ordered_json& document) {
  nlohmann::ordered_json complete = document;
  if (complete.is_object()) {
    nlohmann::ordered_json& warnings = complete["warnings"];
    if (!warnings.is_array()) warnings = nlohmann::ordered_json::array();
    for (const std::string& warning : given_warnings())
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(warning);
  }
  // Names of files need not be UTF-8.
  fmt::print("{}\n", complete.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void print_error_text(const std::string& text) { std::fputs(text.c_str(), stderr); }

void note_warning(const std::string& message) {
  if (!is_given(message)) given_warnings().push_back(message);
}

void warn(const Common& common, const std::vector<std::string>& messages) {
  for (const std::string& message : messages) warn(common, message);
}

void warn(const Common& common, const std::string& message) {
  if (is_given(message)) return;
  note_warning(message);
  if (!common.quiet)
    print_error_text(styled(Style::warning, "warning:", true) + " " + printable(message) + "\n");
}

}  // namespace limber::app
