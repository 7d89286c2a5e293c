// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The sweeps over an arm that take time, as a table of functions. For double and Dual they are compiled once per level of
// processors (processor_level.hpp), each level by itself, and a workspace holds the table of the level that was chosen when it was made.
// Plain numbers go in and out: sizes have been looked at before (checked_calls.hpp).

#include <vector>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/algorithms/energy.hpp"
#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/math/dual.hpp"

namespace limber::detail {

template <typename Scalar>
struct KernelTable {
  using Work = ArmWork<Scalar>;
  using Loads = std::vector<Load>;

  void (*update_positions)(Work&, const Scalar* q);
  void (*update_velocities)(Work&, const Scalar* q, const Scalar* v);
  void (*update_world_poses)(Work&);
  void (*update_link_masses)(Work&, const Scalar* q);
  void (*update_velocities_and_inertias)(Work&, const Scalar* q, const Scalar* v);
  void (*forward_dynamics)(const Model&, Work&, const Scalar* q, const Scalar* v, const Scalar* tau,
                           Scalar* qdd, const Loads&);
  void (*inverse_dynamics)(const Model&, Work&, const Scalar* q, const Scalar* v, const Scalar* qdd,
                           Scalar* tau, const Loads&);
  /// Columns are `stride` numbers apart.
  void (*mass_matrix)(Work&, const Scalar* q, Scalar* M, Eigen::Index stride);
  Energy<Scalar> (*energy)(Work&, const Scalar* q, const Scalar* v);
};

/// The kernels that new workspaces use.
template <typename Scalar>
const KernelTable<Scalar>& chosen_kernels();
template <>
const KernelTable<double>& chosen_kernels<double>();
template <>
const KernelTable<Dual>& chosen_kernels<Dual>();

}  // namespace limber::detail
