// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a run looks out for. Where the value of a Watch comes to zero something has happened: the time is found to 1e-10 s (and to the accuracy of the
// method), the step ends there, and it is noted. A Watch may end the run.

#include <functional>
#include <string>

#include "limber/core/export.hpp"
#include "limber/simulation/controller.hpp"

namespace limber LIMBER_EXPORT {

/// Something to look out for. Add yours to Scenario::watches.
struct Watch {
  std::string name = {};  ///< of what happens: "tip below 0.1 m"
  /// Of time and state. Positive while nothing has happened; where it falls to zero, something has. It happens again after it was positive
  /// again. Smooth near its zero; what happens within less than a quarter of a step, and is over, may be missed.
  std::function<double(const Instant&)> value = {};
  bool stops = false;  ///< whether the run ends there
};

/// What has happened.
struct Occurrence {
  double t = 0.0;         ///< [s]
  std::string name = {};  ///< of the watch
};

}  // namespace limber
