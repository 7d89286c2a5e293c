// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is done with measurements.

#include "command.hpp"

namespace limber::app {

void add_identify(CLI::App& app, Common& common);
void add_estimate(CLI::App& app, Common& common);

}  // namespace limber::app
