// SPDX-License-Identifier: BSD-3-Clause
// The outline as JSON and back. A text that is read may be anybody's: whatever is used as an index or a length is looked at first.

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "limber/core/input_error.hpp"
#include "limber/results/arm_outline.hpp"

namespace limber {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kind_names[] = {"turn", "slide", "quaternion"};

// ---- writing ----

Json json_of(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Json json_of(const Pose& X) {
  const Eigen::Quaterniond u(X.R);
  return {X.p.x(), X.p.y(), X.p.z(), u.x(), u.y(), u.z(), u.w()};
}

Json json_of(const OutlineJoint& joint) {
  Json steps = Json::array();
  for (const JointStep& step : joint.steps) {
    Json one = {{"kind", kind_names[static_cast<int>(step.kind)]}, {"q", step.q}};
    if (step.kind != JointStep::Kind::quaternion) one["axis"] = json_of(step.axis);
    steps.push_back(std::move(one));
  }
  return {{"name", joint.name}, {"type", joint.type}, {"q", joint.q},  {"nq", joint.nq},
          {"v", joint.v},       {"nv", joint.nv},     {"steps", steps}};
}

Json json_of(const std::vector<OutlineVisual>& visuals) {
  Json all = Json::array();
  for (const auto& [color, mesh, modes] : visuals) {
    all.push_back(
        {{"color", color ? json_of(*color) : Json(nullptr)},
         {"vertices", std::vector<double>(mesh.vertices.reshaped().begin(), mesh.vertices.reshaped().end())},
         {"triangles",
          std::vector<int>(mesh.triangles.reshaped().begin(), mesh.triangles.reshaped().end())}});
    if (modes.cols() == 0) continue;
    Json columns = Json::array();
    for (Eigen::Index j = 0; j < modes.cols(); ++j)
      columns.push_back(std::vector<double>(modes.col(j).begin(), modes.col(j).end()));
    all.back()["modes"] = std::move(columns);
  }
  return all;
}

Json json_of(const OutlinePlace& place) {
  return {{"link", place.link}, {"place", place.place}, {"p", json_of(place.p)}};
}

Json json_of(const OutlineLink& link) {
  Json places = Json::array(), terms = Json::array(), values = Json::array(), stiffness = Json::array(),
       half_sizes = Json::array(), payload = nullptr;
  for (const Pose& place : link.places) places.push_back(json_of(place));
  for (std::size_t t = 0; t < link.terms.size(); ++t) {
    terms.push_back({link.terms[t].component, link.terms[t].j, link.terms[t].k});
    const Eigen::VectorXd column = link.values.col(static_cast<Eigen::Index>(t));
    values.push_back(std::vector<double>(column.begin(), column.end()));
  }
  for (Eigen::Index i = 0; i < link.stiffness.cols(); ++i)
    stiffness.push_back(json_of(Eigen::Vector3d(link.stiffness.col(i))));
  for (const Eigen::Vector2d& half : link.half_size) half_sizes.push_back({half.x(), half.y()});
  if (link.payload) payload = {{"mass", link.payload->mass}, {"com", json_of(link.payload->com)}};
  Json result = {{"name", link.name},
                 {"parent", link.parent},
                 {"parent_place", link.parent_place},
                 {"X_NJ", json_of(link.X_NJ)},
                 {"joint", json_of(link.joint)},
                 {"X_BR", json_of(link.X_BR)},
                 {"elastic", {{"q", link.elastic_q}, {"v", link.elastic_v}, {"count", link.elastic_count}}},
                 {"points", link.points},
                 {"places", places},
                 {"terms", terms},
                 {"values", values},
                 {"stiffness", stiffness},
                 {"half_sizes", half_sizes},
                 {"is_round", link.is_round},
                 {"payload", payload},
                 {"visuals", json_of(link.visuals)}};
  if (const auto& telescope = link.telescope)
    result["telescope"] = {{"q", telescope->q},
                           {"free_length", telescope->free_length},
                           {"length", telescope->length},
                           {"powers", telescope->powers}};
  return result;
}

// ---- reading ----

/// A part of the document and where it is.
class Part {
 public:
  Part(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& expected, const std::string& found) const {
    throw InputError(
        Problem{path_, expected, found, "the file was damaged or changed; run the scenario again"});
  }

  Part operator[](const char* key) const {
    if (!json_.is_object() || !json_.contains(key)) refuse(fmt::format("a map with `{}`", key), "none");
    return {json_.at(key), path_ + "." + key};
  }
  std::vector<Part> list() const {
    if (!json_.is_array()) refuse("a list", json_.type_name());
    std::vector<Part> parts;
    for (const Json& one : json_) parts.emplace_back(one, fmt::format("{}[{}]", path_, parts.size()));
    return parts;
  }
  std::vector<Part> list(std::size_t count) const {
    std::vector<Part> parts = list();
    if (parts.size() != count) refuse(fmt::format("{} of them", count), fmt::format("{}", parts.size()));
    return parts;
  }
  bool is_null() const { return json_.is_null(); }
  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }
  std::string text() const {
    if (!json_.is_string()) refuse("a text", json_.type_name());
    return json_.get<std::string>();
  }
  bool yes_or_no() const {
    if (!json_.is_boolean()) refuse("true or false", json_.type_name());
    return json_.get<bool>();
  }
  double number() const {
    if (!json_.is_number()) refuse("a number", json_.type_name());
    const auto value = json_.get<double>();
    if (!std::isfinite(value)) refuse("a finite number", fmt::format("{}", value));
    return value;
  }
  /// A list of so many numbers. (There may be very many: none gets a path of its own unless it is wrong.)
  std::vector<double> numbers(std::size_t count) const {
    if (!json_.is_array() || json_.size() != count)
      refuse(fmt::format("{} numbers", count),
             json_.is_array() ? fmt::format("{}", json_.size()) : std::string(json_.type_name()));
    std::vector<double> all;
    all.reserve(count);
    for (const Json& one : json_)
      if (one.is_number() && std::isfinite(one.get<double>()))
        all.push_back(one.get<double>());
      else
        Part(one, fmt::format("{}[{}]", path_, all.size())).number();  // refuses it
    return all;
  }
  /// Three numbers, three more, and so on.
  std::vector<double> numbers_by_three() const {
    if (!json_.is_array() || json_.size() % 3 != 0)
      refuse("three numbers for each of a list", "another list");
    return numbers(json_.size());
  }
  double number_from(double least) const {
    const double value = number();
    if (value < least) refuse(fmt::format("a number >= {}", least), fmt::format("{}", value));
    return value;
  }
  /// low .. high.
  int integer(int low, int high) const {
    const std::string expected = fmt::format("an integer from {} to {}", low, high);
    if (!json_.is_number_integer()) refuse(expected, json_.type_name());
    const double value = json_.get<double>();  // a count beyond 64 bits is no integer of JSON's
    if (!(value >= low && value <= high)) refuse(expected, fmt::format("{}", value));
    return static_cast<int>(value);
  }
  template <int size>
  Eigen::Matrix<double, size, 1> vector() const {
    return Eigen::Map<const Eigen::Matrix<double, size, 1>>(numbers(size).data());
  }
  Pose pose() const {
    const Eigen::Matrix<double, 7, 1> n = vector<7>();
    const Eigen::Quaterniond u(n[6], n[3], n[4], n[5]);
    constexpr double rounding = 1e-9;
    if (!(std::abs(u.norm() - 1.0) < rounding))
      refuse("a unit quaternion", fmt::format("one of size {}", u.norm()));
    return {u.toRotationMatrix(), n.head<3>()};
  }
  std::vector<std::string> texts(int count) const {
    std::vector<std::string> all;
    for (const Part& part : list(static_cast<std::size_t>(count))) all.push_back(part.text());
    return all;
  }

 private:
  const Json& json_;
  std::string path_;
};

constexpr int most = 1'000'000;  // coordinates, links, places: beyond any arm

JointStep step_of(const Part& part, int nq) {
  const std::string name = part["kind"].text();
  for (const JointStep::Kind kind :
       {JointStep::Kind::turn, JointStep::Kind::slide, JointStep::Kind::quaternion}) {
    if (name != kind_names[static_cast<int>(kind)]) continue;
    if (kind == JointStep::Kind::quaternion)
      return {kind, Eigen::Vector3d::Zero(), part["q"].integer(0, nq - 4)};
    return {kind, part["axis"].vector<3>(), part["q"].integer(0, nq - 1)};
  }
  part["kind"].refuse("turn, slide or quaternion", "`" + name + "`");
}

OutlineJoint joint_of(const Part& part, const ArmOutline& arm) {
  OutlineJoint joint;
  joint.name = part["name"].text();
  joint.type = part["type"].text();
  joint.q = part["q"].integer(0, arm.nq);
  joint.nq = part["nq"].integer(0, arm.nq - joint.q);
  joint.v = part["v"].integer(0, arm.nv);
  joint.nv = part["nv"].integer(0, arm.nv - joint.v);
  if (joint.nq != joint.nv) part["nq"].integer(joint.nv + 1, joint.nv + 1);  // with a quaternion
  for (const Part& step : part["steps"].list()) joint.steps.push_back(step_of(step, arm.nq));
  return joint;
}

// Results that were written before there were any have none.
std::vector<OutlineVisual> visuals_of(const Part& owner, int elastic_count) {
  std::vector<OutlineVisual> all;
  if (!owner.has("visuals")) return all;
  for (const Part& part : owner["visuals"].list()) {
    OutlineVisual visual;
    if (const Part color = part["color"]; !color.is_null()) visual.color = color.vector<3>();
    const std::vector<double> vertices = part["vertices"].numbers_by_three();
    const std::vector<double> corners = part["triangles"].numbers_by_three();
    visual.mesh.vertices = Eigen::Map<const Eigen::Matrix3Xd>(vertices.data(), 3,
                                                              static_cast<Eigen::Index>(vertices.size() / 3));
    visual.mesh.triangles.resize(3, static_cast<Eigen::Index>(corners.size() / 3));
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (!(corners[i] >= 0.0 && corners[i] < double(vertices.size() / 3) &&
            std::floor(corners[i]) == corners[i]))
        part["triangles"].refuse(
            fmt::format("vertices from 0 to {}", static_cast<long>(vertices.size() / 3) - 1),
            fmt::format("{}", corners[i]));
      visual.mesh.triangles.reshaped()[static_cast<Eigen::Index>(i)] = static_cast<int>(corners[i]);
    }
    if (part.has("modes")) {
      const std::vector<Part> columns = part["modes"].list(static_cast<std::size_t>(elastic_count));
      visual.modes.resize(static_cast<Eigen::Index>(vertices.size()), elastic_count);
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const std::vector<double> column = columns[j].numbers(vertices.size());
        visual.modes.col(static_cast<Eigen::Index>(j)) =
            Eigen::Map<const Eigen::VectorXd>(column.data(), visual.modes.rows());
      }
    }
    all.push_back(std::move(visual));
  }
  return all;
}

void read_shape(const Part& part, OutlineLink& link) {
  for (const Part& place : part["places"].list()) link.places.push_back(place.pose());
  if (link.places.size() > most) part["places"].refuse(fmt::format("at most {}", most), "more");
  const auto places = static_cast<int>(link.places.size());
  link.points = part["points"].integer(2, places - 1);
  for (const Part& term : part["terms"].list()) {
    const std::vector<Part> numbers = term.list(3);
    link.terms.push_back({numbers[0].integer(0, 8), numbers[1].integer(0, link.elastic_count - 1),
                          numbers[2].integer(-1, link.elastic_count - 1)});
  }
  const std::vector<Part> values = part["values"].list(link.terms.size());
  link.values.resize(places, static_cast<Eigen::Index>(values.size()));
  for (std::size_t t = 0; t < values.size(); ++t) {
    const std::vector<double> column = values[t].numbers(link.places.size());
    link.values.col(static_cast<Eigen::Index>(t)) = Eigen::Map<const Eigen::VectorXd>(column.data(), places);
  }
  const Part stiffness = part["stiffness"];
  const auto count = static_cast<std::size_t>(link.points);
  if (const std::vector<Part> columns = stiffness.list(); !columns.empty()) {
    stiffness.list(count);
    link.stiffness.resize(3, link.points);
    for (std::size_t i = 0; i < count; ++i)
      link.stiffness.col(static_cast<Eigen::Index>(i)) = columns[i].vector<3>();
  }
  for (const Part& half : part["half_sizes"].list(count)) link.half_size.emplace_back(half.vector<2>());
  link.is_round = part["is_round"].yes_or_no();
  if (const Part payload = part["payload"]; !payload.is_null())
    link.payload = Payload{payload["mass"].number_from(0.0), payload["com"].vector<3>()};
  link.visuals = visuals_of(part, link.elastic_count);
  if (!part.has("telescope")) return;
  const Part given = part["telescope"];
  constexpr double shortest = 1e-9;
  OutlineTelescope telescope{given["q"].integer(0, std::max(link.elastic_q - 1, 0)),
                             given["free_length"].number_from(shortest),
                             given["length"].number_from(shortest),
                             {}};
  constexpr int largest_power = 3;
  for (const Part& power : given["powers"].list(link.terms.size()))
    telescope.powers.push_back(power.integer(-largest_power, largest_power));
  link.telescope = std::move(telescope);
}

OutlineLink link_of(const Part& part, const ArmOutline& arm) {
  OutlineLink link;
  link.name = part["name"].text();
  link.parent = part["parent"].integer(-1, static_cast<int>(arm.links.size()) - 1);
  const auto places =
      link.parent < 0 ? std::size_t{1} : arm.links[static_cast<std::size_t>(link.parent)].places.size();
  link.parent_place = part["parent_place"].integer(0, static_cast<int>(places) - 1);
  link.X_NJ = part["X_NJ"].pose();
  link.joint = joint_of(part["joint"], arm);
  link.X_BR = part["X_BR"].pose();
  const Part elastic = part["elastic"];
  link.elastic_q = elastic["q"].integer(0, arm.nq);
  link.elastic_v = elastic["v"].integer(0, arm.nv);
  link.elastic_count =
      elastic["count"].integer(0, std::min(arm.nq - link.elastic_q, arm.nv - link.elastic_v));
  read_shape(part, link);
  return link;
}

OutlinePlace place_of(const Part& part, const ArmOutline& arm) {
  OutlinePlace place;
  place.link = part["link"].integer(-1, static_cast<int>(arm.links.size()) - 1);
  const std::size_t places =
      place.link < 0 ? 1 : arm.links[static_cast<std::size_t>(place.link)].places.size();
  place.place = part["place"].integer(0, static_cast<int>(places) - 1);
  place.p = part["p"].vector<3>();
  return place;
}

ArmOutline outline_of(const Part& part) {
  ArmOutline arm;
  arm.name = part["name"].text();
  arm.gravity = part["gravity"].vector<3>();
  const std::string kinematics = part["kinematics"].text();
  if (kinematics != "first" && kinematics != "second")
    part["kinematics"].refuse("first or second", "`" + kinematics + "`");
  arm.kinematics = kinematics == "first" ? KinematicOrder::first : KinematicOrder::second;
  arm.mass = part["mass"].number_from(0.0);
  arm.reach = part["reach"].number_from(0.0);
  arm.nq = part["nq"].integer(0, most);
  arm.nv = part["nv"].integer(0, most);
  arm.positions = part["positions"].texts(arm.nq);
  arm.coordinates = part["coordinates"].texts(arm.nv);
  for (const Part& link : part["links"].list()) arm.links.push_back(link_of(link, arm));
  const Part end = part["end_effector"];
  arm.end_effector_link = end["link"].integer(0, static_cast<int>(arm.links.size()) - 1);
  const auto& places = arm.links[static_cast<std::size_t>(arm.end_effector_link)].places;
  arm.end_effector_place = end["place"].integer(0, static_cast<int>(places.size()) - 1);
  arm.X_NE = end["X_NE"].pose();
  arm.visuals = visuals_of(part, 0);
  if (part.has("cylinders"))
    for (const Part& cylinder : part["cylinders"].list())
      arm.cylinders.push_back(
          {cylinder["name"].text(), place_of(cylinder["from"], arm), place_of(cylinder["to"], arm)});
  if (part.has("loops"))
    for (const Part& loop : part["loops"].list())
      arm.loops.push_back({loop["name"].text(), loop["type"].text(), loop["axis"].vector<3>(),
                           place_of(loop["a"], arm), place_of(loop["b"], arm)});
  return arm;
}

}  // namespace

std::string outline_text(const ArmOutline& arm) {
  Json links = Json::array();
  for (const OutlineLink& link : arm.links) links.push_back(json_of(link));
  Json document = {
      {"name", arm.name},
      {"gravity", json_of(arm.gravity)},
      {"kinematics", arm.kinematics == KinematicOrder::first ? "first" : "second"},
      {"mass", arm.mass},
      {"reach", arm.reach},
      {"nq", arm.nq},
      {"nv", arm.nv},
      {"positions", arm.positions},
      {"coordinates", arm.coordinates},
      {"links", links},
      {"end_effector",
       {{"link", arm.end_effector_link}, {"place", arm.end_effector_place}, {"X_NE", json_of(arm.X_NE)}}},
      {"visuals", json_of(arm.visuals)}};
  if (!arm.cylinders.empty()) {
    document["cylinders"] = Json::array();
    for (const OutlineCylinder& cylinder : arm.cylinders)
      document["cylinders"].push_back(
          {{"name", cylinder.name}, {"from", json_of(cylinder.from)}, {"to", json_of(cylinder.to)}});
  }
  if (!arm.loops.empty()) {
    document["loops"] = Json::array();
    for (const OutlineLoop& loop : arm.loops)
      document["loops"].push_back({{"name", loop.name},
                                   {"type", loop.type},
                                   {"axis", json_of(loop.axis)},
                                   {"a", json_of(loop.a)},
                                   {"b", json_of(loop.b)}});
  }
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ArmOutline parse_outline(const std::string& text) {
  const Json document = Json::parse(text, nullptr, false);
  const Part part(document, "arm");
  if (document.is_discarded()) part.refuse("the arm's outline as JSON", "another text");
  return outline_of(part);
}

}  // namespace limber
