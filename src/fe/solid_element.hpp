// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes of solid elements, as CalculiX and Abaqus count their nodes: what is needed of them to find gradients of a displacement that is given at the nodes.

#include <vector>

#include "limber/fe/mesh.hpp"

namespace limber {

/// A point of integration in an element of the mesh.
struct ElementPoint {
  double volume;              ///< that it stands for [m^3]
  Eigen::Matrix3Xd gradient;  ///< dN_n/dx, one column a node: corners, then midsides [1/m]
};

/// All of them, at the points at which solvers integrate. Throws InputError where the element is turned inside out; `number` names it.
std::vector<ElementPoint> integration_points(const Mesh& mesh, const MeshElement& element,
                                             std::size_t number);

}  // namespace limber
