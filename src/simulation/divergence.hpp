// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Motions that run away, and steps that could not be made: what moves there, and what to do.

#include <string>

#include "limber/simulation/integrator.hpp"

namespace limber {

/// Throws ComputationError where numbers are none, or beams are bent by many times their length. `eta`: scratch.
void refuse_divergence(const Scenario& scenario, System& system, const IntegrationMethod& method,
                       const IntegratorState& state, Eigen::VectorXd& eta);

/// Throws ComputationError: a step from this state failed for a reason. Equations that could be solved at the start (`is_first` false), and
/// cannot be any more: the motion has run away.
[[noreturn]] void explain_failure(const Scenario& scenario, System& system, const IntegrationMethod& method,
                                  const IntegratorState& state, bool is_first, const std::string& reason);

}  // namespace limber
