#pragma once

// A prepared arm. Nobody modifies it: algorithms read it and work in scratch of their own.
//
// Frames of link i (docs/notation.md): N the node of the parent on which it sits, J its joint frame (fixed in
// N), B its body frame (J after the joint's motion), R its root frame (fixed in B; a beam lies along +x of R
// and deforms in R). Coordinates: links in order; in each the joint's, then the elastic ones.

#include <Eigen/Core>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "limber/beam/shape_integrals.hpp"
#include "limber/math/spatial.hpp"
#include "limber/model/description.hpp"
#include "limber/model/joint.hpp"

namespace limber {

struct Joint {
  std::string name;
  JointType type;
  std::vector<Eigen::Vector3d> axes;  ///< unit vectors in J: one (revolute, prismatic), two (universal), none
  double stiffness;                   ///< about `rest`
  double rest;
  double damping;
  double armature;
  JointLimits limits;
  int q_index;  ///< of its first number in q
  int v_index;  ///< of its first number in v
  int nq;
  int nv;
};

/// A place on a link where something sits: a child, a payload, the end effector. On a beam it moves with
/// `field`.
struct Node {
  double at;       ///< fraction of the beam; 1 on rigid links
  Pose X_RN;       ///< at rest
  BeamNode field;  ///< empty (no columns) on a rigid link
};

/// The shapes of one direction and what was asked for to get them.
struct DirectionShapes {
  ShapeRequest request;
  Eigen::VectorXd frequencies;  ///< [rad/s] of the beam in this direction alone: shape_frequencies()
};

struct Beam {
  BeamBasis basis;
  TipRotation tip_rotation;
  std::vector<DirectionShapes> directions;
  ShapeIntegrals integrals;  ///< in R, the tip body included
  Eigen::MatrixXd damping;   ///< C of the elastic coordinates
};

struct Link {
  std::string name;
  int parent;       ///< -1: the ground
  int parent_node;  ///< index into the parent's nodes; 0 on the ground
  Pose X_NJ;
  Joint joint;
  Pose X_BR;
  RigidInertia rigid;     ///< in B: all of the link that does not deform (of a flexible link the root piece)
  RigidInertia tip_body;  ///< in the tip's frame; already part of `rigid` or of the beam's integrals
  std::optional<Beam> beam;
  std::vector<Node> nodes;  ///< the first is the tip
  int elastic_q_index;      ///< of the first elastic coordinate in q
  int elastic_v_index;      ///< and in v
  int elastic_count;

  /// All of the link at rest, its tip body included, in B.
  RigidInertia rest_inertia() const;
};

struct EndEffector {
  int link;
  int node;
  Pose X_NE;
};

struct Model {
  std::string name;
  Eigen::Vector3d gravity;
  KinematicOrder kinematics;
  std::vector<Link> links;  ///< parents before children
  EndEffector end_effector;
  int nq;
  int nv;
  std::vector<std::string> coordinates;  ///< one name per velocity
  ModelDescription description;          ///< what it was built from

  double mass() const;
};

/// Checks a description and prepares the model: shapes, nodes, integrals. Throws InputError with every
/// problem.
Model build_model(const ModelDescription& description);

/// The same arm with another order of its deflection field. Nodes keep their indices.
Model with_kinematics(const Model& model, KinematicOrder order);

/// K of beams and joint springs, nv x nv: forces are K (q - rest). Without springs if not asked for.
Eigen::MatrixXd elastic_stiffness(const Model& model, bool joint_springs = true);
/// C of beams and joint dampers, nv x nv.
Eigen::MatrixXd damping_matrix(const Model& model);

/// The configuration in which every coordinate is zero and every quaternion the identity.
Eigen::VectorXd neutral_configuration(const Model& model);

/// The node of a link at a fraction of its beam: an existing one, or a new one appended to Link::nodes. Do
/// this before workspaces are made. Throws InputError when `at` is not on the link (1 on rigid links, 0 to 1
/// on beams).
int node_at(Model& model, int link, double at);

/// What a user should know about a valid model: sentences, each with the link's name.
std::vector<std::string> advice(const Model& model);

}  // namespace limber
