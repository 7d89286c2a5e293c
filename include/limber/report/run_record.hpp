#pragma once

// A result as reports see it: its rows, and the arm and the scenario that made them, built again from the texts that
// the result carries. Nothing but the result itself is read.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "limber/results/result_file.hpp"

namespace limber {

struct RunRecord {
  std::string file;  ///< its name, without folders
  StoredRun run;
  Scenario scenario;
  std::string method;  ///< of integration; where `auto` chose it, "radau9 (auto)"
  ResultTable table;
  long stride = 1;  ///< every stride-th row was read; 1: all of them

  const Model& model() const { return scenario.model; }
  Eigen::VectorXd time() const { return column("time"); }
  bool has(std::string_view name) const;
  /// A column of the table, which must be there.
  Eigen::VectorXd column(std::string_view name) const;
  /// q of one row.
  Eigen::VectorXd configuration(Eigen::Index row) const;

  /// What a reader should know before trusting the curves, as sentences.
  std::vector<std::string> warnings() const;
};

/// Numbers that are held in memory; a result with more of them is read with a stride.
inline constexpr double most_numbers_read = 3e7;

/// Throws InputError where the file is no result, is cut off, or has no rows.
RunRecord read_run(const std::filesystem::path& file, double most_numbers = most_numbers_read);

/// What the joints should do at a time: targets of controllers and of prescribed joints.
std::vector<JointTarget> joint_targets(const Scenario& scenario);

}  // namespace limber
