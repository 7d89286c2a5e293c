// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>
#include <string>

#include "check_rules.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/loops.hpp"

namespace limber {
namespace {

// Names that a cylinder cannot have, and whose they are.
std::map<std::string, std::string> taken_names(const ModelDescription& model) {
  std::map<std::string, std::string> taken{{"all", "`all` means every joint in scenario files"},
                                           {"base", "`base` is the ground"}};
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkDescription& link = model.links[i];
    taken.emplace(link.name, "the name of " + link_path(i));
    taken.emplace(link.joint.name.empty() ? link.name + "_joint" : link.joint.name,
                  "the joint of " + link_path(i));
  }
  for (std::size_t i = 0; i < model.loops.size(); ++i)
    taken.emplace(loop_name(model, i), fmt::format("the name of loops[{}]", i));
  return taken;
}

void check_lengths(const CylinderDescription& cylinder, const std::string& path, Problems& problems) {
  if (cylinder.limits && cylinder.limits->lower && cylinder.limits->upper &&
      *cylinder.limits->lower >= *cylinder.limits->upper)
    problems.push_back(
        {path + ".limits", "`lower` < `upper`",
         fmt::format("{:.6g} and {:.6g} [m]", *cylinder.limits->lower, *cylinder.limits->upper), ""});
  if (cylinder.limits) check_stops(*cylinder.limits, path + ".limits", problems);
  const bool never_moves = cylinder.from.link == "base" && cylinder.to.link == "base";
  if (cylinder.from.link == cylinder.to.link)
    problems.push_back({path + ".to.link", "another link than that of `from`", show_text(cylinder.to.link),
                        never_moves ? "two places of the ground do not move against each other"
                                    : "a strut between two places of one link moves nothing: give the link a "
                                      "stiffer section"});
}

// Chambers are as large as the piston's place makes them.
void check_hydraulics(const CylinderDescription& cylinder, const std::string& path, Problems& problems) {
  if (!cylinder.hydraulics) return;
  const HydraulicsDescription& oil = *cylinder.hydraulics;
  const auto add = [&](const std::string& at, std::string expected, std::string found, std::string hint) {
    problems.push_back({at, std::move(expected), std::move(found), std::move(hint)});
  };
  if (!cylinder.limits || !cylinder.limits->lower || !cylinder.limits->upper)
    add(path + ".hydraulics", "`lower` and `upper` of the cylinder's `limits`", "not both",
        "they say where the piston meets the ends of its barrel, and so how large the chambers are");
  if (cylinder.limits && cylinder.limits->effort)
    add(path + ".limits.effort", "no `effort` beside `hydraulics`", show_number(*cylinder.limits->effort),
        "what the cylinder can do follows from `supply` and its areas");
  if (oil.rod >= oil.bore)
    add(path + ".hydraulics.rod", fmt::format("less than `bore`, {:.6g} m", oil.bore), show_number(oil.rod),
        "");
  if (oil.supply <= oil.tank)
    add(path + ".hydraulics.supply", fmt::format("more than `tank`, {:.6g} Pa", oil.tank),
        show_number(oil.supply), "");
}

}  // namespace

void check_cylinders(const ModelDescription& model, Problems& problems) {
  if (model.cylinders.empty() && model.dampers.empty()) return;
  std::map<std::string, std::string> taken = taken_names(model);
  for (std::size_t i = 0; i < model.cylinders.size(); ++i) {
    const CylinderDescription& cylinder = model.cylinders[i];
    const std::string path = fmt::format("cylinders[{}]", i);
    check_place(model, cylinder.from, path + ".from", problems);
    check_place(model, cylinder.to, path + ".to", problems);
    check_lengths(cylinder, path, problems);
    check_hydraulics(cylinder, path, problems);
    const auto found = taken.emplace(cylinder.name, fmt::format("the name of {}", path));
    if (!found.second)
      problems.push_back({path + ".name", "a name that no cylinder, joint, link or loop has",
                          show_text(cylinder.name), found.first->second});
  }
  for (std::size_t i = 0; i < model.dampers.size(); ++i) {
    const DamperDescription& damper = model.dampers[i];
    const std::string path = fmt::format("dampers[{}]", i);
    check_place(model, damper.to, path, problems);
    if (damper.to.link == "base")
      problems.push_back({path + ".link", "a link that moves", "`base`", "the ground does not move"});
    if (!(damper.axis.norm() > smallest_positive))
      problems.push_back({path + ".axis", "a direction of the world", "[0, 0, 0]", ""});
    const auto found = taken.emplace(damper.name, fmt::format("the name of {}", path));
    if (!found.second)
      problems.push_back({path + ".name", "a name that no damper, cylinder, joint, link or loop has",
                          show_text(damper.name), found.first->second});
  }
}

int find_cylinder(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.cylinders().size(); ++i)
    if (model.cylinders()[i].name == name) return static_cast<int>(i);
  return -1;
}

void require_no_cylinders(const Model& model, const char* what) {
  if (model.cylinders().empty()) return;
  throw InputError(Problem{
      "cylinders", fmt::format("an arm without cylinders: {} does not know what they do", what),
      fmt::format("cylinder `{}`", model.cylinders().front().name),
      "eval, statics, modes, linearize, zeros and simulate do, with formulation recursive, dense or dae"});
}

void require_plain_tree(const Model& model, const char* what) {
  require_no_loops(model, what);
  require_no_cylinders(model, what);
}

}  // namespace limber
