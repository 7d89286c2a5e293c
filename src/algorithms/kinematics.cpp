#include "limber/algorithms/kinematics.hpp"

#include <cassert>

#include "instantiate.hpp"
#include "one_link.hpp"
#include "with_sizes.hpp"

namespace limber {
namespace {

// From a unit quaternion (x, y, z, w).
template <typename Scalar>
Mat3<Scalar> rotation_from_quaternion(const Scalar* u) {
  const Scalar x = u[0], y = u[1], z = u[2], w = u[3];
  const Scalar one(1), two(2);
  return {{one - two * (y * y + z * z), two * (x * y + z * w), two * (x * z - y * w)},
          {two * (x * y - z * w), one - two * (x * x + z * z), two * (y * z + x * w)},
          {two * (x * z + y * w), two * (y * z - x * w), one - two * (x * x + y * y)}};
}

// exp[a q] for a unit axis.
template <typename Scalar>
Mat3<Scalar> rotation_about(const Vec3<Scalar>& axis, const Scalar& angle) {
  using std::cos;
  using std::sin;
  const Scalar s = sin(angle), c = cos(angle);
  return Mat3<Scalar>::skew(axis * s) + outer(axis, axis * (Scalar(1) - c)) +
         Mat3<Scalar>::scaled_identity(c);
}

// The joint's part of (1): R_NJ R_J, and the way from J's origin to F's in the node's axes.
template <typename Scalar>
LIMBER_INLINE void place_joint(LinkWork<Scalar>& link, const Scalar* q, Mat3<Scalar>& R_NF,
                               Vec3<Scalar>& p_NF) {
  using std::cos;
  using std::sin;
  p_NF = link.p_NJ;
  switch (link.joint_type) {
    case JointType::revolute:
      R_NF = link.revolute[0] + link.revolute[1] * sin(q[0]) + link.revolute[2] * cos(q[0]);
      break;
    case JointType::prismatic:
      R_NF = link.R_NJ;
      p_NF += link.R_NJ * (link.axes[0] * q[0]);
      break;
    case JointType::universal: {
      const Mat3<Scalar> R_second = rotation_about(link.axes[1], q[1]);
      R_NF = link.R_NJ * (rotation_about(link.axes[0], q[0]) * R_second);
      const Vec3<Scalar> first = transposed_times(R_second, link.axes[0]);
      link.S[0] = {cross(first, link.p_BF), first};
      break;
    }
    case JointType::spherical:
    case JointType::free: {
      // The quaternion turns B against J; F's axes are B's turned by R_BF, and so is the joint frame in R_NJ.
      const bool moves = link.joint_type == JointType::free;
      const Mat3<Scalar> R_FB = link.R_BF.transposed();
      if (moves) p_NF += link.R_NJ * (R_FB * Vec3<Scalar>(q[0], q[1], q[2]));
      R_NF = link.R_NJ * (R_FB * (rotation_from_quaternion(moves ? q + 3 : q) * link.R_BF));
      break;
    }
    case JointType::fixed:
      R_NF = link.R_NJ;
      break;
  }
  p_NF += R_NF * link.p_BF;
}

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
LIMBER_INLINE void place_link(Workspace<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q) {
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

// The node's motion in the parent's axes; for a rigid parent that of its F.
template <typename Scalar>
struct NodeMotion {
  Vec3<Scalar> v, w, a_bias, alpha_bias;
};

template <typename Scalar>
LIMBER_INLINE NodeMotion<Scalar> node_motion(const Workspace<Scalar>& work, const LinkWork<Scalar>& link) {
  const Vec3<Scalar> zero = Vec3<Scalar>::zero();
  if (link.parent < 0) return {zero, zero, zero, zero};
  const LinkWork<Scalar>& parent = work.links[link.parent];
  if (link.parent_node < 0) return {parent.V.linear, parent.V.angular, zero, zero};
  const NodeWork<Scalar>& node = parent.nodes[link.parent_node];
  return {node.v, node.w, node.a_bias, node.alpha_bias};
}

// (3), (6), (7)
template <typename Scalar, typename JointSize>
LIMBER_INLINE void move_link(const Workspace<Scalar>& work, LinkWork<Scalar>& link, const Scalar* rate,
                             JointSize nj) {
  const NodeMotion<Scalar> n = node_motion(work, link);
  Vec6<Scalar> joint = Vec6<Scalar>::zero();
  for (int j = 0; j < nj; ++j) joint += link.S[j] * rate[j];
  const Vec3<Scalar> w_node = link.Rt * n.w;
  const Vec3<Scalar> w_x_d = cross(n.w, link.d);
  link.V = {link.Rt * (n.v + w_x_d) + joint.linear, w_node + joint.angular};

  Vec3<Scalar> c_w = cross(w_node, joint.angular);
  Vec3<Scalar> c_v = n.a_bias + cross(n.w, w_x_d);
  if (link.parent_node >= 0) {
    c_w += link.Rt * n.alpha_bias;
    c_v += cross(n.alpha_bias, link.d);
  }
  c_v = link.Rt * c_v + cross(w_node * Scalar(2) + joint.angular, joint.linear);
  if (link.joint_type == JointType::universal) {
    const Vec3<Scalar> S_rate = cross(link.S[0].angular, link.axes[1]) * (rate[0] * rate[1]);
    c_w += S_rate;
    c_v += cross(S_rate, link.p_BF);
  }
  link.c = {c_v, c_w};
}

}  // namespace

template <typename Scalar>
void update_positions(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q) {
  assert(q.size() == model.nq);
  (void)model;
  for (LinkWork<Scalar>& link : work.links) {
    place_link(work, link, q.data());
    if (link.flexible) with_elastic_size(link, [&](auto m) { place_nodes(link, q.data(), m); });
  }
}

template <typename Scalar>
void update_velocities_of(Workspace<Scalar>& work, LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  place_link(work, link, q);
  if (link.joint_nv == 1)
    move_link(work, link, v + link.v_index, Constant<1>{});
  else
    move_link(work, link, v + link.v_index, link.joint_nv);
  if (!link.flexible) return;
  with_elastic_size(link, [&](auto m) {
    place_nodes(link, q, m);
    move_nodes(link, q, v, m);
  });
}

template <typename Scalar>
void update_velocities(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                       const VectorX<Scalar>& v) {
  assert(q.size() == model.nq && v.size() == model.nv);
  (void)model;
  for (LinkWork<Scalar>& link : work.links) update_velocities_of(work, link, q.data(), v.data());
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
    Vec3<Scalar> rho = link.d;
    if (link.parent_node >= 0) rho += parent.nodes[link.parent_node].r;
    link.R_W = parent.R_W * link.R;
    link.p_W = parent.p_W + parent.R_W * rho;
  }
}

#define LIMBER_INSTANTIATE(Scalar)                                                          \
  template void update_positions(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&); \
  template void update_velocities(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                  const VectorX<Scalar>&);                                  \
  template void update_world_poses(Workspace<Scalar>&);                                     \
  template void update_velocities_of(Workspace<Scalar>&, LinkWork<Scalar>&, const Scalar*, const Scalar*);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
