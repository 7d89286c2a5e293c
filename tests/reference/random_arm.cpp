// SPDX-License-Identifier: BSD-3-Clause
#include "reference/random_arm.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace reference {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using limber::JointType;
using limber::LinkDescription;

/// std::mt19937 is the same everywhere, the standard library's distributions are not.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}

  double between(double lower, double upper) {
    return lower + (upper - lower) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  /// Evenly spread over the orders of magnitude.
  double scale(double lower, double upper) { return std::exp(between(std::log(lower), std::log(upper))); }
  int below(int count) { return static_cast<int>(between(0.0, count)); }
  bool chance(double probability) { return between(0.0, 1.0) < probability; }
  Vector3d vector(double size) {
    const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
    return {x, y, z};
  }
  /// A vector that is not short, to be used as a direction.
  Vector3d direction() {
    Vector3d v = vector(1.0);
    while (v.norm() < 0.2) v = vector(1.0);
    return v;
  }
  Eigen::Vector4d quaternion() {
    Eigen::Vector4d q;
    do {
      for (double& element : q) element = between(-1.0, 1.0);
    } while (q.norm() < 0.1);
    return q.normalized();
  }

 private:
  std::mt19937 engine_;
};

/// The inertia of a body with second moments s > 0 along axes of any orientation: I = tr(S) 1 - S, S = Q
/// diag(s) Q^T. Its principal moments obey the triangle inequality because the s are positive.
limber::InertiaElements random_inertia(Dice& dice, double mass) {
  const Eigen::Quaterniond turn(dice.quaternion());
  const Eigen::Matrix3d Q = turn.toRotationMatrix();
  const Vector3d s = mass * Vector3d{dice.scale(1e-3, 2e-2), dice.scale(1e-3, 2e-2), dice.scale(1e-3, 2e-2)};
  const Eigen::Matrix3d S = Q * s.asDiagonal() * Q.transpose();
  const Eigen::Matrix3d I = S.trace() * Eigen::Matrix3d::Identity() - S;
  limber::InertiaElements elements;
  elements << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
  return elements;
}

// ---- joints ----

JointType random_joint_type(Dice& dice, bool is_first) {
  if (dice.chance(is_first ? 0.3 : 0.03)) return JointType::free;
  const double share = dice.between(0.0, 1.0);
  if (share < 0.45) return JointType::revolute;
  if (share < 0.60) return JointType::prismatic;
  if (share < 0.75) return JointType::universal;
  if (share < 0.90) return JointType::spherical;
  return JointType::fixed;
}

/// Two directions at least 0.3 rad apart.
std::array<Vector3d, 2> random_axes(Dice& dice) {
  const Vector3d first = dice.direction();
  Vector3d second = dice.direction();
  while (first.normalized().cross(second.normalized()).norm() < 0.3) second = dice.direction();
  return {first, second};
}

limber::JointDescription random_joint(Dice& dice, bool is_first, bool has_dh) {
  limber::JointDescription joint;
  joint.type = random_joint_type(dice, is_first);
  const bool has_axis = joint.type == JointType::revolute || joint.type == JointType::prismatic;
  const bool is_universal = joint.type == JointType::universal;
  if (has_axis && !has_dh && dice.chance(0.9)) joint.axis = dice.direction();
  if (is_universal) joint.axes = random_axes(dice);
  if ((has_axis || is_universal) && dice.chance(0.4)) {
    joint.stiffness = dice.scale(1.0, 100.0);
    joint.rest = dice.chance(0.5) ? dice.between(-0.5, 0.5) : 0.0;
  }
  if (joint.type != JointType::fixed && dice.chance(0.5)) joint.damping = dice.scale(0.01, 2.0);
  // A floating body has no rotor.
  const bool may_have_rotor = joint.type != JointType::fixed && joint.type != JointType::free;
  if (may_have_rotor && dice.chance(0.4)) joint.armature = dice.scale(0.01, 1.0);
  return joint;
}

void place_joint(Dice& dice, LinkDescription& link) {
  if (link.dh) {
    link.dh = {dice.between(-0.3, 0.3), dice.between(-2.0, 2.0), dice.between(-0.3, 0.3),
               dice.between(-2.0, 2.0)};
  } else if (dice.chance(0.8)) {
    link.origin = {dice.vector(0.3), dice.chance(0.7) ? dice.vector(1.5) : Vector3d::Zero()};
  }
}

// ---- links ----

limber::SectionDescription random_section(Dice& dice, bool has_rotary_inertia) {
  limber::SectionDescription section;
  section.EI_y = dice.scale(10.0, 200.0);
  section.EI_z = dice.scale(10.0, 200.0);
  section.GJ = dice.scale(1.0, 10.0);
  section.EA = dice.scale(1e3, 1e4);
  section.mass_per_length = dice.scale(0.5, 5.0);
  if (has_rotary_inertia) {
    const double y = dice.scale(0.005, 0.05), z = dice.scale(0.005, 0.05);
    section.rotary_inertia = Vector3d(dice.chance(0.7) ? y + z : dice.scale(0.005, 0.05), y, z);
  }
  return section;
}

std::optional<limber::ModesDescription> random_modes(Dice& dice, int most) {
  // Mostly few: powers of x resemble each other, and an ill-conditioned mass matrix hides errors.
  const double share = dice.between(0.0, 1.0);
  const int count = std::min(most, share < 0.35 ? 0 : share < 0.7 ? 1 : share < 0.9 ? 2 : 3);
  if (count == 0) return std::nullopt;
  limber::ModesDescription modes;
  modes.shape = limber::ShapeFamily::polynomial;
  modes.count = count;
  modes.normalize = dice.chance(0.7) ? limber::Normalization::peak : limber::Normalization::none;
  return modes;
}

limber::DampingDescription random_damping(Dice& dice) {
  limber::DampingDescription damping;
  if (dice.chance(0.5)) {
    damping.ratio = dice.scale(0.005, 0.2);
  } else {
    if (dice.chance(0.8)) damping.alpha = dice.scale(0.1, 10.0);
    if (!damping.alpha || dice.chance(0.8)) damping.beta = dice.scale(1e-4, 1e-2);
  }
  return damping;
}

limber::BeamDescription random_beam(Dice& dice) {
  limber::BeamDescription beam;
  beam.length = dice.between(0.5, 2.0);
  const bool has_rotary_inertia = dice.chance(0.6);
  if (dice.chance(0.6)) {
    beam.section = random_section(dice, has_rotary_inertia);
  } else {
    beam.stations.push_back({0.0, random_section(dice, has_rotary_inertia)});
    if (dice.chance(0.5)) {
      const double middle = dice.between(0.2, 0.8) * beam.length;
      beam.stations.push_back({middle, random_section(dice, has_rotary_inertia)});
    }
    beam.stations.push_back({beam.length, random_section(dice, has_rotary_inertia)});
  }
  beam.modes.y = random_modes(dice, 3);
  beam.modes.z = random_modes(dice, 3);
  // Without rotary inertia only bodies at the ends resist torsion: one shape at most (see random_link).
  beam.modes.torsion = random_modes(dice, has_rotary_inertia ? 3 : 1);
  beam.modes.axial = random_modes(dice, dice.chance(0.5) ? 3 : 0);
  if (dice.chance(0.25)) beam.tip_rotation = limber::TipRotation::chord;
  if (dice.chance(0.6)) beam.damping = random_damping(dice);
  return beam;
}

limber::RigidDescription random_rigid(Dice& dice) {
  limber::RigidDescription rigid;
  rigid.mass = dice.scale(0.5, 5.0);
  rigid.com = dice.vector(0.3);
  rigid.inertia = random_inertia(dice, rigid.mass);
  rigid.tip = {dice.vector(0.6), dice.chance(0.6) ? dice.vector(1.5) : Vector3d::Zero()};
  return rigid;
}

const limber::SectionDescription& first_section(const limber::BeamDescription& beam) {
  return beam.section ? *beam.section : beam.stations.front().section;
}

LinkDescription random_link(Dice& dice, bool is_first) {
  LinkDescription link;
  if (dice.chance(0.2)) link.dh.emplace();
  link.joint = random_joint(dice, is_first, link.dh.has_value());
  if (link.joint.type == JointType::universal) link.dh.reset();
  place_joint(dice, link);
  if (dice.chance(0.6)) link.root.xyz = dice.vector(0.15);
  if (dice.chance(0.5)) link.root.rpy = dice.vector(1.0);
  if (dice.chance(0.6))
    link.beam = random_beam(dice);
  else
    link.rigid = random_rigid(dice);

  // A straight beam without rotary inertia has none about its own axis: a body on the tip must bring it, and
  // if the beam can twist, another one at its root.
  const bool is_thin = link.beam && !first_section(*link.beam).rotary_inertia;
  if ((is_thin && link.beam->modes.torsion) || dice.chance(0.4)) {
    link.root.mass = dice.scale(0.2, 3.0);
    link.root.com = dice.vector(0.1);
    if (is_thin || dice.chance(0.8)) link.root.inertia = random_inertia(dice, link.root.mass);
  }
  if (is_thin || dice.chance(0.4)) {
    link.tip.emplace();
    link.tip->mass = dice.scale(0.2, 3.0);
    if (dice.chance(0.8)) link.tip->com = dice.vector(0.1);
    if (is_thin || dice.chance(0.7)) link.tip->inertia = random_inertia(dice, link.tip->mass);
  }
  return link;
}

/// Some joints become ones of rarer kinds; by dice of their own, so that everything else stays as it was drawn.
void make_rarer(Dice& dice, limber::JointDescription& joint) {
  if (joint.type == JointType::revolute && dice.chance(0.2)) {
    joint.type = JointType::screw;
    joint.pitch = dice.between(-0.4, 0.4);
  }
  if (joint.type == JointType::prismatic && dice.chance(0.3)) {
    joint.type = JointType::cylindrical;
    joint.stiffness = joint.rest = 0.0;  // of which unit?
  }
  if (joint.type == JointType::universal && dice.chance(0.3)) {
    joint.type = JointType::planar;
    joint.stiffness = joint.rest = 0.0;
  }
}

/// Any earlier link, sooner the last one, or the ground.
void choose_parent(Dice& dice, limber::ModelDescription& arm, LinkDescription& link) {
  const auto count = static_cast<int>(arm.links.size());
  if (count == 0) return;
  int parent = count - 1;
  if (dice.chance(0.5)) {
    parent = dice.below(count);
    link.parent = arm.links[parent].name;
  }
  if (dice.chance(0.05)) {
    link.parent = "base";
  } else if (arm.links[parent].beam && dice.chance(0.5)) {
    link.attach = dice.chance(0.1) ? 0.0 : dice.between(0.1, 1.0);
  }
}

}  // namespace

limber::ModelDescription random_arm(unsigned seed, int links, limber::KinematicOrder order) {
  Dice dice(seed);
  limber::ModelDescription arm;
  arm.name = "random_" + std::to_string(seed);
  arm.kinematics = order;
  arm.gravity = dice.chance(0.9) ? dice.vector(10.0) : Vector3d::Zero();
  for (int i = 0; i < links; ++i) {
    LinkDescription link = random_link(dice, i == 0);
    link.name = "link" + std::to_string(i);
    choose_parent(dice, arm, link);
    arm.links.push_back(std::move(link));
  }
  if (dice.chance(0.6)) {
    arm.end_effector = {arm.links[dice.below(links)].name, dice.vector(0.2), dice.vector(1.0)};
  }
  Dice other_dice(seed + 1000000);
  for (LinkDescription& link : arm.links) make_rarer(other_dice, link.joint);
  // An arm that cannot move at all is no test of dynamics.
  if (v_size(arm) == 0) arm.links.front().joint = {};
  return arm;
}

// ---- states ----

namespace {

/// One direction's elastic coordinates and rates: each shape has its share of the largest deflection.
void append_elastic(Dice& dice, const std::optional<limber::ModesDescription>& modes, double length,
                    double largest, int first_power, std::vector<double>& q, std::vector<double>& v) {
  if (!modes) return;
  constexpr double rate = 5.0;  // [1/s]
  for (int i = 0; i < *modes->count; ++i) {
    const double peak =
        modes->normalize == limber::Normalization::peak ? 1.0 : std::pow(length, first_power + i);
    const double unit = largest / (peak * *modes->count);
    q.push_back(unit * dice.between(-1.0, 1.0));
    v.push_back(rate * unit * dice.between(-1.0, 1.0));
  }
}

void append_joint(Dice& dice, JointType type, std::vector<double>& q) {
  const bool is_free = type == JointType::free;
  if (is_free) {
    for (int k = 0; k < 3; ++k) q.push_back(dice.between(-1.0, 1.0));
  }
  if (is_free || type == JointType::spherical) {
    for (const double element : dice.quaternion()) q.push_back(element);
  } else {
    const double most = type == JointType::prismatic ? 0.5 : 2.0;
    for (int k = 0; k < q_size(type); ++k) q.push_back(dice.between(-most, most));
  }
}

Load random_load(Dice& dice, const limber::ModelDescription& description) {
  const LinkDescription& link = description.links[dice.below(static_cast<int>(description.links.size()))];
  Load load;
  load.link = link.name;
  if (link.beam && dice.chance(0.5)) load.at = dice.between(0.0, 1.0);
  load.axes = std::array{LoadAxes::world, LoadAxes::body, LoadAxes::section}.at(dice.below(3));
  load.force = dice.vector(20.0);
  if (dice.chance(0.7)) load.moment = dice.vector(5.0);
  return load;
}

VectorXd as_vector(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace

State random_state(const limber::ModelDescription& description, unsigned seed, double elastic_scale) {
  Dice dice(seed);
  std::vector<double> q, v, tau;
  for (const LinkDescription& link : description.links) {
    append_joint(dice, link.joint.type, q);
    for (int k = 0; k < v_size(link.joint.type); ++k) {
      v.push_back(dice.between(-1.5, 1.5));
      tau.push_back(dice.between(-10.0, 10.0));
    }
    if (!link.beam) continue;
    const limber::BeamModesDescription& modes = link.beam->modes;
    const double length = link.beam->length;
    append_elastic(dice, modes.y, length, elastic_scale * length, 2, q, v);
    append_elastic(dice, modes.z, length, elastic_scale * length, 2, q, v);
    append_elastic(dice, modes.torsion, length, elastic_scale, 1, q, v);
    append_elastic(dice, modes.axial, length, 0.1 * elastic_scale * length, 1, q, v);
    for (int k = 0; k < elastic_size(link); ++k) tau.push_back(dice.between(-0.5, 0.5));
  }
  State state{as_vector(q), as_vector(v), as_vector(tau), {}};
  const int load_count = dice.below(4);
  for (int i = 0; i < load_count; ++i) state.loads.push_back(random_load(dice, description));
  return state;
}

}  // namespace reference
