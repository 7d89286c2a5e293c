// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A prepared arm. Nobody modifies it: algorithms read it and work in scratch of their own. A Model is a handle: whoever keeps a copy shares the
// arm, and the arm lives as long as any copy does.
//
// Frames of link i (docs/notation.md): N the node of the parent on which it sits, J its joint frame (fixed in
// N), B its body frame (J after the joint's motion), R its root frame (fixed in B; a beam lies along +x of R
// and deforms in R). Coordinates: links in order; in each the joint's, then the elastic ones.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limber/beam/reduced_body.hpp"
#include "limber/beam/shape_integrals.hpp"
#include "limber/beam/telescope.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/spatial.hpp"
#include "limber/model/description.hpp"
#include "limber/model/frame.hpp"
#include "limber/model/joint.hpp"

namespace limber LIMBER_EXPORT {

/// An elastic gear with its motor, counted at the joint's side.
struct Gear {
  double stiffness = 0.0;  ///< between joint and motor [N m/rad or N/m]
  double damping = 0.0;    ///< likewise [N m s/rad or N s/m]
  double rotor = 0.0;  ///< ratio^2 times the rotor's inertia, on the motor's own coordinate [kg m^2 or kg]
};

/// A joint, from J to B.
struct Joint {
  std::string name;                   ///< unique among the joints
  JointType type;                     ///< its kind
  std::vector<Eigen::Vector3d> axes;  ///< unit vectors in J: JointFacts::axis_count of them
  double parameter;                   ///< JointFacts::parameter; 0 where the kind has none
  double stiffness;                   ///< about `rest`
  double rest;                        ///< [rad or m]
  double damping;                     ///< viscous [N m s/rad or N s/m]
  double armature;                    ///< rotor inertia [kg m^2 or kg], added to the mass matrix's diagonal
  Gear gear;                          ///< where facts().has_motor()
  std::optional<FrictionDescription> friction;  ///< on driven_index(); none: there is none
  JointLimits limits;                           ///< none where it has none
  int q_index;                                  ///< of its first number in q
  int v_index;                                  ///< of its first number in v
  int nq;                                       ///< its numbers in q
  int nv;                                       ///< its numbers in v

  /// What is the same for all joints of its kind.
  const JointFacts& facts() const { return facts_of(type); }
  /// Whether it has one number more in q than in v.
  bool has_quaternion() const { return facts().has_quaternion(); }
  /// Whether its velocity j is an angular one; without a quaternion its coordinate j is then an angle, else a length.
  bool turns(int j) const { return facts().freedoms[static_cast<std::size_t>(j)].turns; }
  /// Its direction of velocity j, about or along which B moves: one of its axes, or the normal of both [in J].
  Eigen::Vector3d axis_of(int j) const {
    const auto axis = static_cast<std::size_t>(facts().freedoms[static_cast<std::size_t>(j)].axis);
    return axis < axes.size() ? axes[axis] : Eigen::Vector3d(axes[0].cross(axes[1]).normalized());
  }
  /// Whether it has a motor's coordinate besides its own, behind an elastic gear.
  bool has_motor() const { return facts().has_motor(); }
  /// The inertia on the mass matrix's diagonal at its coordinate j.
  double armature_of(int j) const { return j < facts().moving() ? armature : gear.rotor; }
  /// The first of the coordinates (in v) on which its efforts act: its own, or its motor's.
  int driven_index() const { return has_motor() ? v_index + facts().moving() : v_index; }
  /// How many there are.
  int driven_count() const { return has_motor() ? 1 : nv; }
  /// Of its unit quaternion's first number in q; only where it has one.
  int quaternion_index() const { return q_index + facts().quaternion; }
};

/// A place on a link where something sits: a child, a payload, the end effector. On a beam or a body it moves with
/// `field`.
struct Node {
  double at;       ///< fraction of the beam; 1 at the tip; not a number at a body's other interfaces
  Pose X_RN;       ///< at rest
  BeamNode field;  ///< empty (no columns) on a rigid link
  std::string interface = {};  ///< its name on a body; else empty
  /// On a telescoping beam: `at` is a fraction of the free length, X_RN and `field` are those where the joint is at zero.
  std::shared_ptr<const ExtendingNode> extending = {};
};

/// The shapes of one direction and what was asked for to get them.
struct DirectionShapes {
  ShapeRequest request;         ///< family, count, normalisation, tip load
  Eigen::VectorXd frequencies;  ///< [rad/s] of the beam in this direction alone: shape_frequencies()
};

/// How the ends of a beam, and what is strung between them, follow its coordinates (model/inner_loads.hpp).
struct InnerShapes {
  Eigen::Matrix3Xd strains;        ///< integrals of kappa_y, kappa_z and u' along the beam, per coordinate
  Eigen::Matrix2Xd moments;        ///< integrals of EI_y kappa_y and EI_z kappa_z
  Eigen::MatrixXd foreshortening;  ///< integral of v'v' + w'w', symmetric
};

/// What deforms of a link, as algorithms see it: they read a field and its nodes, and do not ask what it is made of.
struct Elastic {
  ShapeIntegrals integrals;  ///< in R, the tip body included
  Eigen::MatrixXd damping;   ///< D of the elastic coordinates
  InnerShapes inner = {};    ///< empty of a body of finite elements
};

/// A beam that bends.
struct Beam : Elastic {
  BeamBasis basis;                                  ///< shapes and sections
  TipRotation tip_rotation;                         ///< how far the tip's section turns
  std::vector<DirectionShapes> directions;          ///< in the order of the coordinates
  std::optional<double> strength = {};              ///< BeamDescription's
  std::optional<SnCurveDescription> sn_curve = {};  ///< BeamDescription's
  /// Of a telescoping beam (docs/telescoping.md); all else is then that of its free part where the joint is at zero.
  std::optional<Telescope> telescope = {};
};

/// A body of finite elements.
struct ElasticBody : Elastic {
  std::shared_ptr<const ReducedBody> reduced;  ///< interfaces, modes, skin
};

/// A body with the joint that carries it. Frames: N, J, B, R (docs/notation.md).
struct Link {
  std::string name;       ///< unique
  int parent;             ///< -1: the ground
  int parent_node;        ///< index into the parent's nodes; 0 on the ground
  Pose X_NJ;              ///< J in the node of the parent
  Joint joint;            ///< from J to B
  Pose X_BR;              ///< the beam's root frame in B
  RigidInertia rigid;     ///< in B: all of the link that does not deform (of a flexible link the root piece)
  RigidInertia tip_body;  ///< in the tip's frame; already part of `rigid` or of the beam's integrals
  std::shared_ptr<const Elastic>
      elastic;                       ///< the beam or the body; none: a rigid link. Copies of a model share it
  std::shared_ptr<const Beam> beam;  ///< none: a body, or a rigid link
  std::shared_ptr<const ElasticBody> body;  ///< none: a beam, or a rigid link
  std::vector<Node> nodes;                  ///< the first is the tip
  int elastic_q_index;                      ///< of the first elastic coordinate in q
  int elastic_v_index;                      ///< and in v
  int elastic_count;                        ///< how many; they follow the joint's coordinates in q and v
  int described;                            ///< index into ModelDescription::links of what it was made of
  int segment;                              ///< which of its segments it is, from 0 on
  int segments;                             ///< how many there are; 1: the link is not cut

  /// All of the link at rest, its tip body included, in B.
  RigidInertia rest_inertia() const;
  /// Whether its joint pulls its beam through a guide. R is then fixed in J, at the guide, and does not move with the joint.
  bool telescopes() const { return beam && beam->telescope; }
  /// Of its beam [m]: of a telescoping one the free length at q.
  double free_length(const Eigen::VectorXd& q) const {
    return beam->basis.length() + (telescopes() ? q[joint.q_index] : 0.0);
  }
  /// How long it is [m]: of a beam its length, of a rigid link the way from root to tip, of a body that to its farthest interface.
  double length() const;
};

/// What closes a chain: two places that coincide, but for what stays free.
struct Loop {
  std::string name;      ///< unique among the loops
  LoopType type;         ///< what stays free
  Eigen::Vector3d axis;  ///< unit vector in a's frame, of types with one
  Frame a;               ///< link -1: the ground, and X_NE is its pose in the world
  Frame b;               ///< likewise
};

/// A strut without mass between two places. Force along their line, positive pushes them apart.
struct Cylinder {
  std::string name;       ///< unique among cylinders, joints, links and loops
  Frame from;             ///< link -1: the ground, and X_NE is its pose in the world
  Frame to;               ///< likewise
  double stiffness;       ///< [N/m]
  double rest;            ///< [m]
  double damping;         ///< [N s/m]
  CylinderLimits limits;  ///< of length and force
  std::optional<HydraulicsDescription> hydraulics = {};  ///< none: its drive gives a force
  std::optional<Eigen::Vector3d> axis =
      {};  ///< of a damper (DamperDescription): a unit vector of the world along which it acts; none: the line

  /// Whether it is a damper at a point, which nothing drives.
  bool is_damper() const { return axis.has_value(); }
};

namespace detail {
/// What a Model shares with its copies. Filled once, by whoever prepares an arm.
struct ModelParts {
  std::string name;
  Eigen::Vector3d gravity;
  KinematicOrder kinematics;
  std::vector<Link> links;
  Frame end_effector;
  int nq;
  int nv;
  std::vector<std::string> coordinates;
  ModelDescription description;
  std::vector<Loop> loops;
  std::vector<Cylinder> cylinders;
};
}  // namespace detail

/// A prepared arm: what algorithms read. Made by build_model(); nobody can modify it. Copies are cheap and are the same arm.
class Model {
 public:
  ///@{
  /// A copy is the same arm. There is no Model without an arm: to move one is to copy it.
  Model(const Model& other) = default;
  Model& operator=(const Model& other) = default;
  ///@}
  ~Model() = default;

  /// Of the arm.
  const std::string& name() const { return parts_->name; }
  /// Acceleration of free fall in the world's axes [m/s^2].
  const Eigen::Vector3d& gravity() const { return parts_->gravity; }
  /// Order of the deflection field.
  KinematicOrder kinematics() const { return parts_->kinematics; }
  /// Parents before children.
  const std::vector<Link>& links() const { return parts_->links; }
  /// The frame of interest.
  const Frame& end_effector() const { return parts_->end_effector; }
  /// Numbers in q.
  int nq() const { return parts_->nq; }
  /// Numbers in v.
  int nv() const { return parts_->nv; }
  /// One name per velocity.
  const std::vector<std::string>& coordinates() const { return parts_->coordinates; }
  /// What closes chains of links; none: every link hangs on its parent alone (algorithms/constraints.hpp).
  const std::vector<Loop>& loops() const { return parts_->loops; }
  /// Struts between places (algorithms/struts.hpp).
  const std::vector<Cylinder>& cylinders() const { return parts_->cylinders; }
  /// What it was built from.
  const ModelDescription& description() const { return parts_->description; }

  /// Of all links, payloads included [kg].
  double mass() const;
  /// Whether any joint has one. Without them dq/dt = v.
  bool has_quaternions() const;
  /// Whether any link telescopes.
  bool has_telescopes() const;
  /// Whether both are the same arm: one is a copy of the other. A Workspace of another arm is refused.
  bool is_same_arm(const Model& other) const { return parts_ == other.parts_; }

  ///@{
  /// For those who prepare arms.
  explicit Model(detail::ModelParts parts);
  const detail::ModelParts& parts() const { return *parts_; }
  ///@}

 private:
  std::shared_ptr<const detail::ModelParts> parts_;
};

/// Checks a description and prepares the model: shapes, nodes, integrals. Throws InputError with every
/// problem.
Model build_model(const ModelDescription& description);

/// The same arm with another order of its deflection field. Nodes keep their indices.
Model with_kinematics(const Model& model, KinematicOrder order);

/// K of beams, gears and joint springs, nv x nv: forces are K (q - rest). Without joint springs if not asked for; gears stay. Of a telescoping beam
/// that where its joint is at zero (model/telescopes.hpp has others).
Eigen::MatrixXd elastic_stiffness(const Model& model, bool joint_springs = true);
/// D of beams, gears and joint dampers, nv x nv. Of a telescoping beam that where its joint is at zero.
Eigen::MatrixXd damping_matrix(const Model& model);

/// The configuration in which every coordinate is zero and every quaternion the identity.
Eigen::VectorXd neutral_configuration(const Model& model);

/// An arm like this one with a node at a fraction of a link's beam, for something that shall sit or be looked at there; itself where it has one.
/// Throws InputError when `at` is not on the link (1 on rigid links, 0 to 1 on beams).
Model with_node(const Model& model, int link, double at);
/// An arm like this one with another frame of interest.
Model with_end_effector(const Model& model, const Frame& end_effector);
/// Index into Link::nodes of the node at a fraction of the beam. Throws InputError where there is none.
int node_index(const Model& model, int link, double at);
/// Index into Link::nodes of an interface of a link's body. Throws InputError where there is none.
int node_index(const Model& model, int link, const std::string& interface);

/// What a user should know about a valid model: sentences, each with the link's name.
std::vector<std::string> advice(const Model& model);

}  // namespace limber
