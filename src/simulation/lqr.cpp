// SPDX-License-Identifier: BSD-3-Clause
#include "lqr.hpp"

#include "controllers.hpp"
#include "limber/model/loops.hpp"
#include "limber/simulation/state_feedback.hpp"

namespace limber {

using Eigen::Index;
using Eigen::VectorXd;

std::unique_ptr<Controller> make_lqr(const Model& model, const VectorXd& q,
                                     const std::vector<LqrJoint>& joints,
                                     const std::vector<JointTarget>& prescribed, double duration) {
  const LqrDesign design = design_lqr(model, q, joints, prescribed, duration);
  const Index n = design.shapes.cols(), memory = static_cast<Index>(design.integrated.size());
  StateFeedbackController::Gains gains{design.gain.leftCols(n) * design.to_modes,
                                       design.gain.middleCols(n, n) * design.to_modes,
                                       design.gain.rightCols(memory)};
  return std::make_unique<StateFeedbackController>(model, design.driven, q,
                                                   HoldingPath(model, q, design.moving, duration),
                                                   std::move(gains), design.integrated);
}

void actuations::Lqr::add_controllers(ControllerSite& site, const std::vector<Driven<Lqr>>& driven) {
  require_plain_tree(site.model, "an LQR design");
  std::vector<LqrJoint> joints;
  for (const auto& joint : driven) {
    const actuations::Lqr& how = joint.how;
    TrajectoryPointer wanted =
        how.target ? site.follow(*how.target, joint.position) : constant_trajectory(site.q[joint.position]);
    joints.push_back({{joint.coordinate, joint.position, std::move(wanted)},
                      how.position_weight,
                      how.energy_weight,
                      how.effort_weight,
                      how.integral});
  }
  site.controllers.push_back(make_lqr(site.model, site.q, joints, site.prescribed, site.duration));
}

}  // namespace limber
