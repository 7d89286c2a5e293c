// SPDX-License-Identifier: BSD-3-Clause
#include "efforts.hpp"

#include <cmath>

#include "arrays.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"

namespace limber::python {

using Eigen::VectorXd;

EffortReader::EffortReader(const Model& model) : model_(model), elastic_(elastic_coordinates(model)) {
  for (const int i : joint_coordinates(model))
    joints_.emplace(model.coordinates()[static_cast<std::size_t>(i)], i);
  for (const Link& link : model.links())  // a joint with an elastic gear is driven by its motor
    if (link.joint.has_motor()) joints_.emplace(link.joint.name, link.joint.driven_index());
}

void EffortReader::add(const char* name, const py::object& given, VectorXd& efforts) const {
  if (given.is_none())
    throw InputError(Problem{
        name, "a map from joints to efforts, or an array of " + std::to_string(model_.nv()) + " numbers",
        "None", "{} for no effort"});
  if (py::isinstance<py::dict>(given))
    add_map(name, given, efforts);
  else
    add_array(name, given, efforts);
}

VectorXd EffortReader::read(const char* name, const py::object& given) const {
  VectorXd efforts = VectorXd::Zero(model_.nv());
  add(name, given, efforts);
  return efforts;
}

void EffortReader::add_map(const char* name, const py::object& map, VectorXd& efforts) const {
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(map)) {
    const std::string joint = py::str(key);
    const auto found = joints_.find(joint);
    if (found == joints_.end()) {
      std::vector<std::string> names;
      for (const auto& entry : joints_) names.push_back(entry.first);
      throw InputError(Problem{name, "names of joints' coordinates", show_text(joint),
                               suggestion(joint, names, "coordinates")});
    }
    const double effort = PyFloat_AsDouble(value.ptr());
    const bool is_number = !(effort == -1.0 && PyErr_Occurred());
    PyErr_Clear();
    if (!is_number || !std::isfinite(effort))
      throw InputError(Problem{join_path(name, joint), "a finite number [N m or N]",
                               std::string(py::str(py::repr(value))).substr(0, 80), ""});
    efforts[found->second] += effort;
  }
}

void EffortReader::add_array(const char* name, const py::object& array, VectorXd& efforts) const {
  const Rows rows(name, Numbers{array}, model_.nv());
  if (!rows.leading().empty())
    throw InputError(Problem{name, std::to_string(model_.nv()) + " numbers", "an array with more axes", ""});
  const VectorView numbers = rows[0];
  if (!numbers.allFinite())
    throw InputError(
        Problem{name, "finite numbers [N m or N]", "numbers that are infinite or not numbers", ""});
  for (const int i : elastic_)
    if (numbers[i] != 0.0)
      throw InputError(Problem{name,
                               "0 for `" + model_.coordinates()[static_cast<std::size_t>(i)] +
                                   "`: no motor moves an elastic coordinate",
                               std::to_string(numbers[i]), ""});
  efforts += numbers;
}

}  // namespace limber::python
