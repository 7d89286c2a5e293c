// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A URDF as the description of an arm. Our link is the URDF's link with the joint that carries it, B is the URDF's frame of
// the link, in which the URDF gives its inertia and the joints of its children.

#include <string>
#include <vector>

#include "limber/io/file_error.hpp"
#include "limber/io/urdf_description.hpp"
#include "limber/model/description.hpp"
#include "robot.hpp"

namespace limber::urdf {

/// Where a link of the description comes from.
struct Source {
  const Link* link;
  const Joint* joint;  ///< none: the free root
};

struct UrdfModel {
  ModelDescription description;
  std::vector<std::string> notes;  ///< what could not be taken over, or had to be assumed
  std::vector<Source> sources;     ///< one for each link; they point into the robot

  /// The place in the URDF of what a path such as `links[2].rigid.mass` is about, and the path in its words.
  LocatedProblem located(Problem problem, const Robot& robot) const;
};

/// How a link is drawn: its <visual>s or, where none of them can be, its <collision>s, meshes by the names of their files. What no shape has is left
/// out and noted.
std::vector<VisualDescription> visuals_of(const Link& link, const Robot& robot,
                                          std::vector<std::string>& notes);

/// All links rigid. Throws FileError with everything that no arm can have.
UrdfModel make_model(const Robot& robot, BaseKind base);

/// Lets a link bend. Its problems have paths in the model file: `flexible.upper_arm.to`.
void make_flexible(UrdfModel& model, const Robot& robot, const std::string& link,
                   const FlexibleDescription& flexible, std::vector<Problem>& problems);

}  // namespace limber::urdf
