// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a Simulator holds, for those who take several of them along together (simulators.cpp).

#include <functional>

#include "limber/simulation/simulator.hpp"
#include "stepper.hpp"

namespace limber {

struct Simulator::Inside {
  explicit Inside(Scenario from);
  static Scenario& sound(Scenario& from);

  void look();
  void set_load(TimedLoad& load, const Eigen::Vector3d& force, const Eigen::Vector3d& moment);

  /// A time to go to, and what counts as there.
  struct Goal {
    double t, near;
  };
  Goal goal_at(double t) const;
  bool is_at(const Goal& goal) const { return !(goal.t - stepper.state().t > goal.near); }

  Scenario scenario;
  System system;
  ChosenMethod chosen;
  Instruments instruments;
  Stepper stepper;
  State state;
  std::size_t scenario_loads;  ///< those that came with it; others follow
  std::function<void()> listener = {};
};

/// Throws InputError for what is no length of a step.
void require_step(const char* place, double h);

}  // namespace limber
