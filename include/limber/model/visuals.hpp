// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a link looks like, as its author writes it. Nothing is computed of it: results carry it to the page that shows the arm.

#include <optional>
#include <string>
#include <variant>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/variant_block.hpp"

namespace limber LIMBER_EXPORT {
namespace visuals {

/// A box about the shape's origin.
struct Box {
  static constexpr const char* type = "box";
  static constexpr const char* meaning = "A box about the shape's origin.";
  Eigen::Vector3d size = Eigen::Vector3d::Constant(not_given);  ///< along x, y, z [m]
};

/// A cylinder about the shape's origin, its axis along z, as in URDF.
struct Cylinder {
  static constexpr const char* type = "cylinder";
  static constexpr const char* meaning =
      "A cylinder about the shape's origin, along its z (along a beam: `rpy_deg: [0, 90, 0]`).";
  double radius = not_given;  ///< [m]
  double length = not_given;  ///< along z [m]
};

/// A sphere about the shape's origin.
struct Sphere {
  static constexpr const char* type = "sphere";
  static constexpr const char* meaning = "A sphere about the shape's origin.";
  double radius = not_given;  ///< [m]
};

/// Triangles of a file.
struct Mesh {
  static constexpr const char* type = "mesh";
  static constexpr const char* meaning = "The triangles of a file: STL (binary or text) or OBJ.";
  std::string file = {};  ///< where it is, once a description has been read
  Eigen::Vector3d scale =
      Eigen::Vector3d::Ones();  ///< of its numbers along x, y, z: [m] per unit of the file
};

}  // namespace visuals

/// What a shape is.
using VisualKind = std::variant<visuals::Box, visuals::Cylinder, visuals::Sphere, visuals::Mesh>;

/// A shape V that is drawn: on a link in its root frame R, where it bends with the link's beam; of the arm in the world.
struct VisualDescription {
  Eigen::Vector3d xyz = Eigen::Vector3d::Zero();  ///< p_RV [m]
  Eigen::Vector3d rpy = Eigen::Vector3d::Zero();  ///< R_RV as roll, pitch, yaw [rad]
  std::optional<Eigen::Vector3d> color = {};      ///< red, green, blue, each 0 to 1; none: the link's
  VisualKind kind = {};                           ///< box, cylinder, sphere, mesh
};

}  // namespace limber
