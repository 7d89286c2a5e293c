// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// When something happens in a scenario whatever the arm does: corners of trajectories, beginnings and ends of loads, samples of controllers, and
// readings that arrive. Steps end there.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

/// The times (k + offset rate)/rate, k = 0, 1, 2, ...
struct Grid {
  double rate;          ///< per second
  double offset = 0.0;  ///< [s]
  /// The first of them beyond t.
  double next(double t) const;
  /// Whether t is one of them; times that differ by less than `resolution` are one.
  bool has(double t, double resolution) const;
};

class Timetable {
 public:
  /// `arrivals`: when readings arrive that are held in between, and seen all the time.
  Timetable(const Scenario& scenario, std::vector<Grid> arrivals);

  /// Times that differ by less are one [s].
  double resolution() const { return resolution_; }
  /// The first corner.
  double first_corner() const { return corners_.front(); }
  /// The next time after t at which something is not smooth, or is sampled. Infinity: none.
  double next_corner(double t) const;
  /// Whether something is sampled, or arrives, at t.
  bool is_sample(double t) const;
  /// How far steps from t may go without passing over a change of an input.
  Pace pace(double t) const;

 private:
  double resolution_;
  std::vector<TrajectoryPointer> signals_;  ///< all that inputs follow, each once
  std::vector<double> corners_;             ///< the duration is one of them
  std::vector<Grid> grids_;
};

/// Whether it is asked at its samples only.
inline bool is_sampled(const Controller& controller) { return controller.rate() > 0.0; }

}  // namespace detail
}  // namespace limber
