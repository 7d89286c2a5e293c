// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// All sweeps, as templates, and the table of them.

#include "limber/algorithms/detail/energy.hpp"
#include "limber/algorithms/detail/forward_dynamics.hpp"
#include "limber/algorithms/detail/inertia.hpp"
#include "limber/algorithms/detail/inverse_dynamics.hpp"
#include "limber/algorithms/detail/kernel_table.hpp"
#include "limber/algorithms/detail/kinematics.hpp"
#include "limber/algorithms/detail/mass_matrix.hpp"

namespace limber::detail {

template <typename Scalar>
constexpr KernelTable<Scalar> sweeps{
    &update_positions<Scalar>,
    &update_velocities<Scalar>,
    &update_world_poses<Scalar>,
    &update_link_masses<Scalar>,
    &update_velocities_and_inertias<Scalar>,
    &forward_dynamics<Scalar>,
    &inverse_dynamics<Scalar>,
    &mass_matrix<Scalar>,
    &energy<Scalar>,
};

}  // namespace limber::detail
