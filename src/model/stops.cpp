// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/stops.hpp"

namespace limber {
namespace {

// Of limits of a joint or of a cylinder.
template <typename Limits>
void add_stops(const Limits& limits, int position, int coordinate, std::vector<Stop>& stops) {
  if (!limits.stop_stiffness) return;
  const auto add = [&](const std::optional<double>& limit, int side) {
    if (limit)
      stops.push_back({position, coordinate, *limit, side, *limits.stop_stiffness, limits.stop_damping});
  };
  add(limits.lower, -1);
  add(limits.upper, 1);
}

}  // namespace

// A joint behind an elastic gear has its stops itself, not its motor.
std::vector<Stop> stops_of(const Model& model) {
  std::vector<Stop> stops;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.facts().moving() && !link.joint.has_quaternion(); ++j)
      add_stops(link.joint.limits, link.joint.q_index + j, link.joint.v_index + j, stops);
  for (std::size_t i = 0; i < model.cylinders().size(); ++i)
    add_stops(model.cylinders()[i].limits, model.nq() + static_cast<int>(i), model.nv() + static_cast<int>(i),
              stops);
  return stops;
}

}  // namespace limber
