// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/sensor_file.hpp"

#include <algorithm>

#include "map_reader.hpp"
#include "text_file.hpp"
#include "yaml_tree.hpp"

namespace limber {

/// A file of sensors.
struct SensorList {
  std::vector<SensorDescription> sensors = {};
};

template <typename Visitor>
void describe(Visitor& v, Maybe<SensorList> auto& list) {
  v.block("sensor list", "Sensors of an arm.");
  v.version({.key = "limber", .meaning = "version of this format"});
  v.field({.key = "sensors", .meaning = "instruments on the arm", .required = true}, list.sensors);
}

std::vector<SensorDescription> parse_sensors(const std::string& text, const std::string& file_name,
                                             const Model& model) {
  YamlTree tree = parse_yaml(text, file_name);
  if (tree.root.find("links") && !tree.root.find("model"))
    throw FileError({{{"", "a file with the key `sensors`, or a scenario", "a model file, with `links`",
                       "docs/sensors.md says how to write one"},
                      file_name,
                      tree.root.mark}});
  // Whatever else a scenario says is not looked at: it may be about another arm.
  if (tree.root.find("model"))
    std::erase_if(tree.root.entries,
                  [](const YamlEntry& entry) { return entry.key != "limber" && entry.key != "sensors"; });
  ProblemList problems(file_name, std::move(tree.problems));
  ReadContext context{problems, {}, false};
  SensorList list;
  read_map(context, tree.root, "", list);
  if (problems.empty())
    for (Problem& problem : check_sensors(list.sensors, model)) {
      const FoundNode found = find_nearest(tree.root, problem.path);
      if (found.is_complete) problem.path = found.path;
      problems.add(found.node->mark, std::move(problem));
    }
  if (!problems.empty()) throw FileError(problems.all());
  return std::move(list.sensors);
}

std::vector<SensorDescription> read_sensors(const std::filesystem::path& file, const Model& model) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError(
        {{{"", "a readable file with sensors, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_sensors(content.text, file.string(), model);
}

}  // namespace limber
