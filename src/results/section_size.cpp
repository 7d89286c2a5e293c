// SPDX-License-Identifier: BSD-3-Clause
#include "section_size.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace limber {
namespace {

constexpr double usual_share = 0.011;    // of the reach: half the thickness of the stiffest beam by stiffness
constexpr double least_share = 0.0035;   // of the reach: the thinnest that can be seen
constexpr double rigid_share = 0.014;    // of the reach: half the thickness of a rigid link
constexpr double slender_share = 0.125;  // of its own length: none is stouter, unless it could not be seen

std::optional<Eigen::Vector2d> half_size(const SectionDescription& section) {
  if (!section.shape) return std::nullopt;
  if (section.outer_diameter) return Eigen::Vector2d::Constant(0.5 * *section.outer_diameter);
  if (section.diameter) return Eigen::Vector2d::Constant(0.5 * *section.diameter);
  if (section.width && section.height) return Eigen::Vector2d(0.5 * *section.width, 0.5 * *section.height);
  return std::nullopt;
}

double bending_stiffness(const SectionDescription& section) {
  return std::max(section.EI_y.value_or(0.0), section.EI_z.value_or(0.0));
}

std::vector<StationDescription> stations_of(const BeamDescription& beam) {
  if (!beam.stations.empty()) return beam.stations;
  return {{0.0, beam.section.value_or(SectionDescription{})}};
}

double stiffest(const Model& model) {
  double most = 0.0;
  for (const LinkDescription& link : model.description().links)
    if (link.beam)
      for (const StationDescription& station : stations_of(*link.beam))
        most = std::max(most, bending_stiffness(station.section));
  return most;
}

LinkSize size_of(const BeamDescription& beam, double scale, double most_stiffness) {
  LinkSize size;
  for (const StationDescription& station : stations_of(beam)) {
    const double relative = most_stiffness > 0.0 ? bending_stiffness(station.section) / most_stiffness : 1.0;
    // A bar's stiffness goes with the fourth power of its thickness; none is thinner than a sixth of the thickest.
    constexpr double least_stiffness = 1e-3;
    const Eigen::Vector2d by_stiffness =
        Eigen::Vector2d::Constant(usual_share * scale * std::pow(std::max(relative, least_stiffness), 0.25));
    const Eigen::Vector2d half = half_size(station.section).value_or(by_stiffness);
    const SectionShape shape = station.section.shape.value_or(SectionShape::tube);
    size.is_round = shape == SectionShape::tube || shape == SectionShape::rod;
    size.places.push_back(beam.axis_length() > 0.0 ? station.x / beam.axis_length() : 0.0);
    size.half_at.emplace_back(half.cwiseMax(least_share * scale));
  }
  return size;
}

// The knuckle of a long boom is a short link: by the boom's reach alone it would be a barrel. One without a length is a hub.
double rigid_half_size(const Link& link, double scale) {
  const double usual = rigid_share * scale, length = link.nodes.front().X_RN.p.norm();
  return length > 0.0 ? std::min(usual, std::max(slender_share * length, least_share * scale)) : usual;
}

}  // namespace

Eigen::Vector2d LinkSize::at(double fraction) const {
  const auto above = std::upper_bound(places.begin(), places.end(), fraction);
  if (above == places.begin()) return half_at.front();
  if (above == places.end()) return half_at.back();
  const auto i = static_cast<std::size_t>(above - places.begin());
  const double share = (fraction - places[i - 1]) / (places[i] - places[i - 1]);
  return (1.0 - share) * half_at[i - 1] + share * half_at[i];
}

double reach(const Model& model) {
  std::vector<double> to_tip(model.links().size(), 0.0);
  double longest = 0.0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    const double before = link.parent < 0 ? 0.0 : to_tip[static_cast<std::size_t>(link.parent)];
    to_tip[i] = before + link.X_NJ.p.norm() + link.X_BR.p.norm() + link.nodes.front().X_RN.p.norm();
    longest = std::max(longest, to_tip[i]);
  }
  return longest > 0.0 ? longest : 1.0;
}

std::vector<LinkSize> link_sizes(const Model& model) {
  const double scale = reach(model), most_stiffness = stiffest(model);
  std::vector<LinkSize> sizes;
  for (const Link& at : model.links()) {
    const LinkDescription& link = model.description().links[static_cast<std::size_t>(at.described)];
    LinkSize size = link.beam
                        ? size_of(*link.beam, scale, most_stiffness)
                        : LinkSize{true, {0.0}, {Eigen::Vector2d::Constant(rigid_half_size(at, scale))}};
    // Of a segment the places are counted from its own root, in its own length.
    for (double& place : size.places) place = place * at.segments - at.segment;
    sizes.push_back(std::move(size));
  }
  return sizes;
}

}  // namespace limber
