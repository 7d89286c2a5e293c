// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "check_rules.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/loops.hpp"

namespace limber {
void check_place(const ModelDescription& model, const PlaceDescription& place, const std::string& path,
                 Problems& problems) {
  const auto link = std::find_if(model.links.begin(), model.links.end(),
                                 [&](const LinkDescription& one) { return one.name == place.link; });
  const bool is_ground = place.link == "base";
  if (!is_ground && link == model.links.end()) {
    std::vector<std::string> names{"base"};
    for (const LinkDescription& one : model.links) names.push_back(one.name);
    problems.push_back({path + ".link", "`base` or the name of a link", show_text(place.link),
                        suggestion(place.link, names, "names")});
  } else {
    check_place(is_ground ? nullptr : &*link, place.at, place.interface, path + ".at", problems);
  }
}

namespace {

void check_axis(const LoopDescription& loop, const std::string& path, Problems& problems) {
  if (!loop.axis) return;
  if (loop.type == LoopType::spherical || loop.type == LoopType::fixed)
    problems.push_back({path + ".axis", fmt::format("no axis for a {} loop", choice_name(loop.type)), "one",
                        "revolute and point-on-line loops have one"});
  else if (loop.axis->isZero(0.0))
    problems.push_back({path + ".axis", "a direction other than zero", "[0, 0, 0]", ""});
}

}  // namespace

void check_loops(const ModelDescription& model, Problems& problems) {
  std::map<std::string, std::size_t> first_with;
  for (std::size_t i = 0; i < model.loops.size(); ++i) {
    const LoopDescription& loop = model.loops[i];
    const std::string path = fmt::format("loops[{}]", i);
    check_place(model, loop.a, path + ".a", problems);
    check_place(model, loop.b, path + ".b", problems);
    check_axis(loop, path, problems);
    if (loop.a.link == loop.b.link)
      problems.push_back({path + ".b.link", "another link than that of `a`", show_text(loop.b.link),
                          "two places of one link do not move against each other"});
    const std::string name = loop_name(model, i);
    const auto found = first_with.emplace(name, i);
    if (!found.second)
      problems.push_back({path + ".name", "a name that no other loop has", show_text(name),
                          fmt::format("the name of loops[{}]", found.first->second)});
  }
}

std::string loop_name(const ModelDescription& model, std::size_t index) {
  const std::string& name = model.loops[index].name;
  return name.empty() ? fmt::format("loop{}", index + 1) : name;
}

void require_no_loops(const Model& model, const char* what) {
  if (model.loops().empty()) return;
  throw InputError(
      Problem{"loops", fmt::format("an arm without closed loops: {} has no equations for them", what),
              fmt::format("loop `{}`", model.loops().front().name),
              "eval, statics, modes, linearize and simulate have, with formulation recursive, dense or dae"});
}

}  // namespace limber
