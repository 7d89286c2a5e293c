// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/rpy.hpp"

#include <cmath>

namespace limber {

Vector3<double> rpy_from_rotation(const Matrix3<double>& R) {
  // Yaw from R's first column, whatever is left of it near the pole; the roll is then that of Rz(-yaw) R, and makes up for it.
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  const double s = std::sin(yaw), c = std::cos(yaw);
  const double pitch = std::atan2(-R(2, 0), c * R(0, 0) + s * R(1, 0));
  const double roll = std::atan2(s * R(0, 2) - c * R(1, 2), c * R(1, 1) - s * R(0, 1));
  return {roll, pitch, yaw};
}

}  // namespace limber
