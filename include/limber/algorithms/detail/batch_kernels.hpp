// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The sweeps for several arms at once, as a table: compiled from kernels/batch.cpp for each level whose registers are worth it.

#include <vector>

#include "limber/algorithms/detail/arm_work.hpp"
#include "limber/math/detail/batch_inertia.hpp"
#include "limber/model/load.hpp"

namespace limber::detail {

/// Arms in a register of a level.
inline constexpr int batch_width_v3 = 4, batch_width_v4 = 8;

template <typename Scalar>
struct BatchKernels {
  using Work = ArmWork<Scalar>;
  using Loads = std::vector<Load>;

  /// As those of KernelTable, but for arms whose mass matrix is singular: their qdd are not numbers.
  void (*forward_dynamics)(const Model&, Work&, const Scalar* q, const Scalar* v, const Scalar* tau,
                           Scalar* qdd, const Loads&);
  void (*inverse_dynamics)(const Model&, Work&, const Scalar* q, const Scalar* v, const Scalar* qdd,
                           Scalar* tau, const Loads&);
  void (*mass_matrix)(Work&, const Scalar* q, Scalar* M, Eigen::Index stride);
};

}  // namespace limber::detail
