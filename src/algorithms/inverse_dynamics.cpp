#include "limber/algorithms/inverse_dynamics.hpp"

#include <cassert>

#include "instantiate.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "one_link.hpp"
#include "to_parent.hpp"

namespace limber {
namespace {

// (1)
template <typename Scalar>
LIMBER_INLINE void accelerate(const Workspace<Scalar>& work, LinkWork<Scalar>& link, const Scalar* qdd) {
  Vec6<Scalar> A = incoming_acceleration(work, link, qdd);
  for (int j = 0; j < link.joint_nv; ++j) A += link.S[j] * qdd[link.v_index + j];
  link.A = A;
}

// (3), and the children's part of (2) for the parent.
template <typename Scalar>
LIMBER_INLINE void collect_forces(Workspace<Scalar>& work, LinkWork<Scalar>& link, const Scalar* qdd,
                                  Scalar* tau) {
  for (int j = 0; j < link.joint_nv; ++j)
    tau[link.v_index + j] = dot(link.S[j], link.p_r) + link.armature * qdd[link.v_index + j];
  for (int i = 0; i < link.m; ++i) tau[link.elastic_v() + i] = link.p_e[i];
  link.wrench = link.p_r;
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const Vec6<Scalar> wrench = wrench_at_node(link, link.p_r);
  if (link.parent_node >= 0)
    with_elastic_size(parent, [&](auto m) { add_wrench(parent.nodes[link.parent_node], wrench, parent, m); });
  else
    parent.p_r += wrench;
}

}  // namespace

template <typename Scalar>
void inverse_dynamics(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v, const VectorX<Scalar>& qdd, VectorX<Scalar>& tau,
                      const std::vector<ExternalWrench>& loads) {
  assert(qdd.size() == model.nv && tau.size() == model.nv);
  for (LinkWork<Scalar>& link : work.links) {
    update_velocities_of(work, link, q.data(), v.data());
    accelerate(work, link, qdd.data());
    update_forces_of(link, q.data(), v.data(), qdd.data());
  }
  apply_loads(model, work, loads);
  for (auto link = work.links.rbegin(); link != work.links.rend(); ++link)
    collect_forces(work, *link, qdd.data(), tau.data());
}

template <typename Scalar>
void bias_forces(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                 const VectorX<Scalar>& v, VectorX<Scalar>& bias) {
  work.qdd.setZero();
  inverse_dynamics(model, work, q, v, work.qdd, bias);
}

template <typename Scalar>
void gravity_forces(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                    VectorX<Scalar>& gravity) {
  work.qdd.setZero();
  inverse_dynamics(model, work, q, work.qdd, work.qdd, gravity);
}

template <typename Scalar>
void elastic_and_damping_forces(const Model& model, const Workspace<Scalar>& work, const VectorX<Scalar>& q,
                                const VectorX<Scalar>& v, VectorX<Scalar>& forces) {
  assert(forces.size() == model.nv);
  (void)model;
  for (const LinkWork<Scalar>& link : work.links) {
    const bool has_spring = link.joint_nv == link.joint_nq;
    for (int j = 0; j < link.joint_nv; ++j) {
      forces[link.v_index + j] = link.damping * v[link.v_index + j];
      if (has_spring) forces[link.v_index + j] += link.stiffness * (q[link.q_index + j] - link.rest);
    }
    for (int i = 0; i < link.m; ++i) {
      Scalar force(0);
      for (int k = 0; k < link.m; ++k)
        force += link.K[i * link.m + k] * q[link.elastic_q() + k] +
                 link.C[i * link.m + k] * v[link.elastic_v() + k];
      forces[link.elastic_v() + i] = force;
    }
  }
}

#define LIMBER_INSTANTIATE(Scalar)                                                                          \
  template void inverse_dynamics(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&,                  \
                                 const VectorX<Scalar>&, const VectorX<Scalar>&, VectorX<Scalar>&,          \
                                 const std::vector<ExternalWrench>&);                                       \
  template void bias_forces(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&,                       \
                            const VectorX<Scalar>&, VectorX<Scalar>&);                                      \
  template void gravity_forces(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, VectorX<Scalar>&); \
  template void elastic_and_damping_forces(const Model&, const Workspace<Scalar>&, const VectorX<Scalar>&,  \
                                           const VectorX<Scalar>&, VectorX<Scalar>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
