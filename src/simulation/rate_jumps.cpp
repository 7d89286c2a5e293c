// SPDX-License-Identifier: BSD-3-Clause
#include "rate_jumps.hpp"

#include <algorithm>
#include <cmath>

namespace limber {

using Eigen::VectorXd;

std::vector<RateJump> rate_jumps(const Scenario& scenario) {
  constexpr double rounding = 1e-9;  // rad/s or m/s: quintics and their like come to rest by a difference
  std::vector<RateJump> jumps;
  for (const JointTarget& target : scenario.prescribed)
    for (const double t : target.trajectory->corners()) {
      if (!(t > 0.0) || !(t < scenario.duration)) continue;
      const double size =
          target.trajectory->at(t).velocity - target.trajectory->at(t, std::nextafter(t, 0.0)).velocity;
      if (std::abs(size) > rounding) jumps.push_back({target.coordinate, t, size});
    }
  std::stable_sort(jumps.begin(), jumps.end(),
                   [](const RateJump& one, const RateJump& other) { return one.t < other.t; });
  return jumps;
}

RateJumps::RateJumps(const Scenario& scenario, System& system)
    : scenario_(scenario), system_(system), jumps_(rate_jumps(scenario)) {}

VectorXd RateJumps::answer(const Input<double>& q, const Input<double>& v, const VectorXd& given) {
  const VectorXd no_effort = VectorXd::Zero(system_.nv());
  const std::vector<Load> no_loads;
  const VectorXd no_drives = VectorXd::Zero(static_cast<Eigen::Index>(scenario_.model.cylinders().size()));
  DynamicsOutput output;
  output.acceleration = given;
  formulation_->accelerate({q, v, no_effort, no_loads, &no_drives}, output);
  return output.acceleration;
}

void RateJumps::pass(double t, Output<double> y) {
  const double resolution = system_.time_resolution();
  if (std::none_of(jumps_.begin(), jumps_.end(),
                   [&](const RateJump& jump) { return std::abs(jump.t - t) <= resolution; }))
    return;
  VectorXd q = y.head(system_.nq());
  const VectorXd before = y.segment(system_.nq(), system_.nv());
  VectorXd after = before;
  // What sticks lets go; who sticks afterwards is found when modes are entered.
  system_.forget_modes();
  system_.apply_prescribed(t, q, after);
  const VectorXd told = after - before;
  if (!formulation_) {
    formulation_ = make_formulation(scenario_.formulation, scenario_.model, scenario_.formulation_options);
    formulation_->prescribe(system_.held_links());
  }
  const VectorXd dv = answer(q, before, told) - answer(q, before, VectorXd::Zero(system_.nv()));  // (1)
  const double kinetic = system_.energy(q, before).kinetic;
  after = before + dv;
  system_.apply_prescribed(t, q, after);
  const double work = system_.energy(q, after).kinetic - kinetic;  // (2)
  y.head(system_.nq()) = q;
  y.segment(system_.nq(), system_.nv()) = after;
  y[system_.nq() + system_.nv()] += work;
}

}  // namespace limber
