#pragma once

#include <exception>
#include <nlohmann/json_fwd.hpp>

#include "command.hpp"

namespace limber::app {

/// The list `errors` of --json.
nlohmann::ordered_json error_entries(const std::exception& error);

/// The same for a person, on standard error.
void print_error(const std::exception& error);

/// Bad input, or a computation that failed.
int exit_code_of(const std::exception& error);

/// Says what went wrong, for a person on standard error or as JSON on standard output, and returns the exit
/// code.
int report_error(const std::exception& error, const Common& common);

}  // namespace limber::app
