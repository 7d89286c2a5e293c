// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/model.hpp"

namespace limber {

Eigen::MatrixXd elastic_stiffness(const Model& model, bool joint_springs) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for (const Link& link : model.links()) {
    const Joint& joint = link.joint;
    if (joint_springs && !joint.has_quaternion())
      K.diagonal().segment(joint.v_index, joint.nv).setConstant(joint.stiffness);
    if (link.elastic_count > 0)
      K.block(link.elastic_v_index, link.elastic_v_index, link.elastic_count, link.elastic_count) =
          link.beam->integrals.stiffness;
  }
  return K;
}

Eigen::MatrixXd damping_matrix(const Model& model) {
  Eigen::MatrixXd D = Eigen::MatrixXd::Zero(model.nv(), model.nv());
  for (const Link& link : model.links()) {
    D.diagonal().segment(link.joint.v_index, link.joint.nv).setConstant(link.joint.damping);
    if (link.elastic_count > 0)
      D.block(link.elastic_v_index, link.elastic_v_index, link.elastic_count, link.elastic_count) =
          link.beam->damping;
  }
  return D;
}

}  // namespace limber
