// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// Roll, pitch (within +-pi/2) and yaw of R = Rz(yaw) Ry(pitch) Rx(roll); rotation_from_rpy() is the way back. Where the pitch is
/// +-pi/2 only the sum or the difference of roll and yaw has a meaning; the three still make R again, to rounding.
Vector3<double> rpy_from_rotation(const Matrix3<double>& R);

}  // namespace limber
