// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/simulation/controller.hpp"
#include "limber/simulation/holding_path.hpp"

namespace limber LIMBER_EXPORT {

/// efforts = held + gain_q (reference - q) + gain_v (rate of reference - v) + gain_x x. The reference is the settled arm with the driven
/// joints at their targets, and `held` what holds it there. Differences of q are along v's components, to first order where there are
/// quaternions. It remembers x, the integrals of some joints' (target - q) over time: while a motor is at its limit, its joint's does not
/// go on to where the motor cannot follow.
class StateFeedbackController : public Controller {
 public:
  /// A row for each driven joint. Columns of q and v: nv; of x: one for each integrated joint.
  struct Gains {
    Eigen::MatrixXd q, v, x;  ///< by position, velocity and integral
  };
  /// `q`: where joints are meant to be that have no target. `integrated`: which of `driven` have an integral.
  StateFeedbackController(Model model, std::vector<JointTarget> driven, Eigen::VectorXd q, HoldingPath path,
                          Gains gains, std::vector<int> integrated = {});
  const std::vector<JointTarget>& targets() const override { return driven_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void add_gains(const Instant& now, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override;
  int memory_size() const override { return static_cast<int>(integrated_.size()); }
  void memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                   Eigen::Ref<Eigen::VectorXd> rate) override;
  std::vector<TrajectoryPointer> signals() const override;

 private:
  Model model_;
  std::vector<JointTarget> driven_;
  HoldingPath path_;
  std::vector<int> position_;  ///< in q, of v's numbers
  Gains gains_;
  std::vector<int> integrated_;
  Eigen::VectorXd reference_, difference_, error_q_, error_v_;
};

}  // namespace limber
