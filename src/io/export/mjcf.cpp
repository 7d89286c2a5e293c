// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <variant>

#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "rigid_tree.hpp"

namespace limber {
namespace {

using Kind = TreeJoint::Kind;

// MuJoCo counts half lengths; a mesh would have to be declared as an asset.
struct GeomText {
  std::string operator()(const visuals::Box& box) const {
    return fmt::format("type=\"box\" size=\"{}\"", xml_numbers(0.5 * box.size));
  }
  std::string operator()(const visuals::Cylinder& cylinder) const {
    return fmt::format("type=\"cylinder\" size=\"{} {}\"", cylinder.radius, 0.5 * cylinder.length);
  }
  std::string operator()(const visuals::Sphere& sphere) const {
    return fmt::format("type=\"sphere\" size=\"{}\"", sphere.radius);
  }
  std::string operator()(const visuals::Mesh&) const { return ""; }
};

class MjcfWriter {
 public:
  explicit MjcfWriter(RigidTree& tree) : tree_(tree) {}

  std::string write() {
    text_ = fmt::format("<mujoco model=\"{}\">\n", xml_escaped(tree_.name));
    text_ += "  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n";
    text_ += fmt::format("  <option gravity=\"{}\"/>\n  <worldbody>\n", xml_numbers(tree_.gravity));
    write_visuals(tree_.ground, "    ");
    write_children(-1, 4);
    if (has_meshes_) tree_.notes.emplace_back("meshes of `visuals` are left out: URDF takes them");
    return text_ + "  </worldbody>\n</mujoco>\n";
  }

 private:
  void write_children(int parent, int indent) {
    const std::string space(static_cast<std::size_t>(indent), ' ');
    for (std::size_t i = 0; i < tree_.bodies.size(); ++i) {
      const TreeBody& body = tree_.bodies[i];
      if (body.parent != parent) continue;
      const Eigen::Quaterniond q(body.X_PB.R);
      text_ += fmt::format("{}<body name=\"{}\" pos=\"{}\" quat=\"{} {} {} {}\">\n", space, body.name,
                           xml_numbers(body.X_PB.p), q.w(), q.x(), q.y(), q.z());
      for (const TreeJoint& joint : body.joints) text_ += space + "  " + joint_text(joint, body) + "\n";
      text_ += inertial_text(body, space + "  ");
      write_visuals(body.visuals, space + "  ");
      write_children(static_cast<int>(i), indent + 2);
      text_ += space + "</body>\n";
    }
  }

  // To be seen, and to touch nothing.
  void write_visuals(const std::vector<TreeVisual>& visuals, const std::string& space) {
    for (const TreeVisual& visual : visuals) {
      const std::string shape = std::visit(GeomText{}, visual.shape.kind);
      has_meshes_ = has_meshes_ || shape.empty();
      if (shape.empty()) continue;
      const Eigen::Quaterniond q(visual.X_BV.R);
      text_ +=
          fmt::format("{}<geom {} pos=\"{}\" quat=\"{} {} {} {}\" contype=\"0\" conaffinity=\"0\" mass=\"0\"",
                      space, shape, xml_numbers(visual.X_BV.p), q.w(), q.x(), q.y(), q.z());
      if (const auto& color = visual.shape.color) text_ += fmt::format(" rgba=\"{} 1\"", xml_numbers(*color));
      text_ += "/>\n";
    }
  }

  std::string joint_text(const TreeJoint& joint, const TreeBody& body) {
    if (joint.kind == Kind::free) {
      if (body.parent >= 0 || body.joints.size() > 1)
        throw InputError(Problem{joint.name, "a free joint on the ground",
                                 "one on `" + tree_.bodies[static_cast<std::size_t>(body.parent)].name + "`",
                                 "MuJoCo knows free joints of the world's own bodies only"});
      return fmt::format("<freejoint name=\"{}\"/>", joint.name);
    }
    const char* const type = joint.kind == Kind::ball    ? "ball"
                             : joint.kind == Kind::slide ? "slide"
                                                         : "hinge";
    std::string text = fmt::format("<joint name=\"{}\" type=\"{}\"", joint.name, type);
    const auto add = [&](const char* key, double value) {
      if (value != 0.0) text += fmt::format(" {}=\"{}\"", key, value);
    };
    if (joint.kind != Kind::ball) text += fmt::format(" axis=\"{}\"", xml_numbers(joint.axis));
    add("stiffness", joint.stiffness);
    add("springref", joint.rest);
    add("damping", joint.damping);
    add("armature", joint.armature);
    add("frictionloss", joint.friction);
    if (joint.limits.lower && joint.limits.upper)
      text += fmt::format(" limited=\"true\" range=\"{} {}\"", *joint.limits.lower, *joint.limits.upper);
    return text + "/>";
  }

  // MuJoCo moves nothing without mass, and no body without inertia about each axis.
  std::string inertial_text(const TreeBody& body, const std::string& space) {
    const bool moves = !body.joints.empty();
    if (body.inertia.mass <= 0.0) {
      if (!moves) return "";
      constexpr double speck = 1e-9;
      tree_.notes.push_back(
          fmt::format("{}: a moving body without mass gets {:g} kg: MuJoCo refuses none", body.name, speck));
      return fmt::format("{0}<inertial pos=\"0 0 0\" mass=\"{1}\" diaginertia=\"{1} {1} {1}\"/>\n", space,
                         speck);
    }
    Eigen::Matrix3d I = central_inertia(body.inertia);
    constexpr double least = 1e-6;  // of the largest principal moment
    constexpr double smallest = 1e-12;
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(I);
    Eigen::Vector3d moments = principal.eigenvalues();
    const double floor = std::max(least * moments[2], smallest);
    if (moments[0] < floor) {
      tree_.notes.push_back(
          fmt::format("{}: its smallest moment of inertia is raised to {:.3g} kg m^2: MuJoCo refuses zero",
                      body.name, floor));
      moments = moments.cwiseMax(floor);
      I = principal.eigenvectors() * moments.asDiagonal() * principal.eigenvectors().transpose();
    }
    return fmt::format("{}<inertial pos=\"{}\" mass=\"{}\" fullinertia=\"{} {} {} {} {} {}\"/>\n", space,
                       xml_numbers(centre_of(body.inertia)), body.inertia.mass, I(0, 0), I(1, 1), I(2, 2),
                       I(0, 1), I(0, 2), I(1, 2));
  }

  RigidTree& tree_;
  std::string text_;
  bool has_meshes_ = false;
};

}  // namespace

std::string mjcf_text(RigidTree& tree) { return MjcfWriter(tree).write(); }

}  // namespace limber
