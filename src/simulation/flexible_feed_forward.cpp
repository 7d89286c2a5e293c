// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/flexible_feed_forward.hpp"
#include "limber/model/loops.hpp"

#include <algorithm>

#include "controllers.hpp"
#include "limber/algorithms/input_matrix.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/friction.hpp"

namespace limber {

using Eigen::Index;
using Eigen::VectorXd;

FlexibleFeedForwardController::FlexibleFeedForwardController(const Model& model,
                                                             std::vector<JointTarget> driven,
                                                             std::vector<JointTarget> others,
                                                             const VectorXd& q, const VectorXd& v)
    : model_(model),
      work_(model_),
      driven_(std::move(driven)),
      others_(std::move(others)),
      q_(q),
      v_(v),
      a_(VectorXd::Zero(model_.nv())),
      force_(VectorXd::Zero(model_.nv())),
      passive_(VectorXd::Zero(model_.nv())),
      M_(model_.nv(), model_.nv()),
      matrix_(model_.nv(), model_.nv()) {
  const std::vector<int> position = positions_of_coordinates(model_), joints = joint_coordinates(model_);
  for (const auto* targets : {&driven_, &others_})
    for (const JointTarget& target : *targets) known_.push_back(target.coordinate);
  const Eigen::MatrixXd B = input_matrix(model_);
  inputs_.resize(model_.nv(), static_cast<Index>(known_.size()));
  for (std::size_t i = 0; i < known_.size(); ++i)
    inputs_.col(static_cast<Index>(i)) =
        B.col(std::find(joints.begin(), joints.end(), known_[i]) - joints.begin());
  require_clamped_roots();
  for (int c = 0; c < model_.nv(); ++c) {
    if (std::find(known_.begin(), known_.end(), c) != known_.end()) continue;
    if (position[static_cast<std::size_t>(c)] < 0)
      throw InputError(Problem{
          "actuation", "an arm whose joints are all one number each for flexible-feed-forward",
          "`" + model_.coordinates()[static_cast<std::size_t>(c)] + "`, which is part of a quaternion",
          "take rigid-inverse-dynamics"});
    free_.push_back(c);
    free_positions_.push_back(position[static_cast<std::size_t>(c)]);
  }
  start_q_ = q(free_positions_);
  start_v_ = v(free_);
}

// Where a shape has a slope at its root, the motor turns the root and the joint's coordinate is the chord: moving that exactly takes efforts that grow
// without end (the zeros of such an arm are unstable).
void FlexibleFeedForwardController::require_clamped_roots() const {
  for (const int c : elastic_coordinates(model_))
    if (!inputs_.row(c).isZero(0.0))
      throw InputError(
          Problem{"actuation", "shapes that are clamped at the root for flexible-feed-forward",
                  "`" + model_.coordinates()[static_cast<std::size_t>(c)] + "`, of a shape that turns there",
                  "take craig-bampton or clamped-free, or rigid-inverse-dynamics"});
}

// (1). Efforts and rates of the memory are asked for one after the other at the same moment.
void FlexibleFeedForwardController::solve(const Instant& now) {
  if (is_solved_ && t_ == now.t && within_ == now.within && x_ == now.x) return;
  const auto n = static_cast<Index>(free_.size());
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    q_[free_positions_[k]] = start_q_[i] + now.x[i];
    v_[free_[k]] = start_v_[i] + now.x[n + i];
    a_[free_[k]] = 0.0;
  }
  for (const auto* targets : {&driven_, &others_})
    for (const JointTarget& target : *targets) {
      const TrajectoryPoint wanted = target.trajectory->at(now.t, now.within);
      q_[target.position] = wanted.position;
      v_[target.coordinate] = wanted.velocity;
      a_[target.coordinate] = wanted.acceleration;
    }
  inverse_dynamics(model_, work_, q_, v_, a_, force_);
  elastic_and_damping_forces(model_, work_, q_, v_, passive_);
  add_friction_forces(model_, v_, 1.0, passive_);
  force_ += passive_;
  mass_matrix(model_, work_, q_, M_);
  for (Index i = 0; i < n; ++i) matrix_.col(i) = M_.col(free_[static_cast<std::size_t>(i)]);
  matrix_.rightCols(inputs_.cols()) = -inputs_;
  lu_.compute(matrix_);
  unknown_ = lu_.solve(-force_);
  t_ = now.t;
  within_ = now.within;
  x_ = now.x;
  is_solved_ = true;
}

void FlexibleFeedForwardController::add_efforts(const Instant& now, VectorXd& efforts) {
  solve(now);
  const auto n = static_cast<Index>(free_.size());
  for (std::size_t i = 0; i < driven_.size(); ++i)
    efforts[driven_[i].coordinate] += unknown_[n + static_cast<Index>(i)];
}

void FlexibleFeedForwardController::memory_rate(const Instant& now, const Eigen::VectorXi&,
                                                Eigen::Ref<VectorXd> rate) {
  solve(now);
  const auto n = static_cast<Index>(free_.size());
  rate.head(n) = start_v_ + now.x.tail(n);
  rate.tail(n) = unknown_.head(n);
}

std::vector<TrajectoryPointer> FlexibleFeedForwardController::signals() const {
  std::vector<TrajectoryPointer> signals;
  for (const auto* targets : {&driven_, &others_})
    for (const JointTarget& target : *targets) signals.push_back(target.trajectory);
  return signals;
}

void actuations::FlexibleFeedForward::add_controllers(
    ControllerSite& site, const std::vector<Driven<FlexibleFeedForward>>& driven) {
  require_plain_tree(site.model, "the feed-forward of the flexible arm");
  std::vector<JointTarget> joints;
  for (const auto& joint : driven) joints.push_back(site.target(joint, joint.how.target));
  std::vector<JointTarget> others = site.other_targets(joints);
  site.controllers.push_back(std::make_unique<FlexibleFeedForwardController>(
      site.model, std::move(joints), std::move(others), site.q, site.v));
}

}  // namespace limber
