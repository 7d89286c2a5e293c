#include "command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "table.hpp"

namespace limber::app {

CLI::App* add_command(CLI::App& app, Common& common, const std::string& name,
                      const std::string& description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_flag("--json", common.json, "One JSON document on standard output, nothing else");
  command->add_flag("--quiet", common.quiet, "No warnings and no progress on standard error");
  return command;
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

void print_json(const nlohmann::ordered_json& document) { fmt::print("{}\n", document.dump(2)); }

void print_error_text(const std::string& text) { std::fputs(text.c_str(), stderr); }

void warn(const Common& common, const std::string& message) {
  if (!common.quiet) print_error_text(styled(Style::warning, "warning:", true) + " " + message + "\n");
}

}  // namespace limber::app
