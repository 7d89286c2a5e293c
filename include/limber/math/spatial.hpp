// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Poses and rigid inertias. Notation (docs/notation.md): X_AB is the pose of frame B in frame A, p_AB the
// position of B's origin from A's in A's axes, R_AB turns vectors from B's axes to A's.

#include "limber/core/export.hpp"
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

/// The mass, first moment and inertia of a rigid body about the origin of the frame it is given in. They add
/// up.
struct RigidInertia {
  double mass = 0.0;                                  ///< [kg]
  Vector3<double> moment = Vector3<double>::Zero();   ///< Int r dm
  Matrix3<double> inertia = Matrix3<double>::Zero();  ///< Int ([r]x)^T [r]x dm, about the origin

  /// From the inertia tensor about the centre of mass.
  static RigidInertia about_com(double mass, const Vector3<double>& com,
                                const Matrix3<double>& inertia_at_com);

  /// Both bodies together, given in the same frame.
  RigidInertia& operator+=(const RigidInertia& other);
  /// The same body in frame A, when it is given here in frame B.
  RigidInertia expressed_in(const Pose& X_AB) const;
  /// Equal to the last bit.
  bool operator==(const RigidInertia& other) const {
    return mass == other.mass && moment == other.moment && inertia == other.inertia;
  }
};

/// A point mass's inertia about the origin: m ([r]x)^T [r]x.
Matrix3<double> point_inertia(double mass, const Vector3<double>& r);

}  // namespace limber
