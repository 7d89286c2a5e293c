// SPDX-License-Identifier: BSD-3-Clause
#include "formulation_option.hpp"

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/lookup.hpp"
#include "progress.hpp"

namespace limber::app {

void choose_formulation(FormulationKind kind, ScenarioDescription& scenario) {
  scenario.formulation = kind;
  if (kind != FormulationKind::dae) scenario.body_frame = 0.0;
  if (kind == FormulationKind::dual_screw) return;
  scenario.consistent = scenario.definite = scenario.generated = false;
  scenario.nonlinear.clear();
}

FormulationOptions formulation_options(FormulationKind formulation, const DualScrewWords& words,
                                       const Model& model) {
  if (words.any() && formulation != FormulationKind::dual_screw)
    throw InputError(Problem{words.consistent  ? "--consistent"
                             : words.definite  ? "--definite"
                             : words.generated ? "--generated"
                                               : "--nonlinear",
                             "--formulation dual-screw", std::string("`") + name_of(formulation) + "`",
                             "it is an option of that formulation"});
  FormulationOptions options;
  options.consistent = words.consistent;
  options.definite = words.definite;
  options.generated = words.generated;
  for (const std::string& word : words.nonlinear) {
    const std::vector<int> named = elastic_coordinates_named(model, word);
    if (named.empty()) {
      std::vector<std::string> flexible;
      for (const Link& link : model.links())
        if (link.elastic_count > 0) flexible.push_back(link.name);
      throw InputError(Problem{"--nonlinear", "a link that bends, or one of its states", "`" + word + "`",
                               suggestion(word, flexible, "links that bend")});
    }
    options.nonlinear_coordinates.insert(options.nonlinear_coordinates.end(), named.begin(), named.end());
  }
  return options;
}

void add_dual_screw_options(CLI::App& command, DualScrewWords& words) {
  command.add_flag("--consistent", words.consistent,
                   "dual-screw: with the second-order part of the local screws");
  command
      .add_option("--nonlinear", words.nonlinear,
                  "dual-screw: links whose elastic states are not truncated, or single states (boom.z1), "
                  "separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false);
}

void prepare(FormulationKind formulation, const Model& model, const FormulationOptions& options,
             const std::string& command, const Common& common) {
  if (formulation != FormulationKind::generated && !options.generated) return;
  const Interruption interruption;
  StageDisplay display(command, common.quiet);
  FormulationOptions told = options;
  display.show_preparation_of(told);
  make_formulation(formulation, model, told);
}

}  // namespace limber::app
