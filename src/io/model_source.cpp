// SPDX-License-Identifier: BSD-3-Clause
#include "model_source.hpp"

#include <utility>

#include "limber/model/check.hpp"
#include "map_reader.hpp"
#include "problem_list.hpp"

namespace limber {
namespace {

void refuse_scenario(const YamlNode& root, const std::string& file) {
  if (!root.find("model") || root.find("links")) return;
  throw FileError({{{"", "a model file, with `links`", "a scenario file, with the key `model`",
                     "give the file that it names there"},
                    file,
                    root.mark}});
}

/// `section: {stations: [...]}` is another way to write `stations: [...]`.
void lift_stations(YamlNode& beam) {
  for (YamlEntry& entry : beam.entries) {
    YamlNode& section = entry.value;
    const bool is_wrapped = entry.key == "section" && section.entries.size() == 1 &&
                            section.entries.front().key == "stations" && !beam.find("stations");
    if (!is_wrapped) continue;
    YamlEntry stations = std::move(section.entries.front());
    entry = std::move(stations);
    return;
  }
}

void lift_all_stations(YamlNode& root) {
  for (YamlEntry& part : root.entries) {
    if (part.key != "links") continue;
    for (YamlNode& link : part.value.items) {
      for (YamlEntry& entry : link.entries) {
        if (entry.key == "beam") lift_stations(entry.value);
      }
    }
  }
}

// "revolute and universal"
std::string kinds_with_degrees() {
  std::vector<std::string> kinds = joint_types_with(&JointFacts::has_angles_only);
  std::string text = kinds.front();
  for (std::size_t i = 1; i < kinds.size(); ++i) text += (i + 1 == kinds.size() ? " and " : ", ") + kinds[i];
  return text;
}

/// Degrees are for joints that turn; which kind a joint is shows only when all of it has been read.
template <typename Description>
void refuse_degrees(const YamlNode& block, const std::string& path, JointType type, ProblemList& problems) {
  KeyLister lister;
  const Description defaults;
  describe(lister, defaults);
  for (const KeyLister::Key& key : lister.keys) {
    const YamlNode* const value = key.plain.empty() ? nullptr : block.find(key.name);
    if (!value) continue;
    problems.add(value->mark,
                 {join_path(path, key.name), "degrees only on " + kinds_with_degrees() + " joints",
                  std::string("a ") + choice_name(type) + " joint", "give `" + key.plain + "`"});
  }
}

void refuse_degrees_of_other_joints(const YamlNode& root, const ModelDescription& model,
                                    ProblemList& problems) {
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const JointType type = model.links[i].joint.type;
    if (facts_of(type).has_angles_only()) continue;
    const std::string path = "links[" + std::to_string(i) + "].joint";
    const FoundNode joint = find_nearest(root, path);
    if (!joint.is_complete) continue;
    refuse_degrees<JointDescription>(*joint.node, path, type, problems);
    if (const YamlNode* const limits = joint.node->find("limits")) {
      refuse_degrees<JointLimits>(*limits, path + ".limits", type, problems);
    }
  }
}

}  // namespace

ModelSource::ModelSource(YamlTree tree, std::string file, const std::filesystem::path& directory,
                         const Settings& settings, std::string path, std::vector<SourceText>* sources,
                         const std::vector<SourceText>* stored)
    : root_(std::move(tree.root)), file_(std::move(file)), path_(std::move(path)) {
  refuse_scenario(root_, file_);
  applied_ = apply_settings(settings, file_, root_);
  lift_all_stations(root_);

  ProblemList problems(file_, std::move(tree.problems));
  ReadContext context{problems, directory, path_.empty(), sources, stored};
  read_map(context, root_, "", description_);
  if (description_.name.empty()) description_.name = std::filesystem::path(file_).stem().string();
  refuse_degrees_of_other_joints(root_, description_, problems);

  for (const Problem& problem : check_rules(description_, without_places(problems.all()))) {
    LocatedProblem one = located(problem);
    problems.add(one.mark, std::move(one.problem));
  }
  if (!problems.empty()) throw within_file(problems.all());
}

LocatedProblem ModelSource::located(Problem problem) const {
  const FoundNode found = find_nearest(root_, problem.path);
  if (found.is_complete) problem.path = found.path;
  return {std::move(problem), file_, found.node->mark};
}

FileError ModelSource::within_file(std::vector<LocatedProblem> problems) const {
  mention_settings(applied_, problems);
  for (LocatedProblem& one : problems) one.problem.path = join_path(path_, one.problem.path);
  return FileError(std::move(problems));
}

FileError ModelSource::within_file(const std::vector<Problem>& problems) const {
  std::vector<LocatedProblem> all;
  all.reserve(problems.size());
  for (const Problem& problem : problems) all.push_back(located(problem));
  return within_file(std::move(all));
}

}  // namespace limber
