// SPDX-License-Identifier: BSD-3-Clause
#include "model_source.hpp"

#include <algorithm>
#include <utility>

#include "description_tree.hpp"
#include "limber/model/check.hpp"
#include "limber/model/field_checker.hpp"
#include "map_reader.hpp"
#include "mesh_places.hpp"
#include "model_file_fields.hpp"
#include "problem_list.hpp"
#include "urdf/model.hpp"

namespace limber {
namespace {

void refuse_scenario(const YamlNode& root, const std::string& file) {
  if (!root.find("model") || root.find("links") || root.find("urdf")) return;
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

void lift_stations_of_link(YamlNode& link) {
  for (YamlEntry& entry : link.entries)
    if (entry.key == "beam") lift_stations(entry.value);
}

void lift_all_stations(YamlNode& root) {
  for (YamlEntry& part : root.entries) {
    if (part.key == "links")
      for (YamlNode& link : part.value.items) lift_stations_of_link(link);
    if (part.key == "flexible")
      for (YamlEntry& link : part.value.entries) lift_stations_of_link(link.value);
  }
}

// ---- URDF ----

void set_place(YamlNode& node, Mark mark) {
  node.mark = mark;
  for (YamlNode& item : node.items) set_place(item, mark);
  for (YamlEntry& entry : node.entries) {
    entry.key_mark = mark;
    set_place(entry.value, mark);
  }
}

/// Every part of a link where the URDF has it.
void set_places(YamlNode& link, const urdf::Source& source) {
  set_place(link, source.link->mark);
  for (YamlEntry& entry : link.entries) {
    if (source.joint && (entry.key == "joint" || entry.key == "origin"))
      set_place(entry.value, source.joint->mark);
    if (source.link->inertial && entry.key == "rigid") set_place(entry.value, source.link->inertial->mark);
  }
}

YamlNode* find_value(YamlNode& map, std::string_view key) {
  for (YamlEntry& entry : map.entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

/// The beam as the model file has it, with the length that follows from the URDF.
YamlNode with_length(YamlNode beam, const YamlNode& link) {
  YamlNode length = *link.find("beam")->find("length");
  set_place(length, beam.mark);
  beam.entries.insert(beam.entries.begin(), {"length", beam.mark, std::move(length)});
  return beam;
}

/// Settings of links that stand in a URDF are applied once they are there.
Settings take_link_settings(Settings& settings) {
  Settings taken;
  std::erase_if(settings, [&](const Setting& setting) {
    const bool is_about_links = setting.path.starts_with("links.") || setting.path.starts_with("links[");
    if (is_about_links) taken.push_back(setting);
    return is_about_links;
  });
  return taken;
}

void refuse_keys_of_urdf(const YamlNode& root, ProblemList& problems) {
  for (const char* key : {"base", "flexible"})
    if (const YamlNode* const node = root.find(key); node && root.find("links"))
      problems.add(node->mark, {key, "`urdf`, whose links it is about", "`links`",
                                "links of a model file say it themselves"});
}

/// A model file that has nothing but a URDF, whose text is at hand.
YamlTree tree_of_urdf() {
  YamlTree tree;
  tree.root.kind = YamlNode::Kind::map;
  tree.root.mark = {1, 1};
  const auto add = [&](const char* key, std::string text) {
    YamlNode value;
    value.kind = YamlNode::Kind::scalar;
    value.text = std::move(text);
    value.mark = {1, 1};
    tree.root.entries.push_back({key, {1, 1}, std::move(value)});
  };
  add("limber", "1");
  add("urdf", "robot.urdf");
  return tree;
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

ModelSource ModelSource::of_text(const std::string& text, const std::string& file,
                                 const std::filesystem::path& directory, const Settings& settings,
                                 std::vector<SourceText>* sources, const std::vector<SourceText>* stored) {
  const bool is_urdf = urdf::is_xml(text) && (text.find("<robot") != text.npos || file.ends_with(".urdf"));
  if (!is_urdf) return ModelSource(parse_yaml(text, file), file, directory, settings, "", sources, stored);
  return ModelSource(tree_of_urdf(), file, directory, settings, "", sources, stored, &text);
}

ModelSource::ModelSource(YamlTree tree, std::string file, const std::filesystem::path& directory,
                         const Settings& settings, std::string path, std::vector<SourceText>* sources,
                         const std::vector<SourceText>* stored, const std::string* urdf_text)
    : root_(std::move(tree.root)), file_(std::move(file)), path_(std::move(path)) {
  refuse_scenario(root_, file_);
  Settings of_file = settings;
  const Settings of_links = root_.find("urdf") ? take_link_settings(of_file) : Settings();
  applied_ = apply_settings(of_file, file_, root_);
  lift_all_stations(root_);

  ProblemList problems(file_, std::move(tree.problems));
  ReadContext context{problems, directory, path_.empty(), sources, stored};
  ModelFileDescription given;
  read_map(context, root_, "", given);
  if (!given.urdf) refuse_keys_of_urdf(root_, problems);
  if (given.urdf && !problems.empty()) throw within_file(problems.all());
  if (given.urdf) {
    expand_urdf(context, given, urdf_text);
    for (AppliedSetting& one : apply_settings(of_links, file_, root_)) applied_.push_back(std::move(one));
    lift_all_stations(root_);
    given = {};
    read_map(context, root_, "", given);
  }
  description_ = std::move(given.model);
  find_meshes(description_, directory);
  if (description_.name.empty()) description_.name = std::filesystem::path(file_).stem().string();
  refuse_degrees_of_other_joints(root_, description_, problems);

  for (const Problem& problem : check_rules(description_, without_places(problems.all()))) {
    LocatedProblem one = located(problem);
    problems.add(one.file, one.mark, std::move(one.problem));
  }
  if (!problems.empty()) throw within_file(problems.all());
}

void ModelSource::expand_urdf(ReadContext& context, const ModelFileDescription& given,
                              const std::string* text) {
  const Mark named = root_.find("urdf")->mark;  // entries move when others are added
  const std::string file = text ? file_ : (context.directory / *given.urdf).string();
  FileContent content;
  if (!text) content = context.read_named(*given.urdf);
  if (!content.failure.empty())
    throw within_file({{{"urdf", "a readable URDF file, relative to this file", content.failure,
                         "looked for " + show_text(file, 500)},
                        file_,
                        named}});
  const urdf::Robot robot = urdf::parse(text ? *text : content.text, file);
  urdf::UrdfModel model = urdf::make_model(robot, given.base.value_or(BaseKind::fixed));
  std::vector<Problem> wrong;
  for (const auto& [name, flexible] : given.flexible)
    urdf::make_flexible(model, robot, name, flexible, wrong);
  if (!wrong.empty()) throw within_file(wrong);

  const YamlNode tree = tree_of(model.description);
  add_visuals(tree, named);
  YamlNode links = *tree.find("links");
  links.mark = named;
  for (std::size_t i = 0; i < links.items.size(); ++i) {
    YamlNode& link = links.items[i];
    const std::string& name = model.sources[i].link->name;
    set_places(link, model.sources[i]);
    const YamlNode* const flexible = root_.find("flexible");
    const YamlNode* const bent = flexible ? flexible->find(name) : nullptr;
    if (!bent) continue;
    *find_value(link, "beam") = with_length(*bent->find("beam"), link);
    other_paths_.emplace_back(indexed("links", i) + ".beam",
                              join_path("flexible", path_step(name)) + ".beam");
  }
  std::erase_if(root_.entries, [](const YamlEntry& entry) {
    return entry.key == "urdf" || entry.key == "base" || entry.key == "flexible";
  });
  root_.entries.push_back({"links", links.mark, std::move(links)});
  if (text && !root_.find("name") && !robot.name.empty()) {
    YamlNode name = *root_.find("limber");
    name.text = robot.name;
    root_.entries.push_back({"name", name.mark, std::move(name)});
  }
  notes_ = {std::move(model.notes), {file}};
  urdf_file_ = file;
}

// Of the link that is the ground; the file may have more.
void ModelSource::add_visuals(const YamlNode& urdf, Mark mark) {
  const YamlNode* const found = urdf.find("visuals");
  if (!found) return;
  YamlNode visuals = *found;
  set_place(visuals, mark);
  if (YamlNode* const own = find_value(root_, "visuals"); own && own->is_sequence())
    own->items.insert(own->items.end(), visuals.items.begin(), visuals.items.end());
  else
    root_.entries.push_back({"visuals", mark, std::move(visuals)});
}

LocatedProblem ModelSource::located(Problem problem) const {
  const FoundNode found = find_nearest(root_, problem.path);
  if (found.is_complete) problem.path = found.path;
  const std::string& file = file_of(problem.path);
  return {std::move(problem), file, found.node->mark};
}

// The links of a URDF stand there, but for the beams that the model file makes of them.
const std::string& ModelSource::file_of(const std::string& path) const {
  const auto is_ours = [&](const auto& other) { return path.starts_with(other.first); };
  const bool is_beam = std::any_of(other_paths_.begin(), other_paths_.end(), is_ours);
  return urdf_file_.empty() || !path.starts_with("links[") || is_beam ? file_ : urdf_file_;
}

FileError ModelSource::within_file(std::vector<LocatedProblem> problems) const {
  mention_settings(applied_, problems);
  for (LocatedProblem& one : problems) {
    if (one.file == file_) one.file = file_of(one.problem.path);
    for (const auto& [ours, theirs] : other_paths_)
      if (one.problem.path.starts_with(ours)) one.problem.path.replace(0, ours.size(), theirs);
    one.problem.path = join_path(path_, one.problem.path);
  }
  return FileError(std::move(problems));
}

FileError ModelSource::within_file(const std::vector<Problem>& problems) const {
  std::vector<LocatedProblem> all;
  all.reserve(problems.size());
  for (const Problem& problem : problems) all.push_back(located(problem));
  return within_file(std::move(all));
}

}  // namespace limber
