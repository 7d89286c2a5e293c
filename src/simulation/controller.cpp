// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/controller.hpp"
#include "limber/model/loops.hpp"

#include <algorithm>
#include <memory>

#include "controllers.hpp"
#include "limber/algorithms/inverse_dynamics.hpp"
#include "limber/algorithms/mass_matrix.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/model/friction.hpp"
#include "valid_scenario.hpp"

namespace limber {
namespace {

// Rigid links, rigid gears.
ModelDescription without_modes(ModelDescription description) {
  for (LinkDescription& link : description.links) {
    if (link.beam) link.beam->modes = {};
    if (link.body)
      link.body->reduced = std::make_shared<const ReducedBody>(without_modes(*link.body->reduced));
    if (!link.joint.drive) continue;
    link.joint.drive->stiffness.reset();
    link.joint.drive->damping = 0.0;
  }
  return description;
}

// Controllers are made without a model, and called with vectors of one.
void require_fit(const char* function, const JointTarget& target, const Instant& now, Eigen::Index efforts) {
  detail::require_index(function, "coordinate", static_cast<int>(std::min(efforts, now.v.size())),
                        target.coordinate);
  detail::require_index(function, "position", static_cast<int>(now.q.size()), target.position);
}
void require_fit(const char* function, const JointTarget& target, const Eigen::MatrixXd& stiffness,
                 const Eigen::MatrixXd& damping) {
  for (const Eigen::MatrixXd* gains : {&stiffness, &damping})
    detail::require_index(function, "coordinate", static_cast<int>(std::min(gains->rows(), gains->cols())),
                          target.coordinate);
}

void append(const std::vector<JointTarget>& targets, std::vector<TrajectoryPointer>& signals) {
  for (const JointTarget& target : targets) signals.push_back(target.trajectory);
}

}  // namespace

const std::vector<JointTarget>& Controller::targets() const {
  static const std::vector<JointTarget> none;
  return none;
}

void TorqueController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  detail::require_index("TorqueController", "coordinate", static_cast<int>(efforts.size()),
                        signal_.coordinate);
  efforts[signal_.coordinate] += signal_.trajectory->at(now.t, now.within).position;
}

void PdController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  const JointTarget& target = targets_.front();
  require_fit("PdController", target, now, efforts.size());
  const TrajectoryPoint wanted = target.trajectory->at(now.t, now.within);
  efforts[target.coordinate] +=
      kp_ * (wanted.position - now.q[target.position]) + kd_ * (wanted.velocity - now.v[target.coordinate]);
}

void PdController::add_gains(const Instant&, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) {
  require_fit("PdController", targets_.front(), stiffness, damping);
  const int c = targets_.front().coordinate;
  stiffness(c, c) += kp_;
  damping(c, c) += kd_;
}

RigidTwin::RigidTwin(const Model& arm)
    : model(build_model(without_modes(arm.description()))),
      work(model),
      q(neutral_configuration(model)),
      v(Eigen::VectorXd::Zero(model.nv())),
      a(Eigen::VectorXd::Zero(model.nv())),
      tau(Eigen::VectorXd::Zero(model.nv())),
      coordinate_(static_cast<std::size_t>(arm.nv()), -1),
      position_(coordinate_),
      passive_(model.nv()) {
  for (std::size_t i = 0; i < arm.links().size(); ++i) {
    const Joint& joint = arm.links()[i].joint;
    // Behind a rigid gear there is no motor's coordinate: the twin's joint is the arm's motor, which is what is driven.
    const int first = joint.driven_index() - joint.v_index;
    q_segments_.emplace_back(joint.q_index + first, joint.nq - first);
    for (int j = 0; j < joint.driven_count(); ++j) {
      const auto of_arm = static_cast<std::size_t>(joint.driven_index() + j);
      coordinate_[of_arm] = model.links()[i].joint.v_index + j;
      if (!joint.has_quaternion()) position_[of_arm] = model.links()[i].joint.q_index + j;
    }
  }
}

void RigidTwin::joints_of(const Input<double>& arm_q, Eigen::VectorXd& twin_q) const {
  Eigen::Index positions = 0;
  for (const auto& [first, count] : q_segments_) positions = std::max<Eigen::Index>(positions, first + count);
  if (arm_q.size() < positions)
    detail::throw_wrong_extent("RigidTwin::joints_of", "arm_q", positions, 1, arm_q.size(), 1);
  detail::Call{"RigidTwin::joints_of", model}.require_position("twin_q", twin_q);
  int at = 0;
  for (const auto& [first, count] : q_segments_) {
    twin_q.segment(at, count) = arm_q.segment(first, count);
    at += count;
  }
}

void RigidTwin::inverse_dynamics() {
  limber::inverse_dynamics(model, work, q, v, a, tau);
  elastic_and_damping_forces(model, work, q, v, passive_);
  tau += passive_;
}

GravityCompensationController::GravityCompensationController(const Model& arm,
                                                             std::vector<JointTarget> joints, bool at_target)
    : twin_(arm), joints_(std::move(joints)), at_target_(at_target) {
  for (const JointTarget& target : joints_)
    require_target("GravityCompensationController", "joints", arm, target, at_target);
}

// Where no target is known, a joint counts as being where it is.
void GravityCompensationController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  for (const JointTarget& target : joints_)
    require_fit("GravityCompensationController", target, now, efforts.size());
  twin_.joints_of(now.q, twin_.q);
  if (at_target_)
    for (const JointTarget& joint : joints_)
      twin_.q[twin_.position(joint.coordinate)] = joint.trajectory->at(now.t, now.within).position;
  gravity_forces(twin_.model, twin_.work, twin_.q, twin_.tau);
  for (const JointTarget& joint : joints_)
    efforts[joint.coordinate] += twin_.tau[twin_.coordinate(joint.coordinate)];
}

std::vector<TrajectoryPointer> GravityCompensationController::signals() const {
  std::vector<TrajectoryPointer> signals;
  if (at_target_) append(joints_, signals);
  return signals;
}

RigidInverseDynamicsController::RigidInverseDynamicsController(const Model& arm,
                                                               std::vector<JointTarget> driven,
                                                               std::vector<JointTarget> others)
    : twin_(arm), driven_(std::move(driven)), others_(std::move(others)) {
  for (const JointTarget& target : driven_)
    require_target("RigidInverseDynamicsController", "driven", arm, target);
  for (const JointTarget& target : others_)
    require_target("RigidInverseDynamicsController", "others", arm, target);
}

void RigidInverseDynamicsController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  for (const JointTarget& target : driven_)
    require_fit("RigidInverseDynamicsController", target, now, efforts.size());
  auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& other) {
    return other.t == now.t && other.within == now.within;
  });
  if (known == known_.end()) {
    find_efforts(now.t, now.within);
    if (known_.size() < known_count) known_.push_back({});
    known = known_.begin() + static_cast<std::ptrdiff_t>(oldest_);
    known->t = now.t;
    known->within = now.within;
    known->tau = twin_.tau;
    oldest_ = (oldest_ + 1) % known_count;
  }
  for (const JointTarget& target : driven_)
    efforts[target.coordinate] += known->tau[twin_.coordinate(target.coordinate)];
}

void RigidInverseDynamicsController::find_efforts(double t, double within) {
  for (const auto* targets : {&driven_, &others_})
    for (const JointTarget& target : *targets) {
      const int i = twin_.coordinate(target.coordinate);
      const TrajectoryPoint wanted = target.trajectory->at(t, within);
      twin_.q[twin_.position(target.coordinate)] = wanted.position;
      twin_.v[i] = wanted.velocity;
      twin_.a[i] = wanted.acceleration;
    }
  twin_.inverse_dynamics();
  add_friction_forces(twin_.model, twin_.v, 1.0, twin_.tau);
}

std::vector<TrajectoryPointer> RigidInverseDynamicsController::signals() const {
  std::vector<TrajectoryPointer> signals;
  append(driven_, signals);
  append(others_, signals);
  return signals;
}

ComputedTorqueController::ComputedTorqueController(const Model& arm, std::vector<Driven> driven)
    : twin_(arm), driven_(std::move(driven)), M_(twin_.model.nv(), twin_.model.nv()) {
  for (const Driven& joint : driven_) {
    require_target("ComputedTorqueController", "driven", arm, joint.target);
    targets_.push_back(joint.target);
  }
}

void ComputedTorqueController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  for (const JointTarget& target : targets_)
    require_fit("ComputedTorqueController", target, now, efforts.size());
  twin_.joints_of(now.q, twin_.q);
  for (int i = 0; i < static_cast<int>(now.v.size()); ++i)
    if (twin_.coordinate(i) >= 0) twin_.v[twin_.coordinate(i)] = now.v[i];
  for (const Driven& joint : driven_) {
    const JointTarget& target = joint.target;
    const TrajectoryPoint wanted = target.trajectory->at(now.t, now.within);
    twin_.a[twin_.coordinate(target.coordinate)] = wanted.acceleration +
                                                   joint.kd * (wanted.velocity - now.v[target.coordinate]) +
                                                   joint.kp * (wanted.position - now.q[target.position]);
  }
  twin_.inverse_dynamics();
  for (const Driven& joint : driven_)
    efforts[joint.target.coordinate] += twin_.tau[twin_.coordinate(joint.target.coordinate)];
}

// The twin's own dependence on q and v is left out: M times the gains is what is stiff.
void ComputedTorqueController::add_gains(const Instant& now, Eigen::MatrixXd& stiffness,
                                         Eigen::MatrixXd& damping) {
  for (const JointTarget& target : targets_)
    require_fit("ComputedTorqueController", target, stiffness, damping);
  twin_.joints_of(now.q, twin_.q);
  mass_matrix(twin_.model, twin_.work, twin_.q, M_);
  for (const Driven& row : driven_)
    for (const Driven& column : driven_) {
      const int i = row.target.coordinate, j = column.target.coordinate;
      const double inertia = M_(twin_.coordinate(i), twin_.coordinate(j));
      stiffness(i, j) += inertia * column.kp;
      damping(i, j) += inertia * column.kd;
    }
}

std::vector<TrajectoryPointer> ComputedTorqueController::signals() const {
  std::vector<TrajectoryPointer> signals;
  append(targets_, signals);
  return signals;
}

void actuations::Torque::add_controllers(ControllerSite& site, const std::vector<Driven<Torque>>& driven) {
  for (const auto& joint : driven)
    site.controllers.push_back(std::make_unique<TorqueController>(site.target(joint, joint.how.signal)));
}

void actuations::Pd::add_controllers(ControllerSite& site, const std::vector<Driven<Pd>>& driven) {
  std::vector<JointTarget> at_target, at_measured;
  for (const auto& joint : driven) {
    const JointTarget target = site.target(joint, joint.how.target);
    site.controllers.push_back(std::make_unique<PdController>(target, joint.how.kp, joint.how.kd));
    if (joint.how.gravity_compensation == GravityCompensation::target) at_target.push_back(target);
    if (joint.how.gravity_compensation == GravityCompensation::measured) at_measured.push_back(target);
  }
  for (const bool is_target : {true, false}) {
    std::vector<JointTarget>& joints = is_target ? at_target : at_measured;
    if (!joints.empty())
      site.controllers.push_back(
          std::make_unique<GravityCompensationController>(site.model, std::move(joints), is_target));
  }
}

// Prescribed joints are no controller's.
void actuations::Prescribed::add_controllers(ControllerSite&, const std::vector<Driven<Prescribed>>&) {}

void actuations::ComputedTorque::add_controllers(ControllerSite& site,
                                                 const std::vector<Driven<ComputedTorque>>& driven) {
  require_plain_tree(site.model, "computed torque");
  std::vector<ComputedTorqueController::Driven> joints;
  for (const auto& joint : driven)
    joints.push_back({site.target(joint, joint.how.target), joint.how.kp, joint.how.kd});
  site.controllers.push_back(std::make_unique<ComputedTorqueController>(site.model, std::move(joints)));
}

void actuations::RigidInverseDynamics::add_controllers(
    ControllerSite& site, const std::vector<Driven<RigidInverseDynamics>>& driven) {
  require_plain_tree(site.model, "rigid inverse dynamics");
  std::vector<JointTarget> joints;
  for (const auto& joint : driven) joints.push_back(site.target(joint, joint.how.target));
  std::vector<JointTarget> others = site.other_targets(joints);
  site.controllers.push_back(
      std::make_unique<RigidInverseDynamicsController>(site.model, std::move(joints), std::move(others)));
}

}  // namespace limber
