// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every command of the program shares. One file per command; each adds itself to the parser and does its
// work when the parser calls it back.

#include <CLI/App.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "limber/core/interruption.hpp"
#include "limber/io/setting.hpp"

namespace limber::app {

/// Exit codes: bad input, and a computation that failed.
inline constexpr int exit_input_error = 2;
inline constexpr int exit_failed = 1;

/// A command that a signal stopped, and that has put everything in order, exits as shells expect it: 128 + the signal (130
/// after Ctrl-C, 143 after kill). It throws Interrupted.
inline constexpr int exit_interrupted = 128;

/// Thrown where a command has said itself what is wrong, of each of several inputs.
struct Reported {
  int exit_code;
};

/// Options that all commands take.
struct Common {
  bool json = false;
  bool quiet = false;
  std::vector<std::string> set;  ///< --set, as it was given
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

/// --set PATH=VALUE, on commands that read a model or a scenario.
void add_set_option(CLI::App& command, Common& common);
/// What was given by it. Throws InputError where that is no PATH=VALUE.
Settings settings(const Common& common);

/// The command of this name. Throws InputError, with what was meant, where there is none.
const CLI::App& command_named(const CLI::App& app, const std::string& word);

/// "did you mean `deflection`?" where a name is near; else nothing: what there is stands in the message already.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& names);

/// Standard output, one document. It has a list `warnings`: its own, and all that were given by warn() before.
void print_json(const nlohmann::ordered_json& document);

/// Text on standard error. Never throws: where standard error is lost, nobody is there to be told.
void print_error_text(const std::string& text);

/// A warning: on standard error unless --quiet, and in the JSON document; once.
void warn(const Common& common, const std::string& message);
void warn(const Common& common, const std::vector<std::string>& messages);
/// For the JSON document only: what has been said on standard error already.
void note_warning(const std::string& message);

}  // namespace limber::app
