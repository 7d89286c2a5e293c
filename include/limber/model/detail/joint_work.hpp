// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One joint in an algorithm's scratch, and the pieces from which the files of joints/ are made.
//
// A joint carries its link's root frame R, in which the algorithms work. R's axes are B's turned by R_BR. The joint frame turned likewise
// is R0: J's origin, and the axes that R has at q = 0. Against R0 the joint's rotation is R_BR^T R_J R_BR, which is the same kind of rotation
// about R_BR^T axis: so everything here is in R0's axes, quaternions apart.

#include <cmath>

#include "limber/math/detail/lanes.hpp"
#include "limber/math/detail/sine_cosine.hpp"
#include "limber/model/joint.hpp"

#include <Eigen/Geometry>  // after eigen.hpp

namespace limber::detail {

template <typename Scalar>
struct JointWork {
  // ---- constants ----
  Mat3<Scalar> R_NR0;  ///< N is the rigid parent's R where it has no nodes that move
  Vec3<Scalar> p_NJ;
  Vec3<Scalar> p_BR_R;  ///< from B's origin to R's, in R's axes
  Mat3<Scalar> R_BR;
  Vec3<Scalar> axes[2];     ///< the joint's, in R0's axes  NOLINT
  Scalar parameter;         ///< JointFacts::parameter
  Mat3<Scalar> turning[3];  ///< of joints about one axis: see turned_about_axis()  NOLINT

  // ---- kinematics ----
  SineAndCosine<Scalar> turned;  ///< of q[0] where JointFacts::turns_about_axis(): known before place()
  LaneTwist<Scalar>
      S[6];  ///< R's motion for each of v's numbers, in R; constant but for a kind's moving_columns  NOLINT
};

namespace joint_kinds {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;

// ---- turning ----

/// R's motion, where B turns about an axis through its origin.
template <typename Scalar>
LaneTwist<Scalar> turning_about(const Vec3<Scalar>& axis, const Vec3<Scalar>& p_BR_R) {
  return {cross(axis, p_BR_R), axis};
}

/// exp[a q] for a unit axis.
template <typename Scalar>
Mat3<Scalar> rotation_about(const Vec3<Scalar>& axis, const Scalar& angle) {
  const auto [s, c] = sine_and_cosine(angle);
  return Mat3<Scalar>::skew(axis * s) + outer(axis, axis * (Scalar(1) - c)) +
         Mat3<Scalar>::scaled_identity(c);
}

/// R_NR0 exp[a q] = R_NR0 (a a^T + sin q [a]x - cos q [a]x^2), its three constants...
template <typename Scalar>
void prepare_turning(JointWork<Scalar>& joint) {
  const Vec3<Scalar>& a = joint.axes[0];
  const Mat3<Scalar> X = Mat3<Scalar>::skew(a);
  joint.turning[0] = joint.R_NR0 * outer(a, a);
  joint.turning[1] = joint.R_NR0 * X;
  joint.turning[2] = joint.R_NR0 * (X * X) * Scalar(-1);
}
/// ... and the sum.
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> turned_about_axis(const JointWork<Scalar>& joint) {
  return joint.turning[0] + joint.turning[1] * joint.turned.sine + joint.turning[2] * joint.turned.cosine;
}

// ---- measuring a coordinate ----

/// Where B stands on its joint: R from B's axes to J's (both turned by R_BR), p from J's origin to B's, in J's axes.
struct JointPlace {
  Matrix3d R;
  Vector3d p;
};

/// The angle about a unit axis that turns `from` into `to`, whatever they have along the axis.
inline double angle_about(const Vector3d& axis, const Vector3d& from, const Vector3d& to) {
  return std::atan2(axis.dot(from.cross(to)), from.dot(to) - axis.dot(from) * axis.dot(to));
}

/// The same angle, full turns added, next to another one.
inline double next_to(double near, double angle) {
  constexpr double turn = 6.283185307179586;  // 2 pi
  return angle + turn * std::round((near - angle) / turn);
}

/// The angle of a rotation about `axis`, next to `near`.
inline double measured_angle(const Vector3d& axis, const Matrix3d& R, double near) {
  const Vector3d across = axis.unitOrthogonal();
  return next_to(near, angle_about(axis, across, R * across));
}

// ---- what a joint does not allow ----

/// Two unit vectors across an axis, and across each other.
inline Eigen::Matrix<double, 3, 2> across(const Vector3d& axis) {
  Eigen::Matrix<double, 3, 2> result;
  result.col(0) = axis.unitOrthogonal();
  result.col(1) = axis.cross(result.col(0));
  return result;
}

// ---- the inverse of S ----

/// Rows of S^+ for a first pair of columns: unit vectors at an angle that never changes.
inline void set_rows_of_pair(const Matrix6d& S, Matrix6d& S_plus) {
  const double cosine = S.col(0).dot(S.col(1)), sine2 = 1.0 - cosine * cosine;
  S_plus.row(0) = (S.col(0) - cosine * S.col(1)).transpose() / sine2;
  S_plus.row(1) = (S.col(1) - cosine * S.col(0)).transpose() / sine2;
}

// ---- what most kinds share ----

/// Kinds whose S is constant, and has orthonormal columns in B.
struct ConstantSubspace {
  static constexpr int moving_columns = 0;
  /// Rows of S^+, in B: v from a relative motion that the joint allows.
  static void set_rate_rows(const Matrix6d& S, Matrix6d& S_plus) { S_plus = S.transpose(); }
};

/// Kinds without a quaternion: q and v number their coordinates alike.
template <int n>
struct PlainCoordinates {
  static void set_neutral(double* q) {
    for (int i = 0; i < n; ++i) q[i] = 0.0;
  }
  static void rate(const double* /*q*/, const double* v, double* rate) {
    for (int i = 0; i < n; ++i) rate[i] = v[i];
  }
  static void velocity(const double* /*q*/, const double* rate, double* v) {
    for (int i = 0; i < n; ++i) v[i] = rate[i];
  }
  static void displace(const double* q, const double* delta, double* result) {
    for (int i = 0; i < n; ++i) result[i] = q[i] + delta[i];
  }
  static void difference(const double* from, const double* to, double* delta) {
    for (int i = 0; i < n; ++i) delta[i] = to[i] - from[i];
  }
  static void displacement_rate(const double* /*delta*/, const double* v, double* rate) {
    for (int i = 0; i < n; ++i) rate[i] = v[i];
  }
  /// The matrix of delta' -> [v, delta'], the bracket of the joint's motions; N starts as zero.
  static void set_bracket(const double* /*v*/, Matrix6d& /*N*/) {}
};

}  // namespace joint_kinds
}  // namespace limber::detail
