// SPDX-License-Identifier: BSD-3-Clause
// A link of a URDF that bends. With p the origin of the joint `to` in the link's frame B:
//   beam         from B's origin to p, L = |p|, its root frame R at B's origin
//   R_BR         the shortest turn that brings x onto p, then the section's roll about it           (1)
//   inertia      what the URDF gives less the undeformed beam's, fixed to B                         (2)
//   a child      whose joint sits at X_BJ hangs on the point of the axis that is nearest to it, x = attach L, there by the rigid
//                piece X_NJ = X_BN^-1 X_BJ                                                          (3)

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/math/detail/decompositions.hpp"
#include "limber/math/rotation.hpp"
#include "limber/math/rpy.hpp"
#include "limber/math/spatial.hpp"
#include "limber/model/beam_inertia.hpp"
#include "limber/model/check.hpp"
#include "limber/model/field_rule.hpp"
#include "model.hpp"

namespace limber::urdf {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double shortest_beam = 1e-6;  // [m]: below it the joint sits in the link's own frame

// (1). Backwards the shortest turn is not one only: that about z is taken.
Matrix3d beam_axes(const Vector3d& direction, double roll) {
  const Vector3d x = Vector3d::UnitX();
  const double half_turn = -1.0 + 1e-12;
  const Matrix3d turn = skew<double>(x.cross(direction));
  Matrix3d R =
      x.dot(direction) < half_turn
          ? Matrix3d(Vector3d(-1.0, -1.0, 1.0).asDiagonal())
          : Matrix3d(Matrix3d::Identity() + turn + turn * turn / (0.5 * (x + direction).squaredNorm()));
  if (direction == x) R.setIdentity();
  return roll == 0.0 ? R : Matrix3d(R * exp_rotation<double>(roll * x));
}

Matrix3d tensor(const InertiaElements& e) {
  Matrix3d I;
  I << e[0], e[3], e[4], e[3], e[1], e[5], e[4], e[5], e[2];
  return I;
}

std::string quoted(const std::vector<std::string>& names) { return show_names(names, "or"); }

class Bender {
 public:
  Bender(UrdfModel& model, const Robot& robot, const std::string& name, const FlexibleDescription& flexible,
         std::vector<Problem>& problems)
      : model_(model), robot_(robot), name_(name), flexible_(flexible), problems_(problems) {}

  void bend() {
    if (!find_link()) return;
    const Joint* const to = find_tip_joint();
    if (!to) return;
    const double length = to->origin.xyz.norm();
    if (length < shortest_beam) {
      add("to", fmt::format("a joint at least {:g} m from the link's frame", shortest_beam),
          fmt::format("`{}`, {:g} m away", to->name, length), "the beam lies from the one to the other");
      return;
    }
    const Pose X_BR{beam_axes(to->origin.xyz / length, flexible_.roll), Vector3d::Zero()};
    LinkDescription& link = model_.description.links[index_];
    const RigidDescription given = *link.rigid;
    link.rigid.reset();
    link.beam = flexible_.beam;
    link.beam->length = length;
    link.root.rpy = rpy_from_rotation(X_BR.R);
    turn_visuals(link, X_BR.R);
    move_children(X_BR, *to);
    if (flexible_.inertia == UrdfInertia::keep && beam_is_good()) keep_rest(given, X_BR);
  }

 private:
  void add(const char* key, std::string expected, std::string found, std::string hint) {
    problems_.push_back(
        {join_path("flexible." + name_, key), std::move(expected), std::move(found), std::move(hint)});
  }

  bool find_link() {
    std::vector<std::string> names;
    for (index_ = 0; index_ < model_.sources.size(); ++index_) {
      names.push_back(model_.sources[index_].link->name);
      if (names.back() == name_) return true;
    }
    const bool is_root =
        std::any_of(robot_.links.begin(), robot_.links.end(), [&](const Link& l) { return l.name == name_; });
    add("", "the name of a link of " + robot_.file, show_text(name_),
        is_root ? "its root link is the ground; with `base: free` it moves"
                : suggestion(name_, names, "links"));
    return false;
  }

  const Joint* find_tip_joint() {
    std::vector<std::string> names;
    const Joint* found = nullptr;
    for (const Joint& joint : robot_.joints) {
      if (joint.parent != name_) continue;
      names.push_back(joint.name);
      if (flexible_.to.empty() || flexible_.to == joint.name) found = &joint;
    }
    if (names.empty())
      add("", "a link that carries a joint", "one that carries none",
          "a beam lies between two joints; this link can be given as a model file's own: limber import");
    else if (flexible_.to.empty() && names.size() > 1)
      add("", "the key `to`", "none", "the joint at the beam's tip: " + quoted(names));
    else if (!found)
      add("to", "a joint that the link carries: " + quoted(names), show_text(flexible_.to),
          suggestion(flexible_.to, names, "joints"));
    return names.size() > 1 && flexible_.to.empty() ? nullptr : found;
  }

  // What is drawn stands in the root frame, as the beam does: R_RV = R_BR^T R_BV.
  static void turn_visuals(LinkDescription& link, const Matrix3d& R_BR) {
    for (VisualDescription& visual : link.visuals) {
      visual.xyz = R_BR.transpose() * visual.xyz;
      visual.rpy = rpy_from_rotation(Matrix3d(R_BR.transpose() * rotation_from_rpy(visual.rpy)));
    }
  }

  // (3)
  void move_children(const Pose& X_BR, const Joint& to) {
    const double length = to.origin.xyz.norm();
    for (std::size_t i = 0; i < model_.sources.size(); ++i) {
      const Joint* const joint = model_.sources[i].joint;
      if (!joint || joint->parent != name_) continue;
      LinkDescription& child = model_.description.links[i];
      const Pose X_BJ{rotation_from_rpy(joint->origin.rpy), joint->origin.xyz};
      const double x = joint == &to ? length : (X_BR.R.transpose() * X_BJ.p).x();
      child.attach = std::clamp(x / length, 0.0, 1.0);
      Pose X_NJ = Pose{X_BR.R, X_BR.R * Vector3d(child.attach * length, 0.0, 0.0)}.inverse() * X_BJ;
      const double rounding = 1e-14 * length;
      for (double& coordinate : X_NJ.p)
        if (std::abs(coordinate) < rounding) coordinate = 0.0;
      child.origin = FrameDescription{X_NJ.p, rpy_from_rotation(X_NJ.R)};
    }
  }

  // What is wrong with the beam itself is found, with its place, when the whole model is checked.
  bool beam_is_good() const {
    ModelDescription alone;
    alone.links.emplace_back();
    alone.links.back().name = "beam";
    alone.links.back().beam = model_.description.links[index_].beam;
    return check(alone).empty();
  }

  // (2). A body exists where its mass and its second moments Int r r^T dm = tr(I)/2 - I are not negative.
  void keep_rest(const RigidDescription& given, const Pose& X_BR) {
    LinkDescription& link = model_.description.links[index_];
    const RigidInertia beam = undeformed_inertia(*link.beam).expressed_in(X_BR);
    const RigidInertia urdf = RigidInertia::about_com(given.mass, given.com, tensor(given.inertia));
    const double mass = urdf.mass - beam.mass;
    constexpr double slack = 1e-9;
    const char* const what_to_do = "make the beam lighter, or drop the URDF's inertia by `inertia: replace`";
    if (mass < -slack * urdf.mass || urdf.mass == 0.0) {
      add("beam", fmt::format("a beam of at most {:.6g} kg, the mass that the URDF gives", urdf.mass),
          fmt::format("{:.6g} kg, {:.3g} kg too much", beam.mass, -mass), what_to_do);
      return;
    }
    const double scale = urdf.inertia.trace() + beam.inertia.trace();
    const bool has_rest = mass > slack * urdf.mass;
    const RigidInertia rest{mass, urdf.moment - beam.moment, urdf.inertia - beam.inertia};
    const Vector3d com = has_rest ? Vector3d(rest.moment / mass) : Vector3d(Vector3d::Zero());
    const Matrix3d I = has_rest ? rest.seen_from(-com).inertia : rest.inertia;
    const Vector3d second_moments =
        Eigen::SelfAdjointEigenSolver<Matrix3d>(Matrix3d(0.5 * I.trace() * Matrix3d::Identity() - I),
                                                Eigen::EigenvaluesOnly)
            .eigenvalues();
    if (second_moments[0] < -slack * scale) {
      add("beam", "what remains of the URDF's inertia without the beam's to be positive definite",
          fmt::format("{:.3g} kg m^2 too little", -second_moments[0]), what_to_do);
      return;
    }
    if (!has_rest) return;
    link.root.mass = mass;
    link.root.com = com;
    link.root.inertia << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  }

  UrdfModel& model_;
  const Robot& robot_;
  const std::string& name_;
  const FlexibleDescription& flexible_;
  std::vector<Problem>& problems_;
  std::size_t index_ = 0;
};

}  // namespace

void make_flexible(UrdfModel& model, const Robot& robot, const std::string& link,
                   const FlexibleDescription& flexible, std::vector<Problem>& problems) {
  Bender(model, robot, link, flexible, problems).bend();
}

}  // namespace limber::urdf
