// SPDX-License-Identifier: BSD-3-Clause
// Parameters from measurements, and what to measure.

#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <utility>

#include "arm.hpp"
#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/analysis/modal_assurance.hpp"
#include "limber/identification/experiment_design.hpp"
#include "limber/identification/identify.hpp"
#include "limber/identification/residual_statistics.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/report/fit_page.hpp"
#include "question.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

using Matrix = Eigen::MatrixXd;

template <typename Paths>
py::list unclear_list(const std::vector<UnclearDirection>& unclear, const Paths& parameters) {
  py::list all;
  for (const UnclearDirection& one : unclear) {
    py::dict direction, about;
    for (std::size_t j = 0; j < parameters.size(); ++j)
      direction[py::str(parameters[j].path)] = one.direction[static_cast<Eigen::Index>(j)];
    about["standard_deviation"] = one.standard_deviation;
    about["direction"] = direction;
    all.append(about);
  }
  return all;
}

py::dict channel_dict(const FitChannel& channel) {
  py::dict all;
  all["name"] = channel.name;
  all["experiment"] = channel.experiment;
  all["times"] = array_of(channel.times);
  all["measured"] = array_of(channel.measured);
  all["computed"] = array_of(channel.computed);
  all["sigma"] = array_of(channel.sigma);
  all["rms"] = channel.rms;
  all["fit_percent"] = channel.fit_percent;
  all["whiteness"] = channel.whiteness;
  all["normality"] = channel.normality;
  return all;
}

/// With the keys of `limber identify --json`; matrices as arrays.
py::dict identified(const std::filesystem::path& file, const py::object& set, const py::object& report) {
  const Settings settings = settings_of(set);
  const Identified found = watched([&](const auto& look) { return identify(file, settings, look); });
  if (!report.is_none())
    write_whole_file(report.cast<std::filesystem::path>(), fit_page(found, file.string()));
  py::dict parameters, all;
  for (const FoundParameter& one : found.parameters) {
    py::dict about;
    about["value"] = one.value;
    about["standard_error"] = one.standard_error;
    about["start"] = one.start;
    about["at_bound"] = one.is_at_bound;
    parameters[py::str(one.path)] = about;
  }
  py::list channels;
  for (const FitChannel& channel : found.channels) channels.append(channel_dict(channel));
  all["parameters"] = parameters;
  all["covariance"] = array_of(found.covariance);
  all["correlation"] = array_of(found.correlation);
  all["residual_rms"] = found.residual_rms;
  all["weighted_rms"] = found.weighted_rms;
  all["fit_percent"] = found.fit_percent;
  all["iterations"] = found.iterations;
  all["evaluations"] = found.evaluations;
  all["converged"] = found.converged;
  all["channels"] = channels;
  all["unidentified"] = unclear_list(found.unclear, found.parameters);
  all["warnings"] = found.warnings;
  return all;
}

/// With the keys of `limber identify --design --json`; matrices as arrays.
py::dict design_of(const std::filesystem::path& file, const py::object& set) {
  const Settings settings = settings_of(set);
  const ExperimentDesign found =
      watched([&](const auto& look) { return design_experiment(file, settings, look); });
  py::dict parameters, values, all;
  for (const ExpectedParameter& one : found.parameters) {
    py::dict about;
    about["value"] = one.value;
    about["standard_error"] = one.standard_error;
    parameters[py::str(one.path)] = about;
  }
  py::list candidates;
  for (const CandidateExperiment& one : found.candidates) {
    py::dict about, changed;
    for (const Setting& setting : one.settings) changed[py::str(setting.path)] = setting.value;
    about["name"] = one.name;
    about["scenario"] = one.scenario;
    about["set"] = changed;
    about["log_det"] = one.log_determinant;
    about["standard_errors"] = array_of(one.standard_errors);
    about["keeps_limits"] = one.keeps_limits;
    about["trouble"] = one.trouble;
    candidates.append(about);
  }
  for (const DesignedValue& one : found.values) {
    py::dict about;
    about["value"] = one.value;
    about["start"] = one.start;
    values[py::str(one.path)] = about;
  }
  all["log_det"] = found.log_determinant;
  all["parameters"] = parameters;
  all["correlation"] = array_of(found.correlation);
  all["chosen"] = found.chosen;
  all["candidates"] = candidates;
  all["values"] = values;
  all["evaluations"] = found.evaluations;
  all["unidentified"] = unclear_list(found.unclear, found.parameters);
  all["warnings"] = found.warnings;
  return all;
}

py::dict statistics_of(const std::vector<double>& residuals, int lags) {
  const ResidualStatistics found = residual_statistics(
      Eigen::Map<const Eigen::VectorXd>(residuals.data(), static_cast<Eigen::Index>(residuals.size())), lags);
  py::dict all;
  all["autocorrelation"] = array_of(found.autocorrelation);
  all["band"] = found.band;
  all["whiteness"] = found.whiteness;
  all["mean"] = found.mean;
  all["deviation"] = found.deviation;
  all["skewness"] = found.skewness;
  all["excess_kurtosis"] = found.excess_kurtosis;
  all["normality"] = found.normality;
  return all;
}

}  // namespace

void bind_identification(py::module_& module) {
  module.def("identify", &identified, py::arg("file"), py::arg("set") = py::none(),
             py::arg("report") = py::none(), doc::identify);
  module.def("design_experiment", &design_of, py::arg("file"), py::arg("set") = py::none(),
             doc::design_experiment);
  module.def("residual_statistics", &statistics_of, py::arg("residuals"), py::arg("lags") = 20,
             doc::residual_statistics);
  module.def(
      "modal_assurance",
      [](const Matrix& measured, const Matrix& computed) -> Matrix {
        return modal_assurance(measured, computed);
      },
      py::arg("measured"), py::arg("computed"), doc::modal_assurance);
  module.def(
      "paired_modes", [](const Matrix& assurance) { return paired_modes(assurance); }, py::arg("assurance"),
      doc::paired_modes);
  module.def(
      "seen_shapes",
      [](const ArmPointer& arm, const Numbers& q, const Matrix& shapes,
         const std::vector<std::string>& points) -> Matrix {
        const Rows rows("q", by_name(*arm, "q", q), arm->model().nq());
        return seen_shapes(arm->model(), Eigen::VectorXd(rows[0]), shapes, points);
      },
      py::arg("arm").none(false), py::arg("q"), py::arg("shapes"), py::arg("points"), doc::seen_shapes);
}

}  // namespace limber::python
