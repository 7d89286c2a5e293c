// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What was measured on a real arm, beside what a run shows. A signal of a table is laid over a curve of a figure; with y the measured numbers at their times t_k within
// the run and y_s the curve there, linear between rows,
//
//   residual e_k = y_k - y_s(t_k),    fit = 100 (1 - |e| / |y - mean y|) %                              (1)

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/number_table.hpp"
#include "limber/report/figure.hpp"
#include "limber/report/run_record.hpp"

namespace limber LIMBER_EXPORT {

/// Which column of a table is laid over which curve.
struct MeasuredColumn {
  std::string curve;   ///< its name: a sensor, a joint, ...; `efforts/hub` where several figures have it
  std::string column;  ///< of the table
};

/// How far what was measured is from a run: (1).
struct Residual {
  std::string curve;         ///< its name
  std::string unit;          ///< of the curve, with brackets
  long samples = 0;          ///< within the run
  double rms = 0.0;          ///< of e
  double largest = 0.0;      ///< |e|
  double largest_at = 0.0;   ///< when [s]
  double fit_percent = 0.0;  ///< 100: no residual; below 0: worse than the mean
};

/// Lays columns over curves of a run: its figures show them, and a figure `residuals`. `time`: the name of the column of times [s]; empty: `t`, `time` or the first. Throws
/// InputError for names that are not there, times that do not ascend, and a measurement that has nothing in common with the run's time.
void attach_measured(RunRecord& record, const NumberTable& table, const std::string& time,
                     const std::vector<MeasuredColumn>& columns);

/// Of every column that was attached.
std::vector<Residual> residuals(const RunRecord& record);

}  // namespace limber
