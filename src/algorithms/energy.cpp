#include "limber/algorithms/energy.hpp"

#include "instantiate.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/kinematics.hpp"

namespace limber {
namespace {

template <typename Scalar>
void update_all(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                const VectorX<Scalar>& v) {
  update_velocities(model, work, q, v);
  update_world_poses(work);
  update_link_masses(model, work, q);
}

// Linear and angular momentum of one link about F's origin, in F's axes.
template <typename Scalar>
Vector6<Scalar> link_momentum(const LinkWork<Scalar>& link, const VectorX<Scalar>& v) {
  Vector6<Scalar> momentum = link.M_rr * link.V;
  for (int i = 0; i < link.m; ++i) momentum += link.M_re.col(i) * v[link.v_index + link.joint_nv + i];
  return momentum;
}

// Int p of one link: what stands in its M_rr as [h]x.
template <typename Scalar>
Vector3<Scalar> first_moment(const LinkWork<Scalar>& link) {
  return {link.M_rr(5, 1), link.M_rr(3, 2), link.M_rr(4, 0)};
}

}  // namespace

template <typename Scalar>
Energy<Scalar> energy(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                      const VectorX<Scalar>& v) {
  update_all(model, work, q, v);
  const Scalar half(0.5);
  Energy<Scalar> total{Scalar(0), Scalar(0), Scalar(0)};
  for (const LinkWork<Scalar>& link : work.links) {
    total.kinetic += half * link.V.dot(link_momentum(link, v));
    const Vector3<Scalar> moment = link.p_W * link.M_rr(0, 0) + link.R_W * first_moment(link);
    total.gravity -= work.gravity.dot(moment);
    for (int j = 0; j < link.joint_nv; ++j) {
      const Scalar& rate = v[link.v_index + j];
      total.kinetic += half * link.armature * rate * rate;
      if (link.joint_nq != link.joint_nv) continue;
      const Scalar stretch = q[link.q_index + j] - link.rest;
      total.strain += half * link.stiffness * stretch * stretch;
    }
    const auto eta = q.segment(link.q_index + link.joint_nq, link.m);
    const auto rate = v.segment(link.v_index + link.joint_nv, link.m);
    for (int i = 0; i < link.m; ++i) {
      total.kinetic += half * rate[i] * (link.M_re.col(i).dot(link.V) + link.M_ee.col(i).dot(rate));
      total.strain += half * eta[i] * link.K.col(i).dot(eta);
    }
  }
  return total;
}

template <typename Scalar>
Momentum<Scalar> momentum(const Model& model, Workspace<Scalar>& work, const VectorX<Scalar>& q,
                          const VectorX<Scalar>& v) {
  update_all(model, work, q, v);
  const Vector3<Scalar> zero = Vector3<Scalar>::Zero();
  Momentum<Scalar> total{Scalar(0), zero, zero, zero};
  for (const LinkWork<Scalar>& link : work.links) {
    const Vector6<Scalar> at_F = link_momentum(link, v);
    const Vector3<Scalar> linear = link.R_W * at_F.template head<3>();
    total.mass += link.M_rr(0, 0);
    total.center_of_mass += link.p_W * link.M_rr(0, 0) + link.R_W * first_moment(link);
    total.linear += linear;
    total.angular += link.R_W * at_F.template tail<3>() + link.p_W.cross(linear);
  }
  total.center_of_mass /= total.mass;
  return total;
}

#define LIMBER_INSTANTIATE(Scalar)                                                             \
  template Energy<Scalar> energy(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&,     \
                                 const VectorX<Scalar>&);                                      \
  template Momentum<Scalar> momentum(const Model&, Workspace<Scalar>&, const VectorX<Scalar>&, \
                                     const VectorX<Scalar>&);
LIMBER_FOR_ALL_SCALARS(LIMBER_INSTANTIATE)

}  // namespace limber
