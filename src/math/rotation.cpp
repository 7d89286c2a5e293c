// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/rotation.hpp"

#include <Eigen/Geometry>

namespace limber {

Vector3<double> log_rotation(const Matrix3<double>& R) {
  // By way of the quaternion (u sin(x/2), cos(x/2)), which keeps its digits at x = 0 and at x = pi.
  Eigen::Quaterniond quaternion(R);
  if (quaternion.w() < 0) quaternion.coeffs() *= -1.0;
  const double sine = quaternion.vec().norm();
  const double half_angle = std::atan2(sine, quaternion.w());
  return sine > 0 ? Vector3<double>(quaternion.vec() * (2.0 * half_angle / sine)) : Vector3<double>::Zero();
}

Matrix3<double> rotation_from_rpy(const Vector3<double>& rpy) {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return (AngleAxisd(rpy.z(), Vector3d::UnitZ()) * AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

}  // namespace limber
