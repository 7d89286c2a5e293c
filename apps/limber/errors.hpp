#pragma once

#include <exception>

#include "command.hpp"

namespace limber::app {

/// Says what went wrong, for a person on standard error or as JSON on standard output, and returns the exit
/// code.
int report_error(const std::exception& error, const Common& common);

}  // namespace limber::app
