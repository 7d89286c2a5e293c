// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// In which axes a load is given: the world's, those of the link's body frame B, or those of the section (node) on which it acts.
enum class Axes { world, body, section };

/// What a load is. All but the first act inside a beam and leave the arm's other bodies alone (docs/curved-beams.md): they push its elastic coordinates only.
enum class LoadKind {
  wrench,             ///< force and moment on a node
  thermal_curvature,  ///< moment.y(), moment.z(): the curvatures that the free beam would take [1/m]
  tendon,  ///< force.x(): the tension of a tendon that the beam guides at offset (y, z) of its sections [N]
  cable    ///< the same of one that runs straight from the root's to the tip's section
};

/// A force and a moment on a node of a link.
struct Load {
  int link = 0;                                      ///< index into Model::links
  int node = 0;                                      ///< index into Link::nodes; 0 is the tip
  Axes axes = Axes::world;                           ///< of force and moment
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< [N]
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< [N m]
  Eigen::Vector3d offset =
      Eigen::Vector3d::Zero();       ///< from the node to where the force acts, in the section's axes
  LoadKind kind = LoadKind::wrench;  ///< what force and moment are

  /// Whether it acts inside a beam.
  bool is_inner() const { return kind != LoadKind::wrench; }
};

}  // namespace limber
