// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <set>

#include "limber/model/coordinates.hpp"
#include "limber/model/field_checker.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/sensors.hpp"

namespace limber {
namespace {

using Names = std::vector<std::string>;

// Of a link in segments the first, which deflects as all of them do.
const Link* find_link(const Model& model, const std::string& name) {
  const Names known = link_names(model);
  if (std::find(known.begin(), known.end(), name) == known.end()) return nullptr;
  return &model.links()[static_cast<std::size_t>(place_on(model, name, 0.0).link)];
}

bool deflects(const Link& link, Direction direction) {
  if (!link.beam) return false;
  const auto& coordinates = link.beam->basis.coordinates();
  return std::any_of(coordinates.begin(), coordinates.end(),
                     [&](const BeamBasis::Coordinate& c) { return c.direction == direction; });
}

Direction direction_of(CurvatureAxis axis) {
  return axis == CurvatureAxis::x   ? Direction::torsion
         : axis == CurvatureAxis::y ? Direction::z
                                    : Direction::y;
}

const char* how_it_deflects(CurvatureAxis axis) {
  return axis == CurvatureAxis::x   ? "twists (`modes.torsion`)"
         : axis == CurvatureAxis::y ? "bends about y (`modes.z`)"
                                    : "bends about z (`modes.y`)";
}

/// The rules of one sensor.
class SensorRules {
 public:
  SensorRules(const Model& model, std::string path, std::vector<Problem>& problems)
      : model_(model), path_(std::move(path)), problems_(problems) {}

  void check(const sensors::Position& sensor) { check_joint(sensor.joint, position_names(model_), true); }
  void check(const sensors::Velocity& sensor) { check_joint(sensor.joint, model_.coordinates(), false); }
  void check(const sensors::Acceleration& sensor) { check_joint(sensor.joint, model_.coordinates(), false); }
  void check(const sensors::Effort& sensor) {
    if (sensed_effort(model_, sensor.joint) < 0) check_joint(sensor.joint, model_.coordinates(), false);
  }

  void check(const sensors::Strain& sensor) {
    const Link* const link = check_beam(sensor.link, "a link that can strain");
    if (!link) return;
    const bool strains = deflects(*link, Direction::axial) ||
                         (sensor.offset[0] != 0.0 && deflects(*link, Direction::y)) ||
                         (sensor.offset[1] != 0.0 && deflects(*link, Direction::z));
    if (strains) return;
    if (deflects(*link, Direction::y) || deflects(*link, Direction::z))
      add("offset", "a fibre that strains where `" + sensor.link + "` bends",
          show_list({sensor.offset[0], sensor.offset[1]}), fibre_hint(*link));
    else
      add("link", "a link that bends or stretches", "`" + sensor.link + "`, whose `modes` only twist it", "");
  }

  void check(const sensors::Curvature& sensor) {
    const Link* const link = check_beam(sensor.link, "a link that bends");
    if (link && !deflects(*link, direction_of(sensor.axis)))
      add("axis", std::string("an axis about which the link ") + how_it_deflects(sensor.axis),
          "`" + sensor.link + "`, which does not", "its `modes` say in which directions it deflects");
  }

  void check(const sensors::Accelerometer& sensor) {
    check_place(sensor.place.link, sensor.place.at, sensor.place.interface);
    check_axis(sensor.axis);
  }
  void check(const sensors::Gyroscope& sensor) {
    check_place(sensor.link, sensor.at, sensor.interface);
    check_axis(sensor.axis);
  }
  void check(const sensors::Point& sensor) {
    check_place(sensor.place.link, sensor.place.at, sensor.place.interface);
    check_axis(sensor.axis);
  }

  void check(const sensors::Wrench& sensor) {
    Names joints;
    for (const Link& link : model_.links()) joints.push_back(link.joint.name);
    if (std::find(joints.begin(), joints.end(), sensor.joint) == joints.end())
      add("joint", "the name of a joint", show_text(sensor.joint),
          suggestion(sensor.joint, joints, "joints"));
  }

 private:
  void add(const char* key, std::string expected, std::string found, std::string hint) {
    problems_.push_back({join_path(path_, key), std::move(expected), std::move(found), std::move(hint)});
  }

  // A joint with one number, or one number of a joint with several.
  void check_joint(const std::string& name, const Names& all, bool of_q) {
    if ((of_q ? sensed_position(model_, name) : sensed_coordinate(model_, name)) >= 0) return;
    Names known;
    for (const Link& link : model_.links()) {
      const int first = of_q ? link.joint.q_index : link.joint.v_index,
                count = of_q ? link.joint.nq : link.joint.nv;
      const Names own(all.begin() + first, all.begin() + first + count);
      if (name == link.joint.name && count != 1) {
        add("joint", count == 0 ? "a joint that moves" : "one coordinate of it: " + show_names(own, "or"),
            "`" + name + "`" + (count == 0 ? ", which is fixed" : ", which has several"),
            count == 0 ? "type wrench measures what it carries" : "");
        return;
      }
      known.insert(known.end(), own.begin(), own.end());
    }
    add("joint", "the name of a joint that moves, or of one of its coordinates", show_text(name),
        suggestion(name, known, "joints"));
  }

  const Link* check_link(const std::string& name) {
    const Link* const link = find_link(model_, name);
    if (link) return link;
    add("link", "the name of a link", show_text(name), suggestion(name, link_names(model_), "links"));
    return nullptr;
  }

  const Link* check_beam(const std::string& name, const char* expected) {
    const Link* const link = check_link(name);
    if (link && link->body) {
      add("link", "a link with a beam", "`" + name + "`, a body of finite elements",
          "its motion can be measured, not its strain");
      return nullptr;
    }
    if (link && link->telescopes()) {
      add("link", "a beam that does not telescope", "`" + name + "`",
          "a gauge would run through the guide; `statics --gauge` has the curvature at any place");
      return nullptr;
    }
    if (!link || link->elastic_count > 0) return link;
    Names known;
    for (const Link& other : model_.links())
      if (other.elastic_count > 0) known.push_back(other.name);
    add("link", expected, "`" + name + "`, which is rigid",
        known.empty() ? "no link of this arm bends" : "links that bend: " + show_names(known));
    return nullptr;
  }

  void check_place(const std::string& name, double at, const std::string& interface) {
    const Link* const link = check_link(name);
    if (!link) return;
    if (link->telescopes() && at != 1.0)
      add("at", "1, the tip of a telescoping beam", show_number(at),
          "any other place would run through the guide");
    if (const auto problem = place_problem(model_, place_on(model_, name, at, interface)))
      add("at", problem->expected, problem->found, problem->hint);
  }

  void check_axis(const Eigen::Vector3d& axis) {
    if (!(axis.norm() > 0.0))
      add("axis", "a direction: a vector that is not zero", show_list({axis[0], axis[1], axis[2]}), "");
  }

  static std::string fibre_hint(const Link& link) {
    const bool y = deflects(link, Direction::y), z = deflects(link, Direction::z);
    return std::string("on the axis nothing strains: give ") +
           (y && z ? "y or z"
            : y    ? "y, the first number"
                   : "z, the second number") +
           ", of `offset`";
  }

  const Model& model_;
  std::string path_;
  std::vector<Problem>& problems_;
};

}  // namespace

int sensed_coordinate(const Model& model, const std::string& joint) {
  const std::vector<int> found = joint == "all" ? std::vector<int>{} : joint_coordinates_named(model, joint);
  for (const int c : found)  // a joint with an elastic gear is called like the first of its coordinates
    if (model.coordinates()[static_cast<std::size_t>(c)] == joint) return c;
  return -1;
}

int sensed_effort(const Model& model, const std::string& joint) {
  const std::vector<int> found = joint == "all" ? std::vector<int>{} : driven_coordinates_named(model, joint);
  return found.size() == 1 ? found.front() : -1;
}

int sensed_position(const Model& model, const std::string& joint) {
  const Names names = position_names(model);
  for (const Link& link : model.links())
    for (int i = link.joint.q_index; i < link.joint.q_index + link.joint.nq; ++i)
      if (names[static_cast<std::size_t>(i)] == joint) return i;
  return -1;
}

std::vector<Problem> check_sensors(const std::vector<SensorDescription>& sensors, const Model& model,
                                   const std::string& path) {
  std::vector<Problem> problems;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const SensorDescription& sensor = sensors[i];
    const std::string here = indexed(path, i);
    const auto add = [&](const char* key, std::string expected, std::string found, std::string hint) {
      problems.push_back({join_path(here, key), std::move(expected), std::move(found), std::move(hint)});
    };
    if (!seen.insert(sensor.name).second)
      add("name", "another name than that of a sensor before it", show_text(sensor.name), "");
    if (std::find(model.coordinates().begin(), model.coordinates().end(), sensor.name) !=
        model.coordinates().end())
      add("name", "another name than that of a coordinate", show_text(sensor.name),
          "outputs of linear models go by either");
    if (sensor.rate && sensor.delay > 0.0 && sensor.delay * *sensor.rate < 1.0 - 1e-9)
      add("delay", "0, or at least the time between two samples, " + show_number(1.0 / *sensor.rate) + " s",
          show_number(sensor.delay), "a sample is held until the next: leave the delay out, or raise `rate`");
    SensorRules rules(model, here, problems);
    std::visit([&](const auto& kind) { rules.check(kind); }, sensor.kind);
  }
  return problems;
}

namespace {

std::string joint_unit(const Model& model, int coordinate, const char* turning, const char* sliding) {
  for (const Link& link : model.links()) {
    const int j = coordinate - link.joint.v_index;
    if (j >= 0 && j < link.joint.nv) return link.joint.turns(j) ? turning : sliding;
  }
  return "";
}

struct Unit {
  const Model& model;
  std::string operator()(const sensors::Position& s) const {
    const int place = sensed_position(model, s.joint);
    for (const Link& link : model.links()) {
      const int i = place - link.joint.q_index;
      if (i < 0 || i >= link.joint.nq) continue;
      if (link.joint.has_quaternion()) return place >= link.joint.quaternion_index() ? "" : "m";
      return link.joint.turns(i) ? "rad" : "m";
    }
    return "";
  }
  std::string operator()(const sensors::Velocity& s) const {
    return joint_unit(model, sensed_coordinate(model, s.joint), "rad/s", "m/s");
  }
  std::string operator()(const sensors::Acceleration& s) const {
    return joint_unit(model, sensed_coordinate(model, s.joint), "rad/s^2", "m/s^2");
  }
  std::string operator()(const sensors::Effort& s) const {
    return joint_unit(model, sensed_effort(model, s.joint), "N m", "N");
  }
  std::string operator()(const sensors::Strain&) const { return ""; }
  std::string operator()(const sensors::Curvature& s) const {
    return s.axis == CurvatureAxis::x ? "rad/m" : "1/m";
  }
  std::string operator()(const sensors::Accelerometer&) const { return "m/s^2"; }
  std::string operator()(const sensors::Gyroscope&) const { return "rad/s"; }
  std::string operator()(const sensors::Point&) const { return "m"; }
  std::string operator()(const sensors::Wrench& s) const {
    return s.component < WrenchComponent::mx ? "N" : "N m";
  }
};

}  // namespace

std::string unit_of(const SensorDescription& sensor, const Model& model) {
  return std::visit(Unit{model}, sensor.kind);
}

}  // namespace limber
