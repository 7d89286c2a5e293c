// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of a result.

#include <optional>

#include "limber/algorithms/jacobian.hpp"
#include "limber/algorithms/link_by_link.hpp"
#include "limber/simulation/instruments.hpp"
#include "limber/simulation/simulate.hpp"
#include "limber/simulation/system.hpp"
#include "sections_in_run.hpp"

namespace limber {

/// Everything that a row of the result holds, from t and y.
class Sampler {
 public:
  /// All must outlive it.
  Sampler(Scenario& scenario, System& system, Instruments& instruments);
  const Sample& at(double t, const Eigen::VectorXd& y, const Ledger& start);
  /// Of the last row: forces and stress along all beams; none where neither the output nor a beam's strength asks for them.
  const SectionsInRun* sections() const { return sections_ ? &*sections_ : nullptr; }

 private:
  void fill_ledger(const Ledger& start);
  void fill_interaction_wrenches();

  Scenario& scenario_;
  System& system_;
  Frame end_effector_;
  std::vector<JointTarget> targets_;
  Instruments& instruments_;
  System::Forces forces_;
  std::optional<LinkByLink> links_;  ///< where somebody wants interaction wrenches
  std::optional<SectionsInRun> sections_;
  Eigen::VectorXd integrals_;
  Sample sample_;
};

}  // namespace limber
