// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What commands that let the user choose a formulation share.

#include <string>
#include <vector>

#include "command.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/scenario/description.hpp"

namespace limber::app {

/// Another formulation for a scenario: options of the one it had, which another does not know, are left behind.
void choose_formulation(FormulationKind kind, ScenarioDescription& scenario);

/// What a user says of dual-screw.
struct DualScrewWords {
  bool consistent = false, definite = false, generated = false;
  std::vector<std::string> nonlinear;

  bool any() const { return consistent || definite || generated || !nonlinear.empty(); }
};
/// --consistent and --nonlinear.
void add_dual_screw_options(CLI::App& command, DualScrewWords& words);
/// From the command line. Throws InputError where the formulation does not know them, or a link does not bend.
FormulationOptions formulation_options(FormulationKind formulation, const DualScrewWords& words,
                                       const Model& model);

/// Compiles what a formulation needs compiled, with word and progress on standard error, and answers Ctrl-C meanwhile: before a result is
/// begun, since it may be refused, fail or be stopped. Does nothing for formulations that need no compiler.
void prepare(FormulationKind formulation, const Model& model, const FormulationOptions& options,
             const std::string& command, const Common& common);

}  // namespace limber::app
