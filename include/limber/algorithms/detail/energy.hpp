// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/algorithms/detail/kinematics.hpp"
#include "limber/algorithms/detail/telescope.hpp"
#include "limber/algorithms/energy.hpp"

namespace limber::detail {

template <typename Scalar>
Energy<Scalar> energy(ArmWork<Scalar>& work, const Scalar* q, const Scalar* v) {
  update_velocities(work, q, v);
  update_world_poses(work);
  const Scalar half(0.5);
  Energy<Scalar> total{Scalar(0), Scalar(0), Scalar(0)};
  for (LinkWork<Scalar>& link : work.links) {
    const LinkMotion<Scalar> motion = motion_of(link, q, v);
    total.kinetic += motion.kinetic;
    total.gravity -= dot(work.gravity, link.p_WR * motion.mass + link.R_WR * motion.moment);
    for (int j = 0; j < link.joint_nv; ++j) {
      const Scalar& rate = v[link.v_index + j];
      total.kinetic += half * link.armature[j] * rate * rate;
      if (link.has_quaternion || j >= link.moving()) continue;
      const Scalar stretch = q[link.q_index + j] - link.rest;
      total.strain += half * link.stiffness * stretch * stretch;
    }
    if (link.has_motor) {
      const Scalar twist = q[link.q_index] - q[link.q_index + link.moving()];
      total.strain += half * link.gear_stiffness * twist * twist;
    }
    if (link.telescopes) {
      add_telescope_energy(link, q, v, total.strain, total.kinetic);
      continue;
    }
    const Scalar* eta = q + link.elastic_q();
    for (int i = 0; i < link.m; ++i)
      for (int k = 0; k < link.m; ++k) total.strain += half * eta[i] * link.K[i * link.m + k] * eta[k];
  }
  return total;
}

}  // namespace limber::detail
