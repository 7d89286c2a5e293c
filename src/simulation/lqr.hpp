#pragma once

#include <memory>
#include <vector>

#include "limber/simulation/controller.hpp"

namespace limber {

struct LqrJoint {
  JointTarget target;
  double position_weight, energy_weight, effort_weight;
};

/// State feedback about the equilibrium with the joints as q has them. It minimises the integral of
///
///   Sum over joints of position_weight (position error)^2 + energy_weight x^T diag(K, M) x + effort_weight effort^2
///
/// x = [displacements; velocities] of the whole arm, so the controller sees the elastic coordinates too.
std::unique_ptr<Controller> make_lqr(const Model& model, const Eigen::VectorXd& q,
                                     const std::vector<LqrJoint>& joints, const std::vector<int>& position);

}  // namespace limber
