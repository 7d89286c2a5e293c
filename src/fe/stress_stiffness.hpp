// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a body's points move at second order, found from the stress stiffness of its mesh (docs/finite-elements.md, (5) and (6)).

#include <functional>

#include "constraints.hpp"

namespace limber {

/// From loads on all freedoms of the mesh (one column each) to the displacements that answer them, root held and rigid interfaces rigid.
using StaticAnswer = std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>;

/// Shapes that modes U (K- and M-orthogonal) lack to tell how the body's own mass stresses it: of the answers to its weight and to centrifugal and tangential
/// forces, what is not in U, at most `count` combinations that change the stiffness of the lowest modes most.
Eigen::MatrixXd stress_shapes(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints,
                              const ElasticMaterial& material, const StaticAnswer& answer,
                              const Eigen::MatrixXd& U, int count);

/// Sets `second_order` of a body whose stiffness and interfaces are there; U: its modes at all freedoms. Throws InputError where request.material is not that of
/// the stiffness matrix.
void set_second_order(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints,
                      const ReductionRequest& request, const Eigen::MatrixXd& U, ReducedBody& body);

}  // namespace limber
