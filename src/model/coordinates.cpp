// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/coordinates.hpp"

#include <algorithm>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {

std::vector<std::string> position_names(const Model& model) {
  std::vector<std::string> names(static_cast<std::size_t>(model.nq()));
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    for (int i = 0; i < joint.nq; ++i)
      names[static_cast<std::size_t>(joint.q_index + i)] = joint.has_quaternion()
                                                               ? joint.name + "." + std::to_string(i + 1)
                                                               : model.coordinates()[joint.v_index + i];
    for (int i = 0; i < link.elastic_count; ++i)
      names[static_cast<std::size_t>(link.elastic_q_index + i)] =
          model.coordinates()[link.elastic_v_index + i];
  }
  return names;
}

std::vector<int> joint_coordinates_named(const Model& model, const std::string& name) {
  std::vector<int> coordinates;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j) {
      const int c = link.joint.v_index + j;
      if (name == "all" || name == link.joint.name || name == model.coordinates()[c])
        coordinates.push_back(c);
    }
  return coordinates;
}

std::vector<int> driven_coordinates_named(const Model& model, const std::string& name) {
  std::vector<int> coordinates;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.driven_count(); ++j) {
      const int c = link.joint.driven_index() + j;
      if (name == "all" || name == link.joint.name || name == model.coordinates()[c])
        coordinates.push_back(c);
    }
  return coordinates;
}

std::vector<int> driven_coordinates(const Model& model) { return driven_coordinates_named(model, "all"); }

JointNames names_of_joints(const Model& model) {
  JointNames names = {"all"};
  for (const Link& link : model.links()) {
    if (link.joint.nv > 0) names.push_back(link.joint.name);
    if (link.joint.nv > 1)
      for (int j = link.joint.has_motor() ? 1 : 0; j < link.joint.nv; ++j)
        names.push_back(model.coordinates()[link.joint.v_index + j]);
  }
  return names;
}

std::vector<int> positions_of_coordinates(const Model& model) {
  std::vector<int> position(static_cast<std::size_t>(model.nv()), -1);
  for (const Link& link : model.links()) {
    if (!link.joint.has_quaternion())
      for (int j = 0; j < link.joint.nv; ++j)
        position[static_cast<std::size_t>(link.joint.v_index + j)] = link.joint.q_index + j;
    for (int i = 0; i < link.elastic_count; ++i)
      position[static_cast<std::size_t>(link.elastic_v_index + i)] = link.elastic_q_index + i;
  }
  return position;
}

std::vector<int> angular_positions(const Model& model) {
  std::vector<int> angles;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv && !link.joint.has_quaternion(); ++j)
      if (link.joint.turns(j)) angles.push_back(link.joint.q_index + j);
  return angles;
}

std::vector<int> angular_velocities(const Model& model) {
  std::vector<int> rates;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.nv; ++j)
      if (link.joint.turns(j)) rates.push_back(link.joint.v_index + j);
  return rates;
}

void complete_gears(const Model& model, const std::vector<std::string>& given, Eigen::VectorXd& values) {
  const auto is_given = [&](int coordinate) {
    return std::find(given.begin(), given.end(), model.coordinates()[static_cast<std::size_t>(coordinate)]) !=
           given.end();
  };
  const bool of_q = values.size() == model.nq();  // of arms without quaternions q and v are numbered alike
  for (const Link& link : model.links()) {
    if (!link.joint.has_motor()) continue;
    const int at = of_q ? link.joint.q_index : link.joint.v_index;
    const bool has_joint = is_given(link.joint.v_index), has_motor = is_given(link.joint.driven_index());
    if (has_joint && !has_motor) values[at + 1] = values[at];
    if (has_motor && !has_joint) values[at] = values[at + 1];
  }
}

std::vector<int> passive_coordinates(const Model& model, const JointNames& hold) {
  std::vector<int> passive;
  for (const Link& link : model.links())
    for (int j = 0; j < link.joint.facts().moving() && (link.joint.stiffness > 0.0 || link.joint.has_motor());
         ++j)
      passive.push_back(link.joint.v_index + j);
  for (std::size_t i = 0; i < hold.size(); ++i) {
    const std::vector<int> named = joint_coordinates_named(model, hold[i]);
    if (named.empty() && hold[i] != "all")
      throw InputError(Problem{"hold[" + std::to_string(i) + "]", "the name of a joint that moves, or `all`",
                               "`" + hold[i] + "`", suggestion(hold[i], names_of_joints(model), "joints")});
    for (const int held : named) std::erase(passive, held);
  }
  return passive;
}

}  // namespace limber
