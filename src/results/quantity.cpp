#include "quantity.hpp"

#include "limber/scenario/check.hpp"

namespace limber {
namespace {

std::vector<std::string> names_of_links(const Model& model, bool joints) {
  std::vector<std::string> names;
  for (const Link& link : model.links) names.push_back(joints ? link.joint.name : link.name);
  return names;
}

}  // namespace

std::vector<int> driven_coordinates(const Model& model) { return actuated_coordinates(model, "all"); }

std::vector<Quantity> quantities_of(const Scenario& scenario) {
  const Model& model = scenario.model;
  std::vector<std::string> effort_names;
  for (const int c : driven_coordinates(model)) effort_names.push_back(model.coordinates[c]);
  const hsize_t links = model.links.size();
  std::vector<Quantity> all = {{"time", {}, "s", {}},
                               {"q", {static_cast<hsize_t>(model.nq)}, "rad or m", position_names(model)},
                               {"v", {static_cast<hsize_t>(model.nv)}, "rad/s or m/s", model.coordinates},
                               {"efforts", {effort_names.size()}, "N m or N", effort_names},
                               {"end_effector/position", {3}, "m", {"x", "y", "z"}},
                               {"end_effector/quaternion", {4}, "", {"x", "y", "z", "w"}},
                               {"energy/kinetic", {}, "J", {}},
                               {"energy/gravity", {}, "J", {}},
                               {"energy/strain", {}, "J", {}},
                               {"energy/work_actuators", {}, "J", {}},
                               {"energy/work_loads", {}, "J", {}},
                               {"energy/dissipated", {}, "J", {}},
                               {"energy/error", {}, "J", {}}};
  if (scenario.output.wrenches)
    all.push_back({"wrenches", {links, 6}, "N, N m", names_of_links(model, true)});
  if (scenario.output.shape_points > 0)
    all.push_back({"shapes",
                   {links, static_cast<hsize_t>(scenario.output.shape_points), 3},
                   "m",
                   names_of_links(model, false)});
  // An arm without joints that move has no efforts, one without coordinates neither q nor v.
  std::erase_if(all, [](const Quantity& quantity) { return quantity.width() == 0; });
  return all;
}

ResultNames result_names(const Scenario& scenario) {
  ResultNames names{names_of_links(scenario.model, false),
                    names_of_links(scenario.model, true),
                    scenario.model.coordinates,
                    {}};
  for (const Quantity& quantity : quantities_of(scenario)) names.quantities.push_back(quantity.path);
  return names;
}

}  // namespace limber
