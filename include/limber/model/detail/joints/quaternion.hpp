// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the kinds with a unit quaternion u = (vector, scalar) share. It turns B against J; w is the angular velocity in B's axes:
//
//   d/dt vector = 1/2 (scalar w + vector x w),    d/dt scalar = -1/2 vector . w                     (1)
//
// A displacement f is a rotation vector in B's axes, R(u (+) f) = R(u) exp[f]. While it grows, B turns at Jr(f) df/dt, and
//
//   df/dt = Jr^-1(f) w,    Jr^-1(f) = Jl^-1(-f) = 1 + 1/2 [f] + g [f]^2                              (2)
//
// with g of rotation_series.hpp: exact for every f, singular at a full turn, |f| = 2 pi.

#include "limber/math/rotation.hpp"
#include "limber/model/detail/joint_work.hpp"

namespace limber::detail::joint_kinds {

using ConstVector3 = Eigen::Map<const Vector3d>;
using ConstVector4 = Eigen::Map<const Eigen::Vector4d>;
using MapVector3 = Eigen::Map<Vector3d>;
using MapVector4 = Eigen::Map<Eigen::Vector4d>;

template <typename Scalar>
Mat3<Scalar> rotation_from_quaternion(const Scalar* u) {
  const Scalar x = u[0], y = u[1], z = u[2], w = u[3];
  const Scalar one(1), two(2);
  return {{one - two * (y * y + z * z), two * (x * y + z * w), two * (x * z - y * w)},
          {two * (x * y - z * w), one - two * (x * x + z * z), two * (y * z + x * w)},
          {two * (x * z + y * w), two * (y * z - x * w), one - two * (x * x + y * y)}};
}

/// R_NR0 R_J, where R_J is a quaternion's of B against J.
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> turned_by_quaternion(const JointWork<Scalar>& joint, const Mat3<Scalar>& R_RB,
                                                const Scalar* u) {
  return joint.R_NR0 * (R_RB * (rotation_from_quaternion(u) * joint.R_BR));
}

/// S of the angular velocity's components in B's axes.
template <typename Scalar>
void set_turning_columns(const JointWork<Scalar>& joint, LaneTwist<Scalar>* S) {
  const Mat3<Scalar> R_RB = joint.R_BR.transposed();
  for (int i = 0; i < 3; ++i) S[i] = turning_about(R_RB[i], joint.p_BR_R);
}

/// (1)
inline void quaternion_rate(const double* u, const Vector3d& w, double* rate) {
  const ConstVector3 vector(u);
  MapVector3{rate} = 0.5 * (u[3] * w + vector.cross(w));
  rate[3] = -0.5 * vector.dot(w);
}

/// The other way round; what changes the quaternion's length is left out.
inline Vector3d angular_velocity(const double* u, const double* rate) {
  const ConstVector3 vector(u), part(rate);
  return 2.0 * (u[3] * part - vector.cross(part) - rate[3] * vector);
}

inline Eigen::Quaterniond quaternion_at(const double* u) { return Eigen::Quaterniond(ConstVector4(u)); }

/// u (+) f, normalised.
inline void turn_quaternion(const Eigen::Quaterniond& u, const Vector3d& f, double* result) {
  // sin(x/2) / x = c1(s/4) / 2
  const double s = 0.25 * f.squaredNorm();
  Eigen::Quaterniond step;
  step.vec() = 0.5 * rotation_series::c1(s) * f;
  step.w() = std::cos(std::sqrt(s));
  MapVector4{result} = (u * step).normalized().coeffs();
}

/// f of the shortest way from one to the other, |f| <= pi.
inline Vector3d rotation_between(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  Eigen::Quaterniond way = from.conjugate() * to;
  if (way.w() < 0.0) way.coeffs() = -way.coeffs();
  const double sine = way.vec().norm();
  if (sine == 0.0) return Vector3d::Zero();
  return way.vec() * (2.0 * std::atan2(sine, way.w()) / sine);
}

/// (2)
inline Matrix3d right_jacobian_inverse(const Vector3d& f) { return left_jacobian_inverse<double>(-f); }

/// Of the two quaternions of a rotation the one next to `u`, into `u`.
inline void set_nearest(const Matrix3d& R, double* u) {
  Eigen::Quaterniond found(R);
  if (found.coeffs().dot(ConstVector4(u)) < 0.0) found.coeffs() = -found.coeffs();
  MapVector4{u} = found.normalized().coeffs();
}

}  // namespace limber::detail::joint_kinds
