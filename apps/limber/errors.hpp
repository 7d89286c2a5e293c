// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "command.hpp"

namespace limber::app {

/// The list `errors` of --json.
nlohmann::ordered_json error_entries(const std::exception& error);

/// The same for a person, on standard error.
void print_error(const std::exception& error);

/// Bad input, or a computation that failed.
int exit_code_of(const std::exception& error);

/// What an exception says to a user: its own words if they are ours.
std::string message_of(const std::exception& error);

/// A command line that cannot be understood.
void report_usage_error(const std::string& message, const std::string& hint, const Common& common);

/// Says what went wrong, for a person on standard error or as JSON on standard output, and returns the exit
/// code.
int report_error(const std::exception& error, const Common& common);

}  // namespace limber::app
