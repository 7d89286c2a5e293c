// The limber program: reads models, and says what they do.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>

#include "command.hpp"
#include "errors.hpp"
#include "limber/model/field_rule.hpp"
#include "table.hpp"
#include "version.hpp"

namespace limber::app {
namespace {

// The parser would list what is left over backwards, values and all.
std::string about_extras(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining();
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& word) { return word.rfind('-', 0) == 0; });
  if (option == extras.end()) return fmt::format("expected nothing more, found `{}`", fmt::join(extras, " "));
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options())
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  return fmt::format("{}: no such option ({})", *option, suggestion(*option, names, "options"));
}

int run(int argc, char** argv, Common& common) {
  CLI::App app("Limber: robot arms whose links bend.", "limber");
  app.set_version_flag("--version", std::string("limber ") + version, "Print the version and exit");
  app.require_subcommand(1);
  app.footer(
      "limber COMMAND --help explains a command. Model files: docs/model-file.md\n"
      "Exit status: 0 done, 1 a computation failed, 2 something in a file or on the command line is wrong, "
      "130 "
      "interrupted.");
  add_check(app, common);
  add_info(app, common);
  add_eval(app, common);
  add_modes(app, common);
  add_statics(app, common);
  add_linearize(app, common);
  add_zeros(app, common);
  add_derive(app, common);
  add_simulate(app, common);
  add_compare(app, common);
  add_report(app, common);
  add_plot(app, common);
  add_schema(app, common);
  add_completion(app, common);
  add_man(app, common);
  add_help(app, common);

  // The parser would only say that a command is missing.
  if (argc > 1 && argv[1][0] != '-') command_named(app, argv[1]);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& request) {  // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    const CLI::App& place = commands.empty() ? app : *commands.front();
    const bool is_extra = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
    print_error_text(fmt::format(
        "{} {}\n`limber {}--help` explains what there is\n", styled(Style::bad, "error:", true),
        is_extra ? about_extras(place) : error.what(), commands.empty() ? "" : place.get_name() + " "));
    return exit_input_error;
  }
  // A full disk or a closed pipe shows only now.
  if (std::fflush(stdout) != 0) {
    print_error_text("error: standard output could not be written: disk full, or closed\n");
    return exit_failed;
  }
  return 0;
}

}  // namespace
}  // namespace limber::app

int main(int argc, char** argv) {
  limber::app::Common common;
  try {
    return limber::app::run(argc, argv, common);
  } catch (const limber::app::Interrupted&) {
    return limber::app::exit_interrupted;
  } catch (const limber::app::Reported& reported) {
    return reported.exit_code;
  } catch (const std::exception& error) {
    try {
      return limber::app::report_error(error, common);
    } catch (...) {  // standard output is gone as well
      return limber::app::exit_failed;
    }
  }
}
