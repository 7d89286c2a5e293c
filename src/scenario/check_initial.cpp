// SPDX-License-Identifier: BSD-3-Clause
#include "check_initial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "limber/model/coordinates.hpp"
#include "limber/model/field_checker.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

/// The rules of one start.
class InitialRules {
 public:
  InitialRules(const ScenarioDescription& scenario, const Model& model, Problems& problems)
      : scenario_(scenario), model_(model), problems_(problems) {}

  void check() {
    const std::vector<std::string> positions = position_names(model_);
    check_names(scenario_.initial.q, "initial.q", positions);
    check_names(scenario_.initial.v, "initial.v", model_.coordinates());
    check_degrees(scenario_.initial.q_deg, scenario_.initial.q, "q",
                  named(positions, angular_positions(model_)));
    check_degrees(scenario_.initial.v_deg, scenario_.initial.v, "v",
                  named(model_.coordinates(), angular_velocities(model_)));
    check_hold();
    for (const Link& link : model_.links())
      if (link.joint.has_quaternion()) check_quaternion(link.joint, positions);
    check_free_lengths(positions);
    if (!scenario_.initial.settle) return;
    for (const auto& [name, value] : scenario_.initial.q) check_not_elastic("initial.q", name);
    for (const auto* velocities : {&scenario_.initial.v, &scenario_.initial.v_deg})
      for (const auto& [name, value] : *velocities)
        if (value != 0.0)
          add(join_path(velocities == &scenario_.initial.v ? "initial.v" : "initial.v_deg", name),
              "no velocity: with `settle` the arm starts at rest", show_number(value));
  }

 private:
  void add(std::string path, std::string expected, std::string found, std::string hint = "") {
    problems_.push_back({std::move(path), std::move(expected), std::move(found), std::move(hint)});
  }

  void check_names(const ByName<double>& values, const std::string& path,
                   const std::vector<std::string>& known) {
    std::set<std::string> seen;
    for (const auto& [name, value] : values) {
      if (std::find(known.begin(), known.end(), name) == known.end())
        add(join_path(path, name), "the name of a coordinate", show_text(name),
            suggestion(name, known, "coordinates"));
      else if (!seen.insert(name).second)
        add(join_path(path, name), "each coordinate once", show_text(name));
    }
  }

  static std::vector<std::string> named(const std::vector<std::string>& names,
                                        const std::vector<int>& places) {
    std::vector<std::string> some;
    for (const int place : places) some.push_back(names[static_cast<std::size_t>(place)]);
    return some;
  }

  void check_degrees(const ByName<double>& values, const ByName<double>& plain, const std::string& key,
                     const std::vector<std::string>& angles) {
    const std::string path = "initial." + degrees_key(key);
    for (const auto& [name, value] : values) {
      const auto is_it = [&name = name](const auto& other) { return other.first == name; };
      if (std::find(angles.begin(), angles.end(), name) == angles.end())
        add(join_path(path, name), "the name of an angle of a joint", show_text(name),
            suggestion(name, angles, "angles of joints"));
      else if (std::any_of(plain.begin(), plain.end(), is_it))
        add(join_path(path, name), "the coordinate once", "`" + key + "` has it too", "remove one of them");
    }
  }

  void check_hold() {
    const std::vector<std::string>& hold = scenario_.initial.hold;
    for (std::size_t i = 0; i < hold.size(); ++i)
      if (hold[i] != "all" && joint_coordinates_named(model_, hold[i]).empty())
        add(hold.size() == 1 ? "initial.hold" : indexed("initial.hold", i),
            "the name of a joint that moves, or `all`", show_text(hold[i]),
            suggestion(hold[i], names_of_joints(model_), "joints"));
  }

  void check_not_elastic(const std::string& path, const std::string& name) {
    for (const Link& link : model_.links())
      for (int i = 0; i < link.elastic_count; ++i)
        if (model_.coordinates()[link.elastic_v_index + i] == name)
          add(join_path(path, name), "joints only: with `settle` the elastic coordinates are found",
              show_text(name), "remove it, or `settle`");
  }

  void check_free_lengths(const std::vector<std::string>& positions) {
    if (!model_.has_telescopes()) return;
    Eigen::VectorXd q = neutral_configuration(model_);
    for (const auto& [name, value] : scenario_.initial.q) {
      const auto at = std::find(positions.begin(), positions.end(), name);
      if (at != positions.end()) q[at - positions.begin()] = value;
    }
    try {
      require_free_lengths(model_, q);
    } catch (const InputError& error) {
      for (const Problem& problem : error.problems())
        add("initial." + problem.path, problem.expected, problem.found, problem.hint);
    }
  }

  void check_quaternion(const Joint& joint, const std::vector<std::string>& positions) {
    Eigen::Vector4d u(0.0, 0.0, 0.0, 1.0);
    bool is_given = false;
    for (const auto& [name, value] : scenario_.initial.q)
      for (int i = 0; i < 4; ++i)
        if (positions[joint.quaternion_index() + i] == name) {
          u[i] = value;
          is_given = true;
        }
    if (is_given && std::abs(u.norm() - 1.0) > 1e-6)
      add("initial.q", fmt::format("a unit quaternion (x, y, z, w) for `{}`", joint.name),
          fmt::format("one of length {}", show_number(u.norm())),
          "absent components are 0, and w is 1 if it is absent");
  }

  const ScenarioDescription& scenario_;
  const Model& model_;
  Problems& problems_;
};

}  // namespace

void check_initial(const ScenarioDescription& scenario, const Model& model, Problems& problems) {
  InitialRules(scenario, model, problems).check();
}

}  // namespace limber
