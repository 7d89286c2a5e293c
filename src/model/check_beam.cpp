// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "check_rules.hpp"
#include "limber/math/rotation.hpp"
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
  const double length = beam.axis_length();
  if (!is_same_length(stations.front().x, 0.0, length)) refuse(0, "0 at the first station");
  for (std::size_t i = 1; i < stations.size(); ++i) {
    if (stations[i].x > stations[i - 1].x) continue;
    refuse(i, fmt::format("a number > {} [m], which is the station before it", stations[i - 1].x));
  }
  // Where radius and angle make the length, a file has it to some digits.
  constexpr double digits = 1e-6;
  if (beam.curve ? std::abs(stations.back().x - length) > digits * length
                 : !is_same_length(stations.back().x, length, length))
    refuse(stations.size() - 1, fmt::format("{} [m] at the last station, the beam's length", length));
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

void check_curve(const BeamDescription& beam, const std::string& path, Problems& problems) {
  const CurveDescription& curve = *beam.curve;
  const double arc = beam.axis_length();
  constexpr double digits = 1e-4;  // of pi in a file: 1.5708
  if (curve.angle == 0.0)
    problems.push_back({path + ".curve.angle", "an angle other than 0", "0",
                        "a straight beam has a `length` and no `curve`"});
  else if (beam.length != 0.0 && std::abs(beam.length - arc) > digits * arc)
    problems.push_back({path + ".length", fmt::format("radius |angle| = {:.8g} [m], or no `length`", arc),
                        show_number(beam.length), "the length is that of the arc"});
  const double size = curve.axis.norm();
  if (!(size > smallest_positive) || std::abs(curve.axis.x()) > 1e-9 * size)
    problems.push_back({path + ".curve.axis", "a direction across x, such as [0, 0, 1]",
                        show_list({curve.axis.x(), curve.axis.y(), curve.axis.z()}),
                        "the axis of the beam begins along x"});
}

// Axes of stations in those of the root.
void check_turns(const BeamDescription& beam, const std::string& path, Problems& problems) {
  const auto show = [](const Eigen::Vector3d& rpy) { return show_list({rpy.x(), rpy.y(), rpy.z()}); };
  constexpr double most = 3.0;  // [rad]: from half a turn on the way round is not known
  for (std::size_t i = 0; i < beam.stations.size(); ++i) {
    const Eigen::Vector3d& rpy = beam.stations[i].rpy;
    const std::string here = indexed(path + ".stations", i) + ".rpy";
    if (i == 0 && !rpy.isZero(0.0))
      problems.push_back({here, "[0, 0, 0] at the first station, or none", show(rpy),
                          "it is relative to the root: turn that by the link's `root: {rpy: ...}`"});
    if (beam.curve && !rpy.isZero(0.0))
      problems.push_back({here, "no `rpy` beside `curve`", show(rpy), "give the axis in one of both ways"});
    if (i > 0 &&
        log_rotation(rotation_from_rpy(beam.stations[i - 1].rpy).transpose() * rotation_from_rpy(rpy))
                .norm() > most)
      problems.push_back({here, "less than half a turn from the station before it", show(rpy),
                          "put a station between them"});
  }
}

// A segment of a bent beam is a chord of its axis.
void check_bent(const BeamDescription& beam, const std::string& path, Problems& problems) {
  constexpr double most = 0.5236;  // [rad] for one segment, 30 deg: its arrow is 3 % of its length
  const int fewest = std::max(2, static_cast<int>(std::ceil(beam.turn() / most - 1e-3)));
  if (beam.segments && *beam.segments < fewest)
    problems.push_back({path + ".segments",
                        fmt::format("at least {}: each segment is straight and may turn by 30 deg", fewest),
                        std::to_string(*beam.segments), "or none: as many as give about 0.2 %"});
  constexpr int too_many = 1000;
  if (!beam.segments && beam.segment_count() > too_many)
    problems.push_back(
        {path + ".stations", "at most 1000 segments of 11.25 deg", std::to_string(beam.segment_count()), ""});
  for (const Direction direction : all_directions)
    if (const auto& modes = beam.modes.of(direction); modes && modes->table)
      problems.push_back({path + ".modes." + to_string(direction) + ".shape",
                          "a family of shapes for a curved or twisted beam", "a table",
                          "its segments are chords, and a table's x would have to end at their length"});
}

void check_segments(const BeamDescription& beam, const std::string& path, Problems& problems) {
  const std::string found = std::to_string(beam.segment_count()) + " segments";
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
  if (beam.curve) check_curve(beam, path, problems);
  check_turns(beam, path, problems);
  if (beam.is_bent()) check_bent(beam, path, problems);
  const double length = beam.axis_length() / beam.segment_count();  // each segment has the modes
  check_modes("y", beam.modes.y, length, path, problems);
  check_modes("z", beam.modes.z, length, path, problems);
  check_modes("torsion", beam.modes.torsion, length, path, problems);
  check_modes("axial", beam.modes.axial, length, path, problems);
  check_shear(beam, path, problems);
  if (beam.segment_count() > 1) check_segments(beam, path, problems);
}

}  // namespace limber
