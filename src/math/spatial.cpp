// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/spatial.hpp"

namespace limber {

Matrix3<double> point_inertia(double mass, const Vector3<double>& r) {
  return mass * (r.squaredNorm() * Matrix3<double>::Identity() - r * r.transpose());
}

RigidInertia RigidInertia::about_com(double mass, const Vector3<double>& com,
                                     const Matrix3<double>& inertia_at_com) {
  return {mass, mass * com, inertia_at_com + point_inertia(mass, com)};
}

RigidInertia& RigidInertia::operator+=(const RigidInertia& other) {
  mass += other.mass;
  moment += other.moment;
  inertia += other.inertia;
  return *this;
}

// With r_A = p + R r:  Int r_A = m p + R h,  and Int (r_A.r_A 1 - r_A r_A^T) gains the mixed terms of p and R h.
RigidInertia RigidInertia::expressed_in(const Pose& X_AB) const {
  const Vector3<double> h = X_AB.R * moment;
  const Vector3<double>& p = X_AB.p;
  const Matrix3<double> mixed =
      2.0 * p.dot(h) * Matrix3<double>::Identity() - p * h.transpose() - h * p.transpose();
  return {mass, mass * p + h, X_AB.R * inertia * X_AB.R.transpose() + mixed + point_inertia(mass, p)};
}

}  // namespace limber
