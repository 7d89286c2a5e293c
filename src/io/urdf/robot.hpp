// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A URDF as its author wrote it, every part with its place. urdfdom stays inside parse.cpp.

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "limber/io/file_error.hpp"
#include "limber/model/description.hpp"

namespace limber::urdf {

struct Inertial {
  double mass = 0.0;
  FrameDescription origin;  ///< X_BC: centre of mass and axes of the tensor in the link's frame B
  Eigen::Matrix3d inertia_C = Eigen::Matrix3d::Zero();  ///< about the centre of mass, in C's axes
  Mark mark;
};

/// What is drawn of a link, or what it hits others with, in its frame B; a mesh by the name that the URDF has for it.
struct Shape {
  VisualDescription drawn;
  Mark mark;
};

struct Link {
  std::string name;
  std::optional<Inertial> inertial;  ///< none: the URDF gives none
  Mark mark;
  std::vector<Shape> visuals = {}, collisions = {};
};

struct Joint {
  std::string name;
  JointType type = JointType::fixed;
  std::string parent, child;  ///< names of links
  FrameDescription origin;    ///< X_PJ: the joint's frame in the parent link's
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();
  JointLimits limits;     ///< numbers of the file, zeros too
  double damping = 0.0;   ///< [N m s/rad or N s/m]
  double friction = 0.0;  ///< Coulomb's [N m or N]
  Mark mark;
};

struct Robot {
  std::string name;
  std::vector<Link> links;    ///< in the order of the file
  std::vector<Joint> joints;  ///< in the order of the file
  std::string file;           ///< for messages
};

/// Whether a text is XML: the first thing in it is a `<`.
bool is_xml(const std::string& text);

/// One tree of links with readable numbers. Throws FileError with everything that is wrong.
Robot parse(const std::string& text, const std::string& file_name);

}  // namespace limber::urdf
