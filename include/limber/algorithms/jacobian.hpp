#pragma once

// How a point of the arm moves: its pose, velocity, acceleration, and Jacobian.

#include "limber/algorithms/workspace.hpp"

namespace limber {

/// A frame fixed to a node of a link: E in the node's (section's) frame N. Default: the node itself.
struct FrameOnLink {
  int link = 0;
  int node = 0;  ///< index into Link::nodes; 0 is the tip
  Pose X_NE;
};

/// The end effector as such a frame.
inline FrameOnLink end_effector_frame(const Model& model) {
  return {model.end_effector.link, model.end_effector.node, model.end_effector.X_NE};
}

/// In which axes, and of which point, a six-vector of motion is given.
enum class MotionAxes {
  local,                ///< of E's origin, in E's axes
  local_world_aligned,  ///< of E's origin, in the world's axes
  world                 ///< of the point of E that passes the world's origin, in the world's axes
};

template <typename Scalar>
struct FramePose {
  Matrix3<Scalar> R;  ///< from E's axes to the world's
  Vector3<Scalar> p;  ///< E's origin in the world
};

/// Pose of E: needs update_positions and update_world_poses.
template <typename Scalar>
FramePose<Scalar> frame_pose(const Model& model, const Workspace<Scalar>& work, const FrameOnLink& frame);

/// Twist of E: needs update_velocities and update_world_poses.
template <typename Scalar>
Vector6<Scalar> frame_twist(const Model& model, const Workspace<Scalar>& work, const FrameOnLink& frame,
                            MotionAxes axes);

/// J with twist = J v, 6 x nv: needs update_positions and update_world_poses.
template <typename Scalar>
void frame_jacobian(const Model& model, const Workspace<Scalar>& work, const FrameOnLink& frame,
                    MotionAxes axes, Matrix6X<Scalar>& J);

/// The rate of the twist's components at qdd = 0, that is (dJ/dt) v: computes all it needs from q and v.
template <typename Scalar>
Vector6<Scalar> frame_bias_acceleration(const Model& model, Workspace<Scalar>& work, const FrameOnLink& frame,
                                        MotionAxes axes, const VectorX<Scalar>& q, const VectorX<Scalar>& v);

}  // namespace limber
