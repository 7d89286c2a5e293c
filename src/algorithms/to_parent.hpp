#pragma once

// Carrying inertia and force from a link to its parent (DESIGN: B_i^T Ma B_i and B_i^T pa), in three steps:
// turn into the parent's axes, shift to the node, and let the node's Jacobian G = [1 -[r]x r_eta; 0 1 T]
// spread them over the parent's frame and elastic coordinates.

#include "limber/algorithms/workspace.hpp"

namespace limber {

// [f; n] of a wrench at F, in the node: turned into the parent's axes, moment about the node.
template <typename Scalar>
Vector6<Scalar> wrench_at_node(const LinkWork<Scalar>& link, const Vector6<Scalar>& wrench) {
  Vector6<Scalar> result;
  const Vector3<Scalar> f = link.R * wrench.template head<3>();
  result.template head<3>() = f;
  result.template tail<3>() = link.R * wrench.template tail<3>() + link.d.cross(f);
  return result;
}

// The acceleration (or any motion) of the node as F sees it: the transpose of wrench_at_node.
template <typename Scalar>
Vector6<Scalar> motion_from_node(const LinkWork<Scalar>& link, const Vector6<Scalar>& motion) {
  Vector6<Scalar> result;
  const Vector3<Scalar> w = motion.template tail<3>();
  result.template head<3>() = link.R.transpose() * (motion.template head<3>() + w.cross(link.d));
  result.template tail<3>() = link.R.transpose() * w;
  return result;
}

// A motion's (d/dt-free) part at a node from its link's frame and elastic coordinates: G [motion; rates].
template <typename Scalar, typename Rates>
Vector6<Scalar> motion_at(const NodeWork<Scalar>& node, const Vector6<Scalar>& motion, const Rates& rates) {
  Vector6<Scalar> result;
  const Vector3<Scalar> w = motion.template tail<3>();
  Vector3<Scalar> linear = motion.template head<3>() + w.cross(node.r), angular = w;
  for (Eigen::Index j = 0; j < rates.size(); ++j) {
    linear += node.r_eta.col(j) * rates[j];
    angular += node.T.col(j) * rates[j];
  }
  result.template head<3>() = linear;
  result.template tail<3>() = angular;
  return result;
}

// A wrench at a node, on its link's frame: moment about F's origin.
template <typename Scalar>
Vector6<Scalar> wrench_from_node(const NodeWork<Scalar>& node, const Vector6<Scalar>& wrench) {
  Vector6<Scalar> result = wrench;
  result.template tail<3>() += node.r.cross(Vector3<Scalar>(wrench.template head<3>()));
  return result;
}

// ... and on its elastic coordinate j.
template <typename Scalar>
Scalar elastic_force(const NodeWork<Scalar>& node, int j, const Vector6<Scalar>& wrench) {
  return node.r_eta.col(j).dot(wrench.template head<3>()) + node.T.col(j).dot(wrench.template tail<3>());
}

// X^T M X for X = [1 -[d]x; 0 1]: the same inertia seen from a frame shifted by -d.
template <typename Scalar>
void shift_inertia(const Vector3<Scalar>& d, Matrix6<Scalar>& M) {
  const Matrix3<Scalar> D = skew<Scalar>(d);
  const Matrix3<Scalar> A = M.template topLeftCorner<3, 3>();
  const Matrix3<Scalar> B = M.template topRightCorner<3, 3>();
  const Matrix3<Scalar> B_shifted = B - A * D;
  const Matrix3<Scalar> DB = D * B_shifted;
  const Matrix3<Scalar> BD = B.transpose() * D;
  M.template topRightCorner<3, 3>() = B_shifted;
  M.template bottomLeftCorner<3, 3>() = B_shifted.transpose();
  M.template bottomRightCorner<3, 3>() += DB - BD;
}

template <typename Scalar>
Matrix6<Scalar> inertia_at_node(const LinkWork<Scalar>& link, const Matrix6<Scalar>& M) {
  const Matrix3<Scalar>& R = link.R;
  Matrix6<Scalar> result;
  result.template topLeftCorner<3, 3>() = R * M.template topLeftCorner<3, 3>() * R.transpose();
  result.template topRightCorner<3, 3>() = R * M.template topRightCorner<3, 3>() * R.transpose();
  result.template bottomRightCorner<3, 3>() = R * M.template bottomRightCorner<3, 3>() * R.transpose();
  shift_inertia<Scalar>(link.d, result);
  return result;
}

// Adds an inertia at a node to its link.
template <typename Scalar>
void add_inertia(const NodeWork<Scalar>& node, Matrix6<Scalar> M, LinkWork<Scalar>& link) {
  for (int j = 0; j < link.m; ++j) {
    Vector6<Scalar> column;
    column << node.r_eta.col(j), node.T.col(j);
    const Vector6<Scalar> momentum = M * column;
    link.M_re.col(j) += wrench_from_node(node, momentum);
    for (int k = 0; k <= j; ++k) {
      const Scalar value = elastic_force(node, k, momentum);
      link.M_ee(k, j) += value;
      if (k != j) link.M_ee(j, k) += value;
    }
  }
  shift_inertia<Scalar>(node.r, M);
  link.M_rr += M;
}

// Adds a wrench at a node to the forces of its link.
template <typename Scalar>
void add_wrench(const NodeWork<Scalar>& node, const Vector6<Scalar>& wrench, LinkWork<Scalar>& link) {
  link.p_r += wrench_from_node(node, wrench);
  for (int j = 0; j < link.m; ++j) link.p_e[j] += elastic_force(node, j, wrench);
}

// The acceleration that reaches link i from its parent: B_i [A_p; etadd_p] + c_i. The ground accelerates with
// -g.
template <typename Scalar>
Vector6<Scalar> incoming_acceleration(const Workspace<Scalar>& work, const LinkWork<Scalar>& link,
                                      const VectorX<Scalar>& qdd) {
  Vector6<Scalar> at_node;
  if (link.parent < 0) {
    at_node.template head<3>() = -work.gravity;
    at_node.template tail<3>().setZero();
  } else {
    const LinkWork<Scalar>& parent = work.links[link.parent];
    at_node = parent.A;
    if (link.parent_node >= 0)
      at_node = motion_at(parent.nodes[link.parent_node], parent.A,
                          qdd.segment(parent.v_index + parent.joint_nv, parent.m));
  }
  return motion_from_node(link, at_node) + link.c;
}

}  // namespace limber
