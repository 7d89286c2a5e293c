// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "limber/core/input_error.hpp"
#include "limber/model/lookup.hpp"

namespace limber {
namespace {

// Whether a body of finite elements has no field of second order, and so no geometric stiffening.
bool has_plain_bodies(const Model& model) {
  return std::any_of(model.links().begin(), model.links().end(), [](const Link& link) {
    return link.body && link.elastic_count > 0 && !link.body->reduced->stiffens();
  });
}

}  // namespace

double counted_deflection(const Link& link, const Eigen::Vector3d& deflection) {
  return link.body ? deflection.norm() : deflection.tail<2>().norm();
}

std::optional<std::string> deflection_warning(const Link& link, double deflection, double slope) {
  if (link.elastic_count == 0) return std::nullopt;
  const double part = deflection / link.length();
  if (part <= largest_trusted_deflection && slope <= largest_trusted_slope) return std::nullopt;
  constexpr double degrees = 180.0 / std::numbers::pi;
  // Each of n segments bends by an nth of the slope, and of the deflection beside its length. What bends most bends more than its share.
  constexpr int most_segments = 64;  // of what has no equilibrium, or is falling apart
  if (link.body)
    return fmt::format(
        "body `{}` bends by {:.0f} % of its length, its tip turns by {:.0f} deg: its field is {}, and "
        "wrong "
        "by more than a hundredth of that beyond {:.0f} % or {:.0f} deg",
        link.name, 100.0 * part, slope * degrees,
        link.nodes.front().field.is_second_order() ? "of second order" : "linear",
        100.0 * largest_trusted_deflection, largest_trusted_slope * degrees);
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

std::vector<std::string> deflection_warnings(const Model& model, const std::vector<double>& deflections,
                                             const std::vector<double>& slopes) {
  const std::size_t count = model.links().size();
  if (deflections.size() != count || slopes.size() != count)
    throw InputError(
        Problem{"deflection_warnings", std::to_string(count) + " deflections and slopes, one for each link",
                std::to_string(deflections.size()) + " and " + std::to_string(slopes.size()), ""});
  std::vector<std::string> warnings;
  for (const WholeLink& whole : whole_links(model)) {
    auto worst = static_cast<std::size_t>(whole.first);
    for (std::size_t i = worst; i < static_cast<std::size_t>(whole.first + whole.count); ++i)
      if (slopes[i] > slopes[worst]) worst = i;
    if (auto warning = deflection_warning(model.links()[worst], deflections[worst], slopes[worst]))
      warnings.push_back(std::move(*warning));
  }
  return warnings;
}

bool lacks_stiffening(const Model& model) {
  return model.kinematics() == KinematicOrder::first || has_plain_bodies(model);
}

std::optional<std::string> spin_warning(const Model& model, const std::string& joint, double rate,
                                        double first_frequency) {
  if (!lacks_stiffening(model) || !(rate > largest_trusted_spin * first_frequency)) return std::nullopt;
  const bool is_first = model.kinematics() == KinematicOrder::first;
  return fmt::format(
      "`{}` turns at {:.3g} rad/s, the arm's first frequency is {:.3g} rad/s: {} no geometric stiffening, "
      "and "
      "{} wrong {} such speeds{}",
      joint, rate, first_frequency,
      is_first ? "kinematics: first has" : "bodies reduced without a material have", is_first ? "is" : "are",
      rate > first_frequency ? "above" : "near",
      has_plain_bodies(model) ? "; `limber reduce --material` makes bodies that have it"
                              : "; take kinematics: second");
}

}  // namespace limber
