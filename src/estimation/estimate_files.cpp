// SPDX-License-Identifier: BSD-3-Clause
// Estimates as tables: CSV and HDF5.

#include <fmt/format.h>
#include <hdf5.h>

#include <system_error>

#include "hdf5.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/estimation/estimate.hpp"
#include "limber/io/whole_file.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Columns that belong together, and their numbers in a row.
struct Block {
  const char* dataset;
  std::vector<std::string> names;
  VectorXd (*of)(const ArmEstimate&);
};

std::vector<std::string> with_prefix(const std::string& prefix, std::vector<std::string> names) {
  for (std::string& name : names) name.insert(0, prefix);
  return names;
}

std::vector<Block> blocks_of(const EstimatedCourse& course) {
  const std::vector<std::string> tip = {"end_effector.x", "end_effector.y", "end_effector.z"};
  std::vector<std::string> parameters;
  for (const UnknownParameter& one : course.parameters) parameters.push_back(one.name);
  return {{"q", with_prefix("q.", course.positions), [](const ArmEstimate& row) { return row.q; }},
          {"v", with_prefix("v.", course.coordinates), [](const ArmEstimate& row) { return row.v; }},
          {"sd_q", with_prefix("sd.q.", course.coordinates),
           [](const ArmEstimate& row) { return row.q_deviation; }},
          {"sd_v", with_prefix("sd.v.", course.coordinates),
           [](const ArmEstimate& row) { return row.v_deviation; }},
          {"end_effector", tip, [](const ArmEstimate& row) { return VectorXd(row.tip.position); }},
          {"sd_end_effector", with_prefix("sd.", tip),
           [](const ArmEstimate& row) { return VectorXd(row.tip.standard_deviation); }},
          {"parameters", parameters, [](const ArmEstimate& row) { return row.parameters; }},
          {"sd_parameters", with_prefix("sd.", parameters),
           [](const ArmEstimate& row) { return row.parameter_deviations; }}};
}

void write_all(const std::filesystem::path& file, const EstimatedCourse& course) {
  using namespace hdf5;
  silence();
  Handle handle(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, "make the file");
  write_text(handle, "format", "limber estimate");
  write_count(handle, "format_version", 1);
  write_text(handle, "model", course.name);
  const auto rows = static_cast<Index>(course.rows.size());
  VectorXd times(rows);
  for (Index i = 0; i < rows; ++i) times[i] = course.rows[static_cast<std::size_t>(i)].t;
  write_table(handle, "time", {static_cast<hsize_t>(rows), 1}, times.data(), {"t"});
  for (const Block& block : blocks_of(course)) {
    const auto width = static_cast<Index>(block.names.size());
    if (width == 0) continue;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> table(rows, width);
    for (Index i = 0; i < rows; ++i)
      table.row(i) = block.of(course.rows[static_cast<std::size_t>(i)]).transpose();
    write_table(handle, block.dataset, {static_cast<hsize_t>(rows), static_cast<hsize_t>(width)},
                table.data(), block.names);
  }
  handle.close("write the file");
}

}  // namespace

std::string estimates_csv(const EstimatedCourse& course) {
  const std::vector<Block> blocks = blocks_of(course);
  std::string text = "t";
  for (const Block& block : blocks)
    for (const std::string& name : block.names) text += "," + name;
  text += "\n";
  for (const ArmEstimate& row : course.rows) {
    text += fmt::format("{}", row.t);
    for (const Block& block : blocks)
      for (const double value : block.of(row)) text += fmt::format(",{}", value);
    text += "\n";
  }
  return text;
}

// Under its name only when it is whole: what is there already outlives a full disk.
void write_estimates_h5(const std::filesystem::path& file, const EstimatedCourse& course) {
  namespace fs = std::filesystem;
  fs::path hidden = file;
  hidden.replace_filename("." + file.filename().string() + ".new");
  note_unfinished(hidden);
  std::error_code failed;
  try {
    write_all(hidden, course);
    fs::rename(hidden, file, failed);
  } catch (const ComputationError&) {
    failed = std::make_error_code(std::errc::no_space_on_device);
  }
  std::error_code ignored;
  if (failed) fs::remove(hidden, ignored);
  forget_unfinished(hidden);
  if (failed)
    throw ComputationError(
        fmt::format("{} could not be written: {}", file.string(),
                    failed == std::errc::no_space_on_device ? "is the disk full?" : failed.message()));
}

}  // namespace limber
