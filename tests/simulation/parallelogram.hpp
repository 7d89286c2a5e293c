// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A parallelogram, which lies flat at 0 and at 180 degrees, and runs that end where it does.

#include <cstdio>
#include <string>

#include "limber/core/computation_error.hpp"
#include "simulation/runs.hpp"

namespace limber {

inline std::string number(double value) {
  char text[32];  // NOLINT
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

struct Ended {
  std::string text;
  double time = -1.0;  // as the text says
  long rows = 0;
  double reached = 0.0;
};
inline Ended ended(const std::string& text) {
  const ScenarioFile file = scenario(text);
  Scenario built = build_scenario(file.description, file.model);
  Checkpoint last;
  RunOptions options;
  options.last_good = &last;
  History history;
  try {
    simulate(built, &history, options);
  } catch (const ComputationError& error) {
    Ended end{error.what(), -1.0, last.rows, last.integrator.t};
    std::sscanf(error.what(), "at t = %lf", &end.time);  // NOLINT
    return end;
  }
  return {};
}

// ---- a parallelogram: two cranks of `a` on a ground of `b`, under a rod of the same length, which weighs 2 kg; cranks weigh 1 kg each ----

inline constexpr double a = 0.5, b = 0.8;
inline std::string parallelogram(double angle, const std::string& more, double rod = b) {
  const std::string crank =
                        "{mass: 1, com: [0.25, 0, 0], inertia: [1e-4, 0.0208333333333333, "
                        "0.0208333333333333, 0, 0, 0], tip: {xyz: [0.5, 0, 0]}}",
                    across = "{mass: 2, com: [0.4, 0, 0], inertia: [1e-3, 0.1, 0.1, 0, 0, 0], tip: {xyz: [" +
                             number(rod) + ", 0, 0]}}";
  return "limber: 1\nmodel:\n  limber: 1\n  gravity: [0, -9.81, 0]\n  links:\n"
         "    - {name: crank, joint: {name: crank, axis: [0, 0, 1]}, rigid: " +
         crank +
         "}\n"
         "    - {name: rod, joint: {name: head, axis: [0, 0, 1]}, rigid: " +
         across +
         "}\n"
         "    - {name: rocker, parent: base, origin: {xyz: [0.8, 0, 0]}, joint: {name: foot, axis: [0, 0, "
         "1]}, rigid: " +
         crank +
         "}\n"
         "  loops: [{name: pin, type: revolute, axis: [0, 0, 1], a: {link: rod}, b: {link: rocker}}]\n"
         "initial: {q: {crank: " +
         number(angle) + ", head: " + number(-angle) + ", foot: " + number(angle) + "}}\n" + more;
}

}  // namespace limber
