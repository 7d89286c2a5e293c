// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Keys of joints: description_fields.hpp says how these functions are read.

#include "limber/core/export.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/description.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/shared_fields.hpp"

namespace limber LIMBER_EXPORT {

// ---- frames ----

template <typename Visitor>
void describe(Visitor& v, Maybe<FrameDescription> auto& frame) {
  v.block("frame", "Where one frame sits in another.");
  describe_frame(v, frame.xyz, frame.rpy);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<DenavitHartenberg> auto& dh) {
  v.block("dh",
          "Modified Denavit-Hartenberg parameters (Craig): origin = Rx(alpha) Tx(a) Rz(theta) Tz(d). "
          "The joint's axis is z.");
  v.field({.key = "a", .meaning = "translation along x", .unit = "m"}, dh.a);
  v.field({.key = "alpha", .meaning = "rotation about x", .unit = "rad", .angle = true}, dh.alpha);
  v.field({.key = "d", .meaning = "translation along z", .unit = "m"}, dh.d);
  v.field({.key = "theta", .meaning = "rotation about z", .unit = "rad", .angle = true}, dh.theta);
}

// ---- joints ----

template <typename Visitor>
void describe(Visitor& v, Maybe<JointLimits> auto& limits) {
  v.block("limits", "What the joint can do. For the joints that may have a `stiffness`.");
  v.field({.key = "lower", .meaning = "smallest position", .unit = "rad or m", .angle = true}, limits.lower);
  v.field({.key = "upper", .meaning = "largest position", .unit = "rad or m", .angle = true}, limits.upper);
  v.field({.key = "effort", .meaning = "largest torque or force", .unit = "N m or N", .range = non_negative},
          limits.effort);
  v.field({.key = "velocity",
           .meaning = "largest speed",
           .unit = "rad/s or m/s",
           .range = non_negative,
           .angle = true},
          limits.velocity);
  v.field({.key = "stop_stiffness",
           .meaning = "of the stops at `lower` and `upper`: a spring that pushes back beyond them",
           .unit = "N m/rad or N/m",
           .range = non_negative,
           .otherwise = "no stops: a limit is watched only"},
          limits.stop_stiffness);
  v.field({.key = "stop_damping",
           .meaning = "of the stops, beside their spring; a stop never pulls",
           .unit = "N m s/rad or N s/m",
           .range = non_negative},
          limits.stop_damping);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<DriveDescription> auto& drive) {
  v.block("drive",
          "The motor of a revolute or prismatic joint, behind a gear. Without `stiffness` the gear is rigid, "
          "and ratio^2 "
          "rotor_inertia is armature. With it the joint has a second coordinate, `<joint>.motor`: the "
          "motor's angle seen at "
          "the joint, on which efforts and their limit act.");
  v.field({.key = "ratio",
           .meaning = "turns of the motor for one of the joint (prismatic: radians for a metre)",
           .required = true,
           .unit = "1 or rad/m",
           .range = positive},
          drive.ratio);
  v.field({.key = "rotor_inertia",
           .meaning = "of the motor about its own axis; with `stiffness` more than 0",
           .required = true,
           .unit = "kg m^2",
           .range = non_negative},
          drive.rotor_inertia);
  v.field({.key = "stiffness",
           .meaning = "of the gear, at the joint's side: a spring between joint and motor",
           .unit = "N m/rad or N/m",
           .range = positive,
           .otherwise = "a rigid gear"},
          drive.stiffness);
  v.field({.key = "damping",
           .meaning = "of the gear, at the joint's side; with `stiffness` only",
           .unit = "N m s/rad or N s/m",
           .range = non_negative},
          drive.damping);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<FrictionDescription> auto& friction) {
  v.block("friction",
          "Friction of a joint with one coordinate; behind an elastic gear it acts on the motor. Without "
          "`transition_velocity` the joint sticks and slips exactly; with it the law is smooth: (coulomb + "
          "(static - coulomb) exp(-(v/stribeck_velocity)^2)) tanh(v/transition_velocity).");
  v.field({.key = "coulomb",
           .meaning = "dry friction while it slips",
           .required = true,
           .unit = "N m or N",
           .range = non_negative},
          friction.coulomb);
  v.field({.key = "static",
           .meaning = "the largest friction at rest; at least `coulomb`",
           .unit = "N m or N",
           .range = non_negative,
           .otherwise = "`coulomb`"},
          friction.static_friction);
  v.field({.key = "stribeck_velocity",
           .meaning = "speed over which friction falls from `static` to `coulomb`; the smooth law needs it "
                      "where these differ",
           .unit = "rad/s or m/s",
           .range = positive,
           .otherwise = "it falls as soon as the joint slips"},
          friction.stribeck_velocity);
  v.field(
      {.key = "viscous",
       .meaning = "friction in proportion to the speed; as `damping`, but on the motor of an elastic gear",
       .unit = "N m s/rad or N s/m",
       .range = non_negative},
      friction.viscous);
  v.field({.key = "transition_velocity",
           .meaning = "speed over which friction changes its sign: the smooth law",
           .unit = "rad/s or m/s",
           .range = positive,
           .otherwise = "the exact law: stick and slip"},
          friction.transition_velocity);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<JointDescription> auto& joint) {
  v.block(
      "joint",
      "How the link moves on its parent. Angles in degrees (`*_deg`): joints whose coordinates are angles.");
  v.field({.key = "name",
           .meaning = "unique among the joints; names the joint's coordinates",
           .text = TextRule::name,
           .otherwise = "`<link>_joint`"},
          joint.name);
  v.field({.key = "type", .meaning = "kind of joint"}, joint.type);
  v.field({.key = "axis",
           .meaning = "direction of a joint with one axis, in the joint frame; not with `dh`",
           .otherwise = "[0, 0, 1]"},
          joint.axis);
  v.field(
      {.key = "axes",
       .meaning = "the two directions of a universal joint, required there: R = exp(axis1 q1) exp(axis2 q2)"},
      joint.axes);
  v.field(
      {.key = "pitch",
       .meaning = "advance of a screw joint along its axis per radian, required there; negative: left-handed",
       .unit = "m/rad"},
      joint.pitch);
  v.field({.key = "telescoping",
           .meaning =
               "of a prismatic joint along the link's beam: it pulls the beam through a guide at the joint "
               "frame, so that its free length changes; what is behind the guide is straight"},
          joint.telescoping);
  v.field({.key = "stiffness",
           .meaning =
               "spring about `rest`; on joints that move, whose coordinates have one unit and no quaternion",
           .unit = "N m/rad or N/m",
           .range = non_negative},
          joint.stiffness);
  v.field({.key = "rest",
           .meaning = "position at which the spring is at ease",
           .unit = "rad or m",
           .angle = true},
          joint.rest);
  v.field({.key = "damping",
           .meaning = "viscous friction; not on fixed joints",
           .unit = "N m s/rad or N s/m",
           .range = non_negative},
          joint.damping);
  v.field({.key = "armature",
           .meaning = "rotor inertia reflected to the joint; not on fixed joints",
           .unit = "kg m^2 or kg",
           .range = non_negative},
          joint.armature);
  v.field({.key = "limits", .meaning = "position, effort and speed limits", .otherwise = "none"},
          joint.limits);
  v.field(
      {.key = "drive", .meaning = "motor behind a gear; revolute and prismatic joints", .otherwise = "none"},
      joint.drive);
  v.field({.key = "friction",
           .meaning = "dry friction; revolute, prismatic and screw joints",
           .otherwise = "none"},
          joint.friction);
}

}  // namespace limber
