// SPDX-License-Identifier: BSD-3-Clause
// Parameters from measurements.

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <utility>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/identification/identify.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

/// Ctrl-C ends it with KeyboardInterrupt.
Identified found_in(const std::filesystem::path& file, const Settings& settings) {
  const py::gil_scoped_release unlocked;
  SignalWatch signals;
  return identify(file, settings, [&](const IdentifyProgress&) { signals.look(); });
}

/// With the keys of `limber identify --json`; matrices as arrays.
py::dict identified(const std::filesystem::path& file, const py::object& set) {
  const Identified found = found_in(file, settings_of(set));
  py::dict parameters, all;
  for (const FoundParameter& one : found.parameters) {
    py::dict about;
    about["value"] = one.value;
    about["standard_error"] = one.standard_error;
    about["start"] = one.start;
    about["at_bound"] = one.is_at_bound;
    parameters[py::str(one.path)] = about;
  }
  all["parameters"] = parameters;
  all["covariance"] = array_of(found.covariance);
  all["correlation"] = array_of(found.correlation);
  all["residual_rms"] = found.residual_rms;
  all["weighted_rms"] = found.weighted_rms;
  all["fit_percent"] = found.fit_percent;
  all["iterations"] = found.iterations;
  all["evaluations"] = found.evaluations;
  all["converged"] = found.converged;
  all["warnings"] = found.warnings;
  return all;
}

}  // namespace

void bind_identification(py::module_& module) {
  module.def("identify", &identified, py::arg("file"), py::arg("set") = py::none(), doc::identify);
}

}  // namespace limber::python
