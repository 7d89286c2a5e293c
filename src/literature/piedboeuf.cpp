// SPDX-License-Identifier: BSD-3-Clause
#include "limber/literature/piedboeuf.hpp"

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/telescopes.hpp"

namespace limber {

using namespace detail;

namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Matrix3Xd with_linear_part(const Matrix3Xd& constant, const std::array<MatrixXd, 3>& linear,
                           const VectorXd& eta) {
  Matrix3Xd J = constant;
  for (int axis = 0; axis < 3; ++axis)
    J.row(axis) += eta.transpose() * linear[static_cast<std::size_t>(axis)];
  return J;
}

VectorXd elastic_part(const Link& link, const VectorXd& q) {
  return q.segment(link.elastic_q_index, link.elastic_count);
}

// A node in its link's R, as the paper has it.
Pose node_pose(const Link& link, int node, const VectorXd& q) {
  const Node& at = link.nodes[static_cast<std::size_t>(node)];
  if (link.elastic_count == 0) return at.X_RN;
  const VectorXd eta = elastic_part(link, q);
  return {second_order_rotation(at.field, eta), at.field.position<double>(eta)};
}

// R of a link in the node on which it sits: what the joint does, free of the parent's bending.
Pose link_in_node(const Model& model, const Workspace<double>& work, int link) {
  const LinkWork<double>& at = work.arm().links[static_cast<std::size_t>(link)];
  const Pose X_PR{at.R_PR, at.p_NR_P};
  if (at.parent_node >= 0) {
    const Matrix3d E = work.arm().links[static_cast<std::size_t>(at.parent)].nodes[at.parent_node].R_RN;
    return {E.transpose() * X_PR.R, E.transpose() * X_PR.p};
  }
  if (at.parent < 0) return X_PR;
  const Pose& X_PN = model.links()[at.parent].nodes[model.links()[link].parent_node].X_RN;
  return X_PN.inverse() * X_PR;
}

}  // namespace

Matrix3Xd LocalJacobians::translation(const Input<double>& eta) const {
  require_extent("LocalJacobians::translation", "eta", eta, J_T0.cols(), 1);
  return with_linear_part(J_T0, J_T, eta);
}
Matrix3Xd LocalJacobians::rotation(const Input<double>& eta) const {
  require_extent("LocalJacobians::rotation", "eta", eta, J_R0.cols(), 1);
  return with_linear_part(J_R0, J_R, eta);
}

LocalJacobians local_jacobians(const BeamNode& node) {
  const auto m = node.Phi.cols();
  LocalJacobians result{node.Phi, node.Psi, {}, {}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const MatrixXd zero = MatrixXd::Zero(m, m);
    result.J_T[axis] = node.is_second_order() ? node.Phi2[axis] : zero;
    result.J_R[axis] = node.is_second_order() ? node.Psi2[axis] : zero;
  }
  for (Eigen::Index i = 0; i < m; ++i)
    for (Eigen::Index j = 0; j < m; ++j) {
      const Vector3d half = 0.5 * Vector3d(node.Psi.col(i)).cross(Vector3d(node.Psi.col(j)));
      for (int axis = 0; axis < 3; ++axis) result.J_R[static_cast<std::size_t>(axis)](i, j) += half[axis];
    }
  return result;
}

Matrix3d second_order_rotation(const BeamNode& node, const Input<double>& eta) {
  require_extent("second_order_rotation", "eta", eta, node.Psi.cols(), 1);
  const Matrix3d linear = skew<double>(node.Psi * eta);
  return Matrix3d::Identity() + skew<double>(node.rotation_vector<double>(VectorXd(eta))) +
         0.5 * linear * linear;
}

Matrix6X<double> piedboeuf_jacobian(const Model& model, const Input<double>& q, const Frame& frame) {
  const Call call{"piedboeuf_jacobian", model};
  call.require_position("q", q);
  call.require_node("frame", frame.link, frame.node);
  require_no_telescopes(model, "the paper's Jacobians");
  Workspace<double> work(model);
  update_positions(model, work, q);
  // (27), (28): R of every link in the world.
  std::vector<Pose> X_WF;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const Link& link = model.links()[i];
    Pose X_WN;
    if (link.parent >= 0)
      X_WN = X_WF[static_cast<std::size_t>(link.parent)] *
             node_pose(model.links()[link.parent], link.parent_node, q);
    X_WF.push_back(X_WN * link_in_node(model, work, static_cast<int>(i)));
  }
  const Pose X_WE = X_WF[static_cast<std::size_t>(frame.link)] *
                    node_pose(model.links()[frame.link], frame.node, q) * frame.X_NE;

  Matrix6X<double> J = Matrix6X<double>::Zero(6, model.nv());
  int node = frame.node;
  for (int i = frame.link; i >= 0; node = model.links()[i].parent_node, i = model.links()[i].parent) {
    const Link& link = model.links()[i];
    const Pose& X_WL = X_WF[static_cast<std::size_t>(i)];
    const Vector3d r = X_WE.p - X_WL.p;
    for (int j = 0; j < link.joint.nv; ++j) {  // (3), about R's origin
      const LaneTwist<double>& S = work.arm().links[static_cast<std::size_t>(i)].S[j];
      const Vector3d a = X_WL.R * Vector3d(S.angular);
      J.col(link.joint.v_index + j) << X_WL.R * Vector3d(S.linear) + a.cross(r), a;
    }
    if (link.elastic_count == 0) continue;
    const LocalJacobians local = local_jacobians(link.nodes[static_cast<std::size_t>(node)].field);
    const VectorXd eta = elastic_part(link, q);
    const Matrix3Xd J_T = X_WL.R * local.translation(eta), J_R = X_WL.R * local.rotation(eta);  // (25)
    const Vector3d r_e = X_WE.p - X_WL * node_pose(link, node, q).p;
    J.block(0, link.elastic_v_index, 3, link.elastic_count) = J_T - skew<double>(r_e) * J_R;  // (26)
    J.block(3, link.elastic_v_index, 3, link.elastic_count) = J_R;
  }
  return J;
}

}  // namespace limber
