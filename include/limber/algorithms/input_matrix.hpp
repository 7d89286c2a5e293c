// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How the joints' efforts act on the coordinates.
//
// A motor turns the root section of its link against the node on which the link sits. The section turns against
// B by Psi(0) etad, so that the power of a moment u about the joint's axis a (in B's axes) is
//
//   u a . (a qd + R_BR Psi(0) etad)                                                                (1)
//
// and the generalized forces are u on the joint's coordinate and u a^T R_BR Psi(0) on the elastic ones. Psi(0)
// is zero for shapes that are clamped at the root, and phi'(0) for those of the pinned families. Forces (of
// prismatic joints, and the linear ones of free joints) act on B alone: no shape moves the root.
//
// A motor behind an elastic gear turns its rotor alone: its effort acts on its own coordinate. The gear hands it on to the link, whose shapes
// are clamped there (build_model refuses others).
//
// (1) is taken at eta = 0. For beams that bend about one axis this is exact; where a section that has turned about
// one axis turns about another, terms of the order of phi'(0) eta are left out.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// nv x (number of driven_coordinates(), in the order of the links): generalized forces = input_matrix * efforts.
/// At q: the first axis of a universal joint turns with its second angle; nothing else depends on q.
Eigen::MatrixXd input_matrix(const Model& model, const Input<double>& q);
/// The same with universal joints at zero.
Eigen::MatrixXd input_matrix(const Model& model);

}  // namespace limber
