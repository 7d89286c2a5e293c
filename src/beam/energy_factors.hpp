// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Energies of one beam in one direction, in given shapes, as factors (math/detail/ritz_modes.hpp).

#include <Eigen/Core>

#include "limber/beam/mode_shapes.hpp"

namespace limber {

/// Shapes sampled and weighted such that products of columns are the matrices of the energies, to rounding:
/// strain^T strain = Int k phi_i^(s) phi_j^(s), with s = 2 for bending and 1 else (of a beam that gives way to shear Int EI b_i'' b_j'' +
/// kGA (phi_i' - b_i')(phi_j' - b_j')), and
/// inertia^T inertia = Int m phi_i phi_j, with what the body `tip` adds.
Eigen::MatrixXd strain_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile);
Eigen::MatrixXd inertia_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile,
                               const TipLoad& tip);
/// rotary^T rotary = Int j b_i' b_j': what the sections' rotary inertia j adds in bending, b' their rotation.
Eigen::MatrixXd rotary_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile);

}  // namespace limber
