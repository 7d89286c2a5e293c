// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Many arms at once.

#include "command.hpp"

namespace limber::app {

void add_sweep(CLI::App& app, Common& common);

}  // namespace limber::app
