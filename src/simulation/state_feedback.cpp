// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/state_feedback.hpp"

#include "limber/algorithms/configuration.hpp"
#include "limber/model/coordinates.hpp"

namespace limber {

StateFeedbackController::StateFeedbackController(Model model, std::vector<JointTarget> driven,
                                                 Eigen::VectorXd q, HoldingPath path, Gains gains,
                                                 std::vector<int> integrated)
    : model_(std::move(model)),
      driven_(std::move(driven)),
      path_(std::move(path)),
      position_(positions_of_coordinates(model_)),
      gains_(std::move(gains)),
      integrated_(std::move(integrated)),
      reference_(std::move(q)),
      difference_(model_.nq()),
      error_q_(model_.nv()),
      error_v_(model_.nv()) {}

void StateFeedbackController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  path_.go_to(now.t, now.within);
  error_v_ = -now.v;
  for (const int c : path_.placed()) {
    reference_[position_[static_cast<std::size_t>(c)]] = path_.value()[c];
    error_v_[c] += path_.rate()[c];
  }
  for (const JointTarget& target : driven_) {
    const TrajectoryPoint wanted = target.trajectory->at(now.t, now.within);
    reference_[target.position] = wanted.position;
    error_v_[target.coordinate] += wanted.velocity;
  }
  difference_ = reference_ - now.q;
  velocity_from_rate(model_, now.q, difference_, error_q_);
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    const int c = driven_[i].coordinate;
    efforts[c] += path_.value()[c] + gains_.q.row(row).dot(error_q_) + gains_.v.row(row).dot(error_v_) +
                  gains_.x.row(row).dot(now.x);
  }
}

void StateFeedbackController::add_gains(const Instant&, Eigen::MatrixXd& stiffness,
                                        Eigen::MatrixXd& damping) {
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    stiffness.row(driven_[i].coordinate) += gains_.q.row(row);
    damping.row(driven_[i].coordinate) += gains_.v.row(row);
  }
}

void StateFeedbackController::memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                                          Eigen::Ref<Eigen::VectorXd> rate) {
  for (std::size_t i = 0; i < integrated_.size(); ++i) {
    const JointTarget& target = driven_[static_cast<std::size_t>(integrated_[i])];
    const double error = target.trajectory->at(now.t, now.within).position - now.q[target.position];
    rate[static_cast<Eigen::Index>(i)] = error * at_limit[target.coordinate] > 0.0 ? 0.0 : error;
  }
}

std::vector<TrajectoryPointer> StateFeedbackController::signals() const {
  std::vector<TrajectoryPointer> signals;
  for (const JointTarget& target : driven_) signals.push_back(target.trajectory);
  return signals;
}

}  // namespace limber
