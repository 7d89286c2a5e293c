// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace limber {

std::optional<std::string> deflection_warning(const Link& link, double deflection, double slope) {
  if (!link.beam || link.elastic_count == 0) return std::nullopt;
  const double part = deflection / link.beam->basis.length();
  if (part <= largest_trusted_deflection && slope <= largest_trusted_slope) return std::nullopt;
  constexpr double degrees = 180.0 / std::numbers::pi;
  // Each of n segments bends by an nth of the slope, and of the deflection beside its length. What bends most bends more than its share.
  constexpr int most_segments = 64;  // of what has no equilibrium, or is falling apart
  const double times = std::max(part / largest_trusted_deflection, slope / largest_trusted_slope);
  const double proposed = std::ceil(link.segments * times);
  return fmt::format(
      "link `{}` bends by {:.0f} % of its length, its tip turns by {:.0f} deg: beyond {:.0f} % or {:.0f} deg "
      "the deflection field is only an approximation; {} cut it into beams that bend less",
      link.name, 100.0 * part, slope * degrees, 100.0 * largest_trusted_deflection,
      largest_trusted_slope * degrees,
      proposed <= most_segments
          ? fmt::format("`segments: {}` of its `beam` would", std::max(2, static_cast<int>(proposed)))
          : std::string("more `segments` of its `beam` would"));
}

std::optional<std::string> spin_warning(const Model& model, const std::string& joint, double rate,
                                        double first_frequency) {
  if (model.kinematics() != KinematicOrder::first || !(rate > largest_trusted_spin * first_frequency))
    return std::nullopt;
  return fmt::format(
      "`{}` turns at {:.3g} rad/s, the arm's first frequency is {:.3g} rad/s: kinematics: first has no "
      "geometric "
      "stiffening, and is wrong {} such speeds; take kinematics: second",
      joint, rate, first_frequency, rate > first_frequency ? "above" : "near");
}

}  // namespace limber
