// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many arms at once, and the best motion of one.

#include "command.hpp"

namespace limber::app {

void add_sweep(CLI::App& app, Common& common);
void add_plan(CLI::App& app, Common& common);
void add_sensitivity(CLI::App& app, Common& common);

}  // namespace limber::app
