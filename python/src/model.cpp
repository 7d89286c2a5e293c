// SPDX-License-Identifier: BSD-3-Clause
// Arms: read from files, texts and dictionaries, and what they are made of.

#include "limber/model/model.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <filesystem>
#include <numbers>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "describe.hpp"
#include "docs.hpp"
#include "limber/analysis/modes.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/model_file.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/lookup.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;

ArmPointer arm_of_file(const fs::path& file, const py::object& set) {
  return std::make_shared<Arm>(read_model(file, settings_of(set)));
}

ArmPointer arm_of_text(const std::string& text, const fs::path& directory, const py::object& set) {
  return std::make_shared<Arm>(
      build_model(parse_model_description(text, "text", directory, settings_of(set))));
}

ArmPointer arm_of_dictionary(const py::object& dictionary, const fs::path& directory, const py::object& set) {
  const std::string text = as_yaml(dictionary);
  const Settings settings = settings_of(set);
  return without_places_in_text([&] {
    return std::make_shared<Arm>(build_model(parse_model_description(text, "arm", directory, settings)));
  });
}

/// A link as Python sees it: with the arm that it belongs to.
struct LinkView {
  ArmPointer arm;
  std::size_t index;
  const Link& link() const { return arm->model().links()[index]; }
};

std::string parent_of(const LinkView& view) {
  const int parent = view.link().parent;
  return parent < 0 ? "base" : view.arm->model().links()[static_cast<std::size_t>(parent)].name;
}

py::dict frequencies_of(const LinkView& view) {
  py::dict by_direction;
  if (view.link().body)
    by_direction["body"] = array_of(view.link().body->reduced->frequencies / (2.0 * std::numbers::pi));
  if (!view.link().beam) return by_direction;
  for (const DirectionShapes& shapes : view.link().beam->directions)
    by_direction[to_string(shapes.request.direction)] =
        array_of(shapes.frequencies / (2.0 * std::numbers::pi));
  return by_direction;
}

std::vector<LinkView> links_of(const ArmPointer& arm) {
  std::vector<LinkView> views;
  for (std::size_t i = 0; i < arm->model().links().size(); ++i) views.push_back({arm, i});
  return views;
}

py::dict limits_of(const LinkView& view) {
  const JointLimits& limits = view.link().joint.limits;
  py::dict given;
  const auto add = [&](const char* name, const std::optional<double>& value) {
    if (value) given[name] = *value;
  };
  add("lower", limits.lower);
  add("upper", limits.upper);
  add("effort", limits.effort);
  add("velocity", limits.velocity);
  add("stop_stiffness", limits.stop_stiffness);
  if (limits.stop_stiffness) add("stop_damping", limits.stop_damping);
  return given;
}

std::string shown(const ArmPointer& arm) {
  const Model& model = arm->model();
  return "<limber.Model " + model.name() + ": " + std::to_string(model.links().size()) + " links, " +
         std::to_string(model.nv()) + " coordinates>";
}

void bind_link(py::module_& module) {
  py::class_<LinkView>(module, "Link", doc::Link)
      .def_property_readonly(
          "name", [](const LinkView& self) { return self.link().name; }, doc::Link_name)
      .def_property_readonly("parent", &parent_of, "The link that carries it; `base` is the ground.")
      .def_property_readonly(
          "joint", [](const LinkView& self) { return self.link().joint.name; }, doc::Joint_name)
      .def_property_readonly(
          "joint_type",
          [](const LinkView& self) { return choice_name(described_type(self.link().joint.type)); },
          doc::Joint_type)
      .def_property_readonly("limits", &limits_of, doc::JointLimits)
      .def_property_readonly(
          "length", [](const LinkView& self) { return self.link().nodes.front().X_RN.p.norm(); },
          "From the root to the tip [m].")
      .def_property_readonly(
          "mass", [](const LinkView& self) { return self.link().rest_inertia().mass; },
          "Of the link, its tip body included [kg].")
      .def_property_readonly(
          "elastic_count", [](const LinkView& self) { return self.link().elastic_count; },
          "Elastic coordinates; 0: a rigid link.")
      .def_property_readonly("frequencies_hz", &frequencies_of,
                             "Of the beam alone, by direction: y, z, torsion, axial [Hz].")
      .def_property_readonly(
          "q_slice",
          [](const LinkView& self) {
            const Link& link = self.link();
            return py::slice(link.joint.q_index, link.elastic_q_index + link.elastic_count, 1);
          },
          "Where its numbers stand in q.")
      .def_property_readonly(
          "v_slice",
          [](const LinkView& self) {
            const Link& link = self.link();
            return py::slice(link.joint.v_index, link.elastic_v_index + link.elastic_count, 1);
          },
          "Where its numbers stand in v.")
      .def("__repr__", [](const LinkView& self) {
        return "<limber.Link " + self.link().name + ": joint " + self.link().joint.name + ", " +
               std::to_string(self.link().elastic_count) + " elastic coordinates>";
      });
}

}  // namespace

void bind_model(py::module_& module) {
  using py::arg;
  bind_link(module);
  py::class_<Arm, ArmPointer> arm(module, "Model", doc::Model);
  arm.def_property_readonly(
         "name", [](const Arm& self) { return self.model().name(); }, doc::Model_name)
      .def_property_readonly(
          "nq", [](const Arm& self) { return self.model().nq(); }, doc::Model_nq)
      .def_property_readonly(
          "nv", [](const Arm& self) { return self.model().nv(); }, doc::Model_nv)
      .def_property_readonly(
          "coordinates", [](const Arm& self) { return self.model().coordinates(); }, doc::Model_coordinates)
      .def_property_readonly(
          "positions", [](const Arm& self) { return position_names(self.model()); }, doc::position_names)
      .def_property_readonly(
          "gravity", [](const Arm& self) { return array_of(self.model().gravity()); }, doc::Model_gravity)
      .def_property_readonly(
          "kinematics", [](const Arm& self) { return choice_name(self.model().kinematics()); },
          "Order of the deflection field: first or second.")
      .def_property_readonly(
          "mass", [](const Arm& self) { return self.model().mass(); }, doc::Model_mass)
      .def_property_readonly("links", &links_of, doc::Model_links)
      .def_property_readonly(
          "stiffness", [](const Arm& self) { return array_of(elastic_stiffness(self.model())); },
          doc::elastic_stiffness)
      .def_property_readonly(
          "damping", [](const Arm& self) { return array_of(damping_matrix(self.model())); },
          doc::damping_matrix)
      .def_property_readonly(
          "warnings", [](const Arm& self) { return advice(self.model()); }, doc::advice)
      .def_property_readonly(
          "basis_error", [](const Arm& self) { return basis_error(self.model()).largest; }, doc::BasisError)
      .def(
          "neutral", [](const Arm& self) { return array_of(neutral_configuration(self.model())); },
          doc::neutral_configuration)
      .def(
          "coordinate_index",
          [](const Arm& self, const std::string& name) { return coordinate_index(self.model(), name); },
          arg("name"), doc::coordinate_index)
      .def(
          "position_index",
          [](const Arm& self, const std::string& name) { return position_index(self.model(), name); },
          arg("name"), doc::position_index)
      .def(
          "with_kinematics",
          [](const Arm& self, const std::string& order) {
            const auto chosen = choice_named<KinematicOrder>(order);
            if (!chosen) throw InputError(Problem{"order", "first or second", "`" + order + "`", ""});
            return std::make_shared<Arm>(with_kinematics(self.model(), *chosen));
          },
          arg("order"), doc::with_kinematics)
      .def(
          "to_dict", [](const Arm& self) { return dictionary_of(self.model().description()); },
          "The arm as a dictionary with the keys of the model file; Model.from_dict makes it the same arm "
          "again.")
      .def("__repr__", &shown);
  module.def("arm_of_file", &arm_of_file, arg("file"), arg("set") = py::none(), doc::read_model);
  module.def("arm_of_text", &arm_of_text, arg("text"), arg("directory"), arg("set") = py::none(),
             doc::parse_model_description);
  module.def("arm_of_dictionary", &arm_of_dictionary, arg("dictionary"), arg("directory"),
             arg("set") = py::none(), doc::parse_model_description);
}

}  // namespace limber::python
