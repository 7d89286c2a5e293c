// SPDX-License-Identifier: BSD-3-Clause
#include "study_places.hpp"

#include <fmt/format.h>

namespace limber {
namespace {

/// Blocks whose keys are paths.
bool is_by_path(const std::string& path) {
  return path == "vary" || path == "optimise" || path == "fit" || path == "design.vary";
}

}  // namespace

void note_places(const YamlNode& node, const std::string& path, StudyPlaces& places) {
  places.emplace_back(path, node.mark);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    note_places(node.items[i], fmt::format("{}[{}]", path, i), places);
  for (const YamlEntry& entry : node.entries)
    note_places(entry.value, is_by_path(path) ? path + "." + entry.key : join_path(path, entry.key), places);
}

FileError at_places(const std::vector<Problem>& problems, const std::string& file,
                    const StudyPlaces& places) {
  std::vector<LocatedProblem> all;
  for (const Problem& problem : problems) {
    std::pair<std::size_t, Mark> best{0, places.empty() ? Mark{} : places.front().second};
    for (const auto& [path, mark] : places)
      if (path.size() > best.first && problem.path.starts_with(path) &&
          (problem.path.size() == path.size() || problem.path[path.size()] == '.' ||
           problem.path[path.size()] == '['))
        best = {path.size(), mark};
    all.push_back({problem, file, best.second});
  }
  return FileError(std::move(all));
}

}  // namespace limber
