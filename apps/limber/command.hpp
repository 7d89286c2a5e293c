#pragma once

// What every command of the program shares. One file per command; each adds itself to the parser and does its
// work when the parser calls it back.

#include <CLI/App.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace limber::app {

/// Exit codes: bad input, and a computation that failed.
inline constexpr int exit_input_error = 2;
inline constexpr int exit_failed = 1;

/// Thrown when a user stopped a command that has put everything in order.
struct Interrupted {};

/// Thrown where a command has said itself what is wrong, of each of several inputs.
struct Reported {
  int exit_code;
};
inline constexpr int exit_interrupted = 130;

/// Options that all commands take.
struct Common {
  bool json = false;
  bool quiet = false;
};

void add_check(CLI::App& app, Common& common);
void add_info(CLI::App& app, Common& common);
void add_eval(CLI::App& app, Common& common);
void add_modes(CLI::App& app, Common& common);
void add_statics(CLI::App& app, Common& common);
void add_linearize(CLI::App& app, Common& common);
void add_zeros(CLI::App& app, Common& common);
void add_derive(CLI::App& app, Common& common);
void add_simulate(CLI::App& app, Common& common);
void add_compare(CLI::App& app, Common& common);
void add_report(CLI::App& app, Common& common);
void add_plot(CLI::App& app, Common& common);
void add_schema(CLI::App& app, Common& common);
void add_completion(CLI::App& app, Common& common);
void add_man(CLI::App& app, Common& common);
void add_help(CLI::App& app, Common& common);

/// A subcommand with --json and --quiet.
CLI::App* add_command(CLI::App& app, Common& common, const std::string& name, const std::string& description);

/// The command of this name. Throws InputError, with what was meant, where there is none.
const CLI::App& command_named(const CLI::App& app, const std::string& word);

/// "did you mean `deflection`?" where a name is near; else nothing: what there is stands in the message already.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

/// Standard output, one document.
void print_json(const nlohmann::ordered_json& document);

/// Text on standard error. Never throws: where standard error is lost, nobody is there to be told.
void print_error_text(const std::string& text);

/// A warning on standard error, unless --quiet.
void warn(const Common& common, const std::string& message);

}  // namespace limber::app
