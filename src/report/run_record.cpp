// SPDX-License-Identifier: BSD-3-Clause
#include "limber/report/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

// Rows that do not fit are left out evenly, so that time stays evenly spaced.
long stride_to_read(long rows, std::size_t columns, double most_numbers) {
  return std::max(1L, std::lround(std::ceil(double(rows) * double(columns) / most_numbers)));
}

}  // namespace

Eigen::VectorXd RunRecord::column(std::string_view path, const std::string& name) const {
  const Quantity* quantity = find_quantity(path);
  const std::string wanted = quantity ? quantity->label + name : "";
  const auto at = std::find(table.columns.begin(), table.columns.end(), wanted);
  if (!has(path) || at == table.columns.end())
    throw InputError(Problem{file, fmt::format("a result with `{}` of `{}`", name, path), "none",
                             "run the scenario again, and have it recorded"});
  return table.values.col(at - table.columns.begin());
}

Eigen::VectorXd RunRecord::reference(const std::string& coordinate) const {
  const auto& targets = run.names.targets;
  if (std::find(targets.begin(), targets.end(), coordinate) == targets.end()) return {};
  return column("references", coordinate);
}

std::vector<std::string> RunRecord::warnings() const {
  std::vector<std::string> all;
  if (run.status != "complete")
    all.push_back(fmt::format("The run is not complete: {} at t = {:.6g} s of {:g} s.", run.status,
                              run.checkpoint.integrator.t, run.info.duration));
  all.insert(all.end(), run.warnings.begin(), run.warnings.end());
  return all;
}

RunRecord read_run(const std::filesystem::path& file, double most_numbers) {
  RunRecord record;
  record.file = file.filename().string();
  record.run = read_stored_run(file);
  const long rows = record.run.checkpoint.rows;
  if (rows < 1)
    throw InputError(Problem{file.string(), "a result with rows", "none",
                             "let `limber simulate` run until it has written some"});
  std::size_t columns = 0;
  for (const std::string& path : record.run.names.quantities)
    columns += find_quantity(path)->width(record.run.names);
  record.stride = stride_to_read(rows, columns, most_numbers);
  record.table = read_result_table(file, record.stride);
  return record;
}

}  // namespace limber
