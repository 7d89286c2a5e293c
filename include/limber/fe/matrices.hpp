// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Stiffness and mass of a finite-element model, as solvers write them: CalculiX's matrix storage (*FREQUENCY, SOLVER=MATRIXSTORAGE: .sti, .mas and
// .dof) or Matrix Market (.mtx, coordinate, real).

#include "limber/math/eigen.hpp"
// after eigen.hpp
#include <Eigen/SparseCore>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/export.hpp"

namespace limber LIMBER_EXPORT {

/// What a row of the matrices is: a direction of a node.
struct MeshFreedom {
  int node;       ///< its number in the mesh's file
  int direction;  ///< 1, 2, 3: x, y, z
};

/// K and M, whole: both triangles.
struct MeshMatrices {
  Eigen::SparseMatrix<double> stiffness;                               ///< [N/m]
  Eigen::SparseMatrix<double> mass;                                    ///< [kg]
  std::vector<MeshFreedom> freedoms;                                   ///< one a row
  std::string stiffness_file = {}, mass_file = {}, freedom_file = {};  ///< for messages
};

/// Throws InputError with file and line where a file cannot be understood, is not symmetric, or sizes differ.
MeshMatrices read_matrices(const std::filesystem::path& stiffness, const std::filesystem::path& mass,
                           const std::filesystem::path& freedoms);

}  // namespace limber
