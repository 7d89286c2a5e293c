// SPDX-License-Identifier: BSD-3-Clause
#include "sampler.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "limber/algorithms/kinematics.hpp"

namespace limber {

using Eigen::VectorXd;

Sampler::Sampler(Scenario& scenario, System& system, Instruments& instruments)
    : scenario_(scenario),
      system_(system),
      end_effector_(end_effector_frame(scenario.model)),
      targets_(joint_targets(scenario)),
      instruments_(instruments) {
  sample_.references.resize(static_cast<Eigen::Index>(targets_.size()));
  if (scenario.output.interaction_wrenches)
    links_.emplace(link_by_link(scenario.model, scenario.formulation_options.body_frame));
  if (SectionsInRun::are_asked_for(scenario)) sections_.emplace(scenario);
}

const Sample& Sampler::at(double t, const VectorXd& y, const Ledger& start) {
  const Model& model = scenario_.model;
  sample_.t = t;
  sample_.q = y.head(model.nq());
  sample_.v = y.segment(model.nq(), model.nv());
  integrals_ = y.tail(system_.integral_count());
  system_.forces(t, sample_.q, sample_.v, integrals_, forces_);
  sample_.efforts = forces_.efforts;
  sample_.asked = forces_.asked;
  sample_.acceleration = forces_.acceleration;
  sample_.power = forces_.power;
  sample_.friction = forces_.friction;
  sample_.loops = forces_.loops;
  sample_.cylinders = forces_.cylinders;
  if (!instruments_.empty())
    instruments_.readings().read(t, instruments_.ideal(system_, sample_.q, sample_.v, forces_),
                                 sample_.sensors);
  if (scenario_.output.wrenches) sample_.wrenches = forces_.wrenches;
  if (links_) fill_interaction_wrenches();
  if (sections_) sections_->fill(system_.active_loads(), forces_.loop_loads, sample_);
  for (std::size_t i = 0; i < targets_.size(); ++i)
    sample_.references[static_cast<Eigen::Index>(i)] = targets_[i].trajectory->at(t).position;
  fill_ledger(start);
  const Workspace<double>& work = system_.workspace();
  const PoseOf<double> pose = frame_pose(model, work, end_effector_);
  sample_.end_effector_position = pose.p;
  sample_.end_effector_quaternion = Eigen::Quaterniond(pose.R).coeffs();
  return sample_;
}

void Sampler::fill_interaction_wrenches() {
  links_->update(sample_.q, sample_.v);
  sample_.interaction_wrenches.resize(forces_.wrenches.size());
  for (std::size_t i = 0; i < forces_.wrenches.size(); ++i) {
    const int link = static_cast<int>(i);
    links_->update_directions(link);
    sample_.interaction_wrenches[i] = links_->interaction_wrench(link, forces_.wrenches[i]);
  }
}

void Sampler::fill_ledger(const Ledger& start) {
  const Energy<double> energy = system_.energy(sample_.q, sample_.v);
  Ledger& ledger = sample_.ledger;
  ledger.kinetic = energy.kinetic;
  ledger.gravity = energy.gravity;
  ledger.strain = energy.strain;
  ledger.work_actuators = integrals_[0];
  ledger.work_loads = integrals_[1];
  ledger.dissipated = integrals_[2];
  ledger.friction = integrals_[3];
  // Differences of each kind first: gravity's zero is arbitrary, and may be large.
  ledger.error = (ledger.kinetic - start.kinetic) + (ledger.gravity - start.gravity) +
                 (ledger.strain - start.strain) - ledger.work_actuators - ledger.work_loads +
                 ledger.dissipated;
}

}  // namespace limber
