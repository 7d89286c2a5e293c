// SPDX-License-Identifier: BSD-3-Clause
// What instruments on an arm show, of one state or of many.

#include "sensors.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/measurement.hpp"
#include "limber/io/sensor_file.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/loops.hpp"

namespace limber::python {

std::vector<SensorDescription> sensors_of(const Arm& arm, const py::object& sensors) {
  if (sensors.is_none()) return {};
  if (py::isinstance<py::str>(sensors) || py::hasattr(sensors, "__fspath__"))
    return read_sensors(py::cast<std::filesystem::path>(sensors), arm.model());
  py::dict listed;
  listed["sensors"] = sensors;
  const bool has_key = py::isinstance<py::dict>(sensors) && sensors.contains("sensors");
  const std::string text = as_yaml(has_key ? sensors : py::object(listed));
  return without_places_in_text([&] { return parse_sensors(text, "sensors", arm.model()); });
}

namespace {

py::dict measured(const ArmPointer& arm, const py::object& sensors, const Numbers& q, const Numbers& v,
                  const Numbers& tau, const py::object& loads) {
  const PlacedLoads on = place_loads(arm, loads);
  const Model& model = on.arm->model();
  const Rows positions("q", q, model.nq()), rates("v", v, model.nv()), efforts("tau", tau, model.nv());
  const Batch batch({&positions, &rates, &efforts});
  const Measurement measurement(model, sensors_of(*on.arm, sensors));
  std::vector<Array> readings;
  std::vector<double*> places;
  for (int k = 0; k < measurement.size(); ++k) {
    readings.push_back(batch.array({}));
    places.push_back(readings.back().mutable_data());
  }
  const auto find = [&](Measurement& own, Workspace<double>& work, std::size_t i) {
    Eigen::VectorXd a(model.nv()), values(own.size()), moving = efforts[i];
    add_friction_forces(model, rates[i], -1.0, moving);
    require_plain_tree(model, "readings at a state");
    forward_dynamics(model, work, positions[i], rates[i], moving, a, on.loads);
    own.evaluate(positions[i], rates[i], a, efforts[i], on.loads, values);
    for (std::size_t k = 0; k < places.size(); ++k) places[k][i] = values[static_cast<Eigen::Index>(k)];
  };
  if (batch.count() > 0) {
    const py::gil_scoped_release unlocked;
    for_each_run(batch.count(), [&](std::size_t& i, std::size_t last) {
      Measurement own(model, measurement.sensors());  // one for each thread
      const Arm::Lease lease(*on.arm);
      for (; i < last; ++i) find(own, *lease, i);
    });
  }
  py::dict by_name;
  for (std::size_t k = 0; k < places.size(); ++k)
    by_name[py::str(measurement.names()[k])] =
        batch.is_single() ? py::object(py::float_(*places[k])) : py::object(readings[k]);
  return by_name;
}

}  // namespace

void bind_sensors(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  module.def(
      "measure", &measured, arg("arm").none(false), arg("sensors"), arg("q"), arg("v") = none,
      arg("tau") = none, arg("loads") = none,
      ("What instruments show, by their names. `sensors`: the list of a scenario, or a file that has it. " +
       std::string(doc::Measurement_evaluate))
          .c_str());
}

}  // namespace limber::python
