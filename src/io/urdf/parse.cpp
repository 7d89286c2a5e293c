// SPDX-License-Identifier: BSD-3-Clause
// The one source file that knows urdfdom, and TinyXML, in which urdfdom reads: the same text is read once more for the
// places and the order of its elements, which urdfdom does not keep.

#include <console_bridge/console.h>
#include <tinyxml.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <mutex>
#include <string_view>
#include <type_traits>

#include "../problem_list.hpp"
#include "../text_file.hpp"
#include "limber/model/field_rule.hpp"
#include "outline.hpp"
#include "robot.hpp"

namespace limber::urdf {
namespace {

Mark mark_of(const TiXmlBase& element) { return {std::max(element.Row(), 1), std::max(element.Column(), 1)}; }

std::string attribute(const TiXmlElement* element, const char* name) {
  const char* const value = element ? element->Attribute(name) : nullptr;
  return value ? value : "";
}

// ---- before TinyXML and urdfdom: what would hurt them, or is meant for another program ----

constexpr int deepest_nesting = 100;  // TinyXML calls itself for every level

void refuse_deep_nesting(std::string_view text, const std::string& file) {
  int depth = 0, line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text.substr(i, 4) == "<!--") {
      const std::size_t end = std::min(text.find("-->", i), text.size());
      line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                                          text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
      i = end;
    } else if (text.substr(i, 2) == "</" || text.substr(i, 2) == "/>") {
      --depth;
    } else if (text[i] == '<' && ++depth > deepest_nesting) {
      throw FileError(
          {{{"", "elements nested at most " + std::to_string(deepest_nesting) + " deep", "more", ""},
            file,
            {line, 1}}});
    }
  }
}

/// What a text is that does not begin as XML does.
Problem not_xml(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return {"", "a URDF, in XML", "nothing but white space", "is it the right file?"};
  const bool ours = text.starts_with("limber:") || text.find("\nlimber:") != text.npos;
  if (ours)
    return {"", "a URDF, in XML", "a Limber file, in YAML",
            "a model file is read as it is, without `urdf` or `import`"};
  const std::string_view line = text.substr(first, text.find('\n', first) - first);
  return {"", "a URDF, in XML: its first character is `<`", show_text(line),
          "a URDF begins with <robot name=\"...\">; xacro files are made into one by xacro, which is part of "
          "ROS"};
}

void refuse_what_is_not_xml(const std::string& text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  std::string_view rest = text;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  const std::size_t first = rest.find_first_not_of(" \t\r\n");
  if (first != rest.npos && rest[first] == '<') return;
  const auto lines = first == rest.npos
                         ? 0
                         : std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(first), '\n');
  throw FileError({{not_xml(rest), file, {static_cast<int>(lines) + 1, 1}}});
}

/// The first sign of xacro that is more than its namespace, which expanded files keep.
const TiXmlElement* find_xacro(const TiXmlElement& element) {
  if (std::string_view(element.Value()).starts_with("xacro:")) return &element;
  for (const TiXmlAttribute* a = element.FirstAttribute(); a; a = a->Next()) {
    const std::string_view value = a->Value();
    if (value.find("${") != value.npos || value.find("$(") != value.npos) return &element;
  }
  for (const TiXmlElement* child = element.FirstChildElement(); child; child = child->NextSiblingElement())
    if (const TiXmlElement* const found = find_xacro(*child)) return found;
  return nullptr;
}

void refuse_xacro(const TiXmlElement& robot, const std::string& file) {
  const TiXmlElement* const found = find_xacro(robot);
  if (!found) return;
  throw FileError({{{"", "a URDF", "a xacro file, from which a URDF is made",
                     "expand it: xacro " + file + " > robot.urdf (xacro is part of ROS)"},
                    file,
                    mark_of(*found)}});
}

const TiXmlElement& parse_xml(const std::string& text, const std::string& file, TiXmlDocument& document) {
  if (const auto foreign = find_foreign_byte(text))
    throw FileError({{{"", "text in UTF-8", foreign->words, ""}, file, foreign->mark}});
  refuse_what_is_not_xml(text, file);
  refuse_deep_nesting(text, file);
  document.SetTabSize(1);
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  if (document.Error())
    throw FileError(
        {{{"", "a file in XML", "XML that is broken here, or before: " + show_text(document.ErrorDesc()),
           "is a tag or a quotation mark not closed?"},
          file,
          {std::max(document.ErrorRow(), 1), std::max(document.ErrorCol(), 1)}}});
  const TiXmlElement* const root = document.RootElement();
  if (!root || root->ValueStr() != "robot")
    throw FileError({{{"", "the element <robot> of a URDF", root ? "<" + root->ValueStr() + ">" : "none", ""},
                      file,
                      root ? mark_of(*root) : Mark{1, 1}}});
  refuse_xacro(*root, file);
  return *root;
}

// ---- places and order ----

Element outline_of(const TiXmlElement& element) {
  Element result{
      attribute(&element, "name"), mark_of(element), attribute(&element, "type"), "", "", {}, {}, {}};
  const TiXmlElement* const parent = element.FirstChildElement("parent");
  const TiXmlElement* const child = element.FirstChildElement("child");
  const TiXmlElement* const mimic = element.FirstChildElement("mimic");
  result.parent = attribute(parent, "link");
  result.child = attribute(child, "link");
  if (parent) result.parent_mark = mark_of(*parent);
  if (child) result.child_mark = mark_of(*child);
  if (mimic) result.mimic_mark = mark_of(*mimic);
  result.mimics = mimic != nullptr;
  return result;
}

Outline outline_of_robot(const TiXmlElement& robot) {
  Outline outline;
  for (const TiXmlElement* e = robot.FirstChildElement(); e; e = e->NextSiblingElement()) {
    if (e->ValueStr() == "link") outline.links.push_back(outline_of(*e));
    if (e->ValueStr() == "joint") outline.joints.push_back(outline_of(*e));
  }
  return outline;
}

// ---- urdfdom ----

/// What urdfdom says while it reads goes to a list, not to standard error.
class Messages final : public console_bridge::OutputHandler {
 public:
  Messages() { console_bridge::useOutputHandler(this); }
  ~Messages() override { console_bridge::restorePreviousOutputHandler(); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) list.push_back(text);
  }
  std::vector<std::string> list;
};

/// urdfdom says which link or joint it could not read as `[name]`.
Mark place_of(const std::vector<std::string>& messages, const Outline& outline) {
  for (const std::string& message : messages)
    for (const auto* elements : {&outline.joints, &outline.links})
      for (const Element& element : *elements)
        if (message.find("[" + element.name + "]") != message.npos ||
            message.find("'" + element.name + "'") != message.npos)
          return element.mark;
  return {1, 1};
}

::urdf::ModelInterfaceSharedPtr interpret(const std::string& text, const std::string& file,
                                          const Outline& outline) {
  static std::mutex one_at_a_time;  // console_bridge has one handler for all threads
  const std::lock_guard lock(one_at_a_time);
  Messages messages;
  ::urdf::ModelInterfaceSharedPtr model;
  try {
    model = ::urdf::parseURDF(text);
  } catch (const std::exception& error) {
    messages.list.emplace_back(error.what());
  }
  // A link whose inertia it could not read is left in the model without one.
  const bool lost_inertia = std::any_of(
      messages.list.begin(), messages.list.end(),
      [](const std::string& message) { return message.find("inertial element") != message.npos; });
  if (model && !lost_inertia) return model;
  std::string said;
  for (const std::string& message : messages.list) said += (said.empty() ? "" : "; ") + message;
  throw FileError({{{"", "a URDF that urdfdom can read", said.empty() ? "one that it cannot" : said, ""},
                    file,
                    place_of(messages.list, outline)}});
}

Eigen::Vector3d vector_of(const std::string& text) {
  if (text.empty()) return Eigen::Vector3d::Zero();
  ::urdf::Vector3 v;
  v.init(text);
  return {v.x, v.y, v.z};
}

// urdfdom keeps a quaternion, from which near a pitch of 90 degrees it finds angles to three digits only.
FrameDescription frame_of(const TiXmlElement* owner) {
  const TiXmlElement* const origin = owner ? owner->FirstChildElement("origin") : nullptr;
  return {vector_of(attribute(origin, "xyz")), vector_of(attribute(origin, "rpy"))};
}

JointType type_of(int type) {
  switch (type) {
    case ::urdf::Joint::REVOLUTE:
    case ::urdf::Joint::CONTINUOUS:
      return JointType::revolute;
    case ::urdf::Joint::PRISMATIC:
      return JointType::prismatic;
    case ::urdf::Joint::FLOATING:
      return JointType::free;
    default:
      return JointType::fixed;
  }
}

Eigen::Vector3d vector_of(const ::urdf::Vector3& v) { return {v.x, v.y, v.z}; }

VisualKind kind_of(const ::urdf::Geometry& geometry) {
  switch (geometry.type) {
    case ::urdf::Geometry::BOX:
      return visuals::Box{vector_of(static_cast<const ::urdf::Box&>(geometry).dim)};
    case ::urdf::Geometry::CYLINDER: {
      const auto& cylinder = static_cast<const ::urdf::Cylinder&>(geometry);
      return visuals::Cylinder{cylinder.radius, cylinder.length};
    }
    case ::urdf::Geometry::SPHERE:
      return visuals::Sphere{static_cast<const ::urdf::Sphere&>(geometry).radius};
    case ::urdf::Geometry::MESH:
      break;
  }
  const auto& mesh = static_cast<const ::urdf::Mesh&>(geometry);
  return visuals::Mesh{mesh.filename, vector_of(mesh.scale)};
}

std::optional<Eigen::Vector3d> color_of(const ::urdf::Visual& visual) {
  if (!visual.material || !visual.material->texture_filename.empty()) return std::nullopt;
  const ::urdf::Color& color = visual.material->color;
  return Eigen::Vector3d(color.r, color.g, color.b).cwiseMax(0.0).cwiseMin(1.0);
}

/// urdfdom's list of <visual> or <collision>, each with the element that it was read from.
template <typename Given>
std::vector<Shape> shapes_of(const std::vector<Given>& given, const TiXmlElement& link, const char* name) {
  std::vector<Shape> shapes;
  const TiXmlElement* element = link.FirstChildElement(name);
  for (std::size_t i = 0; i < given.size() && element; ++i, element = element->NextSiblingElement(name)) {
    if (!given[i] || !given[i]->geometry) continue;
    const FrameDescription frame = frame_of(element);
    Shape shape{{frame.xyz, frame.rpy, {}, kind_of(*given[i]->geometry)}, mark_of(*element)};
    if constexpr (std::is_same_v<Given, ::urdf::VisualSharedPtr>) shape.drawn.color = color_of(*given[i]);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

Link make_link(const ::urdf::Link& given, const TiXmlElement& element) {
  Link link{given.name, {}, mark_of(element)};
  link.visuals = shapes_of(given.visual_array, element, "visual");
  link.collisions = shapes_of(given.collision_array, element, "collision");
  if (!given.inertial) return link;
  const TiXmlElement* const place = element.FirstChildElement("inertial");
  const ::urdf::Inertial& i = *given.inertial;
  Inertial inertial{i.mass, frame_of(place), {}, place ? mark_of(*place) : link.mark};
  inertial.inertia_C << i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz;
  link.inertial = inertial;
  return link;
}

Joint make_joint(const ::urdf::Joint& given, const TiXmlElement& element) {
  Joint joint;
  joint.name = given.name;
  joint.type = type_of(given.type);
  joint.parent = given.parent_link_name;
  joint.child = given.child_link_name;
  joint.origin = frame_of(&element);
  joint.axis = {given.axis.x, given.axis.y, given.axis.z};
  joint.mark = mark_of(element);
  if (given.dynamics) joint.damping = given.dynamics->damping;
  if (given.dynamics) joint.friction = given.dynamics->friction;
  if (!given.limits) return joint;
  joint.limits.effort = given.limits->effort;
  joint.limits.velocity = given.limits->velocity;
  if (given.type == ::urdf::Joint::CONTINUOUS) return joint;
  joint.limits.lower = given.limits->lower;
  joint.limits.upper = given.limits->upper;
  return joint;
}

}  // namespace

bool is_xml(const std::string& text) {
  const std::size_t start = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  const std::size_t first = text.find_first_not_of(" \t\r\n", start);
  return first != text.npos && text[first] == '<';
}

Robot parse(const std::string& text, const std::string& file_name) {
  TiXmlDocument document;
  const TiXmlElement& root = parse_xml(text, file_name, document);
  const Outline outline = outline_of_robot(root);
  ProblemList problems(file_name);
  check_outline(outline, problems);
  if (!problems.empty()) throw FileError(problems.all());

  const auto model = interpret(text, file_name, outline);
  Robot robot{model->getName(), {}, {}, file_name};
  for (const TiXmlElement* e = root.FirstChildElement(); e; e = e->NextSiblingElement()) {
    if (e->ValueStr() == "link") robot.links.push_back(make_link(*model->getLink(attribute(e, "name")), *e));
    if (e->ValueStr() == "joint")
      robot.joints.push_back(make_joint(*model->getJoint(attribute(e, "name")), *e));
  }
  return robot;
}

}  // namespace limber::urdf
