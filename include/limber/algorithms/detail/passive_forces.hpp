// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What springs and dampers hold against the efforts, once for all who need it: stiffness (q - rest) + damping v of the joints, each coordinate by
// itself; of an elastic gear k (q - q_motor) + d (v - v_motor) on the joint, and the opposite on the motor; and K eta + D etad of the elastic
// coordinates of a link.

#include "limber/algorithms/detail/telescope.hpp"

namespace limber::detail {

/// What the gear takes from the joint and gives to the motor.
template <typename Scalar>
LIMBER_INLINE Scalar gear_force(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v) {
  const int motor = link.moving(), joint = motor - 1;
  return link.gear_stiffness * (q[link.q_index + joint] - q[link.q_index + motor]) +
         link.gear_damping * (v[link.v_index + joint] - v[link.v_index + motor]);
}

/// Of the joint's coordinate j. (Quaternions have no spring.)
template <typename Scalar>
LIMBER_INLINE Scalar passive_joint_force(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v,
                                         int j) {
  if (j >= link.moving()) return -gear_force(link, q, v);
  Scalar force = link.damping * v[link.v_index + j];
  if (link.has_motor) force += gear_force(link, q, v);
  if (!link.has_quaternion) force += link.stiffness * (q[link.q_index + j] - link.rest);
  return force;
}

/// Of the elastic coordinate i of m; where a beam telescopes the first one is the joint's.
template <typename Scalar, typename Size>
LIMBER_INLINE Scalar passive_elastic_force(const LinkWork<Scalar>& link, const Scalar* q, const Scalar* v,
                                           int i, Size m) {
  if (link.telescopes) [[unlikely]]
    return telescope_force(link, q, v, i);
  const Scalar *eta = q + link.elastic_q(), *rate = v + link.elastic_v();
  Scalar force = link.K[i * m] * eta[0] + link.D[i * m] * rate[0];
  for (int k = 1; k < m; ++k) force += link.K[i * m + k] * eta[k] + link.D[i * m + k] * rate[k];
  return force;
}

}  // namespace limber::detail
