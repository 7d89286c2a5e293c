// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A mesh of solid elements: nodes, elements, named sets of nodes. Read from an input file of CalculiX or Abaqus (*NODE, *ELEMENT, *NSET, *INCLUDE;
// everything else is passed over).

#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A solid element by its nodes. Midside nodes carry mass and stiffness through the matrices: they are needed for stresses alone.
struct MeshElement {
  /// Its corners' arrangement.
  enum class Kind { tetrahedron, wedge, hexahedron };
  Kind kind;                       ///< 4, 6 or 8 corners
  std::vector<int> corners;        ///< indices of nodes
  std::vector<int> midsides = {};  ///< likewise; none of a linear element
  bool reduced = false;            ///< integrated at fewer points: C3D8R, C3D20R
};

/// Nodes, elements and sets.
struct Mesh {
  std::string source;                            ///< for messages: the file's name
  std::vector<int> numbers;                      ///< of the nodes, as the file has them
  Eigen::Matrix3Xd positions;                    ///< of the nodes [m]
  std::vector<MeshElement> elements;             ///< solids
  std::map<std::string, std::vector<int>> sets;  ///< indices of nodes, ascending; names in upper case
  std::unordered_map<int, int> index;            ///< of a node, by its number

  /// Of the elements, by their corners [m^3].
  double volume() const;
};

/// Throws InputError with file and line where the text cannot be understood.
Mesh read_solid_mesh(const std::filesystem::path& file);

}  // namespace limber
