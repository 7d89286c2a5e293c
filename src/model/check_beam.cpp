// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

void check_places(const BeamDescription& beam, const std::string& path, Problems& problems) {
  const std::vector<StationDescription>& stations = beam.stations;
  if (stations.size() < 2) {
    problems.push_back({path, "at least 2 stations", std::to_string(stations.size()), ""});
    return;
  }
  const auto refuse = [&](std::size_t i, std::string expected) {
    problems.push_back({indexed(path, i) + ".x", std::move(expected), show_number(stations[i].x), ""});
  };
  if (!is_same_length(stations.front().x, 0.0, beam.length)) refuse(0, "0 at the first station");
  for (std::size_t i = 1; i < stations.size(); ++i) {
    if (stations[i].x > stations[i - 1].x) continue;
    refuse(i, fmt::format("a number > {} [m], which is the station before it", stations[i - 1].x));
  }
  if (!is_same_length(stations.back().x, beam.length, beam.length)) {
    refuse(stations.size() - 1, fmt::format("{} [m] at the last station, the beam's length", beam.length));
  }
}

/// A beam shears all along or nowhere: between a station that does and one that does not there is nothing to be linear.
void check_shear(const BeamDescription& beam, const std::string& path, Problems& problems) {
  const auto shears = [](const SectionDescription& section, Direction direction) {
    return section.shear || (direction == Direction::y ? section.kGA_y : section.kGA_z).has_value();
  };
  for (const Direction direction : {Direction::y, Direction::z})
    for (std::size_t i = 1; i < beam.stations.size(); ++i) {
      const bool first = shears(beam.stations[0].section, direction);
      if (shears(beam.stations[i].section, direction) == first) continue;
      const std::string key = std::string("kGA_") + to_string(direction);
      problems.push_back(
          {indexed(path + ".stations", i) + ".section",
           fmt::format("{} `{}` (or `shear`), as the first station has", first ? "a" : "no", key),
           first ? "none" : "one", "a beam shears at all its stations, or at none"});
      break;
    }
}

bool turns_at_root(ShapeFamily family) {
  return family == ShapeFamily::pinned_pinned || family == ShapeFamily::pinned_free;
}

void check_segments(const BeamDescription& beam, const std::string& path, Problems& problems) {
  const std::string found = std::to_string(*beam.segments) + " segments";
  if (beam.tip_rotation == TipRotation::chord)
    problems.push_back(
        {path + ".tip_rotation", "`slope` with `segments`", "`chord` and " + found,
         "every segment is fixed to the section at the tip of the one before it, which turns by "
         "its slope"});
  for (const Direction direction : {Direction::y, Direction::z})
    if (const auto& modes = beam.modes.of(direction); modes && turns_at_root(modes->shape))
      problems.push_back({path + ".modes." + to_string(direction) + ".shape",
                          "shapes that are clamped at the root of every segment",
                          show_text(choice_name(modes->shape)) + " and " + found,
                          "between two segments such a shape is a hinge; take craig-bampton"});
  if (beam.damping && beam.damping->alpha.value_or(0.0) != 0.0)
    problems.push_back({path + ".damping.alpha", "`ratio` or `beta` with `segments`",
                        show_number(*beam.damping->alpha) + " and " + found,
                        "a share of the mass matrix would damp each segment against its own frame only"});
}

// Stress is that of a shape.
void check_strength(const BeamDescription& beam, const std::string& path, Problems& problems) {
  bool is_geometric = !beam.section || beam.section->shape.has_value();
  for (const StationDescription& station : beam.stations)
    is_geometric = is_geometric && station.section.shape == beam.stations.front().section.shape &&
                   station.section.shape.has_value();
  if (is_geometric) return;
  for (const auto& [key, is_given] :
       {std::pair("strength", beam.strength.has_value()), std::pair("sn_curve", beam.sn_curve.has_value())})
    if (is_given)
      problems.push_back({join_path(path, key), "a beam whose sections are of one `shape`",
                          "sections by stiffness, or of several shapes",
                          "give the section by geometry, or leave `" + std::string(key) + "` out"});
}

}  // namespace

bool is_same_length(double a, double b, double beam_length) {
  constexpr double tolerance = 1e-9;  // of the beam's length
  return std::abs(a - b) <= tolerance * beam_length;
}

void check_beam(const BeamDescription& beam, const std::string& path, Problems& problems) {
  if (beam.section) {
    check_section(*beam.section, beam.modes, path + ".section", problems);
  } else {
    check_places(beam, path + ".stations", problems);
  }
  for (std::size_t i = 0; i < beam.stations.size(); ++i) {
    check_section(beam.stations[i].section, beam.modes, indexed(path + ".stations", i) + ".section",
                  problems);
  }
  check_strength(beam, path, problems);
  const double length = beam.length / beam.segment_count();  // each segment has the modes
  check_modes("y", beam.modes.y, length, path, problems);
  check_modes("z", beam.modes.z, length, path, problems);
  check_modes("torsion", beam.modes.torsion, length, path, problems);
  check_modes("axial", beam.modes.axial, length, path, problems);
  check_shear(beam, path, problems);
  if (beam.segment_count() > 1) check_segments(beam, path, problems);
}

}  // namespace limber
