// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A result as reports see it: what it says of its run, and its rows. Nothing is built again: neither the arm nor the scenario, whose
// texts are carried along for readers.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/results/result_file.hpp"

namespace limber LIMBER_EXPORT {

/// What was measured on a real arm, and which curve of the result it belongs to (measured.hpp).
struct MeasuredSignal {
  std::string figure, curve;     ///< id of the figure, name of the curve
  std::string column;            ///< of the table it comes from
  Eigen::VectorXd time, values;  ///< [s], ascending; as many values
};

/// A result, with the arm and the scenario that made it.
struct RunRecord {
  std::string file;                           ///< its name, without folders
  StoredRun run;                              ///< all that it holds but its rows
  ResultTable table;                          ///< its rows
  long stride = 1;                            ///< every stride-th row was read; 1: all of them
  std::vector<MeasuredSignal> measured = {};  ///< laid over its curves

  /// The arm, to draw it.
  const ArmOutline& arm() const { return run.arm; }
  /// Of every row that was read [s].
  Eigen::VectorXd time() const { return table.of("time").col(0); }
  /// Whether a quantity was recorded.
  bool has(std::string_view path) const { return table.has(path); }
  /// The number of a quantity (by its path) that is called so: column("q", "shoulder"), column("wrenches", "shoulder.fx"); no name
  /// for one that has a single number. It must be there.
  Eigen::VectorXd column(std::string_view path, const std::string& name = "") const;
  /// Where a coordinate should have been; empty where nobody said.
  Eigen::VectorXd reference(const std::string& coordinate) const;
  /// q of one row.
  Eigen::VectorXd configuration(Eigen::Index row) const { return table.of("q").row(row); }

  /// What a reader should know before trusting the curves, as sentences.
  std::vector<std::string> warnings() const;
};

/// Numbers that are held in memory; a result with more of them is read with a stride.
inline constexpr double most_numbers_read = 3e7;

/// Throws InputError where the file is no result, is cut off, or has no rows.
RunRecord read_run(const std::filesystem::path& file, double most_numbers = most_numbers_read);

}  // namespace limber
