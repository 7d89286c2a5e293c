// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <vector>

#include "lqr_design.hpp"

namespace limber {

/// State feedback about the settled arm along the targets. It minimises the integral of
///
///   Sum over joints of position_weight (position error)^2 + energy_weight x^T diag(K, M) x + effort_weight effort^2
///
/// x = [displacements; velocities] of the whole arm where the targets end, so the controller sees the elastic coordinates too. What
/// holds the settled arm, and where its elastic coordinates are, follows the targets (holding_path.hpp). Joints without a target
/// stay at q; `prescribed` ones move as they do anyway, and are no part of the problem.
///
/// What the controller does not know (loads, a wrong mass) leaves an error for good. With `integral` the error's integral over time is
/// one more state, weighted by position_weight (omega/4)^2 (omega: lqr_design.cpp), and the joint ends at its target.
std::unique_ptr<Controller> make_lqr(const Model& model, const Eigen::VectorXd& q,
                                     const std::vector<LqrJoint>& joints,
                                     const std::vector<JointTarget>& prescribed, double duration);

}  // namespace limber
