// SPDX-License-Identifier: BSD-3-Clause
// URDF has one joint for each link: what moves by several ones gets links without mass between them. Springs are not part of it;
// they stand in the elements in which Gazebo looks for them.

#include <fmt/format.h>

#include <filesystem>
#include <variant>

#include "limber/core/input_error.hpp"
#include "limber/math/rpy.hpp"
#include "rigid_tree.hpp"

namespace limber {
namespace {

using Kind = TreeJoint::Kind;

// URDF wants a number for every limit of a revolute or prismatic joint.
constexpr double no_limit = 1e9, longest_way = 1e3;

std::string origin_text(const Pose& X) {
  return fmt::format("    <origin xyz=\"{}\" rpy=\"{}\"/>\n", xml_numbers(X.p),
                     xml_numbers(rpy_from_rotation(X.R)));
}

struct GeometryText {
  std::string operator()(const visuals::Box& box) const {
    return fmt::format("<box size=\"{}\"/>", xml_numbers(box.size));
  }
  std::string operator()(const visuals::Cylinder& cylinder) const {
    return fmt::format("<cylinder radius=\"{}\" length=\"{}\"/>", cylinder.radius, cylinder.length);
  }
  std::string operator()(const visuals::Sphere& sphere) const {
    return fmt::format("<sphere radius=\"{}\"/>", sphere.radius);
  }
  // From wherever the URDF will be read.
  std::string operator()(const visuals::Mesh& mesh) const {
    return fmt::format("<mesh filename=\"file://{}\" scale=\"{}\"/>",
                       xml_escaped(std::filesystem::absolute(mesh.file).string()), xml_numbers(mesh.scale));
  }
};

std::string visuals_text(const std::vector<TreeVisual>& visuals) {
  std::string text;
  for (const TreeVisual& visual : visuals) {
    text += "    <visual>\n  " + origin_text(visual.X_BV);
    text += fmt::format("      <geometry>{}</geometry>\n", std::visit(GeometryText{}, visual.shape.kind));
    if (const auto& color = visual.shape.color)
      text +=
          fmt::format("      <material name=\"\"><color rgba=\"{} 1\"/></material>\n", xml_numbers(*color));
    text += "    </visual>\n";
  }
  return text;
}

class UrdfWriter {
 public:
  explicit UrdfWriter(RigidTree& tree) : tree_(tree) {}

  std::string write() {
    text_ = fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n", xml_escaped(tree_.name));
    write_link("base", "", tree_.ground);
    for (const TreeBody& body : tree_.bodies) write(body);
    for (const TreeBody& body : tree_.bodies)
      for (const TreeJoint& joint : body.joints) write_spring(joint);
    if (has_springs_)
      tree_.notes.emplace_back(
          "URDF has no springs: they stand in <gazebo> elements, which other programs pass over");
    if (has_armature_) tree_.notes.emplace_back("URDF has no `armature`: the rotors' inertias are left out");
    return text_ + "</robot>\n";
  }

 private:
  void write(const TreeBody& body) {
    std::string carrier = body.parent < 0 ? "base" : tree_.bodies[static_cast<std::size_t>(body.parent)].name;
    Pose X_PJ = body.X_PB;
    if (body.joints.empty()) {
      write_link(body);
      open_joint(body.name + "_joint", "fixed", carrier, body.name, X_PJ);
      text_ += "  </joint>\n";
      return;
    }
    for (std::size_t j = 0; j < body.joints.size(); ++j) {
      const bool is_last = j + 1 == body.joints.size();
      const std::string name = is_last ? body.name : fmt::format("{}_between_{}", body.name, j + 1);
      if (is_last)
        write_link(body);
      else
        text_ += fmt::format("  <link name=\"{}\"/>\n", name);
      write_joint(body.joints[j], carrier, name, X_PJ);
      carrier = name;
      X_PJ = {};
    }
  }

  void write_link(const std::string& name, const std::string& inertial,
                  const std::vector<TreeVisual>& visuals) {
    const std::string inside = inertial + visuals_text(visuals);
    if (inside.empty())
      text_ += fmt::format("  <link name=\"{}\"/>\n", name);
    else
      text_ += fmt::format("  <link name=\"{}\">\n{}  </link>\n", name, inside);
  }

  void write_link(const TreeBody& body) {
    std::string inertial;
    if (body.inertia.mass > 0.0) {
      const Eigen::Matrix3d I = central_inertia(body.inertia);
      inertial = fmt::format(
          "    <inertial>\n      <origin xyz=\"{}\" rpy=\"0 0 0\"/>\n      <mass value=\"{}\"/>\n",
          xml_numbers(centre_of(body.inertia)), body.inertia.mass);
      inertial += fmt::format(
          "      <inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" ixz=\"{}\" iyz=\"{}\"/>\n    "
          "</inertial>\n",
          I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
    }
    write_link(body.name, inertial, body.visuals);
  }

  void open_joint(const std::string& name, const char* type, const std::string& parent,
                  const std::string& child, const Pose& X_PJ) {
    text_ += fmt::format(
                 "  <joint name=\"{}\" type=\"{}\">\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n",
                 name, type, parent, child) +
             origin_text(X_PJ);
  }

  void write_joint(const TreeJoint& joint, const std::string& parent, const std::string& child,
                   const Pose& X_PJ) {
    if (joint.kind == Kind::ball)
      throw InputError(
          Problem{joint.name, "a joint that URDF knows", "a spherical joint", "MJCF has one: --format mjcf"});
    const JointLimits& limits = joint.limits;
    const bool is_limited = limits.lower && limits.upper;
    const char* const type = joint.kind == Kind::free    ? "floating"
                             : joint.kind == Kind::slide ? "prismatic"
                             : is_limited                ? "revolute"
                                                         : "continuous";
    open_joint(joint.name, type, parent, child, X_PJ);
    if (joint.kind != Kind::free) {
      text_ += fmt::format("    <axis xyz=\"{}\"/>\n", xml_numbers(joint.axis));
      if (is_limited || joint.kind == Kind::slide)
        text_ += fmt::format("    <limit lower=\"{}\" upper=\"{}\" effort=\"{}\" velocity=\"{}\"/>\n",
                             limits.lower.value_or(-longest_way), limits.upper.value_or(longest_way),
                             limits.effort.value_or(no_limit), limits.velocity.value_or(no_limit));
      else if (limits.effort || limits.velocity)
        text_ += fmt::format("    <limit effort=\"{}\" velocity=\"{}\"/>\n", limits.effort.value_or(no_limit),
                             limits.velocity.value_or(no_limit));
    }
    if (joint.damping != 0.0 || joint.friction != 0.0)
      text_ += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", joint.damping, joint.friction);
    text_ += "  </joint>\n";
    has_armature_ = has_armature_ || joint.armature != 0.0;
  }

  void write_spring(const TreeJoint& joint) {
    if (joint.stiffness == 0.0) return;
    has_springs_ = true;
    text_ += fmt::format(
        "  <gazebo reference=\"{}\">\n    <springStiffness>{}</springStiffness>\n    "
        "<springReference>{}</springReference>\n"
        "  </gazebo>\n",
        joint.name, joint.stiffness, joint.rest);
  }

  RigidTree& tree_;
  std::string text_;
  bool has_springs_ = false, has_armature_ = false;
};

}  // namespace

std::string urdf_text(RigidTree& tree) { return UrdfWriter(tree).write(); }

}  // namespace limber
