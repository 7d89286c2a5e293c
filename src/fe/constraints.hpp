// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What each row of the matrices is in a reduction, and whether mesh and matrices are such that a body can be made of them.

#include <array>
#include <vector>

#include "limber/fe/reduction.hpp"

namespace limber {

/// A node with its three rows.
struct NodeRows {
  int node;  ///< of the mesh
  std::array<int, 3> rows;
};

/// A row is held with the root, follows an interface, or is an inner one.
struct RowRole {
  int inner = -1;   ///< its index among the inner ones
  int spider = -1;  ///< the rigid interface that it follows
  Eigen::Matrix<double, 6, 1> motion = Eigen::Matrix<double, 6, 1>::Zero();  ///< u = motion . q
};

/// The motion of an interface by that of its nodes: q = weights u(rows).
struct Mean {
  std::vector<int> rows;
  Eigen::Matrix<double, 6, Eigen::Dynamic> weights;
};

struct Constraints {
  std::vector<NodeRows> nodes;           ///< those that the matrices have
  std::vector<RowRole> roles;            ///< one a row
  int inner_count = 0, rigid_count = 0;  ///< of inner rows; of rigid interfaces
  std::vector<Mean> all_means;           ///< of all interfaces
  std::vector<Mean> means;               ///< of averaging ones, in their order
  Eigen::Vector3d root_center;           ///< mean of the root's nodes, in the mesh's frame
  std::vector<Eigen::Vector3d> centers;  ///< of each interface
};

/// Throws InputError: sets, their nodes, freedoms.
Constraints make_constraints(const Mesh& mesh, const MeshMatrices& matrices, const ReductionRequest& request);

/// The body can move as a whole: K times a rigid motion is zero. Throws InputError.
void require_free(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints);

/// Throws InputError where mass and volume give a density that no material has.
void require_density(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints);

/// Throws InputError where stiffness and mass give a speed of sound that no material has.
void require_speed_of_sound(const Mesh& mesh, const MeshMatrices& matrices, const Constraints& constraints);

/// M_s of M = M_s x 1_3, rows in the order of `nodes`. Throws InputError where M is no such matrix.
Eigen::SparseMatrix<double> scalar_mass(const Mesh& mesh, const MeshMatrices& matrices,
                                        const Constraints& constraints);

}  // namespace limber
