// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What readers of the papers ask for.

#include "command.hpp"

namespace limber::app {

void add_jacobian(CLI::App& app, Common& common);
void add_count(CLI::App& app, Common& common);

}  // namespace limber::app
