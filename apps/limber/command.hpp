#pragma once

// What every command of the program shares. One file per command; each adds itself to the parser and does its
// work when the parser calls it back.

#include <CLI/App.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace limber::app {

/// Exit codes: bad input, and a computation that failed.
inline constexpr int exit_input_error = 2;
inline constexpr int exit_failed = 1;

/// Thrown when a user stopped a command that has put everything in order.
struct Interrupted {};
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

/// A subcommand with --json and --quiet.
CLI::App* add_command(CLI::App& app, Common& common, const std::string& name, const std::string& description);

/// Standard output, one document.
void print_json(const nlohmann::ordered_json& document);

/// Text on standard error. Never throws: where standard error is lost, nobody is there to be told.
void print_error_text(const std::string& text);

/// A warning on standard error, unless --quiet.
void warn(const Common& common, const std::string& message);

}  // namespace limber::app
