// SPDX-License-Identifier: BSD-3-Clause
#include "limber/algorithms/evaluation.hpp"

#include "limber/algorithms/finite.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/kinematics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/algorithms/struts.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/friction.hpp"
#include "limber/model/loops.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

bool is_same(const Frame& a, const Frame& b) {
  return a.link == b.link && a.node == b.node && a.X_NE == b.X_NE;
}

}  // namespace

// Every algorithm brings the workspace's places to q, those with velocities also its motions to v: nothing of an older state remains in
// what is read from there, world poses but, which belong to has_poses_.

Evaluation::Evaluation(const Model& model)
    : model_(model),
      work_(model),
      q_(neutral_configuration(model)),
      v_(VectorXd::Zero(model.nv())),
      tau_(v_),
      acceleration_(v_),
      bias_(v_),
      gravity_(v_),
      elastic_(v_),
      mass_matrix_(model.nv(), model.nv()) {}

void Evaluation::set(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
                     const std::vector<Load>& loads) {
  const detail::Call call{"Evaluation::set", model_};
  call.require_position("q", q);
  call.require_velocity("v", v);
  call.require_velocity("tau", tau);
  call.require_loads(loads);
  require_finite(model_, q, v, tau, loads);
  if (q != q_) {
    q_ = q;
    has_poses_ = has_velocities_ = knows_mass_matrix_ = knows_gravity_ = false;
    forget_forces();
    known_jacobians_ = 0;
  }
  if (v != v_) {
    v_ = v;
    has_velocities_ = false;
    forget_forces();
  }
  if (tau != tau_) {
    tau_ = tau;
    knows_acceleration_ = false;
  }
  set_loads(loads);
}

void Evaluation::set(const Input<double>& q) {
  const VectorXd zero = VectorXd::Zero(model_.nv());
  set(q, zero, zero);
}

void Evaluation::set_loads(const std::vector<Load>& loads) {
  const detail::Call call{"Evaluation::set_loads", model_};
  call.require_loads(loads);
  if (loads.empty() && loads_.empty()) return;
  require_finite(model_, q_, v_, tau_, loads);
  loads_ = loads;
  knows_acceleration_ = false;
}

void Evaluation::forget_forces() {
  knows_acceleration_ = knows_bias_ = knows_elastic_ = false;
  energy_.reset();
  momentum_.reset();
}

void Evaluation::need_poses() {
  if (has_poses_) return;
  update_positions(model_, work_, q_);
  update_world_poses(work_);
  has_poses_ = true;
}

void Evaluation::need_velocities() {
  if (!has_velocities_) update_velocities(model_, work_, q_, v_);
  has_velocities_ = true;
  if (!has_poses_) update_world_poses(work_);
  has_poses_ = true;
}

const VectorXd& Evaluation::acceleration() {
  if (!knows_acceleration_) {
    require_plain_tree(model_, "an Evaluation's acceleration");
    moving_ = tau_;
    add_friction_forces(model_, v_, -1.0, moving_);
    forward_dynamics(model_, work_, q_, v_, moving_, acceleration_, loads_);
    joint_wrenches(model_, work_, wrenches_);
    has_velocities_ = knows_acceleration_ = true;
  }
  return acceleration_;
}

const Wrench& Evaluation::wrench(int link) {
  detail::Call{"Evaluation::wrench", model_}.require_link("link", link);
  acceleration();
  return wrenches_[static_cast<std::size_t>(link)];
}

VectorXd Evaluation::required_forces(const Input<double>& a) {
  detail::Call{"Evaluation::required_forces", model_}.require_velocity("a", a);
  require_no_cylinders(model_, "an Evaluation's required forces");
  VectorXd forces(model_.nv());
  inverse_dynamics(model_, work_, q_, v_, a, forces, loads_);
  has_velocities_ = true;
  add_friction_forces(model_, v_, 1.0, forces);
  return forces + elastic_and_damping_forces();
}

const Eigen::MatrixXd& Evaluation::mass_matrix() {
  if (!knows_mass_matrix_) limber::mass_matrix(model_, work_, q_, mass_matrix_);
  knows_mass_matrix_ = true;
  return mass_matrix_;
}

const VectorXd& Evaluation::bias() {
  if (!knows_bias_) bias_forces(model_, work_, q_, v_, bias_);
  has_velocities_ = knows_bias_ = true;
  return bias_;
}

const VectorXd& Evaluation::gravity() {
  if (!knows_gravity_) {
    gravity_forces(model_, work_, q_, gravity_);
    has_velocities_ = false;  // it was at rest
    knows_gravity_ = true;
  }
  return gravity_;
}

const VectorXd& Evaluation::elastic_and_damping_forces() {
  if (!knows_elastic_) limber::elastic_and_damping_forces(model_, work_, q_, v_, elastic_);
  knows_elastic_ = true;
  return elastic_;
}

const Energy<double>& Evaluation::energy() {
  if (!energy_) {
    energy_ = limber::energy(model_, work_, q_, v_);
    energy_->strain += cylinder_energy(model_, q_);
  }
  return *energy_;
}

const Momentum<double>& Evaluation::momentum() {
  if (!momentum_) momentum_ = limber::momentum(model_, work_, q_, v_);
  return *momentum_;
}

PoseOf<double> Evaluation::pose(const Frame& frame) {
  need_poses();
  return frame_pose(model_, work_, frame);
}

Twist Evaluation::twist(const Frame& frame, MotionAxes axes) {
  need_velocities();
  return frame_twist(model_, work_, frame, axes);
}

const Matrix6X<double>& Evaluation::jacobian(const Frame& frame, MotionAxes axes) {
  for (std::size_t i = 0; i < known_jacobians_; ++i)
    if (jacobians_[i].axes == axes && is_same(jacobians_[i].frame, frame)) return jacobians_[i].J;
  need_poses();
  if (known_jacobians_ == jacobians_.size())
    jacobians_.push_back({frame, axes, Matrix6X<double>(6, model_.nv())});
  KnownJacobian& known = jacobians_[known_jacobians_];
  known.frame = frame;
  known.axes = axes;
  frame_jacobian(model_, work_, frame, axes, known.J);
  ++known_jacobians_;
  return known.J;
}

}  // namespace limber
