// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm as rigid bodies, each with the joints that carry it: what all formats of other programs can say.

#include <string>
#include <vector>

#include "limber/math/spatial.hpp"
#include "limber/model/model.hpp"

namespace limber {

struct TreeJoint {
  enum class Kind { hinge, slide, ball, free };

  std::string name;
  Kind kind;
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< in B
  double stiffness = 0.0, rest = 0.0, damping = 0.0, armature = 0.0;
  double friction = 0.0;  ///< Coulomb's
  JointLimits limits = {};
};

/// A shape V that is drawn.
struct TreeVisual {
  Pose X_BV;  ///< in the body; of the ground in the world
  VisualDescription shape;
};

struct TreeBody {
  std::string name;
  int parent;                     ///< -1: the ground
  Pose X_PB;                      ///< B in the parent's B, all coordinates zero
  std::vector<TreeJoint> joints;  ///< one after the other, in B's origin; none: fixed
  RigidInertia inertia;           ///< in B
  std::vector<TreeVisual> visuals = {};
};

struct RigidTree {
  std::string name;
  Eigen::Vector3d gravity;
  std::vector<TreeBody> bodies;    ///< parents before children
  std::vector<TreeVisual> ground;  ///< what is drawn of it
  std::vector<std::string> notes;  ///< what rigid bodies do not have
};

/// See export_arm().
RigidTree make_rigid_tree(const Model& model, int pieces);

///@{
/// The tree in a format; what it cannot say is added to the notes.
std::string mjcf_text(RigidTree& tree);
std::string urdf_text(RigidTree& tree);
///@}

/// A text as XML has it between quotes.
std::string xml_escaped(const std::string& text);
/// "x y z", each number so that it reads as the same.
std::string xml_numbers(const Eigen::Vector3d& v);

/// Centre of mass; the body has mass.
Eigen::Vector3d centre_of(const RigidInertia& body);
/// The tensor about it, in B's axes.
Eigen::Matrix3d central_inertia(const RigidInertia& body);

}  // namespace limber
