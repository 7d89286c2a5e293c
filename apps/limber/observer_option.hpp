// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// `--observer RATE` and what belongs to it: the key `observer` of a scenario, or other values of it.

#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "limber/scenario/description.hpp"

namespace limber::app {

struct ObserverOption {
  std::optional<double> rate, process_noise;
  std::string method;
  std::vector<std::string> sensors;
};

void add_observer_option(CLI::App& command, ObserverOption& option);
/// What was asked for takes the place of what the scenario says.
void choose_observer(const ObserverOption& option, ScenarioDescription& scenario);

}  // namespace limber::app
