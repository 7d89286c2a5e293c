// SPDX-License-Identifier: BSD-3-Clause
// limber completion: a bash completion script, made from the parser itself.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"

namespace limber::app {
namespace {

std::string option_names(const CLI::App& command) {
  std::string names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names += " --" + name;
  return names;
}

std::string completion_script(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += " " + command->get_name();
    cases +=
        fmt::format("    {}) options=\"{}\" ;;\n", command->get_name(), option_names(*command).substr(1));
  }
  return fmt::format(R"(# bash completion of limber:  source <(limber completion)
_limber() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} options=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{}{}" -- "$word"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $word in
    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}}
complete -o filenames -F _limber limber
)",
                     commands.substr(1), option_names(app), cases);
}

}  // namespace

void add_completion(CLI::App& app, Common& common) {
  CLI::App* command = add_command(app, common, "completion", "Print a bash completion script");
  command->callback([&app, &common] {
    const std::string script = completion_script(app);
    if (common.json)
      print_json({{"shell", "bash"}, {"script", script}});
    else
      fmt::print("{}", script);
  });
}

}  // namespace limber::app
