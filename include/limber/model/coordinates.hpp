// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Coordinates by name, and what kind each of them is.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Names of joints, or of single coordinates of theirs (`shoulder.2`); `all` stands for every joint.
using JointNames = std::vector<std::string>;

/// Names of q's numbers: of joints with several `joint.1` ... `joint.nq`, then the elastic coordinates.
std::vector<std::string> position_names(const Model& model);

/// Indices in v of the coordinates that a name of JointNames means, motors behind elastic gears included. Empty where there is no such joint.
std::vector<int> joint_coordinates_named(const Model& model, const std::string& name);

/// On which of v's coordinates the efforts and targets of a name of JointNames act: of a joint with an elastic gear its motor's, of others all
/// their own. Empty where there is no such joint.
std::vector<int> driven_coordinates_named(const Model& model, const std::string& name);
/// Those of all joints, in the order of the links: the columns of input_matrix().
std::vector<int> driven_coordinates(const Model& model);

/// Every name that joint_coordinates_named knows, `all` first.
JointNames names_of_joints(const Model& model);

/// For each of v's numbers its place in q; -1 for joints that carry a quaternion, which have none.
std::vector<int> positions_of_coordinates(const Model& model);

/// Places in q that hold an angle of a joint; those of quaternions hold none.
std::vector<int> angular_positions(const Model& model);
/// Places in v that hold an angular velocity of a joint, also of joints with a quaternion.
std::vector<int> angular_velocities(const Model& model);

/// Where of the two coordinates of a joint with an elastic gear only one is among the `given` names, the other one gets its value: what somebody
/// says of a joint, or of its motor, says nothing of the gear, which is not wound up. `values`: q or v.
void complete_gears(const Model& model, const std::vector<std::string>& given, Eigen::VectorXd& values);

/// Coordinates (in v) of joints that nothing holds but their spring: those with a stiffness, and those on an elastic gear, whose motor is
/// held; but for the ones in `hold`. All other joints are held where they are.
std::vector<int> passive_coordinates(const Model& model, const JointNames& hold = {});

}  // namespace limber
