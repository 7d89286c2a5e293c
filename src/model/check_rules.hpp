// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The parts of `check`. Each adds what it finds, with paths from the top of the model.

#include <string>
#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/model/description.hpp"
#include "limber/model/field_checker.hpp"

namespace limber {

using Problems = std::vector<Problem>;

/// Every number, text and choice by itself, and keys that exclude each other.
void check_fields(const ModelDescription& model, Problems& problems);

/// Names and parents: the rules between links.
void check_tree(const ModelDescription& model, Problems& problems);

/// A place on a link (none: on `base`): a fraction of its beam, or an interface of its body.
void check_place(const LinkDescription* link, double at, const std::string& interface,
                 const std::string& path, Problems& problems);

/// Places, axes and names of loops.
void check_loops(const ModelDescription& model, Problems& problems);
/// The name of a loop, where none is given `loop1`, `loop2`, ...
std::string loop_name(const ModelDescription& model, std::size_t index);

/// Places, limits and names of cylinders.
void check_cylinders(const ModelDescription& model, Problems& problems);
/// A stop stands at a limit, and its damper beside a spring. `limits`: of a joint or of a cylinder.
template <typename Limits>
void check_stops(const Limits& limits, const std::string& path, Problems& problems) {
  if (limits.stop_stiffness && !limits.lower && !limits.upper)
    problems.push_back({path + ".stop_stiffness",
                        "a limit at which the stop stands: `lower`, `upper` or both", "neither",
                        "give one, or leave out `stop_stiffness`"});
  if (!limits.stop_stiffness && limits.stop_damping != 0.0)
    problems.push_back({path + ".stop_damping", "`stop_stiffness` beside `stop_damping`",
                        "no `stop_stiffness`",
                        "a stop is a spring with a damper beside it: give the spring's stiffness"});
}
/// What sits on a telescoping beam sits at its tip.
void check_places_on_telescopes(const ModelDescription& model, Problems& problems);
/// Whether a place of a loop or a cylinder is one: adds what is wrong with it.
void check_place(const ModelDescription& model, const PlaceDescription& place, const std::string& path,
                 Problems& problems);
/// Asks for every place of loops and cylinders.
template <typename Description, typename Visitor>
void for_each_place(Description& model, Visitor&& visitor) {
  for (auto& loop : model.loops) {
    visitor(loop.a);
    visitor(loop.b);
  }
  for (auto& cylinder : model.cylinders) {
    visitor(cylinder.from);
    visitor(cylinder.to);
  }
  for (auto& damper : model.dampers) visitor(damper.to);
}

/// The rules inside one link.
void check_joint(const LinkDescription& link, const std::string& link_path, Problems& problems);
void check_telescope(const LinkDescription& link, const std::string& link_path, Problems& problems);
void check_inertias(const LinkDescription& link, const std::string& link_path, Problems& problems);
void check_beam(const BeamDescription& beam, const std::string& path, Problems& problems);
void check_section(const SectionDescription& section, const BeamModesDescription& modes,
                   const std::string& path, Problems& problems);
void check_modes(const char* direction, const std::optional<ModesDescription>& modes, double length,
                 const std::string& beam_path, Problems& problems);

/// Principal moments of an inertia tensor, in ascending order. Those of a body that exists are Int(y^2 + z^2) dm, ..., so each is >= 0 and at
/// most the sum of the others.
Eigen::Vector3d principal_moments(const InertiaElements& elements);
/// By how much tables of real robots miss that: rounded or guessed, they serve. Up to here it is doubted (advice.cpp), beyond it is refused.
inline constexpr double guessed_inertia = 0.03;

/// Whether two places on a beam of this length are the same but for rounding.
bool is_same_length(double a, double b, double beam_length);

/// `links[3]`
std::string link_path(std::size_t index);

}  // namespace limber
