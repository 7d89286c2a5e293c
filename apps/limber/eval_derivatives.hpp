// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What `limber eval` gives besides, in the terms of the chosen formulation: inverse dynamics, and derivatives.

#include <nlohmann/json.hpp>

#include "limber/algorithms/frame_derivatives.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/formulations/formulation.hpp"
#include "limber/formulations/sticking.hpp"
#include "limber/io/state_file.hpp"

namespace limber::app {

/// Forces that move the arm by the state's acceleration, which must be there.
Eigen::VectorXd inverse_dynamics_of(Formulation& formulation, const Model& model, const State& state,
                                    const std::vector<Load>& loads);

/// `own`, `friction`: the acceleration that the formulation gives at this state, and the friction there.
DynamicsDerivatives derivatives_of(Formulation& formulation, const Model& model, const State& state,
                                   const std::vector<Load>& loads, const Eigen::VectorXd& own,
                                   const StateFriction& friction);

/// Of the end effector, in the world's axes.
struct EndEffectorDerivatives {
  FrameDerivatives motion;
  FrameJacobianDerivatives jacobian;
};
EndEffectorDerivatives end_effector_derivatives(const Model& model, const State& state,
                                                const Eigen::VectorXd& acceleration);
nlohmann::ordered_json end_effector_json(const EndEffectorDerivatives& of);

}  // namespace limber::app
