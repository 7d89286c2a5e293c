// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stops of joints and cylinders, at their limits `lower` and `upper` (docs/cylinders.md). With x the position or length, side s = 1 at the upper and -1 at
// the lower limit,
//
//   d = s (x - limit)                                                         how deep                          (1)
//   F = k d + c d'   where d > 0 and this is positive, else 0                 the force is -s F                 (2)
//
// A stop pushes and never pulls: what leaves it faster than its damper lets its spring follow leaves it where k d + c d' = 0, before d = 0. F is a function
// of x and x' alone: it jumps by c d' where the stop is met, and nowhere else. The ledger has
//
//   energy k d^2/2 where d > 0,   dissipated (F - k d) d':  c d'^2 while it presses, -k d d' while it is left   (3)
//
// so what its spring still holds when it is left goes into its damper.

#include <algorithm>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// One stop of a joint's coordinate, or of a cylinder.
struct Stop {
  int position;      ///< of x in q; of cylinder i nq + i
  int coordinate;    ///< of x' in v; of cylinder i nv + i
  double limit;      ///< where it stands [rad or m]
  int side;          ///< 1: at the upper limit, -1: at the lower
  double stiffness;  ///< [N m/rad or N/m]
  double damping;    ///< [N m s/rad or N s/m]

  /// d of (1).
  double depth(double x) const { return side * (x - limit); }
  /// k d + c d', whatever its sign.
  double push(double x, double rate) const { return stiffness * depth(x) + damping * side * rate; }
  /// Whether (2) has a force there.
  bool presses(double x, double rate) const { return depth(x) > 0.0 && push(x, rate) > 0.0; }
  /// -s F of (2): what it does to x.
  double force(double x, double rate) const { return presses(x, rate) ? -side * push(x, rate) : 0.0; }
  /// Of its spring, (3) [J].
  double energy(double x) const {
    const double d = std::max(depth(x), 0.0);
    return 0.5 * stiffness * d * d;
  }
};

/// All stops of joints, then those of cylinders, in the order of the file; of each the lower first. None where no `stop_stiffness` is given.
std::vector<Stop> stops_of(const Model& model);

}  // namespace limber
