// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The model file's format, once: which keys each block has, what they hold, what they allow and mean. The
// YAML reader, the range checks and the documentation are visitors of these functions.
//
// A visitor `v` has
//   v.block(name, meaning)         first in every function: how the block is called
//   v.version(field)               the key that says which version of the format this is; in no description
//   v.field(field, member)         a key and where its value lives. The member's type says what it holds: a
//   number,
//                                  a text, a list of numbers, one of the `choices`, a block, a list of blocks
//   v.shape(field, family, table)  a mode family's name, or {table: file}
//   v.place(field, at, interface)  a fraction of a beam, or the name of a body's interface
//   v.body(field, file, reduced)   the name of a reduced body's file
//   v.variant(field, member)       the key that chooses between the alternatives of a std::variant (variant_block.hpp), and the keys
//                                  of the one chosen
//   v.exactly_one_of(alternatives), v.at_most_one_of(alternatives)     last: keys that exclude each other
//
// Rules that compare values with each other are in check.hpp.

#include "limber/core/export.hpp"
#include "limber/model/beam_fields.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/description.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/joint_fields.hpp"
#include "limber/model/shared_fields.hpp"
#include "limber/model/variant_block.hpp"

namespace limber LIMBER_EXPORT {

// ---- rigid pieces ----

template <typename Visitor>
void describe(Visitor& v, Maybe<RootDescription> auto& root) {
  v.block("root", "Rigid piece from the joint's moving frame B to the beam's root: hub, motor, offset.");
  describe_frame(v, root.xyz, root.rpy);
  v.field({.key = "mass", .meaning = "mass of the piece", .unit = "kg", .range = non_negative}, root.mass);
  describe_inertia(v, "centre of mass in B", root.com, root.inertia);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<TipDescription> auto& tip) {
  v.block("payload", "Rigid body fixed to the link's tip frame: payload, or the motor of the next joint.");
  v.field({.key = "mass", .meaning = "mass of the body", .unit = "kg", .range = non_negative}, tip.mass);
  describe_inertia(v, "centre of mass in the tip frame", tip.com, tip.inertia);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<RigidDescription> auto& rigid) {
  v.block("rigid", "A link that does not bend.");
  v.field({.key = "mass", .meaning = "mass of the link", .required = true, .unit = "kg", .range = positive},
          rigid.mass);
  describe_inertia(v, "centre of mass in the root frame", rigid.com, rigid.inertia);
  v.field({.key = "tip",
           .meaning = "frame where children attach, in the root frame",
           .otherwise = "the root frame"},
          rigid.tip);
}

// ---- what is drawn ----

namespace visuals {

template <typename Visitor>
void describe(Visitor& v, Maybe<Box> auto& box) {
  v.field({.key = "size", .meaning = "along x, y, z", .required = true, .unit = "m", .range = positive},
          box.size);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Cylinder> auto& cylinder) {
  v.field({.key = "radius", .meaning = "of the round", .required = true, .unit = "m", .range = positive},
          cylinder.radius);
  v.field({.key = "length", .meaning = "along z", .required = true, .unit = "m", .range = positive},
          cylinder.length);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Sphere> auto& sphere) {
  v.field({.key = "radius", .meaning = "of the sphere", .required = true, .unit = "m", .range = positive},
          sphere.radius);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<Mesh> auto& mesh) {
  v.field({.key = "file",
           .meaning = "*.stl or *.obj, relative to this file, or `package://NAME/...` as in URDF",
           .required = true,
           .text = TextRule::reference},
          mesh.file);
  v.field({.key = "scale", .meaning = "metres per unit of the file, along its x, y, z"}, mesh.scale);
}

}  // namespace visuals

template <typename Visitor>
void describe(Visitor& v, Maybe<VisualDescription> auto& visual) {
  v.block(
      "visual",
      "A shape that is drawn and has no part in any number. That of a link moves with its root frame, and "
      "bends with its beam.");
  describe_frame(v, visual.xyz, visual.rpy);
  v.field({.key = "color",
           .meaning = "red, green, blue, each from 0 to 1",
           .range = {0.0, 1.0},
           .otherwise = "the link's"},
          visual.color);
  v.variant({.key = "type", .meaning = "what it is", .required = true}, visual.kind);
}

// ---- links ----

template <typename Visitor>
void describe(Visitor& v, Maybe<BodyDescription> auto& body) {
  v.block("body",
          "A link of any shape that bends, reduced from finite elements; its root interface sits at the root "
          "frame.");
  v.body(
      {.key = "file", .meaning = "what `limber reduce` has written, relative to this file", .required = true},
      body.file, body.reduced);
  v.field({.key = "damping", .meaning = "structural damping", .otherwise = "none"}, body.damping);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<LinkDescription> auto& link) {
  v.block("link", "A body of the arm with the joint that carries it.");
  v.field(
      {.key = "name", .meaning = "unique; `base` is the ground", .required = true, .text = TextRule::name},
      link.name);
  v.field({.key = "parent",
           .meaning = "the earlier link that carries this one, or `base`",
           .text = TextRule::reference,
           .otherwise = "the link before it; for the first `base`"},
          link.parent);
  v.place({.key = "attach",
           .meaning = "where on the parent, as fraction of its beam (1, the tip, on rigid links and on "
                      "`base`), or an interface of its "
                      "body by name",
           .range = {0.0, 1.0}},
          link.attach, link.interface);
  v.field({.key = "origin",
           .meaning = "joint frame in the parent's (deformed) attach frame",
           .otherwise = "the attach frame itself"},
          link.origin);
  v.field({.key = "dh", .meaning = "the joint frame by Denavit-Hartenberg parameters"}, link.dh);
  v.field({.key = "joint", .meaning = "how the link moves on its parent", .otherwise = "revolute about z"},
          link.joint);
  v.field(
      {.key = "root", .meaning = "rigid piece between joint and beam (or rigid link)", .otherwise = "none"},
      link.root);
  v.field({.key = "beam", .meaning = "a link that bends"}, link.beam);
  v.field({.key = "body", .meaning = "a link of any shape that bends, from finite elements"}, link.body);
  v.field({.key = "rigid", .meaning = "a link that does not"}, link.rigid);
  v.field({.key = "tip", .meaning = "body fixed to the tip frame", .otherwise = "none"}, link.tip);
  v.field({.key = "visuals",
           .meaning = "shapes that the page draws in place of the link, in its root frame",
           .otherwise = "none: its beam is drawn, or its way from root to tip"},
          link.visuals);
  v.at_most_one_of({{"`origin`", {"origin"}}, {"`dh`", {"dh"}}});
  v.exactly_one_of({{"`beam`", {"beam"}}, {"`body`", {"body"}}, {"`rigid`", {"rigid"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<EndEffectorDescription> auto& end_effector) {
  v.block(
      "end effector",
      "The frame whose position, Jacobian and loads are reported, in a link's tip frame or that of another "
      "section.");
  v.field({.key = "link", .meaning = "the link that holds it", .required = true, .text = TextRule::reference},
          end_effector.link);
  v.place({.key = "at",
           .meaning = "where on it, as fraction of its beam (1: its tip; 1 on rigid links), or an interface "
                      "of its body by name",
           .range = {0.0, 1.0}},
          end_effector.at, end_effector.interface);
  describe_frame(v, end_effector.xyz, end_effector.rpy);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<PlaceDescription> auto& place) {
  v.block("place",
          "A frame on a link, in its tip frame or that of another section, or on `base`, in the world.");
  v.field({.key = "link",
           .meaning = "the link that holds it, or `base`",
           .required = true,
           .text = TextRule::reference},
          place.link);
  v.place({.key = "at",
           .meaning = "where on it, as fraction of its beam (1: its tip; 1 on rigid links and on `base`), or "
                      "an interface of its body by name",
           .range = {0.0, 1.0}},
          place.at, place.interface);
  describe_frame(v, place.xyz, place.rpy);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<LoopDescription> auto& loop) {
  v.block("loop",
          "What closes a chain: two places that coincide. A state is brought there from where its numbers "
          "put the places.");
  v.field({.key = "name",
           .meaning = "unique among the loops",
           .text = TextRule::name,
           .otherwise = "`loop1`, `loop2`, ... in the order of the file"},
          loop.name);
  v.field({.key = "type",
           .meaning = "what stays free: revolute, a turn about `axis`; spherical, all turns; fixed, nothing; "
                      "point-on-line, all turns and the way of b along `axis`"},
          loop.type);
  v.field(
      {.key = "axis",
       .meaning = "of revolute and point-on-line, in the frame of `a`; of revolute in that of `b` as well",
       .otherwise = "[0, 0, 1]"},
      loop.axis);
  v.field({.key = "a", .meaning = "one place", .required = true}, loop.a);
  v.field({.key = "b", .meaning = "the other, on another link", .required = true}, loop.b);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<CylinderLimits> auto& limits) {
  v.block("cylinder limits", "How long a cylinder may be, and what its drive can do.");
  v.field({.key = "lower", .meaning = "shortest length", .unit = "m", .range = non_negative}, limits.lower);
  v.field({.key = "upper", .meaning = "longest length", .unit = "m", .range = positive}, limits.upper);
  v.field({.key = "effort", .meaning = "largest force of its drive", .unit = "N", .range = non_negative},
          limits.effort);
  v.field({.key = "stop_stiffness",
           .meaning = "of the stops at `lower` and `upper`: a spring that pushes back beyond them",
           .unit = "N/m",
           .range = non_negative,
           .otherwise = "no stops: a limit is watched only"},
          limits.stop_stiffness);
  v.field({.key = "stop_damping",
           .meaning = "of the stops, beside their spring; a stop never pulls",
           .unit = "N s/m",
           .range = non_negative},
          limits.stop_damping);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<HydraulicsDescription> auto& oil) {
  v.block("hydraulics",
          "Oil in both chambers of a cylinder, and the valve that lets it in and out. What drives the "
          "cylinder by its "
          "name is the valve's opening then, from -1 to 1. Needs `lower` and `upper` of its `limits`.");
  v.field(
      {.key = "bore", .meaning = "diameter of the piston", .required = true, .unit = "m", .range = positive},
      oil.bore);
  v.field({.key = "rod",
           .meaning = "diameter of the rod, less than `bore`",
           .required = true,
           .unit = "m",
           .range = non_negative},
          oil.rod);
  v.field({.key = "bulk_modulus", .meaning = "of the oil", .required = true, .unit = "Pa", .range = positive},
          oil.bulk_modulus);
  v.field({.key = "volume",
           .meaning = "of oil in each chamber and its hose besides what the piston sweeps",
           .required = true,
           .unit = "m^3",
           .range = positive},
          oil.volume);
  v.field(
      {.key = "supply", .meaning = "pressure of the pump", .required = true, .unit = "Pa", .range = positive},
      oil.supply);
  v.field({.key = "tank", .meaning = "pressure of the return", .unit = "Pa", .range = non_negative},
          oil.tank);
  v.field({.key = "flow_gain",
           .meaning = "of the open valve: flow per root of a pressure difference",
           .required = true,
           .unit = "m^3/(s Pa^(1/2))",
           .range = positive},
          oil.flow_gain);
  v.field({.key = "pressures",
           .meaning = "at the start, of the chambers at the piston and around the rod",
           .unit = "Pa",
           .range = non_negative,
           .otherwise = "those that hold the arm where it starts"},
          oil.pressures);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<CylinderDescription> auto& cylinder) {
  v.block(
      "cylinder",
      "A strut without mass between two places: force along their line, positive pushes them apart. It is "
      "actuated like a joint, by its name.");
  v.field({.key = "name",
           .meaning = "unique among cylinders, joints, links and loops",
           .required = true,
           .text = TextRule::name},
          cylinder.name);
  v.field({.key = "from", .meaning = "one eye; how its frame is turned does not matter", .required = true},
          cylinder.from);
  v.field({.key = "to", .meaning = "the other, on another link", .required = true}, cylinder.to);
  v.field({.key = "stiffness",
           .meaning = "of its spring; 0: there is none, and statics finds the force that holds",
           .unit = "N/m",
           .range = non_negative},
          cylinder.stiffness);
  v.field(
      {.key = "rest", .meaning = "length at which its spring is at ease", .unit = "m", .range = non_negative},
      cylinder.rest);
  v.field({.key = "damping", .meaning = "force against its rate", .unit = "N s/m", .range = non_negative},
          cylinder.damping);
  v.field({.key = "limits", .meaning = "of its length and force", .otherwise = "none"}, cylinder.limits);
  v.field({.key = "hydraulics",
           .meaning = "chambers and valve; statics finds the pressures that hold",
           .otherwise = "none: its drive gives a force"},
          cylinder.hydraulics);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<DamperDescription> auto& damper) {
  v.block(
      "damper",
      "A damper at a point of a link: a force against its velocity along a fixed direction of the world.");
  v.field({.key = "name",
           .meaning = "unique among dampers, cylinders, joints, links and loops",
           .required = true,
           .text = TextRule::name},
          damper.name);
  v.field({.key = "link", .meaning = "the link that holds it", .required = true, .text = TextRule::reference},
          damper.to.link);
  v.place({.key = "at",
           .meaning = "where on it, as fraction of its beam (1 on rigid links), or an interface of its body "
                      "by name",
           .range = {0.0, 1.0}},
          damper.to.at, damper.to.interface);
  v.field({.key = "xyz", .meaning = "from there, in the axes of the section", .unit = "m"}, damper.to.xyz);
  v.field({.key = "axis", .meaning = "along which it acts, in the world's axes"}, damper.axis);
  v.field({.key = "damping",
           .meaning = "force per velocity",
           .required = true,
           .unit = "N s/m",
           .range = non_negative},
          damper.damping);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<ModelDescription> auto& model) {
  v.block("model", "The whole file.");
  v.version({.key = "limber", .meaning = "version of this format", .required = true});
  v.field({.key = "name", .meaning = "name of the arm", .otherwise = "the file's name"}, model.name);
  v.field({.key = "gravity",
           .meaning = "acceleration of free fall in world axes",
           .unit = "m/s^2",
           .example = "[0, 0, -9.81]"},
          model.gravity);
  v.field({.key = "kinematics", .meaning = "order of the deflection field; second has geometric stiffening"},
          model.kinematics);
  v.field({.key = "links", .meaning = "the links, parents before children", .required = true}, model.links);
  v.field({.key = "end_effector",
           .meaning = "the frame of interest",
           .otherwise = "the tip frame of the last link"},
          model.end_effector);
  v.field({.key = "visuals",
           .meaning = "shapes that stand still in the world: the arm's base, its cell",
           .otherwise = "none"},
          model.visuals);
  v.field({.key = "loops", .meaning = "what closes chains of links", .otherwise = "none"}, model.loops);
  v.field({.key = "cylinders", .meaning = "struts between places of two links", .otherwise = "none"},
          model.cylinders);
  v.field({.key = "dampers", .meaning = "at points of links, against the ground", .otherwise = "none"},
          model.dampers);
}

}  // namespace limber
