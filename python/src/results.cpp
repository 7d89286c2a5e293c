// SPDX-License-Identifier: BSD-3-Clause
// Results that stand in files: read when they are asked for, and drawn.

#include "limber/results/result_file.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <filesystem>
#include <mutex>
#include <optional>

#include "arrays.hpp"
#include "bindings.hpp"
#include "docs.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/report/page.hpp"
#include "limber/report/svg.hpp"
#include "limber/results/quantity.hpp"

namespace limber::python {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

/// A result file. Its facts are read at once, its rows when somebody asks for them.
class ResultFile {
 public:
  explicit ResultFile(fs::path file) : file_(std::move(file)), run_(read_stored_run(file_)) {}

  const StoredRun& run() const { return run_; }
  const fs::path& file() const { return file_; }

  /// Rows x numbers of a quantity.
  Array values(const std::string& path) {
    {
      const py::gil_scoped_release unlocked;
      const std::lock_guard lock(mutex_);
      if (!table_) table_ = read_result_table(file_);
    }
    quantity(path);
    return array_of(table_->of(path));
  }
  Names columns(const std::string& path) const { return quantity(path).column_names(run_.names); }
  std::string unit(const std::string& path) const { return quantity(path).unit_text(); }

 private:
  const Quantity& quantity(const std::string& path) const {
    const Quantity* const found = find_quantity(path);
    const Names& recorded = run_.names.quantities;
    if (!found || std::find(recorded.begin(), recorded.end(), path) == recorded.end())
      throw InputError(Problem{"name", "a quantity of the result", "`" + path + "`", ""});
    return *found;
  }

  fs::path file_;
  StoredRun run_;
  std::mutex mutex_;
  std::optional<ResultTable> table_;
};

std::string page_of(const std::vector<fs::path>& files) {
  std::vector<RunRecord> records;
  for (const fs::path& file : files) records.push_back(read_run(file));
  return run_page(records);
}

void write_page(const std::vector<fs::path>& files, const fs::path& page) {
  write_whole_file(page, page_of(files));
}

std::string drawn(const fs::path& file, const std::string& what, const Names& names) {
  const RunRecord record = read_run(file);
  if (what == "motion") return motion_svg(record);
  Figure shown = figure(record, what);
  if (!names.empty()) shown = only(shown, names, record.arm());
  return figure_svg({shown}, labels({record}));
}

/// A curve of a figure, and the figure's words.
py::dict curves(const fs::path& file, const std::string& what, const Names& names) {
  std::optional<Figure> shown;
  {
    const py::gil_scoped_release unlocked;
    const RunRecord record = read_run(file);
    shown = figure(record, what);
    if (!names.empty()) shown = only(*shown, names, record.arm());
  }
  py::dict all;
  py::list list;
  for (const Curve& curve : shown->curves)
    list.append(py::make_tuple(curve.name, array_of(curve.values), curve.is_reference));
  all["title"] = shown->title;
  all["x_label"] = shown->x_label;
  all["y_label"] = shown->y_label;
  all["x"] = array_of(shown->x);
  all["logarithmic"] = shown->logarithmic;
  all["curves"] = list;
  return all;
}

}  // namespace

void bind_results(py::module_& module) {
  using py::arg;
  const Names nobody;
  py::class_<ResultFile>(module, "ResultFile", doc::StoredRun)
      .def(py::init<fs::path>(), arg("file"), doc::read_stored_run)
      .def_property_readonly("file", &ResultFile::file, "Where it stands.")
      .def_property_readonly(
          "status", [](const ResultFile& self) { return self.run().status; }, doc::StoredRun_status)
      .def_property_readonly(
          "warnings", [](const ResultFile& self) { return self.run().warnings; }, doc::StoredRun_warnings)
      .def_property_readonly(
          "name", [](const ResultFile& self) { return self.run().arm.name; }, doc::ArmOutline_name)
      .def_property_readonly(
          "formulation", [](const ResultFile& self) { return self.run().info.formulation; },
          doc::ResultInfo_formulation)
      .def_property_readonly(
          "method", [](const ResultFile& self) { return self.run().info.method; }, doc::ResultInfo_method)
      .def_property_readonly(
          "sources",
          [](const ResultFile& self) {
            py::dict texts;
            for (const SourceText& source : self.run().info.sources)
              texts[py::str(source.name)] = source.text;
            return texts;
          },
          doc::ResultInfo_sources)
      .def_property_readonly(
          "quantities", [](const ResultFile& self) { return self.run().names.quantities; },
          doc::ResultNames_quantities)
      .def("columns", &ResultFile::columns, arg("path"), doc::Quantity_column_names)
      .def("unit", &ResultFile::unit, arg("path"), doc::Quantity_unit_text)
      .def("values", &ResultFile::values, arg("path"), "Rows x numbers of a quantity.");
  const auto unlocked = py::call_guard<py::gil_scoped_release>();
  module.def("page_of_results", &page_of, arg("files"), unlocked, doc::run_page);
  module.def("write_report", &write_page, arg("files"), arg("page"), unlocked, doc::run_page);
  module.def("figure_svg", &drawn, arg("file"), arg("what"), arg("names") = nobody, unlocked,
             doc::figure_svg);
  module.def("figure_curves", &curves, arg("file"), arg("what"), arg("names") = nobody, doc::Figure);
  module.attr("figures") = py::tuple(py::cast(figure_names()));
}

}  // namespace limber::python
