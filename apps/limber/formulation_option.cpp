// SPDX-License-Identifier: BSD-3-Clause
#include "formulation_option.hpp"

#include <algorithm>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"
#include "progress.hpp"

namespace limber::app {

void choose_formulation(FormulationKind kind, ScenarioDescription& scenario) {
  scenario.formulation = kind;
  if (kind == FormulationKind::dual_screw) return;
  scenario.consistent = false;
  scenario.nonlinear.clear();
}

FormulationOptions formulation_options(FormulationKind formulation, bool consistent,
                                       const std::vector<std::string>& nonlinear, const Model& model) {
  if ((consistent || !nonlinear.empty()) && formulation != FormulationKind::dual_screw)
    throw InputError(Problem{consistent ? "--consistent" : "--nonlinear", "--formulation dual-screw",
                             std::string("`") + name_of(formulation) + "`",
                             "it is an option of that formulation"});
  FormulationOptions options;
  options.consistent = consistent;
  std::vector<std::string> flexible;
  for (const Link& link : model.links())
    if (link.elastic_count > 0) flexible.push_back(link.name);
  for (const std::string& name : nonlinear) {
    const auto link = std::find_if(model.links().begin(), model.links().end(), [&](const Link& other) {
      return other.name == name && other.elastic_count > 0;
    });
    if (link == model.links().end())
      throw InputError(Problem{"--nonlinear", "a link that bends", "`" + name + "`",
                               suggestion(name, flexible, "links that bend")});
    options.nonlinear_links.push_back(static_cast<int>(link - model.links().begin()));
  }
  return options;
}

void prepare(FormulationKind formulation, const Model& model, const FormulationOptions& options,
             const std::string& command, const Common& common) {
  if (formulation != FormulationKind::generated) return;
  const Interruption interruption;
  StageDisplay display(command, common.quiet);
  FormulationOptions told = options;
  display.show_preparation_of(told);
  make_formulation(formulation, model, told);
}

}  // namespace limber::app
