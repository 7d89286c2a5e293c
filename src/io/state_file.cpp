// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/state_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "limber/model/field_rule.hpp"
#include "limber/model/inner_loads.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"
#include "number_text.hpp"
#include "problem_list.hpp"
#include "text_file.hpp"
#include "yaml_tree.hpp"

namespace limber {
namespace {

using Names = std::map<std::string, int>;  // coordinate -> index

Names by_name(const std::vector<std::string>& list) {
  Names names;
  for (std::size_t i = 0; i < list.size(); ++i) names[list[i]] = static_cast<int>(i);
  return names;
}

Names only(const Names& names, const std::vector<int>& places) {
  Names some;
  for (const auto& [name, place] : names)
    if (std::find(places.begin(), places.end(), place) != places.end()) some[name] = place;
  return some;
}

class StateReader {
 public:
  StateReader(const Model& model, ProblemList& problems) : model_(model), problems_(problems) {}

  State read(const YamlNode& root) {
    State state = neutral_state(model_);
    if (!root.is_map()) {
      add(root, "", "a map with q, v, tau and loads", show_node(root));
      return state;
    }
    const Names positions = by_name(position_names(model_)), velocities = by_name(model_.coordinates());
    for (const YamlEntry& entry : root.entries) {
      if (entry.key == "q")
        read_coordinates(entry.value, "q", positions, state.q);
      else if (entry.key == "v")
        read_coordinates(entry.value, "v", velocities, state.v);
      else if (entry.key == "tau")
        read_efforts(entry.value, velocities, state);
      else if (entry.key == "acceleration")
        read_coordinates(entry.value, "acceleration", velocities,
                         state.acceleration.emplace(Eigen::VectorXd::Zero(model_.nv())));
      else if (entry.key == "hold")
        read_hold(entry.value, state.hold);
      else if (entry.key == "loads")
        read_loads(entry.value, state.loads);
      else if (entry.key != "q_deg" && entry.key != "v_deg")
        unknown_key(entry, "", {"q", "q_deg", "v", "v_deg", "tau", "acceleration", "hold", "loads"});
    }
    // After q and v, wherever they stand: a coordinate is given once.
    read_degrees(root, "q", positions, angular_positions(model_), state.q);
    read_degrees(root, "v", velocities, angular_velocities(model_), state.v);
    if (const YamlNode* q = root.find("q")) {
      check_quaternions(*q, state.q);
      check_free_lengths(*q, state.q);
    }
    state.given = given_names(root, "q");
    complete_gears(model_, state.given, state.q);
    complete_gears(model_, given_names(root, "v"), state.v);
    return state;
  }

 private:
  void add(const YamlNode& node, std::string path, std::string expected, std::string found,
           std::string hint = "") {
    problems_.add(node.mark, {std::move(path), std::move(expected), std::move(found), std::move(hint)});
  }

  void unknown_key(const YamlEntry& entry, const std::string& path, const std::vector<std::string>& known) {
    problems_.add(entry.key_mark, {join_path(path, path_step(entry.key)), "a known key", show_text(entry.key),
                                   suggestion(entry.key, known, "keys")});
  }

  double read_number(const YamlNode& node, const std::string& path) {
    const NumberText number = parse_number(node);
    if (!number.value) {
      add(node, path, "a number", number.found, number.hint);
      return 0.0;
    }
    if (const auto hint = why_refused(any_number, *number.value))
      add(node, path, "a number", show_number(*number.value), *hint);
    return *number.value;
  }

  void read_coordinates(const YamlNode& node, const std::string& path, const Names& names,
                        Eigen::VectorXd& values) {
    if (node.is_sequence()) {
      if (static_cast<Eigen::Index>(node.items.size()) != values.size()) {
        add(node, path, fmt::format("a list of {} numbers, or a map by coordinate name", values.size()),
            show_node(node));
        return;
      }
      for (std::size_t i = 0; i < node.items.size(); ++i)
        values[static_cast<Eigen::Index>(i)] = read_number(node.items[i], fmt::format("{}[{}]", path, i));
      return;
    }
    if (!node.is_map()) {
      add(node, path, fmt::format("a list of {} numbers, or a map by coordinate name", values.size()),
          show_node(node));
      return;
    }
    const std::vector<std::string> known = names_of(names);
    for (const YamlEntry& entry : node.entries) {
      const auto found = names.find(entry.key);
      if (found == names.end()) {
        problems_.add(entry.key_mark, {join_path(path, path_step(entry.key)), "the name of a coordinate",
                                       show_text(entry.key), suggestion(entry.key, known, "coordinates")});
        continue;
      }
      values[found->second] = read_number(entry.value, join_path(path, path_step(entry.key)));
    }
  }

  // Cylinders by their names, too.
  void read_efforts(const YamlNode& node, Names names, State& state) {
    if (!node.is_map() || model_.cylinders().empty()) return read_coordinates(node, "tau", names, state.tau);
    const auto count = static_cast<Eigen::Index>(model_.cylinders().size());
    for (const Cylinder& cylinder : model_.cylinders())
      names.emplace(cylinder.name, model_.nv() + find_cylinder(model_, cylinder.name));
    Eigen::VectorXd all = Eigen::VectorXd::Zero(model_.nv() + count);
    read_coordinates(node, "tau", names, all);
    state.tau = all.head(model_.nv());
    state.drives = all.tail(count);
  }

  void read_degrees(const YamlNode& root, const std::string& key, const Names& names,
                    const std::vector<int>& angles, Eigen::VectorXd& values) {
    const std::string path = degrees_key(key);
    const YamlNode* const node = root.find(path);
    if (!node) return;
    constexpr double degree = std::numbers::pi / 180.0;
    const YamlNode* const plain = root.find(key);
    const auto set = [&](const std::string& name, int place, const YamlNode& value, const std::string& here) {
      const double number = read_number(value, here);
      const bool is_named = plain && plain->find(name);
      if (is_named || values[place] != 0.0)
        add(value, here, "the coordinate once", "`" + key + "` has it too", "remove one of them");
      values[place] = number * degree;
    };
    const Names known = only(names, angles);
    if (node->is_map()) {
      for (const YamlEntry& entry : node->entries) {
        const std::string here = join_path(path, path_step(entry.key));
        if (const auto found = known.find(entry.key); found != known.end())
          set(entry.key, found->second, entry.value, here);
        else
          problems_.add(entry.key_mark, {here, "the name of an angle of a joint", show_text(entry.key),
                                         suggestion(entry.key, names_of(known), "angles of joints")});
      }
      return;
    }
    if (!node->is_sequence() || node->items.size() != angles.size()) {
      add(*node, path,
          fmt::format("a map by coordinate name, or a list of {} numbers, one for each angle of a joint",
                      angles.size()),
          show_node(*node));
      return;
    }
    for (std::size_t i = 0; i < angles.size(); ++i)
      for (const auto& [name, place] : known)
        if (place == angles[i]) set(name, place, node->items[i], fmt::format("{}[{}]", path, i));
  }

  // Of maps; a list gives every number.
  std::vector<std::string> given_names(const YamlNode& root, const std::string& key) const {
    std::vector<std::string> names;
    for (const std::string& name : {key, degrees_key(key)}) {
      const YamlNode* const node = root.find(name);
      if (node && node->is_sequence()) return model_.coordinates();
      for (std::size_t i = 0; node && i < node->entries.size(); ++i) names.push_back(node->entries[i].key);
    }
    return names;
  }

  void read_hold(const YamlNode& node, JointNames& hold) {
    const auto read_name = [&](const YamlNode& name, const std::string& path) {
      if (name.is_scalar() && !joint_coordinates_named(model_, name.text).empty())
        hold.push_back(name.text);
      else if (!(name.is_scalar() && name.text == "all"))  // of an arm without joints that move
        add(name, path, "the name of a joint that moves, or `all`", show_node(name),
            suggestion(name.text, names_of_joints(model_), "joints"));
    };
    if (!node.is_sequence()) return read_name(node, "hold");
    for (std::size_t i = 0; i < node.items.size(); ++i) read_name(node.items[i], fmt::format("hold[{}]", i));
  }

  static std::vector<std::string> names_of(const Names& names) {
    std::vector<std::string> list;
    for (const auto& [name, index] : names) list.push_back(name);
    return list;
  }

  void check_quaternions(const YamlNode& node, Eigen::VectorXd& q) {
    for (const Link& link : model_.links()) {
      if (!link.joint.has_quaternion()) continue;
      auto quaternion = q.segment<4>(link.joint.quaternion_index());
      const double norm = quaternion.norm();
      if (std::abs(norm - 1.0) > 1e-6)
        add(node, "q", fmt::format("a unit quaternion (x, y, z, w) for `{}`", link.joint.name),
            fmt::format("one of length {}", show_number(norm)),
            "absent components are 0, and w is 1 if all are absent");
      else
        quaternion /= norm;
    }
  }

  void check_free_lengths(const YamlNode& node, const Eigen::VectorXd& q) {
    try {
      require_free_lengths(model_, q);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems())
        add(node, problem.path, problem.expected, problem.found, problem.hint);
    }
  }

  Eigen::Vector3d read_vector(const YamlNode& node, const std::string& path) {
    Eigen::Vector3d vector = Eigen::Vector3d::Zero();
    if (!node.is_sequence() || node.items.size() != 3) {
      add(node, path, "a list of 3 numbers", show_node(node));
      return vector;
    }
    for (int i = 0; i < 3; ++i)
      vector[i] = read_number(node.items[static_cast<std::size_t>(i)], fmt::format("{}[{}]", path, i));
    return vector;
  }

  void read_loads(const YamlNode& node, std::vector<StateLoad>& loads) {
    if (!node.is_sequence()) {
      add(node, "loads", "a list of loads", show_node(node));
      return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i)
      read_load(node.items[i], fmt::format("loads[{}]", i), loads);
  }

  void read_load(const YamlNode& node, const std::string& path, std::vector<StateLoad>& loads) {
    if (!node.is_map()) {
      add(node, path, "a map with link, at, frame, force and moment", show_node(node));
      return;
    }
    StateLoad load;
    std::optional<std::string> link;
    std::optional<Eigen::Vector2d> thermal_curvature;
    std::optional<double> pretension;
    bool straight = false;
    for (const YamlEntry& entry : node.entries) {
      const std::string here = join_path(path, path_step(entry.key));
      if (entry.key == "link")
        link = read_link(entry.value, here);
      else if (entry.key == "at")
        read_place(entry.value, here, load);
      else if (entry.key == "frame")
        read_frame(entry.value, here, load.frame);
      else if (entry.key == "force")
        load.force = read_vector(entry.value, here);
      else if (entry.key == "moment")
        load.moment = read_vector(entry.value, here);
      else if (entry.key == "offset")
        load.offset = read_vector(entry.value, here);
      else if (entry.key == "thermal_curvature")
        thermal_curvature = read_curvatures(entry.value, here);
      else if (entry.key == "pretension")
        pretension = read_number(entry.value, here);
      else if (entry.key == "straight")
        straight = read_yes(entry.value, here);
      else
        unknown_key(entry, path,
                    {"link", "at", "frame", "force", "moment", "offset", "thermal_curvature", "pretension",
                     "straight"});
    }
    if (!node.find("link")) add(node, path, "the key `link`", "none");
    if (!link) return;
    const LinkPlace place = place_on(model_, *link, load.at, load.interface);
    if (const auto problem = place_problem(model_, {place.link, load.at, load.interface}))
      add(*node.find("at"), join_path(path, "at"), problem->expected, problem->found, problem->hint);
    Load given{0, 0, load.frame, load.force, load.moment, load.offset};
    if (const auto problem =
            inner_load_problem(model_, *link, thermal_curvature, pretension, straight, given)) {
      const YamlNode* const where = node.find(problem->path);
      add(where ? *where : node, join_path(path, problem->path), problem->expected, problem->found,
          problem->hint);
      return;
    }
    const auto keep = [&](const Load& one, double at) {
      loads.push_back({one.link, at, one.axes, one.force, one.moment, one.offset, load.interface, one.kind});
    };
    if (set_inner_kind(thermal_curvature, pretension, straight, given)) {
      for (const Load& one : inner_loads(model_, *link, given)) keep(one, 1.0);
      return;
    }
    given.link = place.link;
    keep(in_node_axes(place, given), place.at);
  }

  Eigen::Vector2d read_curvatures(const YamlNode& node, const std::string& path) {
    Eigen::Vector2d vector = Eigen::Vector2d::Zero();
    if (!node.is_sequence() || node.items.size() != 2) {
      add(node, path, "a list of 2 numbers, kappa_y and kappa_z [1/m]", show_node(node));
      return vector;
    }
    for (int i = 0; i < 2; ++i)
      vector[i] = read_number(node.items[static_cast<std::size_t>(i)], fmt::format("{}[{}]", path, i));
    return vector;
  }

  bool read_yes(const YamlNode& node, const std::string& path) {
    if (node.text != "true" && node.text != "false") add(node, path, "true or false", show_node(node));
    return node.text == "true";
  }

  // A fraction, or the name of an interface.
  void read_place(const YamlNode& node, const std::string& path, StateLoad& load) {
    if (node.is_scalar() && obeys(TextRule::name, node.text) && !parse_number(node.text).value)
      load.interface = node.text;
    else
      load.at = read_number(node, path);
  }

  std::optional<std::string> read_link(const YamlNode& node, const std::string& path) {
    const std::vector<std::string> known = link_names(model_);
    if (node.is_scalar() && std::find(known.begin(), known.end(), node.text) != known.end()) return node.text;
    add(node, path, "the name of a link", show_node(node), suggestion(node.text, known, "links"));
    return std::nullopt;
  }

  void read_frame(const YamlNode& node, const std::string& path, Axes& frame) {
    if (node.text == "world")
      frame = Axes::world;
    else if (node.text == "body")
      frame = Axes::body;
    else if (node.text == "section")
      frame = Axes::section;
    else
      add(node, path, "world, body or section", show_node(node));
  }

  const Model& model_;
  ProblemList& problems_;
};

}  // namespace

std::vector<Load> place_loads(const std::vector<StateLoad>& loads, Model& model) {
  std::vector<Load> placed;
  for (const StateLoad& load : loads) {
    const LinkPlace place{load.link, load.at, load.interface};
    model = with_node(model, place);
    placed.push_back(
        {load.link, node_index(model, place), load.frame, load.force, load.moment, load.offset, load.kind});
  }
  return placed;
}

State neutral_state(const Model& model) {
  return {
      neutral_configuration(model), Eigen::VectorXd::Zero(model.nv()), Eigen::VectorXd::Zero(model.nv()), {}};
}

State parse_state(const std::string& text, const std::string& file_name, const Model& model) {
  // JSON is YAML, but for tabs between its tokens.
  std::string spaced = text;
  std::replace(spaced.begin(), spaced.end(), '\t', ' ');
  YamlTree tree = parse_yaml(spaced, file_name);
  ProblemList problems(file_name, std::move(tree.problems));
  State state = StateReader(model, problems).read(tree.root);
  if (!problems.empty()) throw FileError(problems.all());
  return state;
}

State read_state(const std::filesystem::path& file, const Model& model) {
  const FileContent content = read_text_file(file);
  if (!content.failure.empty())
    throw FileError(
        {{{"", "a readable state file, at most 16 MiB", content.failure, ""}, file.string(), {}}});
  return parse_state(content.text, file.string(), model);
}

}  // namespace limber
