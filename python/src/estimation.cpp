// SPDX-License-Identifier: BSD-3-Clause
// States and parameters from what sensors showed.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/estimate.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

EstimationMethod method_of(const std::string& name) {
  if (name == "ekf") return EstimationMethod::ekf;
  if (name == "ukf") return EstimationMethod::ukf;
  if (name == "mhe") return EstimationMethod::mhe;
  throw InputError(Problem{"method", "ekf, ukf or mhe", "`" + name + "`", ""});
}

/// A matrix with a row for each row of the estimate.
template <typename Of>
py::object stacked(const EstimatedCourse& course, Of&& of) {
  const auto rows = static_cast<Index>(course.rows.size());
  MatrixXd all(rows, VectorXd(of(course.rows.front())).size());
  for (Index i = 0; i < rows; ++i)
    all.row(i) = VectorXd(of(course.rows[static_cast<std::size_t>(i)])).transpose();
  return array_of(all);
}

py::dict estimated(const std::filesystem::path& scenario, const std::filesystem::path& data,
                   const std::string& method, const py::dict& find, const py::dict& columns, int horizon,
                   double position_deviation, double velocity_deviation, double elastic_deviation,
                   double process_noise, double step, const std::string& time, const py::object& set) {
  EstimateRequest request;
  request.method = method_of(method);
  request.smoother.horizon = horizon;
  request.arm = {position_deviation, velocity_deviation, elastic_deviation, process_noise, step};
  request.time_column = time;
  for (const auto& [path, deviation] : find)
    request.parameters.push_back({py::str(path), py::cast<double>(deviation)});
  for (const auto& [sensor, column] : columns) request.columns.push_back({py::str(sensor), py::str(column)});
  const Settings settings = settings_of(set);
  const EstimatedCourse course =
      watched([&](const auto& look) { return estimate(scenario, data, request, settings, look); });
  py::dict all, parameters;
  VectorXd times(static_cast<Index>(course.rows.size()));
  for (Index i = 0; i < times.size(); ++i) times[i] = course.rows[static_cast<std::size_t>(i)].t;
  all["time"] = array_of(times);
  all["coordinates"] = course.coordinates;
  all["q"] = stacked(course, [](const ArmEstimate& row) { return row.q; });
  all["v"] = stacked(course, [](const ArmEstimate& row) { return row.v; });
  all["q_deviation"] = stacked(course, [](const ArmEstimate& row) { return row.q_deviation; });
  all["v_deviation"] = stacked(course, [](const ArmEstimate& row) { return row.v_deviation; });
  all["end_effector"] = stacked(course, [](const ArmEstimate& row) { return row.tip.position; });
  all["end_effector_deviation"] =
      stacked(course, [](const ArmEstimate& row) { return row.tip.standard_deviation; });
  all["end_effector_unbent"] = stacked(course, [](const ArmEstimate& row) { return row.tip.unbent; });
  for (std::size_t j = 0; j < course.parameters.size(); ++j) {
    const auto at = static_cast<Index>(j);
    py::dict about;
    about["value"] = course.rows.back().parameters[at];
    about["standard_deviation"] = course.rows.back().parameter_deviations[at];
    about["start"] = course.parameters[j].value;
    parameters[py::str(course.parameters[j].name)] = about;
  }
  all["parameters"] = parameters;
  all["sensors"] = course.sensors;
  all["readings"] = course.readings;
  all["innovation_rms"] = course.innovation_rms;
  return all;
}

}  // namespace

void bind_estimation(py::module_& module) {
  using py::arg;
  module.def("estimate", &estimated, arg("scenario"), arg("data"), arg("method") = "ekf",
             arg("find") = py::dict(), arg("columns") = py::dict(), arg("horizon") = 20,
             arg("position_deviation") = 0.01, arg("velocity_deviation") = 0.01,
             arg("elastic_deviation") = 1e-3, arg("process_noise") = 0.0, arg("step") = 1e-3,
             arg("time") = "t", arg("set") = py::none(), doc::estimate);
}

}  // namespace limber::python
