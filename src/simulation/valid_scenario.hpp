// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scenarios can be put together by hand: what a run would stumble over is looked at before it begins.

#include "limber/simulation/scenario.hpp"

namespace limber {

/// The scenario itself. Throws InputError, in the name of a function, for sizes, coordinates, links and times that do not belong to its
/// model, and for controllers and trajectories that are none.
Scenario& valid(const char* function, Scenario& scenario);

/// A target that a model has, with a trajectory, unless nobody asks for it.
void require_target(const char* function, const char* argument, const Model& model, const JointTarget& target,
                    bool follows_it = true);

}  // namespace limber
