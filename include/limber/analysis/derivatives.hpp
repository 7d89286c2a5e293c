// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How forces and accelerations change with position, velocity and efforts, exact to rounding: in one call each (by algorithms/derivatives.hpp), and by the dual scalar.

#include <memory>
#include <optional>

#include "limber/algorithms/derivatives.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// By the dual scalar, in sweeps of four directions: what `force_derivatives` is tested with, and single directions in O(n). Differentiates again and again at the
/// same arm: keeps its scratch.
class ForceDifferentiator {
 public:
  /// Of an arm, of which it keeps a copy. `gravity_factor` scales the model's gravity.
  explicit ForceDifferentiator(const Model& model, double gravity_factor = 1.0);
  ~ForceDifferentiator();
  ///@{
  /// Moved, not copied.
  ForceDifferentiator(ForceDifferentiator&&) noexcept;
  ForceDifferentiator& operator=(ForceDifferentiator&&) noexcept;
  ///@}

  /// Of the model's gravity, from now on.
  void set_gravity_factor(double factor);

  /// d tau/dq, only the given columns (all others zero); nv x nv.
  Eigen::MatrixXd by_position(const Input<double>& q, const Input<double>& v, const Input<double>& qdd,
                              const std::vector<Load>& loads, const std::vector<int>& columns);
  /// d tau/dv, likewise.
  Eigen::MatrixXd by_velocity(const Input<double>& q, const Input<double>& v,
                              const std::vector<int>& columns);
  /// The same into matrices that are there: nothing is allocated once they are nv x nv.
  void by_position(const Input<double>& q, const Input<double>& v, const Input<double>& qdd,
                   const std::vector<Load>& loads, const std::vector<int>& columns, Eigen::MatrixXd& result);
  /// d tau/dv, likewise.
  void by_velocity(const Input<double>& q, const Input<double>& v, const std::vector<int>& columns,
                   Eigen::MatrixXd& result);
  /// How tau changes along one direction: d tau/dq dq + d tau/dv dv (dq along v's components), in one sweep.
  void along(const Input<double>& q, const Input<double>& v, const Input<double>& qdd,
             const std::vector<Load>& loads, const Input<double>& dq, const Input<double>& dv,
             Eigen::VectorXd& result);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

/// All of them at one state.
ForceDerivatives force_derivatives(const Model& model, const Input<double>& q, const Input<double>& v,
                                   const Input<double>& qdd, const std::vector<Load>& loads = {});

/// What moves an arm by an acceleration: M a + bias + springs and dampers - loads (nv). With it as tau, forward dynamics
/// gives a.
Eigen::VectorXd required_forces(const Model& model, const Input<double>& q, const Input<double>& v,
                                const Input<double>& acceleration, const std::vector<Load>& loads = {});

/// (9) of algorithms/derivatives.hpp from M, df/dq and df/dv at the state's own acceleration.
DynamicsDerivatives derivatives_from(const Eigen::MatrixXd& M, Eigen::MatrixXd dforce_dq,
                                     Eigen::MatrixXd dforce_dv);
/// `acceleration`: that of f; none: the state's own. Throws ComputationError for a singular mass matrix.
DynamicsDerivatives dynamics_derivatives(const Model& model, const Input<double>& q, const Input<double>& v,
                                         const Input<double>& tau, const std::vector<Load>& loads = {},
                                         const std::optional<Eigen::VectorXd>& acceleration = {});

/// 0, 1, ..., nv - 1.
std::vector<int> all_coordinates(const Model& model);
/// Indices in v of the elastic coordinates.
std::vector<int> elastic_coordinates(const Model& model);
/// Indices in v of the coordinates on which the joints' efforts act: driven_coordinates().
std::vector<int> joint_coordinates(const Model& model);

}  // namespace limber
