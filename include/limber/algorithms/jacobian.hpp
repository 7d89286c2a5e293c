// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a point of the arm moves: its pose, velocity, acceleration, and Jacobian.

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// The end effector's frame.
inline const Frame& end_effector_frame(const Model& model) { return model.end_effector(); }

/// In which axes, and of which point, a six-vector of motion is given.
enum class MotionAxes {
  local,                ///< of E's origin, in E's axes
  local_world_aligned,  ///< of E's origin, in the world's axes
  world                 ///< of the point of E that passes the world's origin, in the world's axes
};

/// Pose of E: needs update_positions and update_world_poses.
template <typename Scalar>
PoseOf<Scalar> frame_pose(const Model& model, const Workspace<Scalar>& work, const Frame& frame);

/// Pose of a link's root frame R: needs update_positions and update_world_poses.
template <typename Scalar>
PoseOf<Scalar> root_pose(const Model& model, const Workspace<Scalar>& work, int link);

/// Twist of E: needs update_velocities and update_world_poses.
template <typename Scalar>
TwistOf<Scalar> frame_twist(const Model& model, const Workspace<Scalar>& work, const Frame& frame,
                            MotionAxes axes);

/// J with twist = J v, 6 x nv: needs update_positions and update_world_poses.
template <typename Scalar>
void frame_jacobian(const Model& model, const Workspace<Scalar>& work, const Frame& frame, MotionAxes axes,
                    JacobianOutput<Scalar> J);

/// The rate of the twist's components at qdd = 0, that is (dJ/dt) v: computes all it needs from q and v.
template <typename Scalar>
TwistOf<Scalar> frame_bias_acceleration(const Model& model, Workspace<Scalar>& work, const Frame& frame,
                                        MotionAxes axes, const Input<Scalar>& q, const Input<Scalar>& v);

}  // namespace limber
