// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "check_rules.hpp"
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
  check_modes("y", beam.modes.y, beam.length, path, problems);
  check_modes("z", beam.modes.z, beam.length, path, problems);
  check_modes("torsion", beam.modes.torsion, beam.length, path, problems);
  check_modes("axial", beam.modes.axial, beam.length, path, problems);
}

}  // namespace limber
