// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// limber identify STUDY --design.

#include <string>

#include "command.hpp"

namespace limber::app {

void run_design(const std::string& study, const Common& common);

}  // namespace limber::app
