// SPDX-License-Identifier: BSD-3-Clause
// Scenarios: read once from files, texts and dictionaries, and then run, or taken along step by step, as often as one likes.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "arm.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/choices.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;

ScenarioFile scenario_of_file(const fs::path& file, const py::object& set) {
  return read_scenario(file, settings_of(set));
}

ScenarioFile scenario_of_text(const std::string& text, const fs::path& directory, const py::object& set) {
  return parse_scenario(text, "scenario.yaml", directory, settings_of(set));
}

ScenarioFile scenario_of_dictionary(const py::object& scenario, const fs::path& directory,
                                    const py::object& set) {
  const std::string text = as_yaml(scenario);
  const Settings settings = settings_of(set);
  return without_places_in_text([&] { return parse_scenario(text, "scenario.yaml", directory, settings); });
}

void choose_formulation(ScenarioFile& file, const std::string& name) {
  ScenarioDescription& scenario = file.description;
  scenario.formulation = formulation_named(name);
  if (scenario.formulation != FormulationKind::dae) scenario.body_frame = 0.0;
  if (scenario.formulation == FormulationKind::dual_screw) return;
  scenario.consistent = scenario.definite = scenario.generated = false;
  scenario.nonlinear.clear();
}

}  // namespace

void bind_scenario(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<ScenarioFile>(module, "ScenarioFile", doc::ScenarioFile)
      .def("choose_formulation", &choose_formulation, arg("name"), doc::formulation_named)
      .def_property_readonly(
          "arm", [](const ScenarioFile& self) { return std::make_shared<Arm>(self.model); },
          doc::ScenarioFile_model)
      .def_property_readonly(
          "duration", [](const ScenarioFile& self) { return self.description.duration; },
          doc::ScenarioDescription_duration);
  module.def("scenario_of_file", &scenario_of_file, arg("file"), arg("set") = none, doc::read_scenario);
  module.def("scenario_of_text", &scenario_of_text, arg("text"), arg("directory"), arg("set") = none,
             doc::parse_scenario);
  module.def("scenario_of_dictionary", &scenario_of_dictionary, arg("scenario"), arg("directory"),
             arg("set") = none, doc::parse_scenario);
  std::vector<std::string> formulations;
  for (const auto& choice : choices<FormulationKind>) formulations.emplace_back(choice.name);
  module.attr("formulations") = py::tuple(py::cast(formulations));
}

}  // namespace limber::python
