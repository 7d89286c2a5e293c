// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/inner_loads.hpp"

#include <cassert>

#include "limber/core/input_error.hpp"

namespace limber {

double inner_force(const Link& link, const Load& load, int j) {
  assert(load.is_inner());
  if (!link.beam) return 0.0;
  const InnerShapes& inner = link.beam->inner;
  if (load.kind == LoadKind::thermal_curvature)  // (1)
    return load.moment.y() * inner.moments(0, j) + load.moment.z() * inner.moments(1, j);
  const double stretch =
      inner.strains(2, j) - load.offset.y() * inner.strains(1, j) + load.offset.z() * inner.strains(0, j);
  return -load.force.x() * stretch;  // (2)
}

double inner_stiffness(const Link& link, const Load& load, int j, int k) {
  if (load.kind != LoadKind::cable || !link.beam) return 0.0;
  const BeamNode& tip = link.nodes.front().field;
  // The anchor moves with Phi + Psi x offset.
  const auto n_y = [&](int i) { return tip.Phi(1, i) - load.offset.z() * tip.Psi(0, i); };
  const auto n_z = [&](int i) { return tip.Phi(2, i) + load.offset.y() * tip.Psi(0, i); };
  const double across = (n_y(j) * n_y(k) + n_z(j) * n_z(k)) / link.beam->basis.length();
  return load.force.x() * (across - link.beam->inner.foreshortening(j, k));  // (3), (4)
}

bool set_inner_kind(const std::optional<Eigen::Vector2d>& thermal_curvature,
                    const std::optional<double>& pretension, bool straight, Load& load) {
  if (thermal_curvature) {
    load.kind = LoadKind::thermal_curvature;
    load.moment = {0.0, thermal_curvature->x(), thermal_curvature->y()};
  } else if (pretension) {
    load.kind = straight ? LoadKind::cable : LoadKind::tendon;
    load.force = {*pretension, 0.0, 0.0};
  }
  return load.is_inner();
}

std::optional<Problem> inner_load_problem(const Model& model, std::string_view link,
                                          const std::optional<Eigen::Vector2d>& thermal_curvature,
                                          const std::optional<double>& pretension, bool straight,
                                          const Load& load) {
  const char* const hint = "it acts inside the whole beam, on its elastic coordinates";
  if (straight && !pretension)
    return Problem{"straight", "`pretension` beside it", "none", "it says how a cable or tendon runs"};
  if (!thermal_curvature && !pretension) return std::nullopt;
  const char* const key = pretension ? "pretension" : "thermal_curvature";
  if (thermal_curvature && pretension)
    return Problem{key, "one of `thermal_curvature` and `pretension`", "both", "make them two loads"};
  const std::string without = std::string("no `force` and `moment` beside `") + key + "`";
  if (!load.force.isZero(0.0) || !load.moment.isZero(0.0))
    return Problem{load.force.isZero(0.0) ? "moment" : "force", without, "one", hint};
  if (load.axes != Axes::world)
    return Problem{"frame", std::string("no `frame` beside `") + key + "`", "one", hint};
  if (thermal_curvature && !load.offset.isZero(0.0))
    return Problem{"offset", "no `offset` beside `thermal_curvature`", "one", hint};
  if (load.offset.x() != 0.0)
    return Problem{"offset", "0 as its first number: a tendon runs from root to tip",
                   std::to_string(load.offset.x()), "its second and third are y and z in the section"};
  const Link& there = model.links()[static_cast<std::size_t>(place_on(model, link, 0.0).link)];
  if (!there.beam)
    return Problem{"link", "a link with a beam: the load acts inside it",
                   "`" + there.name + "`, " + (there.body ? "a body of finite elements" : "which is rigid"),
                   ""};
  if (there.telescopes())
    return Problem{key, "a beam that does not telescope", "`" + there.name + "`",
                   "what acts inside a beam is that of one length"};
  return std::nullopt;
}

std::vector<Load> inner_loads(const Model& model, std::string_view link, const Load& load) {
  const int first = place_on(model, link, 0.0).link;
  const Link& there = model.links()[static_cast<std::size_t>(first)];
  const bool is_whole = there.segments > 1 && there.name != link;
  std::vector<Load> loads;
  for (int i = 0; i < (is_whole ? there.segments : 1); ++i) {
    loads.push_back(load);
    loads.back().link = first + i;
    loads.back().node = 0;
  }
  return loads;
}

Load load_on(const Model& model, const LinkPlace& place, Load load) {
  load.link = place.link;
  load.node = node_index(model, place);
  return in_node_axes(place, load);
}

Load in_node_axes(const LinkPlace& place, Load load) {
  load.offset = place.X_NS * load.offset;
  if (load.axes == Axes::section) {
    load.force = place.X_NS.R * load.force;
    load.moment = place.X_NS.R * load.moment;
  }
  return load;
}

}  // namespace limber
