// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Motion as a Taylor polynomial in time, x(t) = c0 + c1 t + c2 t^2 + O(t^3): position c0, velocity c1,
// acceleration 2 c2. The coefficients are numbers, vectors, matrices or polynomials in x; sums and products
// of jets are the truncated sums and products of the polynomials, so that whoever writes a position has its
// velocity and acceleration.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cmath>
#include <stdexcept>

#include "reference/polynomial.hpp"

namespace reference {

using Real = long double;
using Vector3 = Eigen::Matrix<Real, 3, 1>;
using Matrix3 = Eigen::Matrix<Real, 3, 3>;
using VectorX = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using MatrixX = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

template <typename T>
struct Jet {
  T c0, c1, c2;
};
template <typename T>
Jet(T, T, T) -> Jet<T>;  // for clang 14, which does not deduce it by itself

// Eigen's expressions are evaluated where a jet keeps them.
template <typename Derived>
typename Derived::PlainObject evaluated(const Eigen::MatrixBase<Derived>& expression) {
  return expression;
}
inline Real evaluated(Real value) { return value; }
inline Polynomial evaluated(Polynomial polynomial) { return polynomial; }

template <typename T>
Jet<T> operator+(const Jet<T>& a, const Jet<T>& b) {
  return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2};
}
template <typename T>
Jet<T> operator-(const Jet<T>& a, const Jet<T>& b) {
  return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}
template <typename A, typename B>
auto operator*(const Jet<A>& a, const Jet<B>& b) {
  return Jet{evaluated(a.c0 * b.c0), evaluated(a.c0 * b.c1 + a.c1 * b.c0),
             evaluated(a.c0 * b.c2 + a.c1 * b.c1 + a.c2 * b.c0)};
}
template <typename T>
Jet<T> operator*(Real factor, const Jet<T>& a) {
  return {factor * a.c0, factor * a.c1, factor * a.c2};
}

inline Jet<Real> constant(Real value) { return {value, 0, 0}; }
inline Jet<Vector3> constant(const Vector3& value) { return {value, Vector3::Zero(), Vector3::Zero()}; }
inline Jet<Matrix3> constant(const Matrix3& value) { return {value, Matrix3::Zero(), Matrix3::Zero()}; }

inline Jet<Real> sin(const Jet<Real>& a) {
  const Real s = std::sin(a.c0), c = std::cos(a.c0);
  return {s, c * a.c1, c * a.c2 - s * a.c1 * a.c1 / 2};
}
inline Jet<Real> cos(const Jet<Real>& a) {
  const Real s = std::sin(a.c0), c = std::cos(a.c0);
  return {c, -s * a.c1, -s * a.c2 - c * a.c1 * a.c1 / 2};
}

inline Matrix3 cross_matrix(const Vector3& a) {
  Matrix3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// A rotation by `angle` about the unit vector `axis`.
inline Jet<Matrix3> turn(const Vector3& axis, const Jet<Real>& angle) {
  const Matrix3 u = cross_matrix(axis), identity = Matrix3::Identity();
  return constant(identity) + sin(angle) * constant(u) +
         (constant(Real{1}) - cos(angle)) * constant(Matrix3(u * u));
}

/// exp[theta] = 1 + A [theta]x + B [theta]x^2 with s = |theta|^2,
///   A = Sum (-s)^k / (2k + 1)! ,   B = Sum (-s)^k / (2k + 2)! = twice_B / 2 ,
/// both by Horner's rule: no angle is divided by, so that theta = 0 is a place like any other.
inline Jet<Matrix3> exponential(const Jet<Vector3>& theta) {
  constexpr int terms = 24;  // for s = 16 the first one left out is 16^25 / 51! < 1e-36
  const Jet<Real> s{theta.c0.dot(theta.c0), 2 * theta.c0.dot(theta.c1),
                    theta.c1.dot(theta.c1) + 2 * theta.c0.dot(theta.c2)};
  if (!(s.c0 <= 16)) throw std::domain_error("reference: a section is turned by more than 4 rad");
  Jet<Real> A = constant(Real{1}), twice_B = A;
  for (int k = terms; k > 0; --k) {
    A = constant(Real{1}) - (Real{1} / (2 * k * (2 * k + 1))) * (s * A);
    twice_B = constant(Real{1}) - (Real{1} / ((2 * k + 1) * (2 * k + 2))) * (s * twice_B);
  }
  const Jet<Matrix3> S{cross_matrix(theta.c0), cross_matrix(theta.c1), cross_matrix(theta.c2)};
  const Matrix3 identity = Matrix3::Identity();
  return constant(identity) + A * S + (Real{1} / 2) * (twice_B * (S * S));
}

/// The pose of a frame.
struct Frame {
  Jet<Vector3> p = constant(Vector3(Vector3::Zero()));
  Jet<Matrix3> R = constant(Matrix3(Matrix3::Identity()));

  Frame operator*(const Frame& inner) const { return {p + R * inner.p, R * inner.R}; }
  Jet<Vector3> operator*(const Jet<Vector3>& point) const { return p + R * point; }
  Jet<Vector3> operator*(const Vector3& point) const {
    return {p.c0 + R.c0 * point, p.c1 + R.c1 * point, p.c2 + R.c2 * point};
  }
  /// In the axes of the outer frame, from dR/dt R^T = [omega]x.
  Vector3 angular_velocity() const {
    const Matrix3 W = R.c1 * R.c0.transpose();
    return Vector3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)) / 2;
  }
};

/// A frame that does not move: R = Rz(yaw) Ry(pitch) Rx(roll).
inline Frame fixed_frame(const Eigen::Vector3d& xyz, const Eigen::Vector3d& rpy) {
  const auto about = [](const Vector3& axis, Real angle) { return turn(axis, constant(angle)); };
  return {
      constant(Vector3(xyz.cast<Real>())),
      about(Vector3::UnitZ(), rpy.z()) * about(Vector3::UnitY(), rpy.y()) * about(Vector3::UnitX(), rpy.x())};
}

}  // namespace reference
