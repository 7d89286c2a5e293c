// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/coordinates.hpp"
#include "limber/model/model.hpp"
#include "limber/scenario/description.hpp"

namespace limber LIMBER_EXPORT {

/// Everything that is wrong with a scenario for this arm: numbers out of their ranges, and rules between fields
/// (names of joints, links, coordinates and trajectories, times).
std::vector<Problem> check(const ScenarioDescription& scenario, const Model& model);

/// The second half of it, for a reader that has tested every field by itself.
std::vector<Problem> check_rules(const ScenarioDescription& scenario, const Model& model);

/// What is wrong with the names of sensors that an observer sees, with paths in `observer`.
std::vector<Problem> check_observer_sensors(const ObserverDescription& observer,
                                            const std::vector<SensorDescription>& sensors);

/// Indices in v of the coordinates that `joint` of an actuation means, in the order of its names: of `all`, those of all joints.
/// Nothing for names of no joint.
std::vector<int> actuated_coordinates(const Model& model, const std::vector<std::string>& joint);

}  // namespace limber
