// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes of links as triangles in files: STL, binary and text, and OBJ, of which vertices and faces are read. Files of meshes come
// from anywhere: whatever is in them, they are read or refused with a reason.

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "limber/core/comparison.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/description.hpp"

namespace limber LIMBER_EXPORT {

/// The largest file of a mesh that is read [bytes].
inline constexpr std::size_t largest_mesh_file = std::size_t{64} << 20;

/// A surface of triangles.
struct TriangleMesh {
  Eigen::Matrix3Xd vertices;   ///< one in each column
  Eigen::Matrix3Xi triangles;  ///< three columns of `vertices` in each column, counterclockwise from outside
  LIMBER_COMPARES(TriangleMesh)
};

///@{
/// The triangles of a file that ends in .stl or .obj, in its own unit. Polygons become fans, STL's corners that coincide one vertex.
/// Throws FileError where there are none, numbers are not finite or beyond 1e9, corners are not there, the file is cut, has more than 64 MiB or
/// more than two million triangles.
TriangleMesh read_mesh(const std::filesystem::path& file);
TriangleMesh parse_mesh(std::string_view bytes, const std::string& file_name);
///@}

/// What a mesh's name means in a file in `directory`: relative to it; `package://NAME/...` (`model://`): a folder NAME among `directory`, those around
/// it and what stands beside these, or of ROS (ROS_PACKAGE_PATH, AMENT_PREFIX_PATH); `file://` the rest of it. The name itself where a package is nowhere.
std::string find_mesh(const std::string& name, const std::filesystem::path& directory);

/// Why a mesh cannot be drawn, as far as that shows without reading it: it is not there, is too large, is no STL and no OBJ. Empty: it can.
std::string why_not_drawn(const std::string& file);

/// What is said about meshes of an arm that cannot be drawn: nothing, or a sentence that names them. Reads all of them.
std::vector<std::string> undrawn_meshes(const ModelDescription& arm);

}  // namespace limber
