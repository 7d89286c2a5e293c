#pragma once

// Rotations by rotation vectors: exp, its left Jacobian, their inverses and rates. Equation numbers are those
// of rotation_series.hpp.

#include <Eigen/Core>

#include "limber/math/rotation_series.hpp"

namespace limber {

template <typename Scalar>
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
template <typename Scalar>
using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;

/// [a]x: skew(a) b = a x b.
template <typename Scalar>
Matrix3<Scalar> skew(const Vector3<Scalar>& a) {
  const Scalar zero(0);
  Matrix3<Scalar> A;
  A << zero, -a.z(), a.y(), a.z(), zero, -a.x(), -a.y(), a.x(), zero;
  return A;
}

namespace detail {

// 1 + a [theta] + b [theta]^2, with [theta]^2 = theta theta^T - theta.theta 1
template <typename Scalar>
Matrix3<Scalar> quadratic_in_skew(const Vector3<Scalar>& theta, const Scalar& a, const Scalar& b) {
  Matrix3<Scalar> result = skew<Scalar>(theta) * a;
  result += (theta * theta.transpose()) * b;
  result.diagonal().array() += Scalar(1) - b * theta.squaredNorm();
  return result;
}

}  // namespace detail

/// The rotation by the angle |theta| about theta, (1).
template <typename Scalar>
Matrix3<Scalar> exp_rotation(const Vector3<Scalar>& theta) {
  const Scalar s = theta.squaredNorm();
  return detail::quadratic_in_skew<Scalar>(theta, rotation_series::c1(s), rotation_series::c2(s));
}

/// Jl of (2): the angular velocity of exp(theta) is Jl(theta) thetadot, in the axes that exp(theta) maps
/// into.
template <typename Scalar>
Matrix3<Scalar> left_jacobian(const Vector3<Scalar>& theta) {
  const Scalar s = theta.squaredNorm();
  return detail::quadratic_in_skew<Scalar>(theta, rotation_series::c2(s), rotation_series::c3(s));
}

/// Jl^-1 of (3); singular at |theta| = 2 pi.
template <typename Scalar>
Matrix3<Scalar> left_jacobian_inverse(const Vector3<Scalar>& theta) {
  return detail::quadratic_in_skew<Scalar>(theta, Scalar(-0.5), rotation_series::g(theta.squaredNorm()));
}

/// d/dt Jl(theta), from sdot = 2 theta . thetadot.
template <typename Scalar>
Matrix3<Scalar> left_jacobian_rate(const Vector3<Scalar>& theta, const Vector3<Scalar>& theta_rate) {
  const Scalar s = theta.squaredNorm();
  const Scalar s_rate = 2.0 * theta.dot(theta_rate);
  const Matrix3<Scalar> X = skew<Scalar>(theta);
  const Matrix3<Scalar> X_rate = skew<Scalar>(theta_rate);
  return X * (rotation_series::dc2(s) * s_rate) + X_rate * rotation_series::c2(s) +
         X * X * (rotation_series::dc3(s) * s_rate) + (X * X_rate + X_rate * X) * rotation_series::c3(s);
}

/// The rotation vector of R with |theta| <= pi.
Vector3<double> log_rotation(const Matrix3<double>& R);

/// Roll, pitch and yaw as in URDF: R = Rz(yaw) Ry(pitch) Rx(roll).
Matrix3<double> rotation_from_rpy(const Vector3<double>& rpy);

}  // namespace limber
