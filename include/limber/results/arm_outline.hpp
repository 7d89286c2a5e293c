// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The arm as a result holds it: enough to draw it, bent, from the coordinates q of any row, and nothing that would have to be
// built again. docs/simulation.md gives the same formulas in a few lines of numpy.
//
//   X_WR = X_WR(parent) * X_RN(place of the parent) * X_NJ * X_JB(q) * X_BR                                          (1)
//   X_JB = product of the joint's steps                                                                              (2)
//
// A place of a link, a point of its axis or a node on which something sits, is given at rest by X_RN. Bent it is
//
//   p = p_RN + u(eta),   R = exp[theta(eta)] R_RN                                                                     (3)
//
// and u, theta and the curvatures are sums of terms F eta_j or F eta_j eta_k, with one number F for each place: (1) and (2)
// of beam/field.hpp, without what is zero there.

#include <optional>
#include <string>
#include <vector>

#include "limber/core/comparison.hpp"
#include "limber/core/export.hpp"
#include "limber/io/mesh_file.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// One motion of a joint, after those before it: it turns by the rotation vector axis q[i], slides by axis q[i], or turns by the unit
/// quaternion q[i] .. q[i + 3].
struct JointStep {
  /// What a step does.
  enum class Kind { turn, slide, quaternion };
  Kind kind;  ///< what it does
  /// In the axes that the steps before it have turned. A screw slides by its advance [m/rad]; a quaternion has none, and zero here.
  Eigen::Vector3d axis;
  int q;  ///< i: its number in q, or its first one
  LIMBER_COMPARES(JointStep)
};

/// A joint: where its numbers stand, and how it moves its link.
struct OutlineJoint {
  std::string name, type;        ///< its name, and the word of its kind in model files
  int q = 0, nq = 0;             ///< its first number in q, and how many
  int v = 0, nv = 0;             ///< its first number in v, and how many
  std::vector<JointStep> steps;  ///< (2): from J to B

  /// Whether one of its steps is a quaternion: then nq = nv + 1.
  bool has_quaternion() const;
  /// Whether its i-th velocity is one of turning; else it slides.
  bool turns(int i) const;
  LIMBER_COMPARES(OutlineJoint)
};

/// One product of elastic coordinates, (3).
struct ShapeTerm {
  int component;  ///< 0 .. 2: u [m]; 3 .. 5: theta [rad]; 6 .. 8: kappa_y, kappa_z, twist [1/m]
  int j = -1;     ///< in eta
  int k = -1;     ///< likewise; -1: the term is linear
  LIMBER_COMPARES(ShapeTerm)
};

/// A shape that is drawn in place of a link, at rest: in its root frame R; or around the arm, in the world. A vertex p of a link that bends is,
/// with x = p_x kept between 0 and the beam's length, and u and theta those of (3) there,
///
///   p' = [x, 0, 0] + u(x) + exp[theta(x)] (p - [x, 0, 0])                                                            (4)
struct OutlineVisual {
  std::optional<Eigen::Vector3d> color = {};  ///< red, green, blue, each 0 to 1; none: the link's
  TriangleMesh mesh = {};                     ///< [m]; meshes of files with at most 2000 triangles
  Eigen::MatrixXd modes =
      {};  ///< of a body's skin, 3 vertices x eta: p' = p + modes eta in place of (4); else none
  LIMBER_COMPARES(OutlineVisual)
};

/// The body on a link's tip.
struct Payload {
  double mass;          ///< [kg]
  Eigen::Vector3d com;  ///< centre of mass in the tip's frame [m]
  LIMBER_COMPARES(Payload)
};

/// A beam that slides through a guide at R (docs/telescoping.md). Its free length is l = free_length + q[i]; places but the first lie l/free_length times as
/// far from R, a term's F is (free_length/l)^power times what it is at q = 0, and the first place is the beam's inner end, at l - length.
struct OutlineTelescope {
  int q = 0;                 ///< i: of the joint's number in q
  double free_length = 0.0;  ///< where it is zero [m]
  double length = 0.0;       ///< of the whole beam [m]
  std::vector<int> powers;   ///< of each term
  LIMBER_COMPARES(OutlineTelescope)
};

/// A link: where it sits, its places at rest, and how it bends.
struct OutlineLink {
  std::string name;                                     ///< unique
  int parent = -1;                                      ///< -1: the ground
  int parent_place = 0;                                 ///< of the parent's places
  Pose X_NJ;                                            ///< J in that place; of a link on the ground, in W
  OutlineJoint joint;                                   ///< from J to B
  Pose X_BR;                                            ///< the root frame in B
  int elastic_q = 0, elastic_v = 0, elastic_count = 0;  ///< eta: first in q, first in v, how many
  int points = 0;  ///< the first places: along the axis, from root to tip. The next one is the tip as a node
  std::vector<Pose> places;      ///< X_RN at rest
  std::vector<ShapeTerm> terms;  ///< of u, theta and the curvatures, (3)
  Eigen::MatrixXd values;        ///< F: places x terms
  Eigen::Matrix3Xd stiffness;  ///< EI_y, EI_z, GJ at the points; 0 where nobody gave one. None on rigid links
  std::vector<Eigen::Vector2d>
      half_size;                   ///< at the points: half the width (along y) and height (along z) [m]
  bool is_round = true;            ///< how its sections are drawn: round, else rectangular
  std::optional<Payload> payload;  ///< none: nothing sits on the tip
  std::vector<OutlineVisual> visuals = {};         ///< what it looks like; none: draw its places and sizes
  std::optional<OutlineTelescope> telescope = {};  ///< none: it keeps its length

  /// The place of the tip as a node.
  int tip() const { return points; }
  /// Whether some term of this component is linear: whether the link bends, twists or turns that way by itself.
  bool has_linear(int component) const;
  /// Whether there is any term of this component.
  bool has_any(int component) const;
  /// Sum of the terms of three components, from `first` on, at a place.
  Eigen::Vector3d sum(int first, int place, const Input<double>& eta) const;
  /// (3), `bend` times as far as it is: 0 for a link that does not bend.
  Pose place(int place, const Input<double>& eta, double bend = 1.0) const;
  /// Its elastic coordinates, out of the arm's q; of one that telescopes its free length, too.
  Eigen::VectorXd eta(const Input<double>& q) const;
  LIMBER_COMPARES(OutlineLink)
};

/// Where an end of a cylinder or of a loop sits.
struct OutlinePlace {
  int link = -1;                                ///< -1: the ground
  int place = 0;                                ///< of the link's places
  Eigen::Vector3d p = Eigen::Vector3d::Zero();  ///< in that place [m]; of the ground in the world
  LIMBER_COMPARES(OutlinePlace)
};

/// A strut between two places.
struct OutlineCylinder {
  std::string name;       ///< unique
  OutlinePlace from, to;  ///< its ends
  LIMBER_COMPARES(OutlineCylinder)
};

/// What closes a chain: two places that coincide.
struct OutlineLoop {
  std::string name;      ///< unique
  std::string type;      ///< its word in model files
  Eigen::Vector3d axis;  ///< unit vector in the place of a, of types with one; else zero
  OutlinePlace a, b;     ///< the places
  LIMBER_COMPARES(OutlineLoop)
};

/// An arm as a result holds it: all that is needed to draw it from q.
struct ArmOutline {
  std::string name;                                    ///< of the arm
  Eigen::Vector3d gravity = Eigen::Vector3d::Zero();   ///< acceleration of free fall in W [m/s^2]
  KinematicOrder kinematics = KinematicOrder::second;  ///< order of the deflection field
  double mass = 0.0;                                   ///< of all links, payloads included [kg]
  double reach = 1.0;                                  ///< the longest way from the base to a tip [m]
  int nq = 0, nv = 0;                                  ///< numbers in q, and in v
  std::vector<std::string> positions;                  ///< names of q's numbers
  std::vector<std::string> coordinates;                ///< names of v's numbers
  std::vector<OutlineLink> links;                      ///< parents before children
  int end_effector_link = 0, end_effector_place = 0;   ///< the link, and which of its places
  Pose X_NE;                                           ///< the end effector in that place
  std::vector<OutlineVisual> visuals = {};             ///< what stands around it
  std::vector<OutlineCylinder> cylinders = {};         ///< struts between its places
  std::vector<OutlineLoop> loops = {};                 ///< what closes its chains

  /// (1) for every link, all of them bent `bend` times as far as they are.
  std::vector<Pose> root_poses(const Input<double>& q, double bend = 1.0) const;
  /// X_WE: of the end effector in the world, with all links bent `bend` times as far as they are.
  Pose end_effector(const Input<double>& q, double bend = 1.0) const;
  LIMBER_COMPARES(ArmOutline)
};

/// With so many points along each beam, its ends among them: at least these. Rigid links have their ends. Meshes are read from their files, and made simpler;
/// those that cannot be drawn are left out (undrawn_meshes() names them).
ArmOutline outline_of(const Model& model, int points);

/// The outline as JSON: what a result holds, and what the page reads.
std::string outline_text(const ArmOutline& arm);
/// Throws InputError where a text is none that outline_text writes: something is missing, of another kind or length, not
/// finite, or points to what is not there.
ArmOutline parse_outline(const std::string& text);

}  // namespace limber
