// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "limber/core/input_error.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber::app {

/// build_observed_scenario(): what is only found wrong there has its place in the file, too.
inline Scenario scenario_of(const ScenarioFile& file, const std::string& name) {
  try {
    return build_observed_scenario(file.description, file.model);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw with_places(error, file, name);
  }
}

}  // namespace limber::app
