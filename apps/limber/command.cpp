#include "command.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "table.hpp"

namespace limber::app {

CLI::App* add_command(CLI::App& app, Common& common, const std::string& name,
                      const std::string& description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->add_flag("--json", common.json, "One JSON document on standard output, nothing else");
  command->add_flag("--quiet", common.quiet, "No warnings and no progress on standard error");
  return command;
}

void print_json(const nlohmann::ordered_json& document) { fmt::print("{}\n", document.dump(2)); }

void print_error_text(const std::string& text) { std::fputs(text.c_str(), stderr); }

void warn(const Common& common, const std::string& message) {
  if (!common.quiet) print_error_text(styled(Style::warning, "warning:", true) + " " + message + "\n");
}

}  // namespace limber::app
