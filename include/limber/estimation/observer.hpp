// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Controllers that see an estimate in place of the state.
//
// An observer takes samples at t_k = k/rate. It follows the arm by a filter  on the arm's own equations (stochastic_arm.hpp) under the efforts that it has asked for itself, which are
// held between samples and limited as those of the arm are:
//
//   x^-_k = f(x_k-1, u_k-1),   x_k = update(x^-_k; readings that have come by t_k),   u_k = Sum of all controllers' efforts at (t_k, x_k)             (1)
//
// Controllers that are continuous by themselves are asked at these samples; sampled ones are asked where a sample of theirs falls on one of these. What continuous ones remember, m' = f(m), goes on
// with what they see held,
//
//   m_k+1 = m_k + h phi(h J) f(m_k),   J = df/dm,   phi(z) = (e^z - 1) / z,   h = 1/`rate`                                            (2)
//
// which is exact for those that are linear in it, however fast their filters are (an Euler step of a filter faster than the samples would grow).
//
// **Late readings.** A reading counts at the time of its sample, which may lie before t_k (`delay` of a sensor, or a rate of its own). So the filter is kept where nothing can come any more, at the
// last sample before the next one that may still arrive, with the readings and efforts since; at each sample it goes on from there through all of them. That is the filter that all readings in the order of
// their samples would give, whatever their delays.
//
// All that its past means is in the memory of the controller (Instant::x): runs can be saved and restored.

#include <memory>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/estimation/state_filter.hpp"
#include "limber/estimation/stochastic_arm.hpp"
#include "limber/simulation/scenario.hpp"

namespace limber LIMBER_EXPORT {

/// (1): all controllers of a scenario as one.
class ObserverController : public Controller {
 public:
  /// Of a scenario that is complete but for controllers. Throws InputError for what filters cannot follow.
  ObserverController(const Scenario& scenario, const ObserverDescription& how);
  ~ObserverController() override;

  /// One more that sees the estimate; before anything runs. Throws InputError where the observer's rate is no whole multiple of its own.
  void add(std::unique_ptr<Controller> controller);
  /// Those that it asks.
  const std::vector<std::unique_ptr<Controller>>& controllers() const;
  /// What it knew at its last sample: the state of the filter.
  const StateFilter& filter() const;
  /// The arm as the filter sees it.
  const StochasticArm& arm() const;

  void add_efforts(const Instant& now, Eigen::VectorXd& efforts) override;
  std::vector<int> sensors() const override;
  int memory_size() const override;
  double rate() const override;
  void remember(const Instant& now, const Eigen::VectorXi& at_limit, Eigen::Ref<Eigen::VectorXd> x) override;
  const std::vector<JointTarget>& targets() const override;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

/// build_scenario(), and its observer where the description has one.
Scenario build_observed_scenario(const ScenarioDescription& description, const Model& model);

/// From now on controllers of the scenario see an estimate. Throws InputError as ObserverController does, with places in the scenario.
void observe(Scenario& scenario, const ObserverDescription& how);

/// One more controller: it sees the estimate where the scenario has an observer.
void add_controller(Scenario& scenario, std::unique_ptr<Controller> controller);

}  // namespace limber
