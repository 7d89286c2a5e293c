// SPDX-License-Identifier: BSD-3-Clause
// Studies: many variants on all cores, and their results.

#include "limber/study/study.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/report/study_page.hpp"
#include "limber/study/parameter_gradient.hpp"
#include "limber/study/sweep.hpp"
#include "limber/version.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;

Study study_of_file(const fs::path& file, const py::object& set) {
  return open_study(file, settings_of(set));
}

Study study_of_text(const std::string& text, const py::object& set) {
  return Study(parse_study(text, "study.yaml"), settings_of(set));
}

Study study_of_dictionary(const py::object& study, const py::object& set) {
  const std::string text = as_yaml(study);
  const Settings settings = settings_of(set);
  return without_places_in_text([&] { return Study(parse_study(text, "study.yaml"), settings); });
}

/// Ctrl-C ends it with KeyboardInterrupt; what was computed stands in the file.
StudyResult swept(const Study& study, const fs::path& file, int threads, bool resume) {
  if (threads < 0)
    throw InputError(Problem{"threads", "a number >= 0; 0: one for each core", std::to_string(threads), ""});
  const py::gil_scoped_release unlocked;
  ResultLock lock(file);
  StudyResult begun = study.empty_result("limber " LIMBER_VERSION);
  if (resume && fs::exists(file)) {
    StudyResult stored = read_study_result(file);
    require_same_study(stored, begun.sources, file.string());
    begun = std::move(stored);
  } else {
    fs::remove(file.string() + ".part");  // of one that is being replaced
  }
  SignalWatch signals;
  std::exception_ptr thrown;
  SweepOptions options;
  options.threads = threads;
  options.progress = [&](const SweepProgress&) {
    try {
      signals.look();
      return true;
    } catch (...) {  // other threads are still at work
      thrown = std::current_exception();
      ask_to_stop();
      return false;
    }
  };
  std::exception_ptr failed;
  try {
    StudyResult result = sweep(study, std::move(lock), std::move(begun), options).result;
    if (!thrown) return result;
  } catch (...) {
    failed = std::current_exception();
  }
  if (thrown) forget_stop();
  std::rethrow_exception(thrown ? thrown : failed);
}

py::dict indices_of(const StudyResult& result) {
  py::dict all;
  const StudyIndices& indices = result.indices;
  if (indices.first_order.rows() == 0) return all;
  all["first_order"] = array_of(indices.first_order);
  all["first_order_lower"] = array_of(indices.first_lower);
  all["first_order_upper"] = array_of(indices.first_upper);
  all["total"] = array_of(indices.total);
  all["total_lower"] = array_of(indices.total_lower);
  all["total_upper"] = array_of(indices.total_upper);
  all["explained"] = array_of(indices.explained);
  return all;
}

py::dict texts_of(const StudyResult& result) {
  py::dict texts;
  for (const SourceText& source : result.sources) texts[py::str(source.name)] = source.text;
  return texts;
}

std::string page_of_study(const StudyResult& result) {
  return study_page(result, result.sources.empty() ? "study" : result.sources.front().name);
}

/// With the keys of `limber sensitivity --json`; measures x paths as arrays.
py::dict gradients_of(const fs::path& file, const std::vector<std::string>& by,
                      const std::vector<std::string>& of, const std::string& state, bool settle,
                      const std::string& joints, const std::vector<std::string>& outputs, bool histories,
                      const py::object& set, const std::string& way) {
  GradientQuestion question;
  question.by = by;
  for (const std::string& one : of) question.of.push_back(parse_measure(one));
  question.state = state;
  question.settle = settle;
  question.joints = joints;
  question.outputs = outputs;
  question.histories = histories;
  const auto chosen = choice_named<GradientWay>(way);
  if (!chosen) throw InputError(Problem{"way", "auto, forward or adjoint", "`" + way + "`", ""});
  question.way = *chosen;
  const Settings settings = settings_of(set);
  const ParameterGradients found = [&] {
    const py::gil_scoped_release unlocked;
    return parameter_gradients(file, question, settings);
  }();
  py::dict all;
  all["measures"] = found.measures;
  all["paths"] = found.paths;
  all["values"] = array_of(found.values);
  all["parameters"] = array_of(found.parameters);
  all["gradient"] = array_of(found.gradient);
  all["error"] = array_of(found.error);
  all["integrator"] = found.method;
  all["steps"] = found.steps;
  all["way"] = choice_name(found.way);
  all["warnings"] = found.warnings;
  if (histories) {
    all["times"] = array_of(found.times);
    all["courses"] = array_of(found.courses);
    py::list gradients;
    for (const Eigen::MatrixXd& one : found.gradients) gradients.append(array_of(one));
    all["gradients"] = gradients;
  }
  return all;
}

}  // namespace

void bind_study(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<Study>(module, "Study", doc::Study)
      .def_property_readonly("size", &Study::size, doc::Study_size)
      .def_property_readonly("paths", &Study::paths, doc::Study_paths)
      .def_property_readonly(
          "measures", [](const Study& self) { return self.empty_result("").measures; },
          doc::StudyResult_paths)
      .def(
          "command_of",
          [](const Study& self, long variant) {
            if (variant < 0 || variant >= self.size())
              throw InputError(Problem{"variant", "a number from 0 to " + std::to_string(self.size() - 1),
                                       std::to_string(variant), ""});
            return self.command_of(variant);
          },
          arg("variant"), doc::Study_command_at);
  py::class_<StudyResult>(module, "StudyResult", doc::StudyResult)
      .def_property_readonly(
          "status", [](const StudyResult& self) { return self.status; }, doc::StudyResult_status)
      .def_property_readonly(
          "task", [](const StudyResult& self) { return self.task; }, doc::StudyResult_task)
      .def_property_readonly(
          "method", [](const StudyResult& self) { return self.method; }, doc::StudyResult_task)
      .def_property_readonly(
          "paths", [](const StudyResult& self) { return self.paths; }, doc::StudyResult_paths)
      .def_property_readonly(
          "measures", [](const StudyResult& self) { return self.measures; }, doc::StudyResult_paths)
      .def_property_readonly(
          "histories", [](const StudyResult& self) { return self.histories; }, doc::StudyResult_histories)
      .def_property_readonly(
          "parameters", [](const StudyResult& self) { return array_of(self.parameters); },
          doc::StudyResult_parameters)
      .def_property_readonly(
          "values", [](const StudyResult& self) { return array_of(self.values); }, doc::StudyResult_values)
      .def_property_readonly(
          "courses", [](const StudyResult& self) { return array_of(self.courses); }, doc::StudyResult_courses)
      .def_property_readonly(
          "failed",
          [](const StudyResult& self) {
            py::dict reasons;
            for (const FailedVariant& one : self.failed) reasons[py::int_(one.variant)] = one.reason;
            return reasons;
          },
          doc::StudyResult_failed)
      .def_property_readonly("indices", &indices_of, doc::StudyIndices)
      .def_property_readonly(
          "goals",
          [](const StudyResult& self) {
            py::dict goals;
            for (std::size_t i = 0; i < self.optimum.goals.size(); ++i)
              goals[py::str(self.optimum.goals[i])] = self.optimum.senses[i];
            return goals;
          },
          doc::StudyOptimum_goals)
      .def_property_readonly(
          "found",
          [](const StudyResult& self) {
            std::vector<long> variants;
            for (const FoundVariant& one : self.optimum.found) variants.push_back(one.variant);
            return variants;
          },
          doc::StudyOptimum_found)
      .def_property_readonly("sources", &texts_of, doc::StudyResult_sources)
      .def(
          "save", [](const StudyResult& self, const fs::path& file) { write_study_result(file, self); },
          arg("file"), py::call_guard<py::gil_scoped_release>(), doc::write_study_result)
      .def(
          "to_csv", [](const StudyResult& self, const fs::path& file) { write_study_csv(file, self); },
          arg("file"), py::call_guard<py::gil_scoped_release>(), doc::write_study_csv)
      .def(
          "report",
          [](const StudyResult& self, const fs::path& file) { write_whole_file(file, page_of_study(self)); },
          arg("file"), py::call_guard<py::gil_scoped_release>(), doc::study_page)
      .def("page", &page_of_study, doc::study_page);
  module.def("study_of_file", &study_of_file, arg("file"), arg("set") = none, doc::open_study);
  module.def("study_of_text", &study_of_text, arg("text"), arg("set") = none, doc::open_study);
  module.def("study_of_dictionary", &study_of_dictionary, arg("study"), arg("set") = none, doc::open_study);
  module.def("run_study", &swept, arg("study"), arg("file"), arg("threads") = 0, arg("resume") = false,
             doc::sweep);
  module.def("sensitivity", &gradients_of, arg("file"), arg("by"), arg("of"), arg("state") = "",
             arg("settle") = false, arg("joints") = "held", arg("outputs") = std::vector<std::string>(),
             arg("histories") = false, arg("set") = none, arg("way") = "auto", doc::parameter_gradients);
  module.def("read_study_result", &read_study_result, arg("file"), doc::read_study_result);
}

}  // namespace limber::python
