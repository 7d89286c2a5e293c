// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vibration of one beam in one direction, spanned by given shapes.

#include <Eigen/Core>

#include "limber/beam/mode_shapes.hpp"

namespace limber {

/// Shapes sampled and weighted such that products of columns are the matrices of the energies, to rounding:
/// strain^T strain = Int k phi_i^(s) phi_j^(s), with s = 2 for bending and 1 else, and
/// inertia^T inertia = Int m phi_i phi_j, with what the body `tip` adds.
Eigen::MatrixXd strain_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile);
Eigen::MatrixXd inertia_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile,
                               const TipLoad& tip);

struct RitzModes {
  Eigen::VectorXd frequencies;   ///< [rad/s] ascending, infinite for modes without inertia
  Eigen::MatrixXd combinations;  ///< column n: mode n in terms of the shapes; strain energy 1/2
};

/// Each frequency is accurate relative to itself, however far they are apart: a heavy body on the tip puts
/// eight orders of magnitude between the first and the tenth.
RitzModes rayleigh_ritz(const Eigen::MatrixXd& strain, const Eigen::MatrixXd& inertia);

}  // namespace limber
