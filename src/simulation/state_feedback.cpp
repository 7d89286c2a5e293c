// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/state_feedback.hpp"

#include "limber/algorithms/configuration.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "valid_scenario.hpp"

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
      error_v_(model_.nv()) {
  const char* const name = "StateFeedbackController";
  detail::Call{name, model_}.require_position("q", reference_);
  for (const JointTarget& target : driven_) require_target(name, "driven", model_, target);
  const auto rows = static_cast<Eigen::Index>(driven_.size());
  detail::require_extent(name, "gains.q", gains_.q, rows, model_.nv());
  detail::require_extent(name, "gains.v", gains_.v, rows, model_.nv());
  detail::require_extent(name, "gains.x", gains_.x, rows, static_cast<Eigen::Index>(integrated_.size()));
  for (const int joint : integrated_)
    detail::require_index(name, "integrated", static_cast<int>(driven_.size()), joint);
  detail::require_extent(name, "path", path_.value(), model_.nv(), 1);
}

void StateFeedbackController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  const detail::Call call{"StateFeedbackController::add_efforts", model_};
  call.require_position("now.q", now.q);
  call.require_velocity("now.v", now.v);
  call.require_velocity("efforts", efforts);
  detail::require_extent("StateFeedbackController::add_efforts", "now.x", now.x, memory_size(), 1);
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
  const detail::Call call{"StateFeedbackController::add_gains", model_};
  call.require_matrix("stiffness", stiffness, model_.nv());
  call.require_matrix("damping", damping, model_.nv());
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    stiffness.row(driven_[i].coordinate) += gains_.q.row(row);
    damping.row(driven_[i].coordinate) += gains_.v.row(row);
  }
}

void StateFeedbackController::memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                                          Eigen::Ref<Eigen::VectorXd> rate) {
  const detail::Call call{"StateFeedbackController::memory_rate", model_};
  call.require_position("now.q", now.q);
  call.require_velocity("at_limit", at_limit);
  detail::require_extent("StateFeedbackController::memory_rate", "rate", rate, memory_size(), 1);
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
