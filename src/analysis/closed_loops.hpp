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

/// Joints' coordinates that follow because loops are closed; those named in `hold` do not, where there is a choice.
std::vector<int> joints_that_follow(const Model& model, const Input<double>& q, const JointNames& hold);
/// Rows J v (columns: all coordinates) by those that do not follow alone: J - J_f A_f^+ A. Columns of those that follow vanish, to rounding.
Eigen::MatrixXd with_what_follows(const Model& model, const Input<double>& q, const Eigen::MatrixXd& J,
                                  const std::vector<int>& following);

/// static_equilibrium() of an arm with closed loops.
Equilibrium closed_equilibrium(const Model& model, const Input<double>& q, const std::vector<Load>& loads,
                               const JointNames& hold);

/// A of all loops: rows x nv.
Eigen::MatrixXd loop_jacobian(const Model& model, const Input<double>& q);

/// The multipliers that balance forces as well as rows A can: A^T lambda = forces in the norm of M^-1.
Eigen::VectorXd balancing_multipliers(const Eigen::MatrixXd& A, const Eigen::MatrixXd& M,
                                      const Eigen::VectorXd& forces);

/// Coordinates (in v) that are states of the linear model: joints that tell the others, and elastic coordinates, as many as loops leave free.
std::vector<int> independent_coordinates(const Model& model, const Input<double>& q);

/// From states of all coordinates to the independent ones: A, B, C and the states' names.
void keep_independent(const Model& model, const OperatingPoint& about, LinearModel& linear);

}  // namespace limber
