// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm at a state, and everything that can be asked about it there.
//
//   Evaluation e(model);
//   e.set(q, v, tau);
//   e.acceleration();  e.mass_matrix();  e.pose(frame(model, "boom", 1.0));  e.energy();  e.wrench(joint);
//
// Each quantity is computed when it is first asked for, once per state, from what is there already; `set` makes all that depends
// on what has changed stale, so that no answer is ever of an older state. The free functions (forward_dynamics.hpp, jacobian.hpp, ...)
// are for loops in which the caller knows what is needed; answers that are returned by value, and Jacobians of new frames, allocate.
//
// One object serves one thread. It keeps a copy of the model, which shares the model's large parts.

#include <deque>
#include <optional>
#include <vector>

#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/algorithms/jacobian.hpp"
#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// An arm at a state, and everything that can be asked about it there: each answer is computed once per state, and is never of an older one.
class Evaluation {
 public:
  /// At the neutral configuration, at rest, with no efforts and loads.
  explicit Evaluation(const Model& model);

  /// The arm.
  const Model& model() const { return model_; }

  /// A new state. v, tau: nv numbers. Throws InputError for sizes that do not fit, ComputationError for numbers that are
  /// not finite.
  void set(const Input<double>& q, const Input<double>& v, const Input<double>& tau,
           const std::vector<Load>& loads = {});
  /// At rest, without efforts and loads.
  void set(const Input<double>& q);
  /// Other loads at the same state.
  void set_loads(const std::vector<Load>& loads);

  ///@{
  /// The state that was set: nq, nv, nv numbers.
  const Eigen::VectorXd& q() const { return q_; }
  const Eigen::VectorXd& v() const { return v_; }
  const Eigen::VectorXd& tau() const { return tau_; }
  ///@}

  /// nv numbers, by forward_dynamics(), of tau less friction_forces().
  const Eigen::VectorXd& acceleration();
  /// By the parent on the link, about the origin of its B, in its axes; at acceleration().
  const Wrench& wrench(int link);
  /// What moves the arm by `a`: M a + bias + springs, dampers and friction - loads. Not kept.
  Eigen::VectorXd required_forces(const Input<double>& a);

  /// nv x nv, both triangles.
  const Eigen::MatrixXd& mass_matrix();
  /// Coriolis, centrifugal and gravity forces.
  const Eigen::VectorXd& bias();
  /// Gravity forces alone (nv): bias() at rest.
  const Eigen::VectorXd& gravity();
  /// Of springs, beams and dampers.
  const Eigen::VectorXd& elastic_and_damping_forces();
  /// Kinetic, of gravity, of strain [J].
  const Energy<double>& energy();
  /// Mass, centre of mass and momentum.
  const Momentum<double>& momentum();

  /// X_WE: of the frame in the world.
  PoseOf<double> pose(const Frame& frame);
  /// Of the frame's origin.
  Twist twist(const Frame& frame, MotionAxes axes = MotionAxes::local_world_aligned);
  /// 6 x nv, linear rows first. The reference holds until the next `set`.
  const Matrix6X<double>& jacobian(const Frame& frame, MotionAxes axes = MotionAxes::local_world_aligned);

 private:
  struct KnownJacobian {
    Frame frame;
    MotionAxes axes;
    Matrix6X<double> J;
  };
  void forget_forces();
  void need_poses();
  void need_velocities();

  Model model_;
  Workspace<double> work_;
  Eigen::VectorXd q_, v_, tau_;
  std::vector<Load> loads_;

  // What the workspace holds of the state, and which answers are known.
  bool has_poses_ = false, has_velocities_ = false;
  bool knows_acceleration_ = false, knows_mass_matrix_ = false, knows_bias_ = false, knows_gravity_ = false,
       knows_elastic_ = false;
  Eigen::VectorXd moving_, acceleration_, bias_, gravity_, elastic_;
  Eigen::MatrixXd mass_matrix_;
  std::vector<Wrench> wrenches_;
  std::optional<Energy<double>> energy_;
  std::optional<Momentum<double>> momentum_;
  std::deque<KnownJacobian> jacobians_;
  std::size_t known_jacobians_ = 0;
};

}  // namespace limber
