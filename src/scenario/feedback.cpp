// SPDX-License-Identifier: BSD-3-Clause
#include "limber/scenario/feedback.hpp"

#include <variant>

namespace limber {

bool jumps_with_efforts(const SensorKind& kind) {
  return std::holds_alternative<sensors::Acceleration>(kind) ||
         std::holds_alternative<sensors::Effort>(kind) ||
         std::holds_alternative<sensors::Accelerometer>(kind) ||
         std::holds_alternative<sensors::Wrench>(kind);
}

// A sensor with a rate holds its samples: whatever it measures is constant in between.
std::string why_not_seen_all_the_time(const SensorDescription& sensor) {
  if (sensor.rate) return "";
  if (jumps_with_efforts(sensor.kind))
    return "what it shows follows the efforts at once: a controller that sees it would have to know its own "
           "answer";
  if (sensor.noise > 0.0)
    return "noise belongs to samples, and a controller that is asked all the time takes none";
  if (sensor.delay > 0.0) return "what was there a while ago is only known of samples";
  if (sensor.quantum > 0.0) return "what is rounded jumps with the motion itself";
  return "";
}

}  // namespace limber
