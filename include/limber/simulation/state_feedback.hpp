#pragma once

#include "limber/simulation/controller.hpp"
#include "limber/simulation/holding_path.hpp"

namespace limber {

/// efforts = held + gain_q (reference - q) + gain_v (rate of reference - v). The reference is the settled arm with the driven joints at
/// their targets, and `held` what holds it there. Differences of q are along v's components, to first order where there are
/// quaternions. Rows of gains: driven joints; columns: nv.
class StateFeedbackController : public Controller {
 public:
  /// `q`: where joints are meant to be that have no target.
  StateFeedbackController(Model model, std::vector<JointTarget> driven, Eigen::VectorXd q, HoldingPath path,
                          Eigen::MatrixXd gain_q, Eigen::MatrixXd gain_v);
  const std::vector<JointTarget>& targets() const override { return driven_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void add_gains(const Instant& now, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override;
  std::vector<TrajectoryPointer> signals() const override;

 private:
  Model model_;
  std::vector<JointTarget> driven_;
  HoldingPath path_;
  std::vector<int> position_;  ///< in q, of v's numbers
  Eigen::MatrixXd gain_q_, gain_v_;
  Eigen::VectorXd reference_, difference_, error_q_, error_v_;
};

}  // namespace limber
