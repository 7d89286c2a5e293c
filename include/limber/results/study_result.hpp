// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The result of a study in one HDF5 file (docs/sweep.md):
//
//   parameters    (variants x paths)                what was varied; attribute `columns`
//   measures      (variants x measures)             NaN where a variant failed, or has not been computed yet
//   histories     (variants x names x points)       where the study asks for them
//   failed        list of (variant, reason)
//   sensitivity/  first_order, total (measures x paths), first_order_bounds, total_bounds (measures x paths x 2), explained (measures)
//   optimum/      of a search: attributes `goals` and `senses` (minimise, maximise), `command` (which computes a design, but for its own `--set`); variants: list of (variant, how it was found), of two goals from the best
//                 of the first to the best of the second; limits (constraints x 2): [above, below], attribute `columns`: of which measures
//   sources/      the texts of study, scenario, model and tables
//
// A file is written anew each time, under a hidden name until it is complete, and without the time: the same content is the same bytes.

#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/source_text.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A variant that could not be computed.
struct FailedVariant {
  long variant = 0;    ///< its row
  std::string reason;  ///< what was thrown
};

/// Rows of numbers.
using StudyTable = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Sobol's indices, measures x paths; NaN where there are none. Empty tables: nobody has computed them.
struct StudyIndices {
  StudyTable first_order, first_lower, first_upper;  ///< with 95 % bounds
  StudyTable total, total_lower, total_upper;        ///< with 95 % bounds
  Eigen::VectorXd explained;  ///< of each measure, the part of its variance that the indices rest on
};

/// A variant that a search has ended with.
struct FoundVariant {
  long variant = 0;  ///< its row
  std::string end;   ///< how it was found
};

/// What a search was asked for, and has found. Empty of sweeps.
struct StudyOptimum {
  std::vector<std::string> goals = {};    ///< one or two measures
  std::vector<std::string> senses = {};   ///< of each: "minimise" or "maximise"
  std::vector<std::string> limited = {};  ///< measures of the constraints
  StudyTable limits = {};                 ///< constraints x [above, below]; NaN where there is none
  std::string command = {};               ///< what computes a design, but for its own `--set`
  std::vector<FoundVariant> found =
      {};  ///< the best one; of two goals their front. None: no variant keeps to all limits
};

/// All that a file holds.
struct StudyResult {
  std::string program;                       ///< "limber 0.1.0"
  std::string status;                        ///< "complete", "running" or "interrupted"
  std::string task, method;                  ///< words of the study file
  std::vector<std::string> paths, measures;  ///< columns of `parameters` and `values`
  std::vector<std::string> histories = {};   ///< names; none where the study does not ask for them
  long history_points = 0;                   ///< of each
  StudyTable parameters;                     ///< variants x paths
  StudyTable values;                         ///< variants x measures
  StudyTable courses;                        ///< variants x (names x points)
  std::vector<FailedVariant> failed;         ///< ascending
  StudyIndices indices;                      ///< of complete studies
  StudyOptimum optimum;                      ///< of searches
  std::vector<SourceText> sources;           ///< the study first

  /// How many variants have neither failed nor been computed.
  long waiting() const;
  /// Of every variant: computed, or failed.
  std::vector<bool> done() const;
};

/// Throws ComputationError where the disk is full.
void write_study_result(const std::filesystem::path& file, const StudyResult& result);
/// Throws InputError where the file is none of ours, or damaged.
StudyResult read_study_result(const std::filesystem::path& file);
/// Whether a file says that it is the result of a study; false for what cannot be read.
bool is_study_result(const std::filesystem::path& file);
/// variant, parameters, measures, failed: one row for each variant.
void write_study_csv(const std::filesystem::path& file, const StudyResult& result);

}  // namespace limber
