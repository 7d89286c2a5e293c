// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/output_feedback.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/algorithms/configuration.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/detail/arguments.hpp"
#include "valid_scenario.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

std::vector<SensorDescription> those(const std::vector<SensorDescription>& all,
                                     const std::vector<int>& which) {
  std::vector<SensorDescription> some;
  for (const int i : which) {
    detail::require_index("OutputFeedbackController", "sensors", static_cast<int>(all.size()), i);
    some.push_back(all[static_cast<std::size_t>(i)]);
  }
  return some;
}

}  // namespace

OutputFeedbackController::OutputFeedbackController(Model model, std::vector<JointTarget> driven, VectorXd q,
                                                   HoldingPath path,
                                                   const std::vector<SensorDescription>& sensors,
                                                   Design design)
    : model_(std::move(model)),
      driven_(std::move(driven)),
      path_(std::move(path)),
      measurement_(model_, those(sensors, design.sensors)),
      design_(std::move(design)),
      position_(positions_of_coordinates(model_)),
      start_(std::move(q)),
      reference_(start_),
      rate_(VectorXd::Zero(model_.nv())),
      difference_(model_.nq()),
      along_(model_.nv()),
      nothing_(VectorXd::Zero(model_.nv())) {
  const char* const name = "OutputFeedbackController";
  const Index states = design_.A.rows(), m = static_cast<Index>(driven_.size()),
              p = static_cast<Index>(design_.sensors.size()),
              integrals = static_cast<Index>(design_.integrated.size());
  detail::Call{name, model_}.require_position("q", start_);
  for (const JointTarget& target : driven_) require_target(name, "driven", model_, target);
  detail::require_extent(name, "design.A", design_.A,
                         2 * design_.to_modes.rows() + static_cast<Index>(design_.on_the_way.size()), states);
  detail::require_extent(name, "design.B", design_.B, states, m);
  detail::require_extent(name, "design.H", design_.H, p, states);
  detail::require_extent(name, "design.L", design_.L, states, p);
  detail::require_extent(name, "design.K", design_.K, m, states);
  detail::require_extent(name, "design.K_I", design_.K_I, m, integrals);
  detail::require_extent(name, "design.to_modes", design_.to_modes, design_.to_modes.rows(), model_.nv());
  for (const int sensor : design_.on_the_way)
    detail::require_index(name, "design.on_the_way", static_cast<int>(p), sensor);
  for (std::size_t i = 0; i < design_.integrated.size(); ++i) {
    detail::require_index(name, "design.integrated", static_cast<int>(m), design_.integrated[i]);
    detail::require_index(name, "design.measured_by", static_cast<int>(p), design_.measured_by.at(i));
  }
  z_reference_.setZero(states);
  expected_.setZero(p);
  measurement_.evaluate(start_, nothing_, nothing_, nothing_, {}, expected_);
  at_start_ = expected_;
  for (const JointTarget& target : driven_)
    limit_.push_back(detail::Call{name, model_}
                         .require_joint_coordinate("driven", target.coordinate)
                         .limits.effort.value_or(std::numeric_limits<double>::infinity()));
}

// [r; r'] into z_reference_, and what holds it.
void OutputFeedbackController::find_reference(const Instant& now) {
  path_.go_to(now.t, now.within);
  rate_.setZero();
  for (const int c : path_.placed()) {
    reference_[position_[static_cast<std::size_t>(c)]] = path_.value()[c];
    rate_[c] = path_.rate()[c];
  }
  held_.resize(static_cast<Index>(driven_.size()));
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    const JointTarget& target = driven_[i];
    const TrajectoryPoint wanted = target.trajectory->at(now.t, now.within);
    reference_[target.position] = wanted.position;
    rate_[target.coordinate] = wanted.velocity;
    held_[static_cast<Index>(i)] = path_.value()[target.coordinate];
  }
  difference_ = reference_ - start_;
  velocity_from_rate(model_, start_, difference_, along_);
  const Index n = design_.to_modes.rows();
  z_reference_.head(n).noalias() = design_.to_modes.lazyProduct(along_);
  z_reference_.segment(n, n).noalias() = design_.to_modes.lazyProduct(rate_);
  if (design_.on_the_way.empty()) return;
  find_expected();
  for (std::size_t k = 0; k < design_.on_the_way.size(); ++k) {
    const int sensor = design_.on_the_way[k];
    z_reference_[2 * n + static_cast<Index>(k)] = expected_[sensor] - at_start_[sensor];
  }
}

// h(reference), after reference_ is known.
void OutputFeedbackController::find_expected() {
  measurement_.evaluate(reference_, nothing_, nothing_, nothing_, {}, expected_);
}

// u - u_held of (2).
void OutputFeedbackController::find_feedback(const Instant& now) {
  find_reference(now);
  const Index states = design_.A.rows();
  deviation_ = z_reference_ - now.x.head(states);
  feedback_.noalias() = design_.K.lazyProduct(deviation_);
  feedback_.noalias() += design_.K_I.lazyProduct(now.x.tail(now.x.size() - states));
}

void OutputFeedbackController::add_efforts(const Instant& now, VectorXd& efforts) {
  const char* const name = "OutputFeedbackController::add_efforts";
  const detail::Call call{name, model_};
  call.require_velocity("efforts", efforts);
  detail::require_extent(name, "now.x", now.x, memory_size(), 1);
  find_feedback(now);
  for (std::size_t i = 0; i < driven_.size(); ++i)
    efforts[driven_[i].coordinate] += held_[static_cast<Index>(i)] + feedback_[static_cast<Index>(i)];
}

// given_: what motors give beyond u_held. z_reference_: [r; 0]. deviation_: z^ - [r; 0]. innovation_: m - h.
void OutputFeedbackController::find_innovation(const Instant& now, const Eigen::VectorXi& at_limit) {
  find_feedback(now);
  given_ = feedback_;
  for (std::size_t i = 0; i < driven_.size(); ++i) {
    const int side = at_limit[driven_[i].coordinate];
    const auto row = static_cast<Index>(i);
    if (side != 0 && std::isfinite(limit_[i])) given_[row] = side * limit_[i] - held_[row];
  }
  const Index n = design_.to_modes.rows();
  z_reference_.segment(n, n).setZero();
  deviation_ = now.x.head(design_.A.rows()) - z_reference_;
  if (design_.on_the_way.empty()) find_expected();
  innovation_.resize(expected_.size());
  for (std::size_t i = 0; i < design_.sensors.size(); ++i)
    innovation_[static_cast<Index>(i)] = now.measured[design_.sensors[i]] - expected_[static_cast<Index>(i)];
}

double OutputFeedbackController::error_of_integral(std::size_t i, const Instant& now,
                                                   const Eigen::VectorXi& at_limit) const {
  const JointTarget& target = driven_[static_cast<std::size_t>(design_.integrated[i])];
  const int sensor = design_.sensors[static_cast<std::size_t>(design_.measured_by[i])];
  const double error = target.trajectory->at(now.t, now.within).position - now.measured[sensor];
  return error * at_limit[target.coordinate] > 0.0 ? 0.0 : error;
}

// What (1) and (3) have in common.
void OutputFeedbackController::predict(const Instant& now, const Eigen::VectorXi& at_limit,
                                       Eigen::Ref<VectorXd> result) {
  find_innovation(now, at_limit);
  innovation_.noalias() -= design_.H.lazyProduct(deviation_);
  result.noalias() = design_.A.lazyProduct(deviation_);
  result.noalias() += design_.B.lazyProduct(given_);
  result.noalias() += design_.L.lazyProduct(innovation_);
}

void OutputFeedbackController::memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                                           Eigen::Ref<VectorXd> rate) {
  const Index states = design_.A.rows();
  predict(now, at_limit, rate.head(states));
  for (std::size_t i = 0; i < design_.integrated.size(); ++i)
    rate[states + static_cast<Index>(i)] = error_of_integral(i, now, at_limit);
}

void OutputFeedbackController::remember(const Instant& now, const Eigen::VectorXi& at_limit,
                                        Eigen::Ref<VectorXd> x) {
  const Index states = design_.A.rows();
  predict(now, at_limit, x.head(states));
  x.head(states) += z_reference_;
  for (std::size_t i = 0; i < design_.integrated.size(); ++i)
    x[states + static_cast<Index>(i)] += error_of_integral(i, now, at_limit) / design_.rate;
}

std::vector<TrajectoryPointer> OutputFeedbackController::signals() const {
  std::vector<TrajectoryPointer> signals;
  for (const JointTarget& target : driven_) signals.push_back(target.trajectory);
  return signals;
}

}  // namespace limber
