#pragma once

// What a joint does between the node it sits on and its link: place, and what remains of the link's acceleration
// ((1), (6) and (7) of kinematics.hpp).

#include "to_parent.hpp"

namespace limber {

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

// (6), (7) for a relative motion (vJ, wJ) = joint whose coordinates change at `rate`.
template <typename Scalar>
LIMBER_INLINE Vec6<Scalar> joint_bias(const LinkWork<Scalar>& link, const NodeMotion<Scalar>& n,
                                      const Vec6<Scalar>& joint, const Scalar* rate) {
  const Vec3<Scalar> w_node = link.Rt * n.w;
  Vec3<Scalar> c_w = cross(w_node, joint.angular);
  Vec3<Scalar> c_v = n.a_bias + cross(n.w, cross(n.w, link.d));
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
  return {c_v, c_w};
}

}  // namespace limber
