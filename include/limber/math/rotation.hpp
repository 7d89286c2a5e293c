// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rotations by rotation vectors: exp, its left Jacobian, their inverses and rates. Equation numbers are those
// of rotation_series.hpp.

#include "limber/core/export.hpp"
#include "limber/math/quadratic_in_skew.hpp"
#include "limber/math/rotation_series.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// [a]x: skew(a) b = a x b.
template <typename Scalar>
Matrix3<Scalar> skew(const Vector3<Scalar>& a) {
  const Scalar zero(0);
  Matrix3<Scalar> A;
  A << zero, -a.z(), a.y(), a.z(), zero, -a.x(), -a.y(), a.x(), zero;
  return A;
}

namespace detail {

template <typename Scalar>
Matrix3<Scalar> quadratic_in_skew(const Vector3<Scalar>& theta, const Scalar& s, const Scalar& a,
                                  const Scalar& b) {
  using S = Scalar;
  return limber::quadratic_in_skew(theta, s, a, b,
                                   [](const S& xx, const S& xy, const S& xz, const S& yx, const S& yy,
                                      const S& yz, const S& zx, const S& zy, const S& zz) {
                                     Matrix3<S> result;
                                     result << xx, xy, xz, yx, yy, yz, zx, zy, zz;
                                     return result;
                                   });
}

}  // namespace detail

/// The rotation by the angle |theta| about theta, (1).
template <typename Scalar>
Matrix3<Scalar> exp_rotation(const Vector3<Scalar>& theta) {
  const Scalar s = theta.squaredNorm();
  return detail::quadratic_in_skew<Scalar>(theta, s, rotation_series::c1(s), rotation_series::c2(s));
}

/// Jl of (2): the angular velocity of exp(theta) is Jl(theta) thetadot, in the axes that exp(theta) maps
/// into.
template <typename Scalar>
Matrix3<Scalar> left_jacobian(const Vector3<Scalar>& theta) {
  const Scalar s = theta.squaredNorm();
  return detail::quadratic_in_skew<Scalar>(theta, s, rotation_series::c2(s), rotation_series::c3(s));
}

/// Jl^-1 of (3); singular at |theta| = 2 pi.
template <typename Scalar>
Matrix3<Scalar> left_jacobian_inverse(const Vector3<Scalar>& theta) {
  const Scalar s = theta.squaredNorm();
  return detail::quadratic_in_skew<Scalar>(theta, s, Scalar(-0.5), rotation_series::g(s));
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
