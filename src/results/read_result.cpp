#include "read_result.hpp"

#include <fmt/format.h>

#include <algorithm>

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

constexpr const char* what_is_expected = "a result of `limber simulate`";

/// An open result, and what its parts are called.
struct OpenResult {
  Handle file;
  ResultNames names;
};

Handle open_hdf5(const fs::path& file) {
  silence();
  const auto refuse = [](const std::string& found) {
    throw InputError(Problem{"", what_is_expected, found, ""});
  };
  std::error_code ignored;
  if (!fs::exists(file, ignored)) refuse("no such file");
  if (fs::is_directory(file, ignored)) refuse("a directory");
  if (!fs::is_regular_file(file, ignored)) refuse("a device or pipe");
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0 && H5Fis_hdf5(file.c_str()) > 0) refuse("an HDF5 file that cannot be opened: is it cut off?");
  if (id < 0) refuse("a file that is no HDF5, or cannot be opened");
  Handle handle(id, H5Fclose, "open a file");
  if (H5Aexists(handle, "format") <= 0 || read_text(handle, "format") != format_name)
    refuse("another HDF5 file");
  if (const long version = read_count(handle, "format_version"); version != format_version)
    throw InputError(Problem{"",
                             fmt::format("{} in version {} of the format", what_is_expected, format_version),
                             fmt::format("one in version {}", version), "run the scenario again"});
  return handle;
}

OpenResult open_result(const fs::path& file) {
  Handle handle = open_hdf5(file);
  ResultNames names{read_texts(handle, "links"), read_texts(handle, "joints"),
                    read_texts(handle, "coordinates"), read_texts(handle, "quantities")};
  return {std::move(handle), std::move(names)};
}

std::vector<SourceText> read_sources(hid_t file) {
  const Handle group = existing_group(file, "sources");
  std::vector<SourceText> sources;
  for (const std::string& name : read_texts(group, "names"))
    sources.push_back({name, read_long_text(group, std::to_string(sources.size()))});
  return sources;
}

// All of a quantity's rows, as many as the checkpoint counts.
Rows open_rows(const OpenResult& result, const std::string& path, long count) {
  Rows rows(result.file, path, row_shape(path, result.names));
  if (rows.count() != count)
    throw InputError(Problem{path, fmt::format("{} rows, as its checkpoint says", count),
                             fmt::format("{}", rows.count()), "the file was damaged or changed"});
  return rows;
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

StoredRun stored_run(const OpenResult& result) {
  const hid_t file = result.file;
  StoredRun run;
  run.info = {read_text(file, "program"),    read_sources(file),        read_text(file, "formulation"),
              read_text(file, "integrator"), read_number(file, "rtol"), read_number(file, "atol"),
              read_number(file, "step")};
  run.status = read_text(file, "status");
  run.warnings = read_texts(file, "warnings");
  run.names = result.names;
  run.checkpoint = read_checkpoint(file, run.names);
  if (sum_of_texts(run.info, run.names, run.status, run.warnings) != read_result_sums(file, run.names).texts)
    throw InputError(Problem{"", "a result with the texts that were written there", "others",
                             "the file was damaged or changed"});
  for (const std::string& path : run.names.quantities) open_rows(result, path, run.checkpoint.rows);
  return run;
}

void compare_sums(const OpenResult& result, long count) {
  const ResultSums sums = read_result_sums(result.file, result.names);
  for (std::size_t i = 0; i < sums.rows.size(); ++i) {
    const Rows rows = open_rows(result, result.names.quantities[i], count);
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
    throw InputError(Problem{file.string(), what_is_expected, error.what(), "the file is damaged"});
  }
}

/// Quantities of a table, and how its columns are called.
struct Part {
  const char* path;
  const char* prefix;
};
constexpr Part parts[] = {{"time", "time"},
                          {"q", "q."},
                          {"v", "v."},
                          {"efforts", "effort."},
                          {"end_effector/position", "end_effector."},
                          {"end_effector/quaternion", "end_effector.q"},
                          {"energy/kinetic", "energy.kinetic"},
                          {"energy/gravity", "energy.gravity"},
                          {"energy/strain", "energy.strain"},
                          {"energy/work_actuators", "energy.work_actuators"},
                          {"energy/work_loads", "energy.work_loads"},
                          {"energy/dissipated", "energy.dissipated"},
                          {"energy/error", "energy.error"},
                          {"wrenches", "wrench."}};

std::vector<std::string> column_names(const Part& part, const Rows& rows) {
  const std::vector<std::string> names = rows.columns();
  std::vector<std::string> columns;
  if (names.empty()) columns.emplace_back(part.prefix);
  for (const std::string& name : names) {
    if (rows.path() != "wrenches") {
      columns.push_back(part.prefix + name);
      continue;
    }
    for (const char* component : {"fx", "fy", "fz", "mx", "my", "mz"})
      columns.push_back(fmt::format("{}{}.{}", part.prefix, name, component));
  }
  if (columns.size() != rows.width())
    throw InputError(Problem{rows.path() + "/columns", fmt::format("names of {} numbers", rows.width()),
                             fmt::format("of {}", columns.size()), "the file was damaged or changed"});
  return columns;
}

ResultTable result_table(const OpenResult& result, long stride) {
  const long count = read_checkpoint(result.file, result.names).rows;
  ResultTable table;
  std::vector<Rows> quantities;
  for (const Part& part : parts) {
    const auto& known = result.names.quantities;
    if (std::find(known.begin(), known.end(), part.path) == known.end()) continue;
    quantities.push_back(open_rows(result, part.path, count));
    const auto names = column_names(part, quantities.back());
    table.columns.insert(table.columns.end(), names.begin(), names.end());
  }
  table.values.resize((count + stride - 1) / stride, static_cast<Eigen::Index>(table.columns.size()));
  Eigen::Index at = 0;
  for (const Rows& rows : quantities) {
    const auto width = static_cast<Eigen::Index>(rows.width());
    for_blocks_of(rows, [&](long first, long length, const std::vector<double>& numbers) {
      for (long row = (first + stride - 1) / stride * stride; row < first + length; row += stride)
        table.values.row(row / stride).segment(at, width) =
            Eigen::Map<const Eigen::RowVectorXd>(numbers.data() + (row - first) * width, width);
    });
    at += width;
  }
  return table;
}

}  // namespace

void read_all_of(const fs::path& file) {
  about(file, [&] {
    const OpenResult result = open_result(file);
    compare_sums(result, stored_run(result).checkpoint.rows);
    result_table(result, 1L << 40U);
  });
}

std::vector<std::uint64_t> row_sums(const fs::path& file) {
  return about(file, [&] {
    const OpenResult result = open_result(file);
    return read_result_sums(result.file, result.names).rows;
  });
}

StoredRun read_stored_run(const fs::path& file) {
  rehearse(file, [&] { read_all_of(file); });
  return about(file, [&] { return stored_run(open_result(file)); });
}

ResultTable read_result_table(const fs::path& file, long stride) {
  rehearse(file, [&] { read_all_of(file); });
  return about(file, [&] { return result_table(open_result(file), stride); });
}

}  // namespace limber
