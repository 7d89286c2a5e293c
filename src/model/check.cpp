// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/check.hpp"

#include <algorithm>

#include "check_rules.hpp"

namespace limber {
namespace {

/// Whether `path` is `block` or lies inside it.
bool is_inside(const std::string& path, const std::string& block) {
  return path.starts_with(block) && (path.size() == block.size() || path[block.size()] == '.');
}

/// Whether a problem may hide a link or its name, as a misspelt `links` or `links[2].name` does.
bool concerns_names(const Problem& problem) {
  return std::count(problem.path.begin(), problem.path.end(), '.') <= 1 &&
         !problem.path.starts_with("gravity") && !problem.path.ends_with(".attach");
}

void check_link(const LinkDescription& link, const std::string& path, Problems& problems) {
  check_joint(link, path, problems);
  check_telescope(link, path, problems);
  check_inertias(link, path, problems);
  if (link.beam) check_beam(*link.beam, path + ".beam", problems);
}

}  // namespace

std::string link_path(std::size_t index) { return indexed("links", index); }

std::vector<Problem> check_rules(const ModelDescription& model, const std::vector<Problem>& known) {
  Problems problems;
  if (std::none_of(known.begin(), known.end(), concerns_names)) {
    check_tree(model, problems);
    check_loops(model, problems);
    check_cylinders(model, problems);
    check_places_on_telescopes(model, problems);
  }
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const std::string path = link_path(i);
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&](const Problem& problem) { return is_inside(problem.path, path); });
    if (!is_known) check_link(model.links[i], path, problems);
  }
  return problems;
}

std::vector<Problem> check(const ModelDescription& model) {
  Problems problems;
  check_fields(model, problems);
  const Problems rules = check_rules(model, problems);
  problems.insert(problems.end(), rules.begin(), rules.end());
  return problems;
}

}  // namespace limber
