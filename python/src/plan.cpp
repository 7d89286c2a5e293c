// SPDX-License-Identifier: BSD-3-Clause
// Plans: motions that are optimal for the flexible arm.

#include "limber/planning/plan.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;

/// A plan with the problem that it solves.
struct PlannedMotion {
  OpenedPlan opened;
  MotionPlan motion;

  py::dict by_name(const Eigen::MatrixXd& rows) const {
    py::dict all;
    for (int c = 0; c < opened.problem.model.nv(); ++c)
      all[py::str(opened.problem.model.coordinates()[static_cast<std::size_t>(c)])] =
          array_of(Eigen::VectorXd(rows.row(c).transpose()));
    return all;
  }
  py::dict efforts() const {
    py::dict all;
    for (std::size_t j = 0; j < motion.driven.size(); ++j)
      all[py::str(opened.problem.model.coordinates()[static_cast<std::size_t>(motion.driven[j])])] =
          array_of(Eigen::VectorXd(motion.efforts.row(static_cast<Eigen::Index>(j)).transpose()));
    return all;
  }
  py::dict deflections() const {
    py::dict all;
    for (const auto& [link, most] : motion.runs.front().metrics.largest_deflection) all[py::str(link)] = most;
    return all;
  }
};

PlannedMotion planned(const fs::path& file, const py::object& set) {
  const Settings settings = settings_of(set);
  const py::gil_scoped_release unlocked;
  OpenedPlan opened = open_plan(file, settings);
  SignalWatch signals;
  PlanOptions options;
  options.progress = [&](const std::string&, double) { signals.look(); };
  MotionPlan motion = plan(opened, options);
  return {std::move(opened), std::move(motion)};
}

}  // namespace

void bind_plan(py::module_& module) {
  using py::arg;
  py::class_<PlannedMotion>(module, "MotionPlan", doc::MotionPlan)
      .def_property_readonly(
          "duration", [](const PlannedMotion& self) { return self.motion.duration; },
          doc::MotionPlan_duration)
      .def_property_readonly(
          "cost", [](const PlannedMotion& self) { return self.motion.cost; }, doc::MotionPlan_cost)
      .def_property_readonly(
          "iterations", [](const PlannedMotion& self) { return self.motion.iterations; },
          doc::MotionPlan_iterations)
      .def_property_readonly(
          "slowest_period", [](const PlannedMotion& self) { return self.motion.slowest_period; },
          doc::MotionPlan_slowest_period)
      .def_property_readonly(
          "times", [](const PlannedMotion& self) { return array_of(self.motion.times); },
          doc::MotionPlan_times)
      .def_property_readonly(
          "q", [](const PlannedMotion& self) { return self.by_name(self.motion.q); }, doc::MotionPlan_q)
      .def_property_readonly(
          "v", [](const PlannedMotion& self) { return self.by_name(self.motion.v); }, doc::MotionPlan_v)
      .def_property_readonly("efforts", &PlannedMotion::efforts, doc::MotionPlan_efforts)
      .def_property_readonly(
          "residual_vibration",
          [](const PlannedMotion& self) { return self.motion.runs.front().residual_vibration; },
          doc::PlanRun_residual_vibration)
      .def_property_readonly("largest_deflection", &PlannedMotion::deflections,
                             "Of links that bend, of their tips [m].")
      .def_property_readonly(
          "warnings", [](const PlannedMotion& self) { return self.motion.warnings; },
          doc::MotionPlan_warnings)
      .def(
          "scenario_text",
          [](const PlannedMotion& self) { return plan_scenario_text(self.opened.problem, self.motion, ""); },
          doc::plan_scenario_text)
      .def(
          "csv", [](const PlannedMotion& self) { return plan_csv(self.opened.problem, self.motion); },
          doc::plan_csv);
  module.def("plan", &planned, arg("file"), arg("set") = py::none(), doc::plan);
}

}  // namespace limber::python
