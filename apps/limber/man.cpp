// SPDX-License-Identifier: BSD-3-Clause
// limber man: the manual page, made from the parser itself as --help is.

#include <fmt/format.h>

#include <CLI/Formatter.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "version.hpp"

namespace limber::app {
namespace {

// Text as roff takes it: no escape, no macro at the beginning of a line, and minus signs that can be searched for and copied.
std::string roff(const std::string& text) {
  std::string safe;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\')
      safe += "\\e";
    else if (c == '-')
      safe += "\\-";
    else
      safe += c;
    begins_line = c == '\n';
  }
  return safe;
}

// Lines stay as they are: a footer shows commands.
std::string as_written(const std::string& text) { return ".PP\n.nf\n" + roff(text) + "\n.fi\n"; }

std::string entry(const CLI::Option& option) {
  const CLI::Formatter formatter;
  const bool is_positional = option.get_positional();
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(formatter.make_option_name(&option, is_positional)),
                     roff(formatter.make_option_opts(&option)), roff(option.get_description()));
}

// What is typed: the command's name and what it cannot do without.
std::string usage(const CLI::App& command) {
  const CLI::Formatter formatter;
  std::string words = "\\fBlimber " + roff(command.get_name()) + "\\fR [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) words += " \\fI" + roff(formatter.make_option_usage(option)) + "\\fR";
  return words;
}

std::string section(const CLI::App& command) {
  std::string text = fmt::format(".SS {}\n{}.\n.PP\n{}\n", roff(command.get_name()),
                                 roff(command.get_description()), usage(command));
  for (const bool is_positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == is_positional) text += entry(*option);
  if (!command.get_footer().empty()) text += as_written(command.get_footer());
  return text;
}

std::string manual_page(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH LIMBER 1 \"\" \"limber {}\" \"User Commands\"\n.SH NAME\nlimber \\- robot arms whose links bend\n"
      ".SH SYNOPSIS\n\\fBlimber\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n{}\n",
      roff(version), roff(app.get_description()));
  page += as_written(app.get_footer());
  page += ".SH OPTIONS\n";
  for (const CLI::Option* option : app.get_options()) page += entry(*option);
  page += ".SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) page += section(*command);
  return page;
}

}  // namespace

void add_man(CLI::App& app, Common& common) {
  CLI::App* command = add_command(app, common, "man", "Print the manual page (roff): limber man | man -l -");
  command->callback([&app, &common] {
    const std::string page = manual_page(app);
    if (common.json)
      print_json({{"page", page}});
    else
      fmt::print("{}", page);
  });
}

}  // namespace limber::app
