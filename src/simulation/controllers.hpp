// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From what a scenario says about its joints to controllers: `add_controllers` of each kind of actuation (actuations.hpp) is called once with
// all coordinates that this kind drives.

#include <functional>
#include <memory>
#include <vector>

#include "limber/model/model.hpp"
#include "limber/scenario/actuations.hpp"
#include "limber/simulation/controller.hpp"
#include "limber/simulation/linear_controller.hpp"

namespace limber {

/// A coordinate of a joint, and how it is driven.
template <typename Kind>
struct Driven {
  Kind how;
  int coordinate;     ///< in v
  int position;       ///< in q
  std::size_t entry;  ///< of `actuation`: those of one entry follow each other, in the order of its joints
};

/// The scenario as far as it stands, for those who make controllers.
struct ControllerSite {
  const Model& model;
  const Eigen::VectorXd& q;  ///< at the start
  const Eigen::VectorXd& v;  ///< at the start
  double duration;
  const std::vector<JointTarget>& prescribed;
  const std::vector<SensorDescription>& sensors;
  /// Of a joint by its position in q, which ways in space have to know; any other of what is no joint's.
  std::function<TrajectoryPointer(const TargetDescription&, int position)> follow;
  /// What all joints are meant to do that are not among these.
  std::function<std::vector<JointTarget>(const std::vector<JointTarget>&)> other_targets;
  std::vector<std::unique_ptr<Controller>>& controllers;
  std::vector<std::string>& doubts;  ///< what a user should know

  template <typename Kind>
  JointTarget target(const Driven<Kind>& driven, const TargetDescription& what) const {
    return {driven.coordinate, driven.position, follow(what, driven.position)};
  }
  /// What a controller sees under a name that check() has found to be one: a sensor, a coordinate, or its `.rate`.
  ControllerInput input(const std::string& name) const;
};

}  // namespace limber
