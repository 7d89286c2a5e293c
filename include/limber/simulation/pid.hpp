// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "limber/core/export.hpp"
#include "limber/simulation/controller.hpp"

namespace limber LIMBER_EXPORT {

/// With e = target - q of a joint, and e' = target' - v,
///
///   effort = kp e + ki x_1 + kd d,     x_1' = e                                                                              (1)
///   d = e', or through a filter of the time constant T_f: d = x_2, x_2' = (e' - x_2)/T_f                                      (2)
///
/// While the motor is at its limit, x_1 does not go on to where the motor cannot follow. Sampled every T seconds the same is
///
///   effort_k = kp e_k + ki x_1 + kd d_k,     d_k = x_2 + (1 - exp(-T/T_f)) (e'_k - x_2),     x_1 += T e_k,  x_2 = d_k         (3)
class PidController : public Controller {
 public:
  /// Gains, and how it is made.
  struct Settings {
    double kp = 0.0;                 ///< [N m/rad or N/m]
    double ki = 0.0;                 ///< [N m/(rad s) or N/(m s)]
    double kd = 0.0;                 ///< [N m s/rad or N s/m]
    double derivative_filter = 0.0;  ///< T_f [s]; 0: none
    double rate = 0.0;               ///< samples per second; 0: continuous
  };
  /// Of a joint's coordinate.
  PidController(JointTarget target, const Settings& settings) : targets_{std::move(target)}, set_(settings) {}
  const std::vector<JointTarget>& targets() const override { return targets_; }
  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  void add_gains(const Instant& now, Eigen::MatrixXd& stiffness, Eigen::MatrixXd& damping) override;
  std::vector<TrajectoryPointer> signals() const override { return {targets_.front().trajectory}; }
  double rate() const override { return set_.rate; }
  int memory_size() const override { return set_.derivative_filter > 0.0 ? 2 : 1; }
  void memory_rate(const Instant& now, const Eigen::VectorXi& at_limit,
                   Eigen::Ref<Eigen::VectorXd> rate) override;
  void remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<Eigen::VectorXd> x) override;

 private:
  struct Error {
    double position, velocity;
  };
  Error error(const Instant& now) const;
  double derivative(const Instant& now, const Error& error) const;

  std::vector<JointTarget> targets_;  ///< one
  Settings set_;
};

}  // namespace limber
