#include "limber/algorithms/energy.hpp"

#include "instantiate.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "one_link.hpp"

namespace limber {
namespace {

// Linear and angular momentum of one link about F's origin, in F's axes.
template <typename Scalar>
Vec6<Scalar> link_momentum(const LinkWork<Scalar>& link, const VectorX<Scalar>& v) {
  Vec6<Scalar> momentum = link.body * link.V;
  for (int i = 0; i < link.m; ++i) momentum += link.M_re[i] * v[link.elastic_v() + i];
  return momentum;
}

}  // namespace

template <typename Scalar>
Energy<Scalar> energy(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v) {
  update_velocities(model, work, q, v);
  update_world_poses(work);
  const Scalar half(0.5);
  Energy<Scalar> total{Scalar(0), Scalar(0), Scalar(0)};
  for (LinkWork<Scalar>& link : work.links) {
    const LinkMotion<Scalar> motion = motion_of(link, q.data(), v.data());
    total.kinetic += motion.kinetic;
    total.gravity -= dot(work.gravity, link.p_W * motion.mass + link.R_W * motion.moment);
    for (int j = 0; j < link.joint_nv; ++j) {
      const Scalar& rate = v[link.v_index + j];
      total.kinetic += half * link.armature * rate * rate;
      if (link.joint_nq != link.joint_nv) continue;
      const Scalar stretch = q[link.q_index + j] - link.rest;
      total.strain += half * link.stiffness * stretch * stretch;
    }
    const Scalar* eta = q.data() + link.elastic_q();
    for (int i = 0; i < link.m; ++i)
      for (int k = 0; k < link.m; ++k) total.strain += half * eta[i] * link.K[i * link.m + k] * eta[k];
  }
  return total;
}

template <typename Scalar>
Momentum<Scalar> momentum(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                          const VectorX<Scalar>& v) {
  update_velocities(model, work, q, v);
  update_world_poses(work);
  update_link_masses(model, work, q);
  Scalar mass(0);
  Vec3<Scalar> moment = Vec3<Scalar>::zero();
  Vec6<Scalar> total = Vec6<Scalar>::zero();
  for (const LinkWork<Scalar>& link : work.links) {
    const Vec6<Scalar> at_F = link_momentum(link, v);
    const Vec3<Scalar> linear = link.R_W * at_F.linear;
    mass += link.body.mass;
    moment += link.p_W * link.body.mass + link.R_W * link.body.moment;
    total += {linear, link.R_W * at_F.angular + cross(link.p_W, linear)};
  }
  return {mass, moment * (Scalar(1) / mass), total.linear, total.angular};
}

#define LIMBER_INSTANTIATE(Scalar)                                                             \
  template Energy<Scalar> energy(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&,     \
                                 const VectorX<Scalar>&);                                      \
  template Momentum<Scalar> momentum(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                     const VectorX<Scalar>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
