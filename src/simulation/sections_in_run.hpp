// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Section forces and stress of a run's rows.

#include <optional>
#include <vector>

#include "limber/analysis/section_forces.hpp"
#include "limber/analysis/stress.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {

/// Computes them for rows.
class SectionsInRun {
 public:
  /// Whether the output wants them, or some beam has a strength to be compared with.
  static bool are_asked_for(const Scenario& scenario);
  explicit SectionsInRun(const Scenario& scenario);

  /// From q, v and acceleration of a row; puts the numbers that the output asks for.
  void fill(const std::vector<Load>& loads, const std::vector<Load>& loops, Sample& sample);
  /// Of the last fill().
  void note_peaks(double t, RunPeaks& peaks) const;

 private:
  SectionForces forces_;
  std::vector<std::optional<BeamStress>> stress_;  ///< of the beams
  std::size_t links_;
  bool recorded_;
};

}  // namespace limber
