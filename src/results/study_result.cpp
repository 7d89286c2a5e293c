// SPDX-License-Identifier: BSD-3-Clause
#include "limber/results/study_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "hdf5.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/io/whole_file.hpp"
#include "rehearsal.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using namespace hdf5;

constexpr FileKind study_kind{.expected = "a result of `limber sweep`",
                              .format = "limber study",
                              .version = 1,
                              .advice = "run the study again"};

std::vector<hsize_t> extent(const std::vector<Eigen::Index>& size) { return {size.begin(), size.end()}; }

// Lower and upper bounds side by side.
void write_bounds(hid_t group, const char* name, const StudyTable& lower, const StudyTable& upper) {
  std::vector<double> both;
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    both.push_back(lower.data()[i]);
    both.push_back(upper.data()[i]);
  }
  write_table(group, name, extent({lower.rows(), lower.cols(), 2}), both.data());
}

void write_indices(hid_t file, const StudyIndices& indices) {
  if (indices.first_order.size() == 0) return;
  const Handle group = open_group(file, "sensitivity");
  const auto size = extent({indices.first_order.rows(), indices.first_order.cols()});
  write_table(group, "first_order", size, indices.first_order.data());
  write_table(group, "total", size, indices.total.data());
  write_bounds(group, "first_order_bounds", indices.first_lower, indices.first_upper);
  write_bounds(group, "total_bounds", indices.total_lower, indices.total_upper);
  write_table(group, "explained", extent({indices.explained.size()}), indices.explained.data());
}

void write_optimum(hid_t file, const StudyOptimum& optimum) {
  if (optimum.goals.empty()) return;
  const Handle group = open_group(file, "optimum");
  write_texts(group, "goals", optimum.goals);
  write_texts(group, "senses", optimum.senses);
  write_text(group, "command", optimum.command);
  if (optimum.limits.rows() > 0)
    write_table(group, "limits", extent({optimum.limits.rows(), 2}), optimum.limits.data(), optimum.limited);
  std::vector<NumberedText> found;
  for (const FoundVariant& one : optimum.found) found.push_back({one.variant, one.end});
  write_numbered_texts(group, "variants", "variant", "end", found);
}

void write_all(const fs::path& file, const StudyResult& result) {
  Handle handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "make the file");
  write_kind(handle, study_kind);
  write_text(handle, "program", result.program);
  write_text(handle, "status", result.status);
  write_text(handle, "task", result.task);
  write_text(handle, "method", result.method);
  write_table(handle, "parameters", extent({result.parameters.rows(), result.parameters.cols()}),
              result.parameters.data(), result.paths);
  write_table(handle, "measures", extent({result.values.rows(), result.values.cols()}), result.values.data(),
              result.measures);
  if (!result.histories.empty())
    write_table(handle, "histories",
                extent({result.values.rows(), static_cast<Eigen::Index>(result.histories.size()),
                        static_cast<Eigen::Index>(result.history_points)}),
                result.courses.data(), result.histories);
  std::vector<NumberedText> failed;
  for (const FailedVariant& one : result.failed) failed.push_back({one.variant, one.reason});
  write_numbered_texts(handle, "failed", "variant", "reason", failed);
  write_indices(handle, result.indices);
  write_optimum(handle, result.optimum);
  const Handle sources = open_group(handle, "sources");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < result.sources.size(); ++i) {
    names.push_back(result.sources[i].name);
    write_long_text(sources, fmt::format("{}", i), result.sources[i].text);
  }
  write_texts(sources, "names", names);
  handle.close("write the file");
}

StudyTable read_table(hid_t file, const std::string& path, const std::vector<hsize_t>& shape) {
  const Rows rows(file, path, shape);
  StudyTable table(rows.count(), static_cast<Eigen::Index>(rows.width()));
  if (table.size() > 0) rows.read(0, rows.count(), table.data());
  return table;
}

void read_bounds(hid_t file, const std::string& path, hsize_t width, StudyTable& lower, StudyTable& upper) {
  const StudyTable both = read_table(file, path, {width, 2});
  lower.resize(both.rows(), both.cols() / 2);
  upper.resize(both.rows(), both.cols() / 2);
  for (Eigen::Index i = 0; i < lower.size(); ++i) {
    lower.data()[i] = both.data()[2 * i];
    upper.data()[i] = both.data()[2 * i + 1];
  }
}

StudyOptimum read_optimum(hid_t file) {
  const Handle group = existing_group(file, "optimum");
  StudyOptimum optimum;
  optimum.goals = read_texts(group, "goals");
  optimum.senses = read_texts(group, "senses");
  optimum.command = read_text(group, "command");
  if (has(group, "limits")) {
    const Rows limits(group, "limits", {2});
    optimum.limited = limits.columns();
    optimum.limits = read_table(group, "limits", {2});
  }
  for (NumberedText& one : read_numbered_texts(group, "variants", "variant", "end"))
    optimum.found.push_back({one.number, std::move(one.text)});
  return optimum;
}

/// Whether everything that it names is there.
bool fits(const StudyOptimum& optimum, const StudyResult& result) {
  const auto is_measure = [&](const std::string& name) {
    return std::find(result.measures.begin(), result.measures.end(), name) != result.measures.end();
  };
  return (optimum.goals.size() == 1 || optimum.goals.size() == 2) &&
         optimum.senses.size() == optimum.goals.size() &&
         static_cast<Eigen::Index>(optimum.limited.size()) == optimum.limits.rows() &&
         std::all_of(optimum.goals.begin(), optimum.goals.end(), is_measure) &&
         std::all_of(optimum.limited.begin(), optimum.limited.end(), is_measure) &&
         std::all_of(optimum.found.begin(), optimum.found.end(), [&](const FoundVariant& one) {
           return one.variant >= 0 && one.variant < result.values.rows();
         });
}

StudyResult read_all(const fs::path& file) {
  const Handle handle = open_file(file, study_kind);
  StudyResult result;
  result.program = read_text(handle, "program");
  result.status = read_text(handle, "status");
  result.task = read_text(handle, "task");
  result.method = read_text(handle, "method");
  const Rows parameters(handle, "parameters", {0}), measures(handle, "measures", {0});
  result.paths = parameters.columns();
  result.measures = measures.columns();
  result.parameters = read_table(handle, "parameters", {result.paths.size()});
  result.values = read_table(handle, "measures", {result.measures.size()});
  if (result.parameters.rows() != result.values.rows())
    refuse(study_kind, "one with as many rows of parameters as of measures missing");
  if (has(handle, "histories")) {
    const Rows histories(handle, "histories", {0, 0});
    result.histories = histories.columns();
    if (result.histories.empty() || histories.count() != result.values.rows())
      refuse(study_kind, "one with damaged histories");
    result.history_points = static_cast<long>(histories.width() / result.histories.size());
    result.courses = read_table(handle, "histories", {0, 0});
  }
  for (NumberedText& one : read_numbered_texts(handle, "failed", "variant", "reason")) {
    if (one.number < 0 || one.number >= result.values.rows())
      refuse(study_kind, "one with failed variants that it does not have");
    result.failed.push_back({one.number, std::move(one.text)});
  }
  if (has(handle, "sensitivity")) {
    const hsize_t width = result.paths.size();
    StudyIndices& indices = result.indices;
    indices.first_order = read_table(handle, "sensitivity/first_order", {width});
    indices.total = read_table(handle, "sensitivity/total", {width});
    read_bounds(handle, "sensitivity/first_order_bounds", width, indices.first_lower, indices.first_upper);
    read_bounds(handle, "sensitivity/total_bounds", width, indices.total_lower, indices.total_upper);
    const StudyTable explained = read_table(handle, "sensitivity/explained", {});
    indices.explained = Eigen::Map<const Eigen::VectorXd>(explained.data(), explained.size());
    const auto rows = static_cast<Eigen::Index>(result.measures.size());
    for (const StudyTable* table :
         {&indices.first_order, &indices.total, &indices.first_lower, &indices.total_lower})
      if (table->rows() != rows) refuse(study_kind, "one with damaged indices");
    if (indices.explained.size() != rows) refuse(study_kind, "one with damaged indices");
  }
  if (has(handle, "optimum")) {
    result.optimum = read_optimum(handle);
    if (!fits(result.optimum, result)) refuse(study_kind, "one with a damaged optimum");
  }
  const Handle sources = existing_group(handle, "sources");
  const std::vector<std::string> names = read_texts(sources, "names");
  for (std::size_t i = 0; i < names.size(); ++i)
    result.sources.push_back({names[i], read_long_text(sources, fmt::format("{}", i)), {}});
  return result;
}

// A name or a reason in quotes where it has to be.
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c == '\n' || c == '\r' ? ' ' : c);
  return quoted + "\"";
}

}  // namespace

std::vector<bool> StudyResult::done() const {
  std::vector<bool> all(static_cast<std::size_t>(values.rows()));
  for (Eigen::Index k = 0; k < values.rows(); ++k)
    all[static_cast<std::size_t>(k)] = values.row(k).allFinite();
  for (const FailedVariant& one : failed) all[static_cast<std::size_t>(one.variant)] = true;
  return all;
}

long StudyResult::waiting() const {
  long count = 0;
  for (const bool is_done : done()) count += is_done ? 0 : 1;
  return count;
}

void write_study_result(const fs::path& file, const StudyResult& result) {
  silence();
  fs::path hidden = file;
  hidden.replace_filename("." + file.filename().string() + ".new");
  note_unfinished(hidden);
  try {
    write_all(hidden, result);
  } catch (...) {
    std::error_code ignored;
    fs::remove(hidden, ignored);
    forget_unfinished(hidden);
    throw;
  }
  synchronise(hidden);
  std::error_code failed;
  fs::rename(hidden, file, failed);
  forget_unfinished(hidden);
  if (failed)
    throw ComputationError(fmt::format("{} could not be written: {}", file.string(), failed.message()));
}

StudyResult read_study_result(const fs::path& file) {
  return within_path(file.string(), [&] {
    rehearse(file, [&] { read_all(file); });
    return read_all(file);
  });
}

bool is_study_result(const fs::path& file) {
  silence();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) return false;
  const Handle handle(id, H5Fclose, "open a file");
  try {
    return H5Aexists(handle, "format") > 0 && read_text(handle, "format") == study_kind.format;
  } catch (const InputError&) {
    return false;
  }
}

void write_study_csv(const fs::path& file, const StudyResult& result) {
  WholeFile out(file);
  std::string text = "variant";
  for (const auto* names : {&result.paths, &result.measures})
    for (const std::string& name : *names) text += "," + csv_cell(name);
  out.write(text + ",failed\n");
  std::size_t next = 0;
  for (Eigen::Index k = 0; k < result.values.rows(); ++k) {
    text = fmt::format("{}", k);
    for (const double value : result.parameters.row(k)) text += fmt::format(",{}", value);
    for (const double value : result.values.row(k))
      text += std::isfinite(value) ? fmt::format(",{}", value) : ",";
    const bool has_failed =
        next < result.failed.size() && result.failed[next].variant == static_cast<long>(k);
    text += "," + (has_failed ? csv_cell(result.failed[next].reason) : "");
    if (has_failed) ++next;
    out.write(text + "\n");
  }
  out.finish();
}

}  // namespace limber
