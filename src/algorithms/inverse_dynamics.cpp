#include "limber/algorithms/inverse_dynamics.hpp"

#include <cassert>

#include "instantiate.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "to_parent.hpp"

namespace limber {
namespace {

// (1), and the link's own part of (2): p_r and p_e become f_r and f_e.
template <typename Scalar>
void add_inertia_forces(const Workspace<Scalar>& work, LinkWork<Scalar>& link, const VectorX<Scalar>& qdd) {
  link.A = incoming_acceleration(work, link, qdd);
  for (int j = 0; j < link.joint_nv; ++j) link.A += link.S.col(j) * qdd[link.v_index + j];
  link.p_r += link.M_rr * link.A;
  for (int i = 0; i < link.m; ++i) {
    const Scalar& etadd = qdd[link.v_index + link.joint_nv + i];
    link.p_r += link.M_re.col(i) * etadd;
    link.p_e[i] += link.M_re.col(i).dot(link.A);
    for (int k = 0; k < link.m; ++k) link.p_e[k] += link.M_ee(k, i) * etadd;
  }
}

// (3), and the children's part of (2) for the parent.
template <typename Scalar>
void collect_forces(Workspace<Scalar>& work, LinkWork<Scalar>& link, const VectorX<Scalar>& qdd,
                    VectorX<Scalar>& tau) {
  for (int j = 0; j < link.joint_nv; ++j)
    tau[link.v_index + j] = link.S.col(j).dot(link.p_r) + link.armature * qdd[link.v_index + j];
  for (int i = 0; i < link.m; ++i) tau[link.v_index + link.joint_nv + i] = link.p_e[i];
  link.wrench = link.p_r;
  if (link.parent < 0) return;
  LinkWork<Scalar>& parent = work.links[link.parent];
  const Vector6<Scalar> wrench = wrench_at_node(link, link.p_r);
  if (link.parent_node >= 0)
    add_wrench(parent.nodes[link.parent_node], wrench, parent);
  else
    parent.p_r += wrench;
}

}  // namespace

template <typename Scalar>
void inverse_dynamics(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v, const VectorX<Scalar>& qdd, VectorX<Scalar>& tau,
                      const std::vector<ExternalWrench>& loads) {
  assert(qdd.size() == model.nv && tau.size() == model.nv);
  update_velocities(model, work, q, v);
  update_link_inertias(model, work, q, v);
  apply_loads(model, work, loads);
  for (LinkWork<Scalar>& link : work.links) add_inertia_forces(work, link, qdd);
  for (auto link = work.links.rbegin(); link != work.links.rend(); ++link)
    collect_forces(work, *link, qdd, tau);
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
    const auto eta = q.segment(link.q_index + link.joint_nq, link.m);
    const auto rate = v.segment(link.v_index + link.joint_nv, link.m);
    for (int i = 0; i < link.m; ++i)
      forces[link.v_index + link.joint_nv + i] = link.K.col(i).dot(eta) + link.C.col(i).dot(rate);
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
