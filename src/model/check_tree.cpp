// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <map>
#include <string_view>

#include "check_rules.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

constexpr std::string_view ground = "base";
constexpr std::string_view every_joint = "all";

/// The first link of every name.
using Index = std::map<std::string, std::size_t, std::less<>>;

Index index_of(const std::vector<LinkDescription>& links) {
  Index index;
  for (std::size_t i = 0; i < links.size(); ++i) index.emplace(links[i].name, i);
  return index;
}

std::vector<std::string> first_names(const std::vector<LinkDescription>& links, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(links[i].name);
  return names;
}

void check_link_names(const ModelDescription& model, const Index& index, Problems& problems) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const std::string& name = model.links[i].name;
    const std::string path = link_path(i) + ".name";
    if (name == ground)
      problems.push_back({path, "a name other than `base`", "`base`", "`base` is the ground"});
    const std::size_t first = index.at(name);
    if (first != i) {
      problems.push_back(
          {path, "a name that no other link has", show_text(name), "the name of " + link_path(first)});
    }
  }
}

/// Link names and joint names hold no dots, so the coordinates `<joint>`, `<joint>.1` and `<link>.y1` are
/// unique when the names of links and of joints are.
void check_joint_names(const ModelDescription& model, Problems& problems) {
  Index first_with;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkDescription& link = model.links[i];
    const std::string name = link.joint.name.empty() ? link.name + "_joint" : link.joint.name;
    const std::string path = link_path(i) + ".joint.name";
    if (name == every_joint) {
      problems.push_back(
          {path, "a name other than `all`", "`all`", "`all` means every joint in scenario files"});
    }
    const auto [first, is_new] = first_with.emplace(name, i);
    const bool follows_from_links = !is_new && model.links[first->second].name == link.name;
    if (!is_new && !follows_from_links) {
      problems.push_back({path, "a name that no other joint has", show_text(name),
                          "the joint of " + link_path(first->second)});
    }
  }
}

/// "a -> b -> a" when the link `start` is carried by itself through its parents; else empty.
std::string circle(const std::vector<LinkDescription>& links, const Index& index, std::size_t start) {
  std::string walk = links[start].name;
  std::size_t at = start;
  for (std::size_t steps = 0; steps < links.size(); ++steps) {
    const std::string& parent = links[at].parent;
    if (parent.empty() ? at == 0 : parent == ground) return "";
    const auto next = parent.empty() ? at - 1 : (index.contains(parent) ? index.at(parent) : links.size());
    if (next == links.size()) return "";
    at = next;
    walk += " -> " + links[at].name;
    if (at == start) return walk;
  }
  return "";
}

/// What is wrong with the parent of link `i`, which names neither the ground nor an earlier link.
Problem parent_problem(const std::vector<LinkDescription>& links, const Index& index, std::size_t i) {
  const std::string& parent = links[i].parent;
  Problem problem{link_path(i) + ".parent", "`base` or the name of an earlier link", show_text(parent), ""};
  const auto found = index.find(parent);
  if (found == index.end()) {
    std::vector<std::string> names = first_names(links, i);
    names.emplace_back(ground);
    problem.hint = suggestion(parent, names, "names");
  } else if (found->second == i) {
    problem.found += ", the link itself";
  } else {
    problem.found += fmt::format(", which comes later as {}", link_path(found->second));
    const std::string walk = circle(links, index, i);
    problem.hint =
        walk.empty() ? "put the parent before its children" : "the links carry each other: " + walk;
  }
  return problem;
}

void check_parents(const ModelDescription& model, const Index& index, Problems& problems) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const LinkDescription& link = model.links[i];
    if (link.parent == ground || (link.parent.empty() && i == 0)) {
      check_place(nullptr, link.attach, link.interface, link_path(i) + ".attach", problems);
      continue;
    }
    const auto found = index.find(link.parent);
    if (link.parent.empty() || (found != index.end() && found->second < i)) {
      const std::size_t parent = link.parent.empty() ? i - 1 : found->second;
      check_place(&model.links[parent], link.attach, link.interface, link_path(i) + ".attach", problems);
    } else {
      problems.push_back(parent_problem(model.links, index, i));
    }
  }
}

}  // namespace

void check_place(const LinkDescription* link, double at, const std::string& interface,
                 const std::string& path, Problems& problems) {
  const bool is_named = !interface.empty();
  const std::string found = is_named ? show_text(interface) : show_number(at);
  if (link && link->body) {
    const ReducedBody* const body = link->body->reduced.get();
    if (!body || (is_named ? body->find(interface) != nullptr : at == 1.0))
      return;  // one that could not be read has its own problem
    std::vector<std::string> names;
    for (const BodyInterface& one : body->interfaces) names.push_back(one.name);
    problems.push_back(
        {path, fmt::format("1 (the tip) or the name of an interface of the body `{}`", link->name), found,
         is_named ? suggestion(interface, names, "interfaces") : "interfaces: " + show_names(names)});
    return;
  }
  if (!is_named && (at == 1.0 || (link && link->beam))) return;
  problems.push_back(
      {path,
       !link        ? "1 on `base`"
       : link->beam ? fmt::format("a number from 0 to 1 on the beam `{}`", link->name)
                    : fmt::format("1 on the rigid link `{}`", link->name),
       found, is_named ? "only bodies have interfaces with names" : "only beams have places along them"});
}

void check_tree(const ModelDescription& model, Problems& problems) {
  if (model.links.empty()) problems.push_back({"links", "at least one link", "none", ""});
  const Index index = index_of(model.links);
  check_link_names(model, index, problems);
  check_joint_names(model, problems);
  check_parents(model, index, problems);
  if (!model.end_effector) return;
  const std::string& name = model.end_effector->link;
  const auto found = index.find(name);
  if (found == index.end())
    problems.push_back({"end_effector.link", "the name of a link", show_text(name),
                        suggestion(name, first_names(model.links, model.links.size()), "links")});
  else
    check_place(&model.links[found->second], model.end_effector->at, model.end_effector->interface,
                "end_effector.at", problems);
}

}  // namespace limber
