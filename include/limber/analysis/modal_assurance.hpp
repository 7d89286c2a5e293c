// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Measured modes beside computed ones: which is which, and how alike their shapes are, by the modal assurance criterion (R. J. Allemang, Sound Vib. 37 (2003), 14-23)
//
//   MAC(a, b) = (a . b)^2 / (a . a  b . b)                                                               (1)
//
// 1 where two shapes are the same but for a factor, 0 where they have nothing in common at the points that were measured.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// (1) of every column of `measured` (rows) with every column of `computed` (columns): both have a row for each point.
Eigen::MatrixXd modal_assurance(const Eigen::MatrixXd& measured, const Eigen::MatrixXd& computed);

/// Of every measured mode (row) its computed one, each at most once: the largest number of the table first, then the largest of what is left. -1: none was left.
std::vector<int> paired_modes(const Eigen::MatrixXd& assurance);

/// What is seen of shapes (nv rows) at points: coordinates by name, or `LINK@0.5.y`, the way along an axis of the world. A row for each. Throws InputError, with the
/// closest name, for what is none; its path is the name.
Eigen::MatrixXd seen_shapes(const Model& model, const Input<double>& q, const Eigen::MatrixXd& shapes,
                            const std::vector<std::string>& points);

}  // namespace limber
