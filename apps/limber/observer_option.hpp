// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// `--observer RATE` and what belongs to it: controllers of a run see an estimate in place of the state.

#include "command.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/scenario_file.hpp"

namespace limber::app {

struct ObserverOption {
  ObserverOptions how;  ///< rate 0: none
  std::string method = "ekf";
};

void add_observer_option(CLI::App& command, ObserverOption& option);
/// Does nothing where there is none. What is wrong has its place in the scenario's file.
void observe_if_asked(Scenario& scenario, const ObserverOption& option, const ScenarioFile& file,
                      const std::string& name);

}  // namespace limber::app
