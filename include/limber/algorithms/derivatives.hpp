// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How forces and accelerations change with position, velocity, acceleration and efforts: the recursion, differentiated by hand. O(n nv), where the
// dual scalar (analysis/derivatives.hpp) sweeps over the arm once for every four coordinates.
//
// **A displaced body.** All twists, wrenches and bodies are taken about one point O that rests (the place of the first link's R), in the world's axes. A
// varied motion displaces everything that coordinate j carries as one body, by xi(t) = J_j(t) dq_j(t), where J_j is the body's motion for a unit of v_j. Then
// the body's velocity V changes by dV = d/dt xi + xi x V, and what a point r of it feels is, seen from the displaced body itself (a circle marks what is
// seen from there: d = d° + xi x),
//
//   d°(d^2 r/dt^2) = W_v + W_w x r + 2 U x dr/dt,     U = angular part of d/dt xi,  W = d^2/dt^2 xi                       (1)
//
// the last term is that of Coriolis, whatever the point's own velocity: so it holds for a bent link that swings as well. Gravity is an upward acceleration of
// the ground, which displaced bodies see turned: it stands in W like any other acceleration. Hence coordinate j gives every body that it carries
//
//                U                 W                                         xi
//   by q_j       d/dt J_j          d^2/dt^2 J_j                              J_j
//   by v_j       J_j               2 d/dt J_j                                0                                           (2)
//   by qdd_j     0                 J_j                                       0
//
// the same for all of them: that is why everything is taken about O. In a joint J_j is fixed in the node N that carries it (a universal joint's second axis in the
// frame that the first turns); with V and A of N, spatial ones, A containing -g,
//
//   d/dt J = V_N x J,   d^2/dt^2 J = A_N x J + V_N x (V_N x J),   2 d/dt J -> (V_N + V_R) x J                            (3)
//
// (the last where v are not rates of coordinates: turning quaternions, their components held in R). An elastic coordinate moves the node N of its link by
// p_j = dp/deta_j and w_j = Jl theta_j (docs/notation.md), whose rates in the world's axes follow from those of p, theta and Jl (math/detail/rotation_jet.hpp); with
// the way rho from O to N
//
//   J = [p_j + rho x w_j; w_j],  d/dt J = [p_j' + rho' x w_j + rho x w_j'; w_j'],  d^2/dt^2 J likewise                    (4)
//
// and with one such column for every node that carries something.
//
// **What a body answers.** By (1) all that a link carries, itself included, answers with
//
//   d°F = I W + 2 [U x p; N U] + [xi_w x f; N_f xi_w],    I, p = Int dr/dt, N = Int (r . dr/dt 1 - dr/dt r^T)             (5)
//
// F its wrench, I its inertia, and f, N_f = Sum (r . f 1 - f r^T - [n]x) of the external forces f (at r) and moments n that keep the world's axes. I, p, N, f, N_f
// and F are sums over bodies: one sweep inwards. The row of a coordinate k of the link in the column of a coordinate j that carries it is J_k . d°F, hence
//
//   dtau_k/dq_j = P_k . W_j + Y_k . U_j + Z_k . xi_w,j,   P_k = I J_k,  Y_k = 2 (p x J_k,v + N^T J_k,w),  Z_k = f x J_k,v + N_f^T J_k,w          (6)
//
// (for elastic coordinates P_k = Int [r_k; r x r_k], Y_k = 2 Int dr/dt x r_k of the link itself, and (6) of what sits on its nodes), and the other way round, where
// k carries j, the whole change of the wrench counts:
//
//   dtau_k/dq_j = J_k . (d°F_j + J_j x* F),                M_kj = P_k . J_j                                                (7)
//
// **Elastic coordinates of one link.** Of its field (detail/inertia.hpp) everything is a polynomial in eta, and differentiated as such. What sits on a node adds
//
//   dtau_k/deta_j = J_k . d°F_j + (dJ_j/deta_k) . F                                                                        (8)
//
// since (dJ_k/deta_j - J_j x J_k) = dJ_j/deta_k. Springs, beams' stiffness and dampers are constants: not part of inverse dynamics, and added where forces have them.
//
// The derivation differs from that of rigid bodies in the literature (J. Carpentier and N. Mansard, "Analytical derivatives of rigid body dynamics algorithms", RSS
// 2018) in what it takes as unknown: (1) needs no spatial inertia of a moving body, only momenta, and so takes bodies that bend.

#include <memory>

#include "limber/algorithms/workspace.hpp"
#include "limber/core/export.hpp"
#include "limber/model/load.hpp"

namespace limber LIMBER_EXPORT {

namespace detail {
struct DerivativeWork;
}

/// Scratch for derivatives, a Workspace included: made once for a model, then nothing allocates. One per thread.
class DerivativeWorkspace {
 public:
  /// For this model and its copies. `kernels`: see Kernels.
  explicit DerivativeWorkspace(const Model& model, Kernels kernels = Kernels::fixed);
  ///@{
  /// Moved, not copied.
  DerivativeWorkspace(DerivativeWorkspace&& other) noexcept;
  DerivativeWorkspace& operator=(DerivativeWorkspace&& other) noexcept;
  ///@}
  ~DerivativeWorkspace();

  /// Another gravity than the model's, in the world's axes.
  void set_gravity(const Eigen::Vector3d& gravity);
  /// False once it has been moved from.
  bool is_ready() const { return work_ != nullptr; }

  ///@{
  /// What the algorithms work in; not for others.
  detail::DerivativeWork& work() { return *work_; }
  const detail::DerivativeWork& work() const { return *work_; }
  ///@}

 private:
  std::unique_ptr<detail::DerivativeWork> work_;
};

/// Partial derivatives of tau = inverse_dynamics(q, v, qdd) - loads, nv x nv each. `dq` is along v's components:
/// for spherical and free joints along body rates. Of an arm with telescoping beams springs and dampers are in it as far as they are not
/// elastic_stiffness() and damping_matrix(), which everybody adds.
struct ForceDerivatives {
  Eigen::MatrixXd dq;  ///< along v's components
  Eigen::MatrixXd dv;  ///< with respect to v
  Eigen::MatrixXd da;  ///< with respect to qdd: the mass matrix
};

/// Into matrices that are there, nv x nv, whose columns may be parts of others.
void force_derivatives(const Model& model, DerivativeWorkspace& work, const Input<double>& q,
                       const Input<double>& v, const Input<double>& qdd, MatrixOutput<double> dq,
                       MatrixOutput<double> dv, MatrixOutput<double> da, const std::vector<Load>& loads = {});
/// The same; `result` is given its size, and allocates nothing once it has it.
void force_derivatives(const Model& model, DerivativeWorkspace& work, const Input<double>& q,
                       const Input<double>& v, const Input<double>& qdd, ForceDerivatives& result,
                       const std::vector<Load>& loads = {});

/// Of forward dynamics a(q, v, tau) at a state, and of the forces f(q, v, a) = M a + bias + springs, dampers and friction - loads; nv x nv each, dq along v's
/// components. With f at the state's own acceleration
///
///   da/dtau = M^-1,   da/dq = -M^-1 df/dq,   da/dv = -M^-1 df/dv                                       (9)
struct DynamicsDerivatives {
  Eigen::MatrixXd dacceleration_dq, dacceleration_dv, dacceleration_dtau;  ///< of forward dynamics
  Eigen::MatrixXd dforce_dq, dforce_dv;                                    ///< of required forces
};

/// All of them at a state's own acceleration. `result` is given its size, and allocates nothing once it has it. Throws ComputationError for a singular
/// mass matrix. All joints are taken as free: none as prescribed.
void derivatives(const Model& model, DerivativeWorkspace& work, const Input<double>& q,
                 const Input<double>& v, const Input<double>& tau, DynamicsDerivatives& result,
                 const std::vector<Load>& loads = {});

}  // namespace limber
