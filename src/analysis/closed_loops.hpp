// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What statics, modes and linear models need of an arm with closed loops (algorithms/constraints.hpp, docs/loops.md).

#include <vector>

#include "limber/algorithms/constraints.hpp"
#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/linearize.hpp"

namespace limber {

/// Coordinates that statics and `modes --joints held` let move: elastic ones, passive joints, and those that follow because loops are closed. Joints named in `hold` are
/// held, and others follow, where there is a choice.
std::vector<int> unheld_coordinates(const Model& model, const Input<double>& q, const JointNames& hold);

/// static_equilibrium() of an arm with closed loops.
Equilibrium closed_equilibrium(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                               const JointNames& hold);

/// Motions x = Z y of some coordinates that leave loops closed: Z^T Z = 1.
Eigen::MatrixXd closed_motions(const Model& model, const Input<double>& q, const std::vector<int>& moving);

/// The multipliers that balance forces on some coordinates (rows of `forces`, nv) as well as loops can: A^T lambda = forces in the norm of M^-1.
Eigen::VectorXd balancing_multipliers(const Model& model, const Input<double>& q,
                                      const Eigen::MatrixXd& M_moving, const Input<double>& forces,
                                      const std::vector<int>& moving);

/// Coordinates (in v) that are states of the linear model: joints that tell the others, and elastic coordinates, as many as loops leave free.
std::vector<int> independent_coordinates(const Model& model, const Input<double>& q);

/// From states of all coordinates to the independent ones: A, B, C and the states' names.
void keep_independent(const Model& model, const OperatingPoint& about, LinearModel& linear);

}  // namespace limber
