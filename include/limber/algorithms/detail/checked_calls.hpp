// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The public functions: arguments are looked at, then the kernels of this processor are called.

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/algorithms/detail/one_link.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/inertia.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber LIMBER_EXPORT {

// ---- workspace.hpp ----

namespace detail {

template <typename Scalar>
void require_ready(const Workspace<Scalar>& work) {
  if (!work.is_ready()) throw_moved("Workspace", "work");
}
template <typename Scalar>
void require_link_of(const Workspace<Scalar>& work, int link) {
  require_ready(work);
  if (link < 0 || link >= static_cast<int>(work.arm().links.size()))
    throw_wrong_link_of_workspace(static_cast<int>(work.arm().links.size()), link);
}

}  // namespace detail

template <typename Scalar>
Workspace<Scalar>::Workspace(const Model& model, Kernels kernels)
    : arm_(std::make_unique<detail::ArmWork<Scalar>>(model, kernels)) {}
template <typename Scalar>
Workspace<Scalar>::Workspace(const Workspace& other)
    : arm_(other.arm_ ? std::make_unique<detail::ArmWork<Scalar>>(*other.arm_) : nullptr) {}
template <typename Scalar>
Workspace<Scalar>& Workspace<Scalar>::operator=(const Workspace& other) {
  if (this != &other) *this = Workspace(other);
  return *this;
}
template <typename Scalar>
Workspace<Scalar>::Workspace(Workspace&& other) noexcept = default;
template <typename Scalar>
Workspace<Scalar>& Workspace<Scalar>::operator=(Workspace&& other) noexcept = default;
template <typename Scalar>
Workspace<Scalar>::~Workspace() = default;

template <typename Scalar>
void Workspace<Scalar>::set_gravity(const Vector3<Scalar>& gravity) {
  detail::require_ready(*this);
  arm_->gravity = gravity;
}
template <typename Scalar>
void Workspace<Scalar>::prescribe(const std::vector<int>& links) {
  detail::require_ready(*this);
  for (const int link : links) detail::require_link_of(*this, link);
  for (detail::LinkWork<Scalar>& link : arm_->links) link.prescribed = link.motor_is_prescribed = false;
  for (const int i : links) {
    detail::LinkWork<Scalar>& link = arm_->links[static_cast<std::size_t>(i)];
    (link.has_motor ? link.motor_is_prescribed : link.prescribed) = true;
  }
}
template <typename Scalar>
bool Workspace<Scalar>::is_prescribed(int link) const {
  detail::require_link_of(*this, link);
  const detail::LinkWork<Scalar>& of = arm_->links[static_cast<std::size_t>(link)];
  return of.prescribed || of.motor_is_prescribed;
}

// ---- kinematics.hpp ----

template <typename Scalar>
void update_positions(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q) {
  const detail::Call call{"update_positions", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  arm.kernels->update_positions(arm, q.data());
}

template <typename Scalar>
void update_velocities(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                       const Input<Scalar>& v) {
  const detail::Call call{"update_velocities", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  arm.kernels->update_velocities(arm, q.data(), v.data());
}

template <typename Scalar>
void update_world_poses(Workspace<Scalar>& work) {
  detail::require_ready(work);
  detail::ArmWork<Scalar>& arm = work.arm();
  arm.kernels->update_world_poses(arm);
}

// ---- inertia.hpp ----

template <typename Scalar>
void update_link_masses(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q) {
  const detail::Call call{"update_link_masses", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  arm.kernels->update_link_masses(arm, q.data());
}

template <typename Scalar>
void update_velocities_and_inertias(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                                    const Input<Scalar>& v) {
  const detail::Call call{"update_velocities_and_inertias", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  arm.kernels->update_velocities_and_inertias(arm, q.data(), v.data());
}

// ---- forward_dynamics.hpp ----

template <typename Scalar>
void forward_dynamics(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                      const Input<Scalar>& v, const Input<Scalar>& tau, Output<Scalar> qdd,
                      const std::vector<Load>& loads) {
  const detail::Call call{"forward_dynamics", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  call.require_velocity("qdd", qdd);
  call.require_loads(loads);
  arm.kernels->forward_dynamics(model, arm, q.data(), v.data(), tau.data(), qdd.data(), loads);
}

template <typename Scalar>
void joint_efforts(const Model& model, const Workspace<Scalar>& work, int link, const Input<Scalar>& q,
                   const Input<Scalar>& v, const Input<Scalar>& qdd, Output<Scalar> efforts) {
  const detail::Call call{"joint_efforts", model};
  const detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_link("link", link);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("qdd", qdd);
  call.require_velocity("efforts", efforts);
  detail::joint_efforts(arm.links[static_cast<std::size_t>(link)], q.data(), v.data(), qdd.data(),
                        efforts.data());
}

template <typename Scalar>
WrenchOf<Scalar> joint_wrench(const Model& model, const Workspace<Scalar>& work, int link) {
  const detail::Call call{"joint_wrench", model};
  const detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_link("link", link);
  const detail::LinkWork<Scalar>& at = arm.links[static_cast<std::size_t>(link)];
  const detail::LaneWrench<Scalar> wrench = detail::wrench_in_body(at, at.wrench);
  return {wrench.force, wrench.moment};
}

template <typename Scalar>
void joint_wrenches(const Model& model, const Workspace<Scalar>& work,
                    std::vector<WrenchOf<Scalar>>& wrenches) {
  wrenches.resize(model.links().size());
  for (int i = 0; i < static_cast<int>(model.links().size()); ++i)
    wrenches[static_cast<std::size_t>(i)] = joint_wrench(model, work, i);
}

// ---- inverse_dynamics.hpp ----

template <typename Scalar>
void inverse_dynamics(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                      const Input<Scalar>& v, const Input<Scalar>& qdd, Output<Scalar> tau,
                      const std::vector<Load>& loads) {
  const detail::Call call{"inverse_dynamics", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("qdd", qdd);
  call.require_velocity("tau", tau);
  call.require_loads(loads);
  arm.kernels->inverse_dynamics(model, arm, q.data(), v.data(), qdd.data(), tau.data(), loads);
}

template <typename Scalar>
void bias_forces(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q, const Input<Scalar>& v,
                 Output<Scalar> bias) {
  const detail::Call call{"bias_forces", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("bias", bias);
  arm.qdd.setZero();
  arm.kernels->inverse_dynamics(model, arm, q.data(), v.data(), arm.qdd.data(), bias.data(), {});
}

template <typename Scalar>
void gravity_forces(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                    Output<Scalar> gravity) {
  const detail::Call call{"gravity_forces", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("gravity", gravity);
  arm.qdd.setZero();
  arm.kernels->inverse_dynamics(model, arm, q.data(), arm.qdd.data(), arm.qdd.data(), gravity.data(), {});
}

template <typename Scalar>
void elastic_and_damping_forces(const Model& model, const Workspace<Scalar>& work, const Input<Scalar>& q,
                                const Input<Scalar>& v, Output<Scalar> forces) {
  const detail::Call call{"elastic_and_damping_forces", model};
  const detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("forces", forces);
  detail::elastic_and_damping_forces(arm, q.data(), v.data(), forces.data());
}

// ---- mass_matrix.hpp ----

template <typename Scalar>
void mass_matrix(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                 MatrixOutput<Scalar> M) {
  const detail::Call call{"mass_matrix", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_matrix("M", M, model.nv());
  arm.kernels->mass_matrix(arm, q.data(), M.data(), M.outerStride());
}

// ---- energy.hpp ----

template <typename Scalar>
Energy<Scalar> energy(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                      const Input<Scalar>& v) {
  const detail::Call call{"energy", model};
  detail::ArmWork<Scalar>& arm = call.arm(work);
  call.require_position("q", q);
  call.require_velocity("v", v);
  return arm.kernels->energy(arm, q.data(), v.data());
}

template <typename Scalar>
Momentum<Scalar> momentum(const Model& model, Workspace<Scalar>& work, const Input<Scalar>& q,
                          const Input<Scalar>& v) {
  using namespace detail;
  update_velocities(model, work, q, v);
  update_world_poses(work);
  update_link_masses(model, work, q);
  Scalar mass(0);
  Vec3<Scalar> moment = Vec3<Scalar>::zero();
  LaneWrench<Scalar> total = LaneWrench<Scalar>::zero();
  for (const LinkWork<Scalar>& link : work.arm().links) {
    // About R's origin, in R's axes.
    LaneWrench<Scalar> at_R = link.M_rr * link.V_R;
    for (int i = 0; i < link.m; ++i) at_R += link.M_re[i] * v[link.elastic_v() + i];
    const Vec3<Scalar> linear = link.R_WR * at_R.force;
    mass += link.M_rr.mass;
    moment += link.p_WR * link.M_rr.mass + link.R_WR * link.M_rr.moment;
    total += {linear, link.R_WR * at_R.moment + cross(link.p_WR, linear)};
  }
  return {mass, moment * (Scalar(1) / mass), total.force, total.moment};
}

}  // namespace limber
