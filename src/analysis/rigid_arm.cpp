// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/rigid_arm.hpp"

#include <Eigen/Geometry>

#include "limber/algorithms/kinematics.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

PoseOf<double> RigidArm::end_effector(const Input<double>& q_bent) {
  detail::Call{"RigidArm::end_effector", model_}.require_position("q", q_bent);
  Eigen::VectorXd q = q_bent;
  for (const Link& link : model_.links()) {
    q.segment(link.elastic_q_index, link.elastic_count).setZero();
    if (link.joint.has_motor()) q[link.joint.q_index] = q[link.joint.q_index + 1];  // gears are rigid too
  }
  update_positions(model_, work_, q);
  update_world_poses(work_);
  return frame_pose(model_, work_, end_effector_frame(model_));
}

Sag sag(const Model& model, const Input<double>& q, const Input<double>& q_joints) {
  const detail::Call call{"sag", model};
  call.require_position("q", q);
  call.require_position("q_joints", q_joints);
  Workspace<double> work(model);
  update_positions(model, work, q);
  update_world_poses(work);
  const PoseOf<double> bent = frame_pose(model, work, end_effector_frame(model));
  const PoseOf<double> rigid = RigidArm(model).end_effector(q_joints);
  const Eigen::AngleAxisd turn(Eigen::Matrix3d(bent.R * rigid.R.transpose()));
  return {rigid, bent.p - rigid.p, turn.angle() * turn.axis()};
}

}  // namespace limber
