// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "limber/core/export.hpp"
#include "limber/model/sensors.hpp"

namespace limber LIMBER_EXPORT {

/// Whether what a sensor shows jumps when efforts do: it depends on them, or on accelerations.
bool jumps_with_efforts(const SensorKind& kind);

/// Why a controller that is asked all the time, and not at samples, cannot look at a sensor: what it shows would depend on the controller's own answer
/// of the same moment, or is no function that can be integrated. Empty: it can. Sampled controllers can look at all.
std::string why_not_seen_all_the_time(const SensorDescription& sensor);

}  // namespace limber
