// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fatigue: cycles of a stress that varies as it likes, and the damage that they do (docs/stress.md).
//
// Cycles are counted by rainflow (ASTM E1049-85, 5.4.4), as values come: of the turning points that are not yet counted, the last range X is
// compared with the one before it, Y. While X >= Y, Y is counted: as half a cycle where it begins at the first point, which then goes; else
// as a whole one, and both its points go. At the end every range that is left is half a cycle. Damage is Palmgren's and Miner's sum
//
//   D = Sum n_i / N(S_i),   N(S) = cycles (stress / S)^slope                                                    (1)
//
// over ranges S_i from trough to crest; at D = 1 it breaks.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/description.hpp"

namespace limber LIMBER_EXPORT {

/// What was counted.
struct StressCycle {
  double range = 0.0;  ///< crest less trough
  double mean = 0.0;   ///< halfway between them
  double count = 0.0;  ///< 1, or 0.5
};

/// Counts cycles of a series, value by value.
class Rainflow {
 public:
  /// The next value. What it closes is appended to `closed`.
  void add(double value, std::vector<StressCycle>& closed);
  /// What would be counted besides if the series ended here: the rest, by halves.
  std::vector<StressCycle> rest() const;

 private:
  std::vector<double> points_;  ///< turning points that are not counted; the last may yet move on
};

/// All cycles of a series, in the order in which they are counted. Throws InputError for a value that is not finite.
std::vector<StressCycle> rainflow(const std::vector<double>& series);

/// n/N of (1) of one cycle.
double miner_damage(const StressCycle& cycle, const SnCurveDescription& curve);
/// Their sum.
double miner_damage(const std::vector<StressCycle>& cycles, const SnCurveDescription& curve);

}  // namespace limber
