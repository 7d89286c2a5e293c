// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (1) to (3): limber/algorithms/inverse_dynamics.hpp.

#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/detail/passive_forces.hpp"
#include "limber/algorithms/detail/to_parent.hpp"

namespace limber::detail {
// (1)
template <typename Scalar>
LIMBER_INLINE void accelerate(const ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* qdd) {
  LaneTwist<Scalar> A_R = incoming_acceleration(work, link, qdd);
  for (int j = 0; j < link.joint_nv; ++j) A_R += link.S[j] * qdd[link.v_index + j];
  link.A_R = A_R;
}

// (3), and the children's part of (2) for the parent.
template <typename Scalar>
LIMBER_INLINE void collect_forces(ArmWork<Scalar>& work, LinkWork<Scalar>& link, const Scalar* qdd,
                                  Scalar* tau) {
  for (int j = 0; j < link.joint_nv; ++j)
    tau[link.v_index + j] = dot(link.S[j], link.f_r) + link.armature[j] * qdd[link.v_index + j];
  for (int i = 0; i < link.m; ++i) tau[link.elastic_v() + i] = link.f_e[i];
  link.wrench = link.f_r;
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const LaneWrench<Scalar> wrench = wrench_at_node(link, link.f_r);
  if (link.parent_node >= 0)
    with_elastic_size(parent, [&](auto m) { add_wrench(parent.nodes[link.parent_node], wrench, parent, m); });
  else
    parent.f_r += wrench;
}

template <typename Scalar>
void inverse_dynamics(const Model& model, ArmWork<Scalar>& work, const Scalar* q, const Scalar* v,
                      const Scalar* qdd, Scalar* tau, const std::vector<Load>& loads) {
  turn_joints(work, q);
  for (LinkWork<Scalar>& link : work.links) {
    update_velocities_of(work, link, q, v);
    accelerate(work, link, qdd);
    update_forces_of(link, q, v, qdd);
  }
  apply_loads(model, work, q, loads);
  for (auto link = work.links.rbegin(); link != work.links.rend(); ++link)
    collect_forces(work, *link, qdd, tau);
}

template <typename Scalar>
void elastic_and_damping_forces(const ArmWork<Scalar>& work, const Scalar* q, const Scalar* v,
                                Scalar* forces) {
  for (const LinkWork<Scalar>& link : work.links) {
    for (int j = 0; j < link.joint_nv; ++j) forces[link.v_index + j] = passive_joint_force(link, q, v, j);
    for (int i = 0; i < link.m; ++i)
      forces[link.elastic_v() + i] = passive_elastic_force(link, q, v, i, link.m);
  }
}

}  // namespace limber::detail
