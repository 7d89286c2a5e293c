// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The integrals of a beam in two parts: what its own mass and stiffness make, which takes the time, and what the body on its tip adds. Many beams that
// differ in that body alone share the first.

#include <vector>

#include "limber/beam/shape_integrals.hpp"

namespace limber::detail {

/// Of a beam without anything on its tip. Of `along` lumps are not there yet, nor their part of rest_inertia.
struct OwnIntegrals {
  ShapeIntegrals along;
  std::vector<Lump> rotary;        ///< what turns with its sections
  Eigen::MatrixXd rotary_inertia;  ///< M_ee of these at rest
};

OwnIntegrals integrate_beam(const BeamBasis& basis, KinematicOrder order);

/// make_shape_integrals(), to the last bit.
ShapeIntegrals with_tip_body(const OwnIntegrals& own, const BeamNode& tip_node, const RigidInertia& tip_body);

}  // namespace limber::detail
