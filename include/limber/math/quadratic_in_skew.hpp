// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// 1 + a [theta] + b [theta]^2: exp, Jl and Jl^-1 of rotation_series.hpp, each with its own a and b. Once for Eigen's matrices, for the
// algorithms' own and for packets: who calls says how nine elements become a matrix.
//
// With [theta]^2 = theta theta^T - s 1 and s = theta . theta, which the caller has at hand, the elements are
//
//   1 - b s + b theta_i^2   on the diagonal,      b theta_i theta_j -+ a theta_k   off it

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// make(xx, xy, xz, yx, yy, yz, zx, zy, zz): by rows.
template <typename Scalar, typename Vector, typename Make>
[[gnu::always_inline]] inline auto quadratic_in_skew(const Vector& theta, const Scalar& s, const Scalar& a,
                                                     const Scalar& b, const Make& make) {
  const Scalar diagonal = Scalar(1) - b * s;
  const Scalar ax = a * theta[0], ay = a * theta[1], az = a * theta[2];
  const Scalar bx = b * theta[0], by = b * theta[1], bz = b * theta[2];
  const Scalar xy = bx * theta[1], xz = bx * theta[2], yz = by * theta[2];
  return make(diagonal + bx * theta[0], xy - az, xz + ay,  //
              xy + az, diagonal + by * theta[1], yz - ax,  //
              xz - ay, yz + ax, diagonal + bz * theta[2]);
}

}  // namespace limber
