// SPDX-License-Identifier: BSD-3-Clause
#include "output_sensor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "limber/core/input_error.hpp"
#include "limber/model/field_rule.hpp"

namespace limber {
namespace {

/// "boom@0.5.y": where, and along which axis of the world.
std::optional<sensors::Point> point_named(const std::string& name, const Model& model) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos || dot + 2 != name.size()) return std::nullopt;
  const std::size_t axis = std::string("xyz").find(name.back());
  if (axis == std::string::npos) return std::nullopt;
  sensors::Point point;
  point.axis = Eigen::Vector3d::Unit(static_cast<Eigen::Index>(axis));
  const std::string place = name.substr(0, dot);
  if (place == "end_effector") {
    const Frame& end = model.end_effector();
    const Link& link = model.links()[static_cast<std::size_t>(end.link)];
    const Node& node = link.nodes[static_cast<std::size_t>(end.node)];
    point.place = {link.name, node.interface.empty() ? node.at : 1.0, end.X_NE.p, node.interface};
    return point;
  }
  const std::size_t sign = place.rfind('@');
  if (sign == std::string::npos) return std::nullopt;
  double at = -1.0;
  const char *first = place.data() + sign + 1, *last = place.data() + place.size();
  if (const auto [end, error] = std::from_chars(first, last, at); error == std::errc() && end == last)
    point.place = {place.substr(0, sign), at, Eigen::Vector3d::Zero()};
  else  // an interface of a body
    point.place = {place.substr(0, sign), 1.0, Eigen::Vector3d::Zero(), place.substr(sign + 1)};
  return point;
}

bool is_elastic(const Model& model, const std::string& coordinate) {
  for (const Link& link : model.links())
    for (int i = 0; i < link.elastic_count; ++i)
      if (model.coordinates()[static_cast<std::size_t>(link.elastic_v_index + i)] == coordinate) return true;
  return false;
}

}  // namespace

SensorDescription output_sensor(const std::string& name, const std::vector<SensorDescription>& sensors,
                                const Model& model) {
  std::vector<std::string> known;
  for (const SensorDescription& sensor : sensors) {
    if (sensor.name == name) return sensor;
    known.push_back(sensor.name);
  }
  SensorDescription made;
  made.name = "output." + name;
  constexpr std::string_view rate = ".rate";
  const auto is_coordinate = [&](const std::string& one) {
    return sensed_coordinate(model, one) >= 0 || is_elastic(model, one);
  };
  if (is_coordinate(name)) {
    made.kind = sensors::Position{name};
    return made;
  }
  if (name.ends_with(rate)) {
    const std::string joint = name.substr(0, name.size() - rate.size());
    if (is_coordinate(joint)) {
      made.kind = sensors::Velocity{joint};
      return made;
    }
  }
  if (const auto point = point_named(name, model)) {
    made.kind = *point;
    if (const auto problems = check_sensors({made}, model); !problems.empty()) {
      Problem problem = problems.front();
      problem.path.clear();
      throw InputError(std::move(problem));
    }
    return made;
  }
  for (const std::string& coordinate : model.coordinates())
    if (is_coordinate(coordinate)) {
      known.push_back(coordinate);
      known.push_back(coordinate + ".rate");
    }
  for (const char* axis : {"x", "y", "z"}) known.push_back(fmt::format("end_effector.{}", axis));
  throw InputError(
      Problem{"", "an output: a sensor, a coordinate, `<coordinate>.rate`, `end_effector.x`, `LINK@0.5.y`",
              show_text(name), suggestion(name, known, "outputs")});
}

}  // namespace limber
