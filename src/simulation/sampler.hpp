// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rows of a result.

#include "limber/algorithms/jacobian.hpp"
#include "limber/simulation/instruments.hpp"
#include "limber/simulation/simulate.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

/// Everything that a row of the result holds, from t and y.
class Sampler {
 public:
  Sampler(Scenario& scenario, System& system);
  const Sample& at(double t, const Eigen::VectorXd& y, const Ledger& start);
  /// The scenario's sensors, of which rows show what they read.
  Instruments& instruments() { return instruments_; }

 private:
  void fill_ledger(const Ledger& start);

  Scenario& scenario_;
  System& system_;
  Frame end_effector_;
  std::vector<JointTarget> targets_;
  Instruments instruments_;
  System::Forces forces_;
  Eigen::VectorXd integrals_;
  Sample sample_;
};

}  // namespace limber
