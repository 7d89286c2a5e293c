#pragma once

// Poses and rigid inertias. Notation (docs/notation.md): X_AB is the pose of frame B in frame A, p_AB the
// position of B's origin from A's in A's axes, R_AB turns vectors from B's axes to A's.

#include "limber/math/rotation.hpp"

namespace limber {

/// The pose of one frame in another.
struct Pose {
  Matrix3<double> R = Matrix3<double>::Identity();
  Vector3<double> p = Vector3<double>::Zero();

  /// X_AC = X_AB * X_BC
  Pose operator*(const Pose& X_BC) const { return {R * X_BC.R, p + R * X_BC.p}; }
  /// p_AP = X_AB * p_BP
  Vector3<double> operator*(const Vector3<double>& p_BP) const { return p + R * p_BP; }
  Pose inverse() const { return {R.transpose(), -(R.transpose() * p)}; }
  bool operator==(const Pose&) const = default;
};

/// The mass, first moment and inertia of a rigid body about the origin of the frame it is given in. They add
/// up.
struct RigidInertia {
  double mass = 0.0;
  Vector3<double> moment = Vector3<double>::Zero();   ///< Int r dm
  Matrix3<double> inertia = Matrix3<double>::Zero();  ///< Int ([r]x)^T [r]x dm, about the origin

  /// From the inertia tensor about the centre of mass.
  static RigidInertia about_com(double mass, const Vector3<double>& com,
                                const Matrix3<double>& inertia_at_com);

  RigidInertia& operator+=(const RigidInertia& other);
  /// The same body in frame A, when it is given here in frame B.
  RigidInertia expressed_in(const Pose& X_AB) const;
  bool operator==(const RigidInertia&) const = default;
};

/// A point mass's inertia about the origin: m ([r]x)^T [r]x.
Matrix3<double> point_inertia(double mass, const Vector3<double>& r);

}  // namespace limber
