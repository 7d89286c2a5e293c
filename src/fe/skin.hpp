// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "limber/fe/mesh.hpp"

namespace limber {

/// The outside of a mesh: faces that belong to one element only, as triangles between nodes. Where there are many, nodes that lie in one cell of a
/// grid become one of them.
struct MeshSkin {
  std::vector<int> nodes;      ///< of the mesh
  Eigen::Matrix3Xi triangles;  ///< indices into `nodes`
};
MeshSkin skin_of(const Mesh& mesh, int most_nodes);

}  // namespace limber
