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

#include <concepts>
#include <type_traits>

#include "limber/core/export.hpp"
#include "limber/model/choices.hpp"
#include "limber/model/description.hpp"
#include "limber/model/field_rule.hpp"
#include "limber/model/variant_block.hpp"

namespace limber LIMBER_EXPORT {

/// `Description` itself, or const: readers fill descriptions, checks only look at them.
template <typename T, typename Description>
concept Maybe = std::same_as<std::remove_const_t<T>, Description>;

// ---- pieces that several blocks share ----

template <typename Visitor>
void describe_frame(Visitor& v, auto& xyz, auto& rpy) {
  v.field({.key = "xyz", .meaning = "translation", .unit = "m"}, xyz);
  v.field({.key = "rpy",
           .meaning = "roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)",
           .unit = "rad",
           .angle = true},
          rpy);
}

template <typename Visitor>
void describe_inertia(Visitor& v, const char* com_meaning, auto& com, auto& inertia) {
  v.field({.key = "com", .meaning = com_meaning, .unit = "m"}, com);
  v.field({.key = "inertia",
           .meaning = "elements ixx iyy izz ixy ixz iyz of the inertia tensor at the com (ixy = -Int x y dm)",
           .unit = "kg m^2"},
          inertia);
}

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

// ---- sections ----

template <typename Visitor>
void describe(Visitor& v, Maybe<MaterialDescription> auto& material) {
  v.block("material", "Isotropic, linearly elastic material.");
  v.field({.key = "E", .meaning = "Young's modulus", .required = true, .unit = "Pa", .range = positive},
          material.E);
  v.field({.key = "G", .meaning = "shear modulus", .unit = "Pa", .range = positive}, material.G);
  v.field({.key = "nu", .meaning = "Poisson's ratio: G = E / (2 (1 + nu))", .range = {-1.0, 0.5, true}},
          material.nu);
  v.field(
      {.key = "density", .meaning = "mass per volume", .required = true, .unit = "kg/m^3", .range = positive},
      material.density);
  v.exactly_one_of({{"`G`", {"G"}}, {"`nu`", {"nu"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<SectionDescription> auto& section) {
  v.block("section",
          "The beam's cross-section, by stiffness or by geometry. Width is along y, height along z.");
  v.field({.key = "EI_y",
           .meaning = "bending stiffness about y: deflection along z; required for modes z",
           .unit = "N m^2",
           .range = positive},
          section.EI_y);
  v.field({.key = "EI_z",
           .meaning = "bending stiffness about z: deflection along y; required for modes y",
           .unit = "N m^2",
           .range = positive},
          section.EI_z);
  v.field({.key = "GJ",
           .meaning = "torsional stiffness; required for modes torsion",
           .unit = "N m^2",
           .range = positive},
          section.GJ);
  v.field(
      {.key = "EA", .meaning = "axial stiffness; required for modes axial", .unit = "N", .range = positive},
      section.EA);
  v.field({.key = "mass_per_length",
           .meaning = "required when the section is given by stiffness",
           .unit = "kg/m",
           .range = positive},
          section.mass_per_length);
  v.field({.key = "kGA_y",
           .meaning = "shear stiffness along y: Timoshenko's beam (docs/shear.md)",
           .unit = "N",
           .range = positive,
           .otherwise = "it does not shear"},
          section.kGA_y);
  v.field({.key = "kGA_z",
           .meaning = "shear stiffness along z",
           .unit = "N",
           .range = positive,
           .otherwise = "it does not shear"},
          section.kGA_z);
  v.field({.key = "shape", .meaning = "outline of a section given by geometry"}, section.shape);
  v.field({.key = "diameter", .meaning = "rod", .unit = "m", .range = positive}, section.diameter);
  v.field({.key = "outer_diameter", .meaning = "tube", .unit = "m", .range = positive},
          section.outer_diameter);
  v.field({.key = "width", .meaning = "rectangle, box: outer size along y", .unit = "m", .range = positive},
          section.width);
  v.field({.key = "height", .meaning = "rectangle, box: outer size along z", .unit = "m", .range = positive},
          section.height);
  v.field({.key = "thickness",
           .meaning = "tube, box: of the wall, less than half of the smallest outer size",
           .unit = "m",
           .range = positive},
          section.thickness);
  v.field({.key = "material", .meaning = "required when the section is given by geometry"}, section.material);
  v.field({.key = "shear",
           .meaning = "whether a section given by geometry shears, along y and z, by Cowper's factors"},
          section.shear);
  v.field({.key = "rotary_inertia",
           .meaning = "mass moment of inertia per length about x, y, z",
           .unit = "kg m",
           .range = non_negative,
           .otherwise = "by stiffness 0; by geometry density * (Iy + Iz, Iy, Iz)"},
          section.rotary_inertia);
  v.exactly_one_of({{"the stiffness (`mass_per_length`, `EI_y`, `EI_z`, `GJ`, `EA`)",
                     {"EI_y", "EI_z", "GJ", "EA", "mass_per_length", "kGA_y", "kGA_z"}},
                    {"the geometry (`shape`, its sizes, `material`)",
                     {"shape", "diameter", "outer_diameter", "width", "height", "thickness", "material"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<StationDescription> auto& station) {
  v.block("station",
          "The cross-section at one place of a tapered beam; properties vary linearly in between.");
  v.field({.key = "x",
           .meaning = "distance from the beam's root: ascending, first 0, last the beam's length",
           .required = true,
           .unit = "m",
           .range = non_negative},
          station.x);
  v.field({.key = "section", .meaning = "the section there", .required = true}, station.section);
}

// ---- modes ----

template <typename Visitor>
void describe(Visitor& v, Maybe<ModesDescription> auto& modes) {
  v.block("mode set",
          "The shapes of one direction. Torsion and axial know craig-bampton, clamped-free, clamped-mass, "
          "polynomial, "
          "finite-element and tables. `tip_*` keys are for clamped-mass and finite-element; torsion knows "
          "`tip_inertia` only, axial `tip_mass` only.");
  v.shape({.key = "shape",
           .meaning = "family of shapes, or `{table: file}` with a CSV file: x, then one column per shape"},
          modes.shape, modes.table);
  v.field({.key = "count",
           .meaning = "how many shapes; required",
           .range = {1.0, 100.0},
           .otherwise = "with a table: all its columns"},
          modes.count);
  v.field({.key = "tip_mass",
           .meaning = "mass that the shapes imagine on the tip; `auto`: what hangs there at q = 0",
           .unit = "kg",
           .range = non_negative,
           .otherwise = "0"},
          modes.tip_mass);
  v.field({.key = "tip_static_moment",
           .meaning = "tip_mass times the distance of its com ahead of the tip (bending only)",
           .unit = "kg m",
           .otherwise = "0; `auto` where tip_mass and tip_inertia are"},
          modes.tip_static_moment);
  v.field({.key = "tip_inertia",
           .meaning = "inertia about the tip; for torsion the polar one",
           .unit = "kg m^2",
           .range = non_negative,
           .otherwise = "0"},
          modes.tip_inertia);
  v.field({.key = "normalize",
           .meaning =
               "peak: largest |phi| is 1; mass: Int m phi^2 with the tip's share is 1; none: as the formulas "
               "give it"},
          modes.normalize);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<BeamModesDescription> auto& modes) {
  v.block("modes", "The directions in which the beam deforms; absent ones are rigid.");
  v.field({.key = "y", .meaning = "deflection along y, bending about z (EI_z)"}, modes.y);
  v.field({.key = "z", .meaning = "deflection along z, bending about y (EI_y)"}, modes.z);
  v.field({.key = "torsion", .meaning = "twist about x (GJ)"}, modes.torsion);
  v.field({.key = "axial", .meaning = "stretch along x (EA)"}, modes.axial);
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
void describe(Visitor& v, Maybe<DampingDescription> auto& damping) {
  v.block(
      "damping",
      "Structural damping of the beam: modal (`ratio`, or `loss_factor` of the material), or D = alpha M_ee "
      "+ beta K.");
  v.field({.key = "ratio", .meaning = "damping ratio of every mode of the link", .range = {0.0, 10.0}},
          damping.ratio);
  v.field({.key = "alpha", .meaning = "share of the mass matrix", .unit = "1/s", .range = non_negative},
          damping.alpha);
  v.field({.key = "beta", .meaning = "share of the stiffness matrix", .unit = "s", .range = non_negative},
          damping.beta);
  v.field(
      {.key = "loss_factor",
       .meaning = "of the material: each mode of the link is damped as a viscous one that loses as much in "
                  "resonance, with half of it as ratio",
       .range = {0.0, 20.0}},
      damping.loss_factor);
  v.exactly_one_of(
      {{"`ratio`", {"ratio"}}, {"(`alpha`, `beta`)", {"alpha", "beta"}}, {"`loss_factor`", {"loss_factor"}}});
}

template <typename Visitor>
void describe(Visitor& v, Maybe<SnCurveDescription> auto& curve) {
  v.block(
      "sn_curve",
      "Woehler's line of the beam's root: a range of stress is endured cycles (stress / range)^slope times.");
  v.field({.key = "stress",
           .meaning = "a range of stress, from trough to crest",
           .required = true,
           .unit = "Pa",
           .range = positive},
          curve.stress);
  v.field({.key = "cycles", .meaning = "how many of it are endured", .range = positive}, curve.cycles);
  v.field({.key = "slope", .meaning = "m of range^m N = constant", .range = {1.0, 50.0}}, curve.slope);
}

template <typename Visitor>
void describe(Visitor& v, Maybe<BeamDescription> auto& beam) {
  v.block("beam", "A link that bends: a beam along +x of the root frame.");
  v.field(
      {.key = "length", .meaning = "length of the beam", .required = true, .unit = "m", .range = positive},
      beam.length);
  v.field({.key = "section", .meaning = "cross-section of a uniform beam", .wraps = "stations"},
          beam.section);
  v.field({.key = "stations",
           .meaning =
               "cross-sections of a tapered beam, at least two; between two of one `shape` sizes are linear, "
               "otherwise stiffnesses and mass are"},
          beam.stations);
  v.field({.key = "modes", .meaning = "how it deforms", .otherwise = "not at all"}, beam.modes);
  v.field({.key = "segments",
           .meaning = "cut into so many beams of equal length, each with a floating frame and `modes` of its "
                      "own: for large deflections. Coordinates `<link>.1.y1`, `<link>.2.y1`, ...",
           .range = {1.0, 1000.0},
           .otherwise = "1: one beam, `<link>.y1`"},
          beam.segments);
  v.field(
      {.key = "tip_rotation",
       .meaning =
           "rotation of the tip: the slope of the axis, or its chord (an approximation in the literature)"},
      beam.tip_rotation);
  v.field({.key = "damping", .meaning = "structural damping", .otherwise = "none"}, beam.damping);
  v.field(
      {.key = "strength",
       .meaning = "largest von Mises stress that it bears: utilisation is a share of it; with sections by "
                  "geometry",
       .unit = "Pa",
       .range = positive,
       .otherwise = "no utilisation"},
      beam.strength);
  v.field({.key = "sn_curve",
           .meaning = "how many cycles of stress its root endures; with sections by geometry",
           .otherwise = "no damage is summed"},
          beam.sn_curve);
  v.exactly_one_of({{"`section`", {"section"}}, {"`stations`", {"stations"}}});
}

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
}

}  // namespace limber
