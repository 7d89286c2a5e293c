// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/model.hpp"

namespace limber {
namespace {

// What acts on a joint's own coordinates, and between the last of them and its motor.
void add_joint(Eigen::MatrixXd& A, const Joint& joint, double own, double gear) {
  A.diagonal().segment(joint.v_index, joint.facts().moving()).array() += own;
  if (!joint.has_motor()) return;
  const int motor = joint.driven_index(), moved = motor - 1;
  A(moved, moved) += gear;
  A(motor, motor) += gear;
  A(moved, motor) -= gear;
  A(motor, moved) -= gear;
}

}  // namespace

Eigen::MatrixXd elastic_stiffness(const Model& model, bool joint_springs) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    if (!joint.has_quaternion())
      add_joint(K, joint, joint_springs ? joint.stiffness : 0.0, joint.gear.stiffness);
    if (link.elastic_count > 0)
      K.block(link.elastic_v_index, link.elastic_v_index, link.elastic_count, link.elastic_count) =
          link.elastic->integrals.stiffness;
  }
  return K;
}

Eigen::MatrixXd damping_matrix(const Model& model) {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for (const Link& link : model.links()) {
    add_joint(D, link.joint, link.joint.damping, link.joint.gear.damping);
    if (link.elastic_count > 0)
      D.block(link.elastic_v_index, link.elastic_v_index, link.elastic_count, link.elastic_count) =
          link.elastic->damping;
  }
  return D;
}

}  // namespace limber
