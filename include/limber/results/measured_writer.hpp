// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A run as somebody with instruments would have seen it: what the scenario's sensors show, row by row, and nothing else. `limber identify` and `limber
// estimate` read it as they would read a measurement.

#include <filesystem>

#include "limber/core/export.hpp"
#include "limber/io/whole_file.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber LIMBER_EXPORT {

/// CSV with the columns `t` and one for each sensor, at the output's rate.
class MeasuredWriter : public ResultSink {
 public:
  /// Throws InputError where the scenario has no sensors, and where nothing can be written.
  MeasuredWriter(const std::filesystem::path& file, const Scenario& scenario);

  void add(const Sample& sample) override;
  /// Gives the file its name; without it, nothing is left.
  void finish() { file_.finish(); }

 private:
  WholeFile file_;
};

}  // namespace limber
