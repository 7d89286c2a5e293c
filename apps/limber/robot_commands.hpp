// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Robots and links of other programs.

#include "command.hpp"

namespace limber::app {

void add_import(CLI::App& app, Common& common);
void add_export(CLI::App& app, Common& common);
void add_reduce(CLI::App& app, Common& common);

}  // namespace limber::app
