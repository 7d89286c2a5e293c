// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (7): kinematics.hpp.

#include "limber/algorithms/detail/joint_motion.hpp"
#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/telescope.hpp"
#include "limber/algorithms/detail/turn_joints.hpp"

namespace limber::detail {
// Position, rotation and their derivatives with respect to eta.
template <typename Scalar, typename Size>
LIMBER_INLINE void place_node(NodeWork<Scalar>& node, const Scalar* eta, Size m) {
  Vec3<Scalar> p_RN = node.p0_RN, theta = Vec3<Scalar>::zero();
  for (int j = 0; j < m; ++j) {
    p_RN += node.Phi[j] * eta[j];
    theta += node.Psi[j] * eta[j];
  }
  if (node.second_order)
    for (int j = 0; j < m; ++j) {
      Vec3<Scalar> Phi2_eta = Vec3<Scalar>::zero(), Psi2_eta = Vec3<Scalar>::zero();
      for (int k = 0; k < m; ++k) {
        Phi2_eta += node.Phi2[j * m + k] * eta[k];
        Psi2_eta += node.Psi2[j * m + k] * eta[k];
      }
      node.p_eta[j] = node.Phi[j] + Phi2_eta;
      node.w_eta[j] = node.Psi[j] + Psi2_eta;  // until Jl multiplies it
      p_RN += Phi2_eta * (Scalar(0.5) * eta[j]);
      theta += Psi2_eta * (Scalar(0.5) * eta[j]);
    }
  const RotationAt<Scalar> rotation(theta);
  const Mat3<Scalar> Jl = rotation.left_jacobian();
  if (!node.constant_screws)
    for (int j = 0; j < m; ++j) node.w_eta[j] = Jl * (node.second_order ? node.w_eta[j] : node.Psi[j]);
  node.p_RN = p_RN;
  node.rotation = rotation;
  node.Jl = Jl;
  node.R_RN = rotation.exp();
}

// (2), (4), (5) but for what is quadratic in the rates.
template <typename Scalar>
LIMBER_INLINE void set_node_motion(NodeWork<Scalar>& node, const LaneTwist<Scalar>& V_R,
                                   const Vec3<Scalar>& v_RN, const Vec3<Scalar>& theta_rate) {
  const Vec3<Scalar> w_R = V_R.angular;
  node.v_RN = v_RN;
  node.w_RN = node.Jl * theta_rate;
  node.V_N = {V_R.linear + cross(w_R, node.p_RN) + v_RN, w_R + node.w_RN};
  node.A_bias = {cross(w_R, cross(w_R, node.p_RN) + v_RN * Scalar(2)),
                 cross(w_R, node.w_RN) + node.rotation.left_jacobian_rate_times(theta_rate)};
}

// (2), (4), (5)
template <typename Scalar, typename Size>
LIMBER_INLINE void move_node(NodeWork<Scalar>& node, const LaneTwist<Scalar>& V_R, const Scalar* eta,
                             const Scalar* rate, Size m) {
  Vec3<Scalar> v_RN = Vec3<Scalar>::zero(), theta_rate = v_RN;
  // the parts of d^2/dt^2 p_RN and theta that are quadratic in the rates
  Vec3<Scalar> p_bias = v_RN, theta_bias = v_RN;
  for (int j = 0; j < m; ++j) {
    v_RN += node.p_eta[j] * rate[j];
    theta_rate += node.Psi[j] * rate[j];
  }
  if (node.second_order)
    for (int j = 0; j < m; ++j) {
      // Phi2 and Psi2 are symmetric: an element below the diagonal counts twice.
      for (int k = 0; k < j; ++k) {
        const Scalar rates = Scalar(2) * rate[j] * rate[k];
        p_bias += node.Phi2[j * m + k] * rates;
        theta_bias += node.Psi2[j * m + k] * rates;
        theta_rate += node.Psi2[j * m + k] * (rate[j] * eta[k] + rate[k] * eta[j]);
      }
      p_bias += node.Phi2[j * m + j] * (rate[j] * rate[j]);
      theta_bias += node.Psi2[j * m + j] * (rate[j] * rate[j]);
      theta_rate += node.Psi2[j * m + j] * (rate[j] * eta[j]);
    }
  set_node_motion(node, V_R, v_RN, theta_rate);
  if (node.second_order) node.A_bias += {p_bias, node.Jl * theta_bias};
}

template <typename Scalar>
LIMBER_INLINE void place_link(ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q) {
  Mat3<Scalar> R_NR;
  Vec3<Scalar> p_NR;
  place_joint(link, q + link.q_index, R_NR, p_NR);
  if (link.parent_node >= 0) {
    const NodeWork<Scalar>& node = work.links[link.parent].nodes[link.parent_node];
    R_NR = node.R_RN * R_NR;  // R_PN: from here on in P's axes
    p_NR = node.R_RN * p_NR;
  }
  link.R_PR = R_NR;
  link.R_RP = R_NR.transposed();
  link.p_NR_P = p_NR;
}

// The same of a telescoping beam.
template <typename Scalar>
void move_telescope(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  for (std::size_t i = 0; i < link.nodes.size(); ++i) {
    NodeWork<Scalar>& node = link.nodes[i];
    const TelescopeMotion<Scalar> motion = telescope_motion(link, i, q, v);
    Vec3<Scalar> v_RN = Vec3<Scalar>::zero();
    for (int c = 0; c < link.m; ++c) v_RN += node.p_eta[c] * v[link.elastic_v() + c];
    set_node_motion(node, link.V_R, v_RN, motion.theta_rate);
    node.A_bias += {motion.p_bias, node.Jl * motion.theta_bias};
  }
}

template <typename Scalar, typename Size>
LIMBER_INLINE void place_nodes(LinkWork<Scalar>& link, const Scalar* q, Size m) {
  if (link.telescopes) [[unlikely]]
    return place_telescope(link, q);
  const Scalar* eta = q + link.elastic_q();
  for (NodeWork<Scalar>& node : link.nodes) place_node(node, eta, m);
}

template <typename Scalar, typename Size>
LIMBER_INLINE void move_nodes(LinkWork<Scalar>& link, const Scalar* q, const Scalar* v, Size m) {
  if (link.telescopes) [[unlikely]]
    return move_telescope(link, q, v);
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  for (NodeWork<Scalar>& node : link.nodes) move_node(node, link.V_R, eta, rate, m);
}

// (3), (6), (7)
template <typename Scalar, typename JointSize>
LIMBER_INLINE void move_link(const ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* rate,
                             JointSize nj) {
  const NodeMotion<Scalar> N = node_motion(work, link);
  LaneTwist<Scalar> V_J = LaneTwist<Scalar>::zero();
  for (int j = 0; j < nj; ++j) V_J += link.S[j] * rate[j];
  link.V_R = motion_from_node(link, N.V) + V_J;
  link.A_bias = joint_bias(link, N, V_J, rate);
}

template <typename Scalar>
void update_positions(ArmWork<Scalar>& work, const Scalar* q) {
  turn_joints(work, q);
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
  turn_joints(work, q);
  for (LinkWork<Scalar>& link : work.links) update_velocities_of(work, link, q, v);
}

template <typename Scalar>
void update_world_poses(ArmWork<Scalar>& work) {
  for (LinkWork<Scalar>& link : work.links) {
    if (link.parent < 0) {
      link.R_WR = link.R_PR;  // P and N are W
      link.p_WR = link.p_NR_P;
      continue;
    }
    const LinkWork<Scalar>& parent = work.links[link.parent];
    Vec3<Scalar> p_PR = link.p_NR_P;
    if (link.parent_node >= 0) p_PR += parent.nodes[link.parent_node].p_RN;
    link.R_WR = parent.R_WR * link.R_PR;
    link.p_WR = parent.p_WR + parent.R_WR * p_PR;
  }
}

}  // namespace limber::detail
