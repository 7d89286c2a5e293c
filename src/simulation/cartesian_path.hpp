// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// `cartesian` trajectories (trajectory_types.hpp): a way of the end effector as motions of the joints.

#include <vector>

#include "limber/model/coordinates.hpp"
#include "limber/model/load.hpp"
#include "limber/model/model.hpp"
#include "limber/scenario/trajectory.hpp"

namespace limber {

/// The arm's positions at the places of the way (nq x places), its links as they sag there under these loads, from the position q on. Throws ComputationError
/// that counts the place which it cannot reach.
Eigen::MatrixXd positions_along(const trajectories::Cartesian& way, const Model& model,
                                const Eigen::VectorXd& q, const std::vector<Load>& loads,
                                const JointNames& hold);

/// Of them, one number over time: `position` is its index in q.
TrajectoryPointer position_along(const trajectories::Cartesian& way, const Eigen::MatrixXd& positions,
                                 int position);

}  // namespace limber
