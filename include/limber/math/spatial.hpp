// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Poses, motions, forces and rigid inertias. Notation (docs/notation.md): X_AB is the pose of frame B in frame A, p_AB the
// position of B's origin from A's in A's axes, R_AB turns vectors from B's axes to A's.
//
// A motion (twist) and a force (wrench) are six numbers each, and two different things: their product is power, an inertia makes the one
// into the other, and no sum of both means anything. So they are two types, and what means nothing does not compile. Of what kind
// their three-vectors are is a parameter: Eigen's (TwistOf, WrenchOf, RigidInertia) where users see them, lanes of registers
// (detail/lanes.hpp) inside of algorithms. Formulas stand once.

#include "limber/core/export.hpp"
#include "limber/math/detail/algebra.hpp"
#include "limber/math/rotation.hpp"

namespace limber LIMBER_EXPORT {

/// The pose X_AB of one frame in another.
template <typename Scalar>
struct PoseOf {
  Matrix3<Scalar> R = Matrix3<Scalar>::Identity();  ///< R_AB
  Vector3<Scalar> p = Vector3<Scalar>::Zero();      ///< p_AB

  /// X_AC = X_AB * X_BC
  PoseOf operator*(const PoseOf& X_BC) const { return {R * X_BC.R, p + R * X_BC.p}; }
  /// p_AP = X_AB * p_BP
  Vector3<Scalar> operator*(const Vector3<Scalar>& p_BP) const { return p + R * p_BP; }
  /// X_BA
  PoseOf inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  /// Equal to the last bit.
  bool operator==(const PoseOf& other) const { return R == other.R && p == other.p; }
};
/// In numbers.
using Pose = PoseOf<double>;

/// A motion of a frame: a velocity, an acceleration, a small displacement, or any of them per unit of a coordinate.
template <typename Vector>
struct TwistIn {
  /// Of its numbers.
  using Scalar = typename detail::Algebra<Vector>::Scalar;

  Vector linear = detail::Algebra<Vector>::zero();   ///< of the frame's origin [m/s]
  Vector angular = detail::Algebra<Vector>::zero();  ///< [rad/s]

  /// No motion.
  LIMBER_INLINE static TwistIn zero() {
    return {detail::Algebra<Vector>::zero(), detail::Algebra<Vector>::zero()};
  }
  /// From six numbers, linear first.
  static TwistIn from(const Vector6<Scalar>& numbers) {
    return {Vector(Vector3<Scalar>(numbers.template head<3>())),
            Vector(Vector3<Scalar>(numbers.template tail<3>()))};
  }
  /// Six numbers, linear first.
  Vector6<Scalar> vector() const {
    Vector6<Scalar> numbers;
    numbers << Vector3<Scalar>(linear), Vector3<Scalar>(angular);
    return numbers;
  }

  ///@{
  /// Of motions of the same frame in the same axes.
  LIMBER_INLINE friend TwistIn operator+(const TwistIn& a, const TwistIn& b) {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  LIMBER_INLINE friend TwistIn operator-(const TwistIn& a, const TwistIn& b) {
    return {a.linear - b.linear, a.angular - b.angular};
  }
  LIMBER_INLINE friend TwistIn operator-(const TwistIn& a) { return {-a.linear, -a.angular}; }
  LIMBER_INLINE friend TwistIn operator*(const TwistIn& a, const Scalar& s) {
    return {a.linear * s, a.angular * s};
  }
  LIMBER_INLINE TwistIn& operator+=(const TwistIn& b) { return *this = *this + b; }
  LIMBER_INLINE TwistIn& operator-=(const TwistIn& b) { return *this = *this - b; }
  ///@}
  /// Equal to the last bit.
  friend bool operator==(const TwistIn& a, const TwistIn& b) {
    return a.linear == b.linear && a.angular == b.angular;
  }
};

/// A force on a frame and its moment about the frame's origin, or the momentum of a motion.
template <typename Vector>
struct WrenchIn {
  /// Of its numbers.
  using Scalar = typename detail::Algebra<Vector>::Scalar;

  Vector force = detail::Algebra<Vector>::zero();   ///< [N]
  Vector moment = detail::Algebra<Vector>::zero();  ///< about the frame's origin [N m]

  /// No force.
  LIMBER_INLINE static WrenchIn zero() {
    return {detail::Algebra<Vector>::zero(), detail::Algebra<Vector>::zero()};
  }
  /// From six numbers, force first.
  static WrenchIn from(const Vector6<Scalar>& numbers) {
    return {Vector(Vector3<Scalar>(numbers.template head<3>())),
            Vector(Vector3<Scalar>(numbers.template tail<3>()))};
  }
  /// Six numbers, force first.
  Vector6<Scalar> vector() const {
    Vector6<Scalar> numbers;
    numbers << Vector3<Scalar>(force), Vector3<Scalar>(moment);
    return numbers;
  }

  ///@{
  /// Of forces on the same frame in the same axes.
  LIMBER_INLINE friend WrenchIn operator+(const WrenchIn& a, const WrenchIn& b) {
    return {a.force + b.force, a.moment + b.moment};
  }
  LIMBER_INLINE friend WrenchIn operator-(const WrenchIn& a, const WrenchIn& b) {
    return {a.force - b.force, a.moment - b.moment};
  }
  LIMBER_INLINE friend WrenchIn operator-(const WrenchIn& a) { return {-a.force, -a.moment}; }
  LIMBER_INLINE friend WrenchIn operator*(const WrenchIn& a, const Scalar& s) {
    return {a.force * s, a.moment * s};
  }
  LIMBER_INLINE WrenchIn& operator+=(const WrenchIn& b) { return *this = *this + b; }
  LIMBER_INLINE WrenchIn& operator-=(const WrenchIn& b) { return *this = *this - b; }
  ///@}
  /// Equal to the last bit.
  friend bool operator==(const WrenchIn& a, const WrenchIn& b) {
    return a.force == b.force && a.moment == b.moment;
  }
};

/// The power of a force in a motion (or its work in a displacement).
template <typename Vector>
LIMBER_INLINE typename TwistIn<Vector>::Scalar dot(const WrenchIn<Vector>& f, const TwistIn<Vector>& V) {
  using detail::dot;
  return dot(V.linear, f.force, V.angular, f.moment);
}
/// The same.
template <typename Vector>
LIMBER_INLINE typename TwistIn<Vector>::Scalar dot(const TwistIn<Vector>& V, const WrenchIn<Vector>& f) {
  return limber::dot(f, V);
}

/// A rigid body about the origin of the frame it is given in: the matrix [m 1, -[h]x; [h]x, I]. Bodies in the same frame add up.
template <typename Vector>
struct RigidInertiaIn {
  /// Of its numbers.
  using Scalar = typename detail::Algebra<Vector>::Scalar;
  /// 3 x 3.
  using Matrix = typename detail::Algebra<Vector>::Matrix;

  Scalar mass = Scalar(0);                            ///< m [kg]
  Vector moment = detail::Algebra<Vector>::zero();    ///< h = Int r dm
  Matrix inertia = detail::Algebra<Vector>::zeros();  ///< I = Int ([r]x)^T [r]x dm, about the origin

  /// From the inertia tensor about the centre of mass.
  static RigidInertiaIn about_com(const Scalar& mass, const Vector& com, const Matrix& inertia_at_com) {
    return RigidInertiaIn{mass, detail::Algebra<Vector>::zero(), inertia_at_com}.seen_from(com);
  }

  /// Momentum of a velocity, or the force that an acceleration takes.
  LIMBER_INLINE friend WrenchIn<Vector> operator*(const RigidInertiaIn& M, const TwistIn<Vector>& V) {
    using detail::cross;
    return {V.linear * M.mass + cross(V.angular, M.moment),
            cross(M.moment, V.linear) + M.inertia * V.angular};
  }
  /// Both bodies together, given in the same frame.
  LIMBER_INLINE RigidInertiaIn& operator+=(const RigidInertiaIn& other) {
    mass += other.mass;
    moment += other.moment;
    inertia += other.inertia;
    return *this;
  }
  /// In axes that R turns it into, when R^T is at hand.
  LIMBER_INLINE RigidInertiaIn turned_by(const Matrix& R, const Matrix& R_transposed) const {
    return {mass, R * moment, R * inertia * R_transposed};
  }
  /// About a point from which the old one lies at d: with h' = h + m d, I + (h.d + h'.d) 1 - h d^T - d h'^T.
  LIMBER_INLINE RigidInertiaIn seen_from(const Vector& d) const {
    using detail::dot;
    using detail::outer;
    const Vector h = moment + d * mass;
    return {mass, h,
            inertia + detail::Algebra<Vector>::scaled_identity(dot(moment, d, h, d)) - outer(moment, d) -
                outer(d, h)};
  }
  /// The same body in frame A, when it is given here in frame B.
  RigidInertiaIn expressed_in(const PoseOf<Scalar>& X_AB) const {
    return turned_by(X_AB.R, X_AB.R.transpose()).seen_from(X_AB.p);
  }
  /// All of it as one matrix, 6 x 6.
  Matrix6<Scalar> matrix() const {
    const Vector3<Scalar> h = moment;
    Matrix6<Scalar> M;
    M << mass * Matrix3<Scalar>::Identity(), -skew<Scalar>(h), skew<Scalar>(h), Matrix3<Scalar>(inertia);
    return M;
  }
  /// Equal to the last bit.
  bool operator==(const RigidInertiaIn& other) const {
    return mass == other.mass && moment == other.moment && inertia == other.inertia;
  }
};

///@{
/// For a scalar of one's own.
template <typename Scalar>
using TwistOf = TwistIn<Vector3<Scalar>>;
template <typename Scalar>
using WrenchOf = WrenchIn<Vector3<Scalar>>;
///@}
///@{
/// In numbers.
using Twist = TwistOf<double>;
using Wrench = WrenchOf<double>;
using RigidInertia = RigidInertiaIn<Vector3<double>>;
///@}

}  // namespace limber
