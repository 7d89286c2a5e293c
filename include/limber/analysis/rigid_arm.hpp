#pragma once

// The same arm if none of its links bent: what deflections of the end effector are measured against.

#include <Eigen/Core>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/workspace.hpp"

namespace limber {

class RigidArm {
 public:
  /// The model must outlive this.
  explicit RigidArm(const Model& model) : model_(model), work_(model) {}

  /// Where the end effector is with the joints as q has them and all links unbent.
  FramePose<double> end_effector(Eigen::VectorXd q);

 private:
  const Model& model_;
  Workspace<double> work_;
};

/// What bending does to the end effector, in world axes.
struct Sag {
  FramePose<double> rigid;       ///< where it would be
  Eigen::Vector3d displacement;  ///< from there to where it is [m]
  Eigen::Vector3d rotation;      ///< rotation vector from there to how it is turned [rad]
};

/// `q_joints`: the joints of the rigid arm, where they differ from those of q (on a spring they give way, too).
Sag sag(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& q_joints);

}  // namespace limber
