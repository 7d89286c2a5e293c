// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/model.hpp"

namespace limber {
namespace {

bool carries_links(const Model& model, int link) {
  for (const Link& other : model.links())
    if (other.parent == link) return true;
  return false;
}

// Families whose tip is free of load: a link that carries others never moves like that.
bool ignores_the_tip_load(ShapeFamily family) {
  return family == ShapeFamily::clamped_free || family == ShapeFamily::pinned_free;
}

bool holds_the_tip(ShapeFamily family) {
  return family == ShapeFamily::clamped_pinned || family == ShapeFamily::pinned_pinned;
}

// Numbers that no arm has: as a rule they were meant in other units.
void doubt_units(const std::string& name, const SectionDescription& section, double length,
                 std::vector<std::string>& sentences) {
  double across = 0.0;
  for (const auto& size : {section.diameter, section.outer_diameter, section.width, section.height})
    across = std::max(across, size.value_or(0.0));
  if (across > length)
    sentences.push_back(
        fmt::format("{}: the section is {:g} m across, the beam {:g} m long: lengths are in metres", name,
                    across, length));
  if (!section.material) return;
  constexpr double softest = 1e6, stiffest = 2e12, lightest = 10.0, heaviest = 3e4;
  const auto& [E, G, nu, density] = *section.material;
  if (E < softest || E > stiffest)
    sentences.push_back(fmt::format("{}: E is {:g} Pa, that of steel 2.1e11 Pa: moduli are in Pa", name, E));
  if (density < lightest || density > heaviest)
    sentences.push_back(
        fmt::format("{}: the density is {:g} kg/m^3, that of steel 7850 kg/m^3", name, density));
}

// What check() lets pass, and no body has.
void doubt_inertia(const std::string& place, const InertiaElements& elements,
                   std::vector<std::string>& sentences) {
  constexpr double digits_of_a_file = 1e-6;
  const Eigen::Vector3d moments = principal_moments(elements);
  const double sum = moments[0] + moments[1];
  if (moments[2] > (1.0 + digits_of_a_file) * sum)
    sentences.push_back(fmt::format(
        "{}: the largest principal moment of inertia is {:.2g} % larger than the sum of the others: "
        "no body has these, but they serve",
        place, 100.0 * (moments[2] / sum - 1.0)));
}

// Longer than any arm on earth or in orbit; a steel beam has a damping ratio of about 0.005, a bolted one 0.02.
constexpr double longest_link = 500.0, strongest_damping = 0.3, strongest_gravity = 100.0;

void doubt_beam(const LinkDescription& link, std::vector<std::string>& sentences) {
  if (link.beam->axis_length() > longest_link)
    sentences.push_back(
        fmt::format("{}: the beam is {:g} m long: lengths are in metres ({:g} mm would be {:g} m)", link.name,
                    link.beam->axis_length(), link.beam->axis_length(), 1e-3 * link.beam->axis_length()));
  const auto& damping = link.beam->damping;
  if (damping && damping->ratio.value_or(0.0) >= strongest_damping)
    sentences.push_back(
        fmt::format("{}: a damping ratio of {:g} is {:g} % of what stops all swinging; beams have 0.002 to "
                    "0.02 (1 % is 0.01)",
                    link.name, *damping->ratio, 100.0 * *damping->ratio));
}

void doubt_gravity(const Eigen::Vector3d& gravity, std::vector<std::string>& sentences) {
  const std::string shown = fmt::format("[{:g}, {:g}, {:g}]", gravity.x(), gravity.y(), gravity.z());
  if (gravity.z() > 0.0 && gravity.z() > gravity.head<2>().norm())
    sentences.push_back("gravity " + shown +
                        " pulls upwards, along +z: with z up it is [0, 0, -9.81], what a body falls with");
  if (gravity.norm() > strongest_gravity)
    sentences.push_back("gravity " + shown + " is " + fmt::format("{:.3g}", gravity.norm() / 9.81) +
                        " times that of the earth: it is in m/s^2");
}

}  // namespace

std::vector<std::string> advice(const Model& model) {
  std::vector<std::string> sentences;
  doubt_gravity(model.gravity(), sentences);
  for (const LinkDescription& link : model.description().links) {
    doubt_inertia(link.name + ", root", link.root.inertia, sentences);
    if (link.rigid) doubt_inertia(link.name, link.rigid->inertia, sentences);
    if (link.tip) doubt_inertia(link.name + ", tip", link.tip->inertia, sentences);
    if (!link.beam) continue;
    doubt_beam(link, sentences);
    if (link.beam->section) doubt_units(link.name, *link.beam->section, link.beam->axis_length(), sentences);
    for (const StationDescription& station : link.beam->stations)
      doubt_units(link.name, station.section, link.beam->axis_length(), sentences);
  }
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i) {
    const Link& link = model.links()[i];
    if (!link.beam || link.segment > 0) continue;  // segments are alike
    const std::string& name = model.description().links[static_cast<std::size_t>(link.described)].name;
    if (link.elastic_count == 0) sentences.push_back(name + ": the beam has no modes and is therefore rigid");
    for (const DirectionShapes& shapes : link.beam->directions) {
      const std::string direction = to_string(shapes.request.direction);
      const std::string place = name + ", " + direction + ": ";
      const std::string family = choice_name(shapes.request.family);
      if (carries_links(model, i) && ignores_the_tip_load(shapes.request.family))
        sentences.push_back(
            place + family +
            " shapes do not know what the tip carries; craig-bampton shapes are more accurate "
            "on links that carry other links");
      if (carries_links(model, i) && holds_the_tip(shapes.request.family))
        sentences.push_back(place + family +
                            " shapes do not let the tip move, so that what hangs on it only turns");
      if (shapes.request.direction == Direction::torsion && std::isinf(shapes.frequencies.maxCoeff()))
        sentences.push_back(place +
                            "no inertia of its own (section.rotary_inertia is zero about x); torsion moves "
                            "only what hangs on the beam");
    }
  }
  return sentences;
}

}  // namespace limber
