// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (7): kinematics.hpp.

#include "limber/algorithms/detail/joint_motion.hpp"
#include "limber/algorithms/detail/one_link.hpp"

namespace limber::detail {
// Position, rotation and their derivatives with respect to eta.
template <typename Scalar, typename Size>
LIMBER_INLINE void place_node(NodeWork<Scalar>& node, const Scalar* eta, Size m) {
  Vec3<Scalar> r = node.r0, theta = Vec3<Scalar>::zero();
  for (int j = 0; j < m; ++j) {
    r += node.Phi[j] * eta[j];
    theta += node.Psi[j] * eta[j];
  }
  if (node.second_order)
    for (int j = 0; j < m; ++j) {
      Vec3<Scalar> B_eta = Vec3<Scalar>::zero(), C_eta = Vec3<Scalar>::zero();
      for (int k = 0; k < m; ++k) {
        B_eta += node.B[j * m + k] * eta[k];
        C_eta += node.C[j * m + k] * eta[k];
      }
      node.r_eta[j] = node.Phi[j] + B_eta;
      node.T[j] = node.Psi[j] + C_eta;  // until Jl multiplies it
      r += B_eta * (Scalar(0.5) * eta[j]);
      theta += C_eta * (Scalar(0.5) * eta[j]);
    }
  const RotationAt<Scalar> rotation(theta);
  const Mat3<Scalar> J = rotation.left_jacobian();
  if (!node.constant_screws)
    for (int j = 0; j < m; ++j) node.T[j] = J * (node.second_order ? node.T[j] : node.Psi[j]);
  node.r = r;
  node.rotation = rotation;
  node.J = J;
  node.E = rotation.exp();
}

// (2), (4), (5)
template <typename Scalar, typename Size>
LIMBER_INLINE void move_node(NodeWork<Scalar>& node, const Vec6<Scalar>& V, const Scalar* eta,
                             const Scalar* rate, Size m) {
  const Vec3<Scalar> w = V.angular;
  Vec3<Scalar> r_rate = Vec3<Scalar>::zero(), theta_rate = r_rate;
  // the parts of rdd and thetadd that are quadratic in the rates
  Vec3<Scalar> r_bias = r_rate, theta_bias = r_rate;
  for (int j = 0; j < m; ++j) {
    r_rate += node.r_eta[j] * rate[j];
    theta_rate += node.Psi[j] * rate[j];
  }
  if (node.second_order)
    for (int j = 0; j < m; ++j) {
      // B and C are symmetric: an element below the diagonal counts twice.
      for (int k = 0; k < j; ++k) {
        const Scalar rates = Scalar(2) * rate[j] * rate[k];
        r_bias += node.B[j * m + k] * rates;
        theta_bias += node.C[j * m + k] * rates;
        theta_rate += node.C[j * m + k] * (rate[j] * eta[k] + rate[k] * eta[j]);
      }
      r_bias += node.B[j * m + j] * (rate[j] * rate[j]);
      theta_bias += node.C[j * m + j] * (rate[j] * rate[j]);
      theta_rate += node.C[j * m + j] * (rate[j] * eta[j]);
    }
  node.r_rate = r_rate;
  node.w_relative = node.J * theta_rate;
  node.v = V.linear + cross(w, node.r) + r_rate;
  node.w = w + node.w_relative;
  node.alpha_bias = cross(w, node.w_relative) + node.rotation.left_jacobian_rate_times(theta_rate);
  node.a_bias = cross(w, cross(w, node.r) + r_rate * Scalar(2));
  if (node.second_order) {
    node.alpha_bias += node.J * theta_bias;
    node.a_bias += r_bias;
  }
}

template <typename Scalar>
LIMBER_INLINE void place_link(ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q) {
  Mat3<Scalar> R_NF;
  Vec3<Scalar> p_NF;
  place_joint(link, q + link.q_index, R_NF, p_NF);
  if (link.parent_node >= 0) {
    const NodeWork<Scalar>& node = work.links[link.parent].nodes[link.parent_node];
    R_NF = node.E * R_NF;
    p_NF = node.E * p_NF;
  }
  link.R = R_NF;
  link.Rt = R_NF.transposed();
  link.d = p_NF;
}

template <typename Scalar, typename Size>
LIMBER_INLINE void place_nodes(LinkWork<Scalar>& link, const Scalar* q, Size m) {
  const Scalar* eta = q + link.elastic_q();
  for (NodeWork<Scalar>& node : link.nodes) place_node(node, eta, m);
}

template <typename Scalar, typename Size>
LIMBER_INLINE void move_nodes(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, Size m) {
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  for (NodeWork<Scalar>& node : link.nodes) move_node(node, link.V, eta, rate, m);
}

// (3), (6), (7)
template <typename Scalar, typename JointSize>
LIMBER_INLINE void move_link(const ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* rate,
                             JointSize nj) {
  const NodeMotion<Scalar> n = node_motion(work, link);
  Vec6<Scalar> joint = Vec6<Scalar>::zero();
  for (int j = 0; j < nj; ++j) joint += link.S[j] * rate[j];
  link.V = motion_from_node(link, {n.v, n.w}) + joint;
  link.c = joint_bias(link, n, joint, rate);
}

template <typename Scalar>
void update_positions(ArmWork<Scalar>& work, const Scalar* q) {
  for (LinkWork<Scalar>& link : work.links) {
    place_link(work, link, q);
    if (link.flexible) with_elastic_size(link, [&](auto m) { place_nodes(link, q, m); });
  }
}

template <typename Scalar>
void update_nodes_of(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  if (!link.flexible) return;
  with_elastic_size(link, [&](auto m) {
    place_nodes(link, q, m);
    move_nodes(link, q, v, m);
  });
}

template <typename Scalar>
void update_velocities_of(ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  place_link(work, link, q);
  if (link.joint_nv == 1)
    move_link(work, link, v + link.v_index, Constant<1>{});
  else
    move_link(work, link, v + link.v_index, link.joint_nv);
  update_nodes_of(link, q, v);
}

template <typename Scalar>
void update_velocities(ArmWork<Scalar>& work, const Scalar* q, const Scalar* v) {
  for (LinkWork<Scalar>& link : work.links) update_velocities_of(work, link, q, v);
}

template <typename Scalar>
void update_world_poses(ArmWork<Scalar>& work) {
  for (LinkWork<Scalar>& link : work.links) {
    if (link.parent < 0) {
      link.R_W = link.R;
      link.p_W = link.d;
      continue;
    }
    const LinkWork<Scalar>& parent = work.links[link.parent];
    Vec3<Scalar> rho = link.d;
    if (link.parent_node >= 0) rho += parent.nodes[link.parent_node].r;
    link.R_W = parent.R_W * link.R;
    link.p_W = parent.p_W + parent.R_W * rho;
  }
}

}  // namespace limber::detail
