// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The dual-screw formulation: equations of motion of first order in the elastic states at every step (A. Cibicik and
// O. Egeland, "Kinematics and dynamics of flexible robotic manipulators using dual screws"; docs/dual-screw.md).
//
// The paper writes every screw as a dual vector, real part of order zero, dual part of order one in the elastic
// coordinates eta and their rates, and multiplies by eps^2 = 0. Its joint and elastic columns stand in two matrices,
//
//   Jacobian form    P^ u    = twist: elastic rates are of first order, their columns purely dual        (92)
//   projecting form  P˘ udot, P˘^T wrench: elastic columns have a real part                              (93)
//
// and with D^ = [D D; D 0] the products of real with real and of real with dual parts are all that remains:
//
//   M = Sum P˘^T D^ P˘,    C u = Sum P˘^T (D^ d/dt P^ + W^ D^ P^) u,    tau = Sum P˘^T Pi^ w          (109)-(112)
//
// which says: run inverse dynamics with eta and etad at eps, accelerations real, and add the parts,
//
//   M(q) a + bias(q, v) = total of inverse_dynamics(q_r + eps q_e, v_r + eps v_e, a)                     (1)
//
// As published, an elastic column's own screw [Psi_j; Phi_j] is constant: P˘ lacks its part of first order,
//
//   S1_j = [1/2 theta x Psi_j + Psi2_j eta;  Phi2_j eta]                                                 (2)
//
// (theta = Psi eta; Phi2, Psi2: the second-order field, whose Phi2_x is the foreshortening). With `consistent` it is there, and (1)
// is the exact Taylor polynomial of the nonlinear model with kinematics: second, in every block. Without it, blocks
// between joints are exact to first order, those of elastic rows are not.
//
// Elastic states of links in `nonlinear_links`, and those in `nonlinear_coordinates`, enter (1) as real numbers: nothing of theirs is truncated. A link with such a
// state has its own screws, not constant ones, of first order in its other states.
//
// A truncated M need not be positive definite. With M0 that of zero small states and M1 = M - M0, let s be the eigenvalues of M0^-1 M1: M has 1 + s, which is
// negative where s < -1. `definite` adds a term of second order that makes it the Taylor polynomial of an exponential, which has no zero:
//
//   M_d = M0 + M1 + 1/2 M1 M0^-1 M1,    eigenvalues 1 + s + s^2/2 >= 1/2,    M_d >= M0 / 2 for every deflection             (4)
//
// To first order nothing changes. The same M_d whatever coordinates are chosen for the elastic states: M1 M0^-1 M1 transforms as M does.
//
// Kinematics likewise: a place is that of the arm with eta at eps, its two parts added, and the twist is that of the Jacobian form (92),
// with elastic rates at eps. Its elastic columns are therefore those of the undeflected arm, its joint columns of first order, and J is
// the derivative of the place. A rotation's two parts add up to a matrix that is orthogonal to first order only.
//
// Energies: kinetic 1/2 v^T M v with M of (1), gravity of first order, strain quadratic as it is.
//
// No matrix C belongs to (1) with which C v = c, the Coriolis and centrifugal forces, and dM/dt - 2 C is skew-symmetric. It would be
// C = 1/2 dM/dt + S with a skew S, and
//
//   v^T (c - 1/2 dM/dt v) = v^T S v = 0                                                                  (3)
//
// would have to hold: the forces would have to do the work by which 1/2 v^T M v changes. Of c and dM/dt different terms of second order
// were thrown away, and they do not.
//
// Differs from the paper: (71) theta_y row is -psi_z'; (104), (107) the inertia of sections turns with them; (127) the
// reaction of a motor acts about the tip's axis. The model's own `kinematics` has no say: dual-screw as published is of
// first order, consistent of second.

#include "limber/core/export.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/math/truncated.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// Equations of motion of first order in the elastic states.
class TruncatedArm {
 public:
  /// Throws InputError for a nonlinear link that is none, or rigid.
  TruncatedArm(const Model& model, const FormulationOptions& options);

  /// The arm whose Taylor polynomial this is: the given one with the order of deflection that the formulation has.
  const Model& model() const { return model_; }
  /// q with all elastic states at zero that are truncated.
  void undeflect(const Input<double>& q, Eigen::VectorXd& undeflected) const;
  /// M of (1).
  void mass_matrix(const Input<double>& q, Eigen::MatrixXd& M);
  /// (1) minus loads. Leaves joint wrenches for `wrenches`.
  void forces(const Input<double>& q, const Input<double>& v, const Input<double>& a,
              const std::vector<Load>& loads, Eigen::VectorXd& tau);
  /// Pose and Jacobian of the end effector.
  void end_effector(const Input<double>& q, PoseOf<double>& pose, Matrix6X<double>& jacobian);
  /// Of gravity, of first order.
  double gravity_energy(const Input<double>& q);
  /// As DynamicsOutput's, after `forces`.
  void wrenches(std::vector<Wrench>& wrenches) const;

 private:
  void set_positions(const Input<double>& q);

  Model model_;
  Workspace<Truncated> work_;
  std::vector<char> is_small_q_, is_small_v_;  ///< of nq and nv: enters at eps
  VectorX<Truncated> q_, v_, a_, tau_;
  MatrixX<Truncated> M_;
};

}  // namespace limber
