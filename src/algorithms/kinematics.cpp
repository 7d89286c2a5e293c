#include "limber/algorithms/kinematics.hpp"

#include <cassert>

#include "instantiate.hpp"

namespace limber {
namespace {

// From a unit quaternion (x, y, z, w).
template <typename Scalar, typename Quaternion>
Matrix3<Scalar> rotation_from_quaternion(const Quaternion& u) {
  const Scalar x = u[0], y = u[1], z = u[2], w = u[3];
  const Scalar one(1), two(2);
  Matrix3<Scalar> R;
  R << one - two * (y * y + z * z), two * (x * y - z * w), two * (x * z + y * w),  //
      two * (x * y + z * w), one - two * (x * x + z * z), two * (y * z - x * w),   //
      two * (x * z - y * w), two * (y * z + x * w), one - two * (x * x + y * y);
  return R;
}

// exp[a q] for a unit axis.
template <typename Scalar>
Matrix3<Scalar> rotation_about(const Vector3<Scalar>& axis, const Scalar& angle) {
  using std::cos;
  using std::sin;
  const Scalar s = sin(angle), c = cos(angle);
  Matrix3<Scalar> R = skew<Scalar>(axis) * s;
  R += axis * axis.transpose() * (Scalar(1) - c);
  R.diagonal().array() += c;
  return R;
}

// The joint's part of (1): R_NJ R_J, and the way from J's origin to F's in the node's axes.
template <typename Scalar>
void place_joint(LinkWork<Scalar>& link, const VectorX<Scalar>& q, Matrix3<Scalar>& R_NF,
                 Vector3<Scalar>& p_NF) {
  using std::cos;
  using std::sin;
  const int i = link.q_index;
  p_NF = link.p_NJ;
  switch (link.joint_type) {
    case JointType::revolute:
      R_NF = link.revolute[0] + link.revolute[1] * sin(q[i]) + link.revolute[2] * cos(q[i]);
      break;
    case JointType::prismatic:
      R_NF = link.R_NJ;
      p_NF += link.R_NJ * (link.axes[0] * q[i]);
      break;
    case JointType::universal: {
      const Matrix3<Scalar> R_second = rotation_about<Scalar>(link.axes[1], q[i + 1]);
      R_NF = link.R_NJ * (rotation_about<Scalar>(link.axes[0], q[i]) * R_second);
      const Vector3<Scalar> first = R_second.transpose() * link.axes[0];
      link.S.col(0) << first.cross(link.p_BF), first;
      break;
    }
    case JointType::spherical:
    case JointType::free: {
      // The quaternion turns B against J; F's axes are B's turned by R_BF, and so is the joint frame in R_NJ.
      const bool moves = link.joint_type == JointType::free;
      const Matrix3<Scalar> R_J = rotation_from_quaternion<Scalar>(q.segment(moves ? i + 3 : i, 4));
      if (moves) p_NF += link.R_NJ * (link.R_BF.transpose() * q.template segment<3>(i));
      R_NF = link.R_NJ * (link.R_BF.transpose() * (R_J * link.R_BF));
      break;
    }
    case JointType::fixed:
      R_NF = link.R_NJ;
      break;
  }
  p_NF += R_NF * link.p_BF;
}

// Position, rotation and their derivatives with respect to eta.
template <typename Scalar, typename Eta>
void place_node(NodeWork<Scalar>& node, const Eta& eta) {
  node.r.noalias() = node.Phi * eta;
  node.theta.noalias() = node.Psi * eta;
  node.r[0] += node.x;
  node.r_eta = node.Phi;
  node.T = node.Psi;  // until Jl multiplies it
  if (node.second_order)
    for (int axis = 0; axis < 3; ++axis)
      for (Eigen::Index j = 0; j < eta.size(); ++j) {
        const Scalar B_eta = node.B[axis].col(j).dot(eta), C_eta = node.C[axis].col(j).dot(eta);
        node.r_eta(axis, j) += B_eta;
        node.T(axis, j) += C_eta;
        node.r[axis] += Scalar(0.5) * B_eta * eta[j];
        node.theta[axis] += Scalar(0.5) * C_eta * eta[j];
      }
  const Matrix3<Scalar> J = left_jacobian<Scalar>(node.theta);
  node.E = exp_rotation<Scalar>(node.theta);
  for (Eigen::Index j = 0; j < eta.size(); ++j) node.T.col(j) = (J * node.T.col(j)).eval();
}

// (2), (4), (5)
template <typename Scalar, typename Eta, typename Rate>
void move_node(NodeWork<Scalar>& node, const Vector6<Scalar>& V, const Eta& eta, const Rate& rate) {
  const Vector3<Scalar> v = V.template head<3>(), w = V.template tail<3>();
  node.r_rate.noalias() = node.r_eta * rate;
  node.w_relative.noalias() = node.T * rate;
  node.v = v + w.cross(node.r) + node.r_rate;
  node.w = w + node.w_relative;

  // theta's own rate and its part of thetadd that is quadratic in the rates
  Vector3<Scalar> theta_rate = node.Psi * rate;
  Vector3<Scalar> r_bias = Vector3<Scalar>::Zero(), theta_bias = Vector3<Scalar>::Zero();
  if (node.second_order)
    for (int axis = 0; axis < 3; ++axis)
      for (Eigen::Index j = 0; j < eta.size(); ++j) {
        r_bias[axis] += node.B[axis].col(j).dot(rate) * rate[j];
        theta_bias[axis] += node.C[axis].col(j).dot(rate) * rate[j];
        theta_rate[axis] += node.C[axis].col(j).dot(rate) * eta[j];
      }
  const Matrix3<Scalar> J_rate = left_jacobian_rate<Scalar>(node.theta, theta_rate);
  node.alpha_bias = w.cross(node.w_relative) + J_rate * theta_rate;
  if (node.second_order) node.alpha_bias += left_jacobian<Scalar>(node.theta) * theta_bias;
  node.a_bias = w.cross(w.cross(node.r)) + Scalar(2) * w.cross(node.r_rate) + r_bias;
}

template <typename Scalar>
void place_link(Workspace<Scalar>& work, LinkWork<Scalar>& link, const VectorX<Scalar>& q) {
  Matrix3<Scalar> R_NF;
  Vector3<Scalar> p_NF;
  place_joint(link, q, R_NF, p_NF);
  if (link.parent_node >= 0) {
    const NodeWork<Scalar>& node = work.links[link.parent].nodes[link.parent_node];
    link.R.noalias() = node.E * R_NF;
    link.d.noalias() = node.E * p_NF;
  } else {
    link.R = R_NF;
    link.d = p_NF;
  }
  if (!link.flexible) return;
  const auto eta = q.segment(link.q_index + link.joint_nq, link.m);
  for (NodeWork<Scalar>& node : link.nodes) place_node(node, eta);
  for (LumpWork<Scalar>& lump : link.lumps) place_node(lump.node, eta);
}

// The node's motion in the parent's axes; for a rigid parent that of its F.
template <typename Scalar>
struct NodeMotion {
  Vector3<Scalar> v, w, a_bias, alpha_bias;
};

template <typename Scalar>
NodeMotion<Scalar> node_motion(const Workspace<Scalar>& work, const LinkWork<Scalar>& link) {
  const Vector3<Scalar> zero = Vector3<Scalar>::Zero();
  if (link.parent < 0) return {zero, zero, zero, zero};
  const LinkWork<Scalar>& parent = work.links[link.parent];
  if (link.parent_node < 0) return {parent.V.template head<3>(), parent.V.template tail<3>(), zero, zero};
  const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
  return {node.v, node.w, node.a_bias, node.alpha_bias};
}

// (3), (6), (7)
template <typename Scalar>
void move_link(const Workspace<Scalar>& work, LinkWork<Scalar>& link, const VectorX<Scalar>& v) {
  const NodeMotion<Scalar> n = node_motion(work, link);
  const auto rate = v.segment(link.v_index, link.joint_nv);
  Vector3<Scalar> vJ = Vector3<Scalar>::Zero(), wJ = Vector3<Scalar>::Zero();
  for (Eigen::Index j = 0; j < link.joint_nv; ++j) {
    vJ += link.S.col(j).template head<3>() * rate[j];
    wJ += link.S.col(j).template tail<3>() * rate[j];
  }
  const Matrix3<Scalar>& R = link.R;
  const Vector3<Scalar> w_node = R.transpose() * n.w;
  link.V.template head<3>() = R.transpose() * (n.v + n.w.cross(link.d)) + vJ;
  link.V.template tail<3>() = w_node + wJ;

  Vector3<Scalar> c_w = R.transpose() * n.alpha_bias + w_node.cross(wJ);
  Vector3<Scalar> c_v =
      R.transpose() * (n.a_bias + n.alpha_bias.cross(link.d) + n.w.cross(n.w.cross(link.d))) +
      (Scalar(2) * w_node + wJ).cross(vJ);
  if (link.joint_type == JointType::universal) {
    const Vector3<Scalar> first = link.S.col(0).template tail<3>();
    const Vector3<Scalar> S_rate = first.cross(link.axes[1]) * (rate[0] * rate[1]);
    c_w += S_rate;
    c_v += S_rate.cross(link.p_BF);
  }
  link.c.template head<3>() = c_v;
  link.c.template tail<3>() = c_w;
}

}  // namespace

template <typename Scalar>
void update_positions(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q) {
  assert(q.size() == model.nq);
  (void)model;
  for (LinkWork<Scalar>& link : work.links) place_link(work, link, q);
}

template <typename Scalar>
void update_velocities(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                       const VectorX<Scalar>& v) {
  assert(q.size() == model.nq && v.size() == model.nv);
  (void)model;
  for (LinkWork<Scalar>& link : work.links) {
    place_link(work, link, q);
    move_link(work, link, v);
    if (!link.flexible) continue;
    const auto eta = q.segment(link.q_index + link.joint_nq, link.m);
    const auto rate = v.segment(link.v_index + link.joint_nv, link.m);
    for (NodeWork<Scalar>& node : link.nodes) move_node(node, link.V, eta, rate);
    for (LumpWork<Scalar>& lump : link.lumps) move_node(lump.node, link.V, eta, rate);
  }
}

template <typename Scalar>
void update_world_poses(Workspace<Scalar>& work) {
  for (LinkWork<Scalar>& link : work.links) {
    if (link.parent < 0) {
      link.R_W = link.R;
      link.p_W = link.d;
      continue;
    }
    const LinkWork<Scalar>& parent = work.links[link.parent];
    Vector3<Scalar> rho = link.d;
    if (link.parent_node >= 0) rho += parent.nodes[link.parent_node].r;
    link.R_W.noalias() = parent.R_W * link.R;
    link.p_W = parent.p_W + parent.R_W * rho;
  }
}

#define LIMBER_INSTANTIATE(Scalar)                                                          \
  template void update_positions(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&); \
  template void update_velocities(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                  const VectorX<Scalar>&);                                  \
  template void update_world_poses(Workspace<Scalar>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
