// SPDX-License-Identifier: BSD-3-Clause
// A beam in N rigid pieces. Elements of length h = L/N, each with a spring at its centre x_e = (e + 1/2) h that has the element's
// flexibility:
//   1/k = Int dx / EI  over the element                                                            (1)
// (GJ for torsion, EA along the axis). Piece e lies from spring e - 1 to spring e, the first from the root, the last to the tip: its
// inertia is that of the beam between. Frequencies of such rows approach the beam's with the square of h.

#include "rigid_tree.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "limber/core/input_error.hpp"
#include "limber/io/export.hpp"
#include "limber/math/quadrature.hpp"
#include "limber/math/rotation.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/lookup.hpp"
#include "limber/model/loops.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {
namespace {

using Kind = TreeJoint::Kind;

/// Places from a to b where the section has no kink in between.
std::vector<double> ends_between(const SectionProfile& profile, double a, double b) {
  std::vector<double> ends = {a};
  for (const double x : profile.panel_ends())
    if (x > a && x < b) ends.push_back(x);
  ends.push_back(b);
  return ends;
}

constexpr int gauss_points = 8;

RigidInertia slice(const SectionProfile& profile, double a, double b) {
  const PanelGrid grid(ends_between(profile, a, b), profile.length(), gauss_points);
  RigidInertia total;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i) {
    const Section section = profile.at(grid.points()[i]);
    const Eigen::Matrix3d rotary = (grid.weights()[i] * section.rotary_inertia).asDiagonal();
    total += RigidInertia::about_com(
        grid.weights()[i] * section.mass_per_length,
        Eigen::Vector3d(grid.points()[i], section.center_of_mass.x(), section.center_of_mass.y()), rotary);
  }
  return total;
}

// (1)
double spring(const SectionProfile& profile, Direction direction, double a, double b) {
  const PanelGrid grid(ends_between(profile, a, b), profile.length(), gauss_points);
  double flexibility = 0.0;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i)
    flexibility += grid.weights()[i] / profile.at(grid.points()[i]).stiffness(direction);
  return 1.0 / flexibility;
}

Pose along_x(double x) { return {Eigen::Matrix3d::Identity(), Eigen::Vector3d(x, 0.0, 0.0)}; }

class TreeMaker {
 public:
  TreeMaker(const Model& model, int pieces) : model_(model), pieces_(pieces) {}

  RigidTree make() {
    tree_.name = model_.name();
    tree_.gravity = model_.gravity();
    tree_.ground = visuals_in({}, model_.description().visuals);
    for (int i = 0; i < static_cast<int>(model_.links().size()); ++i) add(i);
    return std::move(tree_);
  }

 private:
  /// Where a node of a link sits: a body, and the node in its frame.
  struct Place {
    int body;
    Pose X_BN;
  };

  static std::vector<TreeVisual> visuals_in(const Pose& X_BR, const std::vector<VisualDescription>& shapes) {
    std::vector<TreeVisual> visuals;
    for (const VisualDescription& shape : shapes)
      visuals.push_back({X_BR * Pose{rotation_from_rpy(shape.rpy), shape.xyz}, shape});
    return visuals;
  }

  bool is_cut(const Link& link) const { return pieces_ > 0 && link.beam && link.elastic_count > 0; }

  void add(int index) {
    const Link& link = model_.links()[static_cast<std::size_t>(index)];
    first_body_.push_back(static_cast<int>(tree_.bodies.size()));
    Place parent{-1, {}};
    if (link.parent >= 0) parent = place(link.parent, link.parent_node);
    TreeBody body{link.name, parent.body, parent.X_BN * link.X_NJ, joints_of(link.joint), {}};
    const std::vector<VisualDescription> shapes = described_link(model_, index).visuals;
    if (!is_cut(link))
      body.visuals = visuals_in(link.X_BR, shapes);
    else if (!shapes.empty())
      tree_.notes.push_back(link.name + ": its `visuals` are left out: the link is cut into pieces");
    if (link.body && link.elastic_count > 0)
      tree_.notes.push_back(link.name +
                            ": the body of finite elements is rigid there: it cannot be cut into pieces");
    if (is_cut(link)) {
      body.inertia = link.rigid;
      tree_.bodies.push_back(std::move(body));
      add_pieces(index);
    } else {
      body.inertia = link.rest_inertia();
      if (body.inertia.mass <= smallest_positive) body.inertia = {};  // a link of a URDF without inertia
      tree_.bodies.push_back(std::move(body));
    }
  }

  void add_pieces(int index) {
    const Link& link = model_.links()[static_cast<std::size_t>(index)];
    const SectionProfile& profile = link.beam->basis.profile();
    const double h = profile.length() / pieces_;
    const int first = first_body_.back();
    tree_.bodies.back().inertia += slice(profile, 0.0, 0.5 * h).expressed_in(link.X_BR);
    for (int e = 0; e < pieces_; ++e) {
      const double x = (e + 0.5) * h, end = e + 1 < pieces_ ? x + h : profile.length();
      const Pose X_PB = e == 0 ? link.X_BR * along_x(x) : along_x(h);
      TreeBody piece{fmt::format("{}_{}", link.name, e + 1), first + e, X_PB, springs_of(index, e, h), {}};
      piece.inertia = slice(profile, x, end).expressed_in(along_x(-x));
      if (e + 1 == pieces_) piece.inertia += link.tip_body.expressed_in(along_x(profile.length() - x));
      tree_.bodies.push_back(std::move(piece));
    }
  }

  std::vector<TreeJoint> springs_of(int index, int element, double h) {
    const Link& link = model_.links()[static_cast<std::size_t>(index)];
    const SectionProfile& profile = link.beam->basis.profile();
    const auto& damping = model_.description().links[static_cast<std::size_t>(link.described)].beam->damping;
    if (damping && !damping->beta && element == 0)
      tree_.notes.push_back(link.name +
                            ": the beam's damping is left out: between pieces there is that of `beta` only");
    std::vector<TreeJoint> springs;
    for (const DirectionShapes& shapes : link.beam->directions) {
      const Direction direction = shapes.request.direction;
      TreeJoint joint{fmt::format("{}_{}_{}", link.name, to_string(direction), element + 1),
                      direction == Direction::axial ? Kind::slide : Kind::hinge};
      joint.axis = direction == Direction::y   ? Eigen::Vector3d::UnitZ()
                   : direction == Direction::z ? Eigen::Vector3d::UnitY()
                                               : Eigen::Vector3d::UnitX();
      joint.stiffness = spring(profile, direction, element * h, (element + 1) * h);
      if (damping) joint.damping = damping->beta.value_or(0.0) * joint.stiffness;
      springs.push_back(std::move(joint));
    }
    return springs;
  }

  Place place(int index, int node) const {
    const Link& link = model_.links()[static_cast<std::size_t>(index)];
    const Node& there = link.nodes[static_cast<std::size_t>(node)];
    const int first = first_body_[static_cast<std::size_t>(index)];
    if (!is_cut(link)) return {first, link.X_BR * there.X_RN};
    const double h = link.beam->basis.length() / pieces_, x = there.X_RN.p.x();
    if (x < 0.5 * h) return {first, link.X_BR * there.X_RN};
    const int e = std::min(static_cast<int>(x / h - 0.5), pieces_ - 1);
    return {first + 1 + e, along_x(-(e + 0.5) * h) * there.X_RN};
  }

  std::vector<TreeJoint> joints_of(const Joint& joint) {
    const auto make = [&](Kind kind, int j, const std::string& ending) {
      TreeJoint one{joint.name + ending, kind};
      if (j >= 0) one.axis = joint.axis_of(j);
      one.stiffness = joint.stiffness;
      one.rest = joint.rest;
      one.damping = joint.damping;
      one.armature = joint.armature + joint.gear.rotor;
      if (joint.friction) {
        one.damping += joint.friction->viscous;
        one.friction = joint.friction->coulomb;
      }
      one.limits = joint.limits;
      return one;
    };
    if (joint.has_motor())
      tree_.notes.push_back(
          joint.name +
          ": the gear is rigid there, and its rotor an armature: other programs know no gear that gives");
    if (joint.friction && static_friction(*joint.friction) > joint.friction->coulomb)
      tree_.notes.push_back(joint.name +
                            ": friction is Coulomb's there: what holds beyond it at rest is left out");
    switch (joint.type) {
      case JointType::fixed:
        return {};
      case JointType::geared_revolute:
      case JointType::revolute:
        return {make(Kind::hinge, 0, "")};
      case JointType::geared_prismatic:
      case JointType::prismatic:
        return {make(Kind::slide, 0, "")};
      case JointType::universal:
        return {make(Kind::hinge, 0, "_1"), make(Kind::hinge, 1, "_2")};
      case JointType::cylindrical:
        return {make(Kind::hinge, 0, "_1"), make(Kind::slide, 1, "_2")};
      case JointType::planar:
        return {make(Kind::slide, 0, "_1"), make(Kind::slide, 1, "_2"), make(Kind::hinge, 2, "_3")};
      case JointType::spherical:
        return {make(Kind::ball, -1, "")};
      case JointType::free:
        return {make(Kind::free, -1, "")};
      default:
        throw InputError(Problem{joint.name, "a joint that other programs know",
                                 std::string("a ") + choice_name(joint.type) + " joint",
                                 "neither URDF nor MJCF has one"});
    }
  }

  const Model& model_;
  int pieces_;
  RigidTree tree_;
  std::vector<int> first_body_;  // of every link
};

}  // namespace

RigidTree make_rigid_tree(const Model& model, int pieces) { return TreeMaker(model, pieces).make(); }

Eigen::Vector3d centre_of(const RigidInertia& body) { return body.moment / body.mass; }

Eigen::Matrix3d central_inertia(const RigidInertia& body) { return body.seen_from(-centre_of(body)).inertia; }

std::string xml_escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string xml_numbers(const Eigen::Vector3d& v) { return fmt::format("{} {} {}", v.x(), v.y(), v.z()); }

ExportedArm export_arm(const Model& model, ExportFormat format, int pieces) {
  require_plain_tree(model, "`export`");
  require_no_telescopes(model, "`export`");
  constexpr int most_pieces = 1000;
  if (pieces < 0 || pieces > most_pieces)
    throw InputError(
        Problem{"pieces", fmt::format("an integer from 0 to {}", most_pieces), std::to_string(pieces), ""});
  RigidTree tree = make_rigid_tree(model, pieces);
  std::string text = format == ExportFormat::mjcf ? mjcf_text(tree) : urdf_text(tree);
  return {std::move(text), std::move(tree.notes)};
}

}  // namespace limber
