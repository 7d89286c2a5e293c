// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The same arm if none of its links bent: what deflections of the end effector are measured against.

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// The end effector of an arm whose links do not bend.
class RigidArm {
 public:
  /// Of an arm, of which it keeps a copy.
  explicit RigidArm(const Model& model) : model_(model), work_(model) {}

  /// Where the end effector is with the joints as q has them and all links unbent.
  PoseOf<double> end_effector(const Input<double>& q);

 private:
  Model model_;
  Workspace<double> work_;
};

/// What bending does to the end effector, in world axes.
struct Sag {
  PoseOf<double> rigid;          ///< where it would be
  Eigen::Vector3d displacement;  ///< from there to where it is [m]
  Eigen::Vector3d rotation;      ///< rotation vector from there to how it is turned [rad]
};

/// `q_joints`: the joints of the rigid arm, where they differ from those of q (on a spring they give way, too).
Sag sag(const Model& model, const Input<double>& q, const Input<double>& q_joints);

}  // namespace limber
