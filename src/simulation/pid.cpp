// SPDX-License-Identifier: BSD-3-Clause
#include "limber/simulation/pid.hpp"

#include <cmath>

#include "controllers.hpp"

namespace limber {

PidController::Error PidController::error(const Instant& now) const {
  const JointTarget& target = targets_.front();
  const TrajectoryPoint wanted = target.trajectory->at(now.t, now.within);
  return {wanted.position - now.q[target.position], wanted.velocity - now.v[target.coordinate]};
}

// d of (1), (2), (3).
double PidController::derivative(const Instant& now, const Error& error) const {
  if (!(set_.derivative_filter > 0.0)) return error.velocity;
  if (!(set_.rate > 0.0)) return now.x[1];
  const double share = -std::expm1(-1.0 / (set_.rate * set_.derivative_filter));
  return now.x[1] + share * (error.velocity - now.x[1]);
}

void PidController::add_efforts(const Instant& now, Eigen::VectorXd& efforts) {
  const Error e = error(now);
  efforts[targets_.front().coordinate] +=
      set_.kp * e.position + set_.ki * now.x[0] + set_.kd * derivative(now, e);
}

// What is filtered is remembered, and no function of q and v.
void PidController::add_gains(const Instant&, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) {
  const int c = targets_.front().coordinate;
  stiffness(c, c) += set_.kp;
  if (!(set_.derivative_filter > 0.0)) damping(c, c) += set_.kd;
}

void PidController::memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                                Eigen::Ref<Eigen::VectorXd> rate) {
  const Error e = error(now);
  const bool winds_up = e.position * at_limit[targets_.front().coordinate] > 0.0;
  rate[0] = winds_up ? 0.0 : e.position;
  if (rate.size() > 1) rate[1] = (e.velocity - now.x[1]) / set_.derivative_filter;
}

void PidController::remember(const Instant& now, const Eigen::VectorXi& at_limit,
                             Eigen::Ref<Eigen::VectorXd> x) {
  const Error e = error(now);
  const double d = derivative(now, e);
  const bool winds_up = e.position * at_limit[targets_.front().coordinate] > 0.0;
  if (!winds_up) x[0] += e.position / set_.rate;
  if (x.size() > 1) x[1] = d;
}

void actuations::Pid::add_controllers(ControllerSite& site, const std::vector<Driven<Pid>>& driven) {
  for (const auto& joint : driven) {
    const Pid& how = joint.how;
    site.controllers.push_back(std::make_unique<PidController>(
        site.target(joint, how.target),
        PidController::Settings{how.kp, how.ki, how.kd, how.derivative_filter, how.rate.value_or(0.0)}));
  }
}

}  // namespace limber
