// SPDX-License-Identifier: BSD-3-Clause
#include "read_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "check_sum.hpp"
#include "checkpoint.hpp"
#include "format.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "rehearsal.hpp"

namespace limber {

namespace fs = std::filesystem;
using namespace hdf5;

namespace {

/// An open result, and what it says.
struct OpenResult {
  Handle file;
  StoredRun run;
};

// Names are those of the arm that the file holds, and quantities those that such an arm has.
void require_names(const ResultNames& found, const ResultNames& expected) {
  const auto refuse = [](const char* what, const char* wanted) {
    throw InputError(
        Problem{what, wanted, "others", "the file was damaged or changed; run the scenario again"});
  };
  if (found.links != expected.links) refuse("links", "those of the arm in it");
  if (found.joints != expected.joints) refuse("joints", "those of the arm in it");
  if (found.coordinates != expected.coordinates) refuse("coordinates", "those of the arm in it");
  for (const std::string& target : found.targets)
    if (std::find(expected.driven.begin(), expected.driven.end(), target) == expected.driven.end())
      refuse("targets", "coordinates of joints of the arm in it");
  if (found.sensor_units.size() != found.sensors.size()) refuse("sensor_units", "one for each sensor");
  for (const auto& [what, names, all] : {std::tuple("section_beams", &found.beams, &expected.links),
                                         std::tuple("section_stressed", &found.stressed, &found.beams)})
    for (const std::string& name : *names)
      if (std::find(all->begin(), all->end(), name) == all->end())
        refuse(what, "links of the arm in it that have a beam");
  std::vector<std::string> paths;
  for (const Quantity& quantity : all_quantities()) {
    const bool is_there =
        std::find(found.quantities.begin(), found.quantities.end(), quantity.path) != found.quantities.end();
    if (quantity.width(expected) > 0 && (is_there || !quantity.is_asked_for))
      paths.emplace_back(quantity.path);
  }
  if (found.quantities != paths) refuse("quantities", "those that this version records of such an arm");
}

// All of a quantity's rows, as many as the checkpoint counts.
Rows open_rows(const OpenResult& result, const std::string& path) {
  const Quantity& quantity = *find_quantity(path);
  const std::vector<std::size_t> shape = quantity.shape(result.run.names);
  Rows rows(result.file, path, {shape.begin(), shape.end()});
  if (const long count = result.run.checkpoint.rows; rows.count() != count)
    throw InputError(Problem{path, fmt::format("{} rows, as its checkpoint says", count),
                             fmt::format("{}", rows.count()), "the file was damaged or changed"});
  if (quantity.columns && rows.columns() != quantity.columns(result.run.names))
    throw InputError(
        Problem{path + "/columns", "names of the arm in it", "others", "the file was damaged or changed"});
  return rows;
}

OpenResult open_result(const fs::path& file) {
  Handle handle = open_file(file, result_kind);
  ResultWords words = read_words(handle);
  StoredRun& run = words.run;
  run.checkpoint = read_checkpoint(handle, run.names);
  if (words.sum() != read_result_sums(handle, run.names).texts)
    throw InputError(Problem{"", "a result with the texts that were written there", "others",
                             "the file was damaged or changed"});
  run.arm = parse_outline(words.arm);
  ResultNames names = names_of(run.arm, run.names);
  require_names(run.names, names);
  names.quantities = run.names.quantities;
  run.names = std::move(names);
  OpenResult result{std::move(handle), std::move(run)};
  for (const std::string& path : result.run.names.quantities) open_rows(result, path);
  return result;
}

/// Hands on all rows, some at a time: first, count, numbers.
template <typename Action>
void for_blocks_of(const Rows& rows, Action&& action) {
  constexpr std::size_t most_numbers = std::size_t{1} << 20U;
  const long at_once = std::max(1L, static_cast<long>(most_numbers / std::max<std::size_t>(rows.width(), 1)));
  std::vector<double> block;
  for (long first = 0; first < rows.count(); first += at_once) {
    const long count = std::min(at_once, rows.count() - first);
    block.resize(static_cast<std::size_t>(count) * rows.width());
    rows.read(first, count, block.data());
    action(first, count, block);
  }
}

void compare_sums(const OpenResult& result) {
  const ResultSums sums = read_result_sums(result.file, result.run.names);
  for (std::size_t i = 0; i < sums.rows.size(); ++i) {
    const Rows rows = open_rows(result, result.run.names.quantities[i]);
    CheckSum sum;
    for_blocks_of(rows, [&](long, long, const std::vector<double>& numbers) {
      sum.add(numbers.data(), numbers.size());
    });
    if (sum.value() != sums.rows[i])
      throw InputError(Problem{rows.path(), "the numbers that were written there", "others",
                               "the file was damaged or changed; run the scenario again"});
  }
}

// The file's name in front of what is wrong with it. What HDF5 itself cannot read is damaged.
template <typename Action>
auto about(const fs::path& file, Action&& action) {
  try {
    return action();
  } catch (const InputError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems)
      problem.path = file.string() + (problem.path.empty() ? "" : ": " + problem.path);
    throw InputError(std::move(problems));
  } catch (const ComputationError& error) {
    throw InputError(Problem{file.string(), result_kind.expected, error.what(), "the file is damaged"});
  }
}

ResultTable result_table(const OpenResult& result, long stride) {
  const long count = result.run.checkpoint.rows;
  ResultTable table;
  for (const std::string& path : result.run.names.quantities) {
    const std::vector<std::string> names = find_quantity(path)->column_names(result.run.names);
    table.parts.push_back(
        {path, static_cast<Eigen::Index>(table.columns.size()), static_cast<Eigen::Index>(names.size())});
    table.columns.insert(table.columns.end(), names.begin(), names.end());
  }
  table.values.resize((count + stride - 1) / stride, static_cast<Eigen::Index>(table.columns.size()));
  for (const ResultTable::Part& part : table.parts)
    for_blocks_of(
        open_rows(result, part.path), [&](long first, long length, const std::vector<double>& numbers) {
          for (long row = (first + stride - 1) / stride * stride; row < first + length; row += stride)
            table.values.row(row / stride).segment(part.first, part.count) =
                Eigen::Map<const Eigen::RowVectorXd>(numbers.data() + (row - first) * part.count, part.count);
        });
  return table;
}

}  // namespace

void read_all_of(const fs::path& file) {
  about(file, [&] {
    const OpenResult result = open_result(file);
    compare_sums(result);
    constexpr long no_bound = 1L << 40U;  // numbers: more than a disk has
    result_table(result, no_bound);
  });
}

ResultWords stored_words(const fs::path& file) {
  return about(file, [&] {
    ResultWords words = read_words(open_file(file, result_kind));
    words.run.arm = parse_outline(words.arm);
    return words;
  });
}

std::vector<std::uint64_t> row_sums(const fs::path& file) {
  return about(file, [&] {
    const OpenResult result = open_result(file);
    return read_result_sums(result.file, result.run.names).rows;
  });
}

StoredRun read_stored_run(const fs::path& file) {
  rehearse(file, [&] { read_all_of(file); });
  return about(file, [&] { return open_result(file).run; });
}

ResultTable read_result_table(const fs::path& file, long stride) {
  rehearse(file, [&] { read_all_of(file); });
  return about(file, [&] { return result_table(open_result(file), stride); });
}

const ResultTable::Part* ResultTable::find(std::string_view path) const {
  for (const Part& part : parts)
    if (part.path == path) return &part;
  return nullptr;
}

Eigen::Block<const Eigen::MatrixXd, Eigen::Dynamic, Eigen::Dynamic, true> ResultTable::of(
    std::string_view path) const {
  const Part* part = find(path);
  return values.middleCols(part ? part->first : 0, part ? part->count : 0);
}

std::string ResultInfo::method_text() const {
  if (method.empty()) return integrator;
  return integrator == integrators::Automatic::type ? method + " (auto)" : method;
}

}  // namespace limber
