// SPDX-License-Identifier: BSD-3-Clause
#include "valid_scenario.hpp"

#include <cmath>
#include <string>

#include "limber/core/input_error.hpp"
#include "limber/model/detail/arguments.hpp"
#include "limber/scenario/feedback.hpp"

namespace limber {
namespace {

void require(bool holds, const char* function, const std::string& argument, const std::string& expected,
             const std::string& found) {
  if (!holds) throw InputError(Problem{std::string(function) + ": " + argument, expected, found, ""});
}

// The numbers of a cylinder behind those of joints (controller.hpp).
bool is_cylinder_target(const Model& model, const JointTarget& target) {
  const int cylinder = target.coordinate - model.nv();
  return cylinder >= 0 && cylinder < static_cast<int>(model.cylinders().size()) &&
         target.position == model.nq() + cylinder;
}

void require_sensors(const char* function, const Controller& controller,
                     const std::vector<SensorDescription>& sensors) {
  for (const int sensor : controller.sensors()) {
    require(sensor >= 0 && sensor < static_cast<int>(sensors.size()), function, "scenario.controllers",
            "sensors() that are indices in scenario.sensors, of which there are " +
                std::to_string(sensors.size()),
            std::to_string(sensor));
    const SensorDescription& about = sensors[static_cast<std::size_t>(sensor)];
    const std::string why = why_not_seen_all_the_time(about);
    if (controller.rate() > 0.0 || why.empty()) continue;
    throw InputError(Problem{
        std::string(function) + ": scenario.controllers",
        "a controller with samples (rate), or a sensor with a `rate`",
        "one that is asked all the time and looks at `" + about.name + "`, of type " + type_name(about.kind),
        why});
  }
}

}  // namespace

void require_target(const char* function, const char* argument, const Model& model, const JointTarget& target,
                    bool follows_it) {
  const Joint& joint = detail::Call{function, model}.require_joint_coordinate(argument, target.coordinate);
  const int position = joint.q_index + target.coordinate - joint.v_index;
  require(!joint.has_quaternion(), function, argument, "a coordinate that is a number of q",
          "one of joint `" + joint.name + "`, which has a quaternion there");
  require(target.position == position, function, argument,
          "position " + std::to_string(position) + ", where q has `" +
              model.coordinates()[static_cast<std::size_t>(target.coordinate)] + "`",
          std::to_string(target.position));
  require(!follows_it || target.trajectory != nullptr, function, argument, "a trajectory", "none");
}

Scenario& valid(const char* function, Scenario& scenario) {
  const detail::Call call{function, scenario.model};
  call.require_position("scenario.q", scenario.q);
  call.require_velocity("scenario.v", scenario.v);
  for (const auto& controller : scenario.controllers) {
    require(controller != nullptr, function, "scenario.controllers", "controllers", "none");
    for (const JointTarget& target : controller->targets())
      if (!is_cylinder_target(scenario.model, target))
        require_target(function, "scenario.controllers", scenario.model, target);
    require(controller->memory_size() >= 0, function, "scenario.controllers", "a memory_size() >= 0",
            std::to_string(controller->memory_size()));
    require_sensors(function, *controller, scenario.sensors);
    for (const TrajectoryPointer& signal : controller->signals())
      require(signal != nullptr, function, "scenario.controllers", "signals that are trajectories", "none");
  }
  for (const JointTarget& target : scenario.prescribed)
    require_target(function, "scenario.prescribed", scenario.model, target);
  for (const TimedLoad& load : scenario.loads)
    call.require_node("scenario.loads", load.wrench.link, load.wrench.node);
  require(std::isfinite(scenario.duration) && scenario.duration > 0.0, function, "scenario.duration",
          "a number > 0 [s]", std::to_string(scenario.duration));
  return scenario;
}

}  // namespace limber
