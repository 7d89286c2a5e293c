// SPDX-License-Identifier: BSD-3-Clause
// The limber program: reads models, and says what they do.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

#include "command.hpp"
#include "errors.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/io/printable.hpp"
#include "limber/model/field_rule.hpp"
#include "measurement_commands.hpp"
#include "paper_commands.hpp"
#include "progress.hpp"
#include "robot_commands.hpp"
#include "study_commands.hpp"
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

// A terminal would obey what it is only meant to show.
std::string forbidden_argument(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const bool has_control = std::any_of(argv[i], argv[i] + std::strlen(argv[i]), [](char c) {
      return (static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
    });
    if (has_control) return argv[i];
  }
  return "";
}

// --step nan, and every other number that is none.
void refuse_non_finite_numbers(CLI::App& app) {
  const CLI::Validator finite(
      [](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        const bool is_number = end != text.c_str() && *end == '\0';
        return is_number && !std::isfinite(value) ? "expected a finite number, found " + text : std::string();
      },
      "");
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options())
      if (option->get_type_name().rfind("FLOAT", 0) == 0) option->check(finite);
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
  add_jacobian(app, common);
  add_derive(app, common);
  add_count(app, common);
  add_import(app, common);
  add_export(app, common);
  add_reduce(app, common);
  add_simulate(app, common);
  add_sweep(app, common);
  add_plan(app, common);
  add_sensitivity(app, common);
  add_identify(app, common);
  add_estimate(app, common);
  add_compare(app, common);
  add_report(app, common);
  add_plot(app, common);
  add_schema(app, common);
  add_completion(app, common);
  add_man(app, common);
  add_help(app, common);

  refuse_non_finite_numbers(app);

  if (argc == 1) {
    print_error_text(
        app.help() +
        "\nTo begin with: limber info ARM.yaml shows a model, limber check FILE.yaml finds its mistakes,\n"
        "limber simulate SCENARIO.yaml moves it.\n");
    return exit_input_error;
  }
  // A line that cannot be parsed may still say how to tell.
  for (int i = 1; i < argc; ++i) {
    common.json = common.json || std::strcmp(argv[i], "--json") == 0;
    common.quiet = common.quiet || std::strcmp(argv[i], "--quiet") == 0;
  }
  if (const std::string argument = forbidden_argument(argc, argv); !argument.empty()) {
    report_usage_error("expected arguments without control characters, found `" + printable(argument) + "`",
                       "", common);
    return exit_input_error;
  }
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
    report_usage_error(is_extra ? about_extras(place) : error.what(),
                       fmt::format("`limber {}--help` explains what there is",
                                   commands.empty() ? "" : place.get_name() + " "),
                       common);
    return exit_input_error;
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    // What a command finds wrong with closed loops and cylinders stands in its model.
    const auto commands = app.get_subcommands();
    const CLI::Option* const model =
        commands.empty() ? nullptr : commands.front()->get_option_no_throw("MODEL");
    const std::string& path = error.problems().front().path;
    const bool is_in_model = path.starts_with("loops") || path.starts_with("cylinders");
    if (!is_in_model || model == nullptr || model->count() == 0) throw;
    throw with_places(error, model->as<std::string>(), settings(common));
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
  limber::app::handle_signals();
  try {
    return limber::app::run(argc, argv, common);
  } catch (const limber::Interrupted& stopped) {
    return limber::app::exit_interrupted + stopped.signal;
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
