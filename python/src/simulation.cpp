// SPDX-License-Identifier: BSD-3-Clause
// Runs a scenario and keeps its rows; writes them as a result file when asked to.

#include "limber/simulation/simulate.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "bindings.hpp"
#include "controller.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/core/interruption.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/results/quantity.hpp"
#include "limber/results/result_file.hpp"
#include "limber/results/summary_text.hpp"
#include "limber/simulation/metrics.hpp"
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
  explicit FinishedRun(Scenario scenario, std::vector<SourceText> sources)
      : scenario_(std::move(scenario)), sources_(std::move(sources)) {}

  /// Whatever ends it, what was reached is kept; rethrow() says what it was.
  void run() {
    Checkpoint reached;
    SignalWatch signals;
    RunOptions options;
    options.last_good = &reached;
    options.progress = [&](const Progress&) {
      signals.look();
      return true;
    };
    MetricsRecorder recorder(scenario_, &rows_);
    try {
      summary_ = simulate(scenario_, &recorder, options);
    } catch (...) {
      thrown_ = std::current_exception();
      status_ = status_of_thrown();
      keep(reached);
    }
    warnings_ = run_warnings(scenario_, summary_.last, summary_.doubts);
    if (summary_.last.rows > 0) metrics_ = recorder.metrics(summary_.last.peaks);
    forget_python(scenario_);
  }

  /// Once: what ended it early; nothing where nothing did.
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  const std::string& status() const { return status_; }
  const Names& warnings() const { return warnings_; }
  std::string summary() const { return summary_text(scenario_.model, summary_, metrics_, status_); }

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
    writer.set_metrics(metrics_.named(), summary_.occurrences);
    if (!rows_.samples.empty()) writer.set_frequencies(end_frequencies(scenario_, rows_.samples.back().q));
    writer.finish(summary_.last, status_);
  }

 private:
  RowLayout layout() const { return RowLayout(scenario_); }
  static RowLayout::Part part_of(const RowLayout& layout, const std::string& path) {
    for (const RowLayout::Part& part : layout.parts())
      if (part.quantity->path == path) return part;
    throw InputError(Problem{"name", "a quantity of the run", "`" + path + "`", ""});
  }
  RowLayout::Part part(const std::string& path) const { return part_of(layout(), path); }

  void keep(const Checkpoint& reached) {
    summary_.last = reached;
    summary_.finished = false;
    summary_.end = reached.integrator.t;
    if (reached.rows == 0) return;
    const Sample& last = rows_.samples.back();
    summary_.ledger = last.ledger;
    summary_.q = reached.integrator.y.head(scenario_.model.nq());
    summary_.v = reached.integrator.y.segment(scenario_.model.nq(), scenario_.model.nv());
  }

  // As the program has it: "interrupted", or "failed: " with the first line of the reason.
  std::string status_of_thrown() const {
    std::string reason = "for an unknown reason";
    try {
      std::rethrow_exception(thrown_);
    } catch (const py::error_already_set& error) {
      const py::gil_scoped_acquire locked;
      if (error.matches(PyExc_KeyboardInterrupt)) return "interrupted";
      reason = error.what();
    } catch (const std::exception& error) {
      reason = error.what();
    } catch (const Interrupted&) {
      return "interrupted";
    }
    return "failed: " + reason.substr(0, reason.find('\n'));
  }

  Scenario scenario_;
  std::vector<SourceText> sources_;
  KeptRows rows_;
  RunSummary summary_;
  RunMetrics metrics_;
  Names warnings_;
  std::string status_ = "complete";
  std::exception_ptr thrown_;
};

using RunPointer = std::shared_ptr<FinishedRun>;

RunPointer run_of(const ScenarioFile& file, const py::object& controllers, const py::object& watches) {
  Scenario scenario = driven_scenario(file, controllers, watches);
  auto run = std::make_shared<FinishedRun>(std::move(scenario), file.sources);
  const py::gil_scoped_release unlocked;
  run->run();
  return run;
}

}  // namespace

void bind_simulation(py::module_& module) {
  using py::arg;
  py::class_<FinishedRun, RunPointer>(module, "FinishedRun", doc::RunSummary)
      .def("rethrow", &FinishedRun::rethrow, "Raises what ended the run early, once.")
      .def_property_readonly("status", &FinishedRun::status, doc::StoredRun_status)
      .def_property_readonly("warnings", &FinishedRun::warnings, doc::run_warnings)
      .def_property_readonly("summary", &FinishedRun::summary, doc::summary_text)
      .def_property_readonly("quantities", &FinishedRun::quantities, doc::ResultNames_quantities)
      .def("columns", &FinishedRun::columns, arg("path"), doc::Quantity_column_names)
      .def("unit", &FinishedRun::unit, arg("path"), doc::Quantity_unit_text)
      .def("values", &FinishedRun::values, arg("path"), "Rows x numbers of a quantity.")
      .def("save", &FinishedRun::save, arg("file"), py::call_guard<py::gil_scoped_release>(),
           doc::ResultWriter);
  module.def("run", &run_of, arg("scenario"), arg("controllers") = py::none(), arg("watches") = py::none(),
             doc::simulate);
}

}  // namespace limber::python
