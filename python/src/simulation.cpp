// SPDX-License-Identifier: BSD-3-Clause
// Runs a scenario and keeps its rows; writes them as a result file when asked to.

#include "limber/simulation/simulate.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <memory>

#include "arrays.hpp"
#include "as_yaml.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/model/choices.hpp"
#include "limber/results/quantity.hpp"
#include "limber/results/result_file.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "limber/version.hpp"
#include "signals.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// Keeps rows as they come, and what ResultWriter wants to know besides.
class KeptRows : public ResultSink {
 public:
  void begin(const MethodChoice& choice) override { method = choice; }
  void add(const Sample& sample) override { samples.push_back(sample); }

  MethodChoice method;
  std::vector<Sample> samples;
};

/// A run that has ended.
class FinishedRun {
 public:
  explicit FinishedRun(ScenarioFile file)
      : scenario_(build_scenario(file.description, file.model)), sources_(std::move(file.sources)) {}

  /// Throws what the run throws; what was reached is kept then, too.
  void run() {
    Checkpoint reached;
    SignalWatch signals;
    RunOptions options;
    options.last_good = &reached;
    options.progress = [&](const Progress&) {
      signals.look();
      return true;
    };
    try {
      summary_ = simulate(scenario_, &rows_, options);
    } catch (const ComputationError& error) {
      failure_ = error.what();
      summary_.last = reached;
      summary_.finished = false;
    }
    warnings_ = run_warnings(scenario_, summary_.last, summary_.doubts);
  }

  const std::string& failure() const { return failure_; }
  std::string status() const { return failure_.empty() ? "complete" : "failed: " + failure_; }
  const Names& warnings() const { return warnings_; }
  const RunSummary& summary() const { return summary_; }
  const Model& model() const { return scenario_.model; }

  Names quantities() const { return layout().names().quantities; }
  /// Names of the numbers of a quantity, as tables have them.
  Names columns(const std::string& path) const { return part(path).quantity->column_names(layout().names()); }
  std::string unit(const std::string& path) const { return part(path).quantity->unit_text(); }

  /// Rows x numbers of a quantity.
  Array values(const std::string& path) const {
    const RowLayout rows = layout();
    const RowLayout::Part part = part_of(rows, path);
    Array all(Shape{static_cast<py::ssize_t>(rows_.samples.size()), static_cast<py::ssize_t>(part.width)});
    double* out = all.mutable_data();
    for (const Sample& sample : rows_.samples) {
      rows.fill(part, sample, out);
      out += part.width;
    }
    return all;
  }

  void save(const fs::path& file) const {
    ResultWriter writer(ResultLock(file), scenario_, {"limber " LIMBER_VERSION, sources_});
    writer.begin(rows_.method);
    for (const Sample& sample : rows_.samples) writer.add(sample);
    writer.set_warnings(warnings_);
    if (!rows_.samples.empty()) writer.set_frequencies(end_frequencies(scenario_, rows_.samples.back().q));
    writer.finish(summary_.last, status());
  }

 private:
  RowLayout layout() const { return RowLayout(scenario_); }
  static RowLayout::Part part_of(const RowLayout& layout, const std::string& path) {
    for (const RowLayout::Part& part : layout.parts())
      if (part.quantity->path == path) return part;
    throw InputError(Problem{"name", "a quantity of the run", "`" + path + "`", ""});
  }
  RowLayout::Part part(const std::string& path) const { return part_of(layout(), path); }

  Scenario scenario_;
  std::vector<SourceText> sources_;
  KeptRows rows_;
  RunSummary summary_;
  Names warnings_;
  std::string failure_;
};

using RunPointer = std::shared_ptr<FinishedRun>;

void choose_formulation(const std::string& name, ScenarioDescription& scenario) {
  if (name.empty()) return;
  scenario.formulation = formulation_named(name);
  if (scenario.formulation == FormulationKind::dual_screw) return;
  scenario.consistent = false;
  scenario.nonlinear.clear();
}

RunPointer run_of(ScenarioFile file, const std::string& formulation) {
  choose_formulation(formulation, file.description);
  const py::gil_scoped_release unlocked;
  auto run = std::make_shared<FinishedRun>(std::move(file));
  run->run();
  return run;
}

RunPointer run_file(const fs::path& file, const py::object& set, const std::string& formulation) {
  return run_of(read_scenario(file, settings_of(set)), formulation);
}

RunPointer run_text(const std::string& text, const fs::path& directory, const py::object& set,
                    const std::string& formulation) {
  return run_of(parse_scenario(text, "scenario.yaml", directory, settings_of(set)), formulation);
}

RunPointer run_dictionary(const py::object& scenario, const fs::path& directory, const py::object& set,
                          const std::string& formulation) {
  const std::string text = as_yaml(scenario);
  const Settings settings = settings_of(set);
  return run_of(
      without_places_in_text([&] { return parse_scenario(text, "scenario.yaml", directory, settings); }),
      formulation);
}

py::dict energy_of(const RunSummary& run) {
  py::dict energy;
  energy["work"] = run.ledger.work_actuators + run.ledger.work_loads;
  energy["kinetic"] = run.ledger.kinetic;
  energy["gravity"] = run.ledger.gravity;
  energy["strain"] = run.ledger.strain;
  energy["dissipated"] = run.ledger.dissipated;
  energy["error"] = run.last.largest_error;
  return energy;
}

py::dict summary_of(const FinishedRun& self) {
  const RunSummary& run = self.summary();
  py::dict all, final_state;
  all["name"] = self.model().name();
  all["status"] = self.status();
  all["integrator"] = run.integrator;
  all["reason"] = run.reason;
  all["end"] = run.end;
  all["rows"] = run.last.rows;
  all["steps"] = run.last.steps;
  all["rejected_steps"] = run.last.rejected;
  all["rhs_evaluations"] = run.last.evaluations;
  all["jacobian_evaluations"] = run.last.tangents;
  all["wall_s"] = run.wall_s;
  all["real_time_factor"] = run.real_time_factor;
  all["energy"] = energy_of(run);
  all["coordinates"] = self.model().coordinates();
  final_state["q"] = array_of(run.q);
  final_state["v"] = array_of(run.v);
  all["final"] = final_state;
  all["warnings"] = self.warnings();
  return all;
}

}  // namespace

void bind_simulation(py::module_& module) {
  using py::arg;
  const auto none = py::none();
  py::class_<FinishedRun, RunPointer>(module, "FinishedRun", doc::RunSummary)
      .def_property_readonly("failure", &FinishedRun::failure,
                             "Why the run ended early; empty where it did not.")
      .def_property_readonly("status", &FinishedRun::status, doc::StoredRun_status)
      .def_property_readonly("warnings", &FinishedRun::warnings, doc::run_warnings)
      .def_property_readonly("summary", &summary_of, "What `limber simulate --json` says.")
      .def_property_readonly("quantities", &FinishedRun::quantities, doc::ResultNames_quantities)
      .def("columns", &FinishedRun::columns, arg("path"), doc::Quantity_column_names)
      .def("unit", &FinishedRun::unit, arg("path"), doc::Quantity_unit_text)
      .def("values", &FinishedRun::values, arg("path"), "Rows x numbers of a quantity.")
      .def("save", &FinishedRun::save, arg("file"), py::call_guard<py::gil_scoped_release>(),
           doc::ResultWriter);
  module.def("run_file", &run_file, arg("file"), arg("set") = none, arg("formulation") = "", doc::simulate);
  module.def("run_text", &run_text, arg("text"), arg("directory"), arg("set") = none, arg("formulation") = "",
             doc::simulate);
  module.def("run_dictionary", &run_dictionary, arg("scenario"), arg("directory"), arg("set") = none,
             arg("formulation") = "", doc::simulate);
  Names formulations;
  for (const auto& choice : choices<FormulationKind>) formulations.emplace_back(choice.name);
  module.attr("formulations") = py::tuple(py::cast(formulations));
}

}  // namespace limber::python
