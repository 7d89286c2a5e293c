// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Measured modes beside computed ones: which is which, and how alike their shapes are, by the modal assurance criterion (R. J. Allemang, Sound Vib. 37 (2003), 14-23)
//
//   MAC(a, b) = (a . b)^2 / (a . a  b . b)                                                               (1)
//
// 1 where two shapes are the same but for a factor, 0 where they have nothing in common at the points that were measured.

#include <string>
#include <vector>

#include "limber/analysis/modes.hpp"
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

/// Modes as they were measured.
struct MeasuredModes {
  Eigen::VectorXd frequencies_hz;   ///< of each mode
  std::vector<std::string> points;  ///< where: as seen_shapes() takes them
  Eigen::MatrixXd shapes;           ///< a row for each point, a column for each mode, any scale
};

/// Measured modes and their computed ones.
struct ModePairs {
  Eigen::MatrixXd assurance;  ///< (1): measured modes are rows
  std::vector<int> computed;  ///< of every measured mode, from 0; -1: none was left
  Eigen::VectorXd
      scales;  ///< factors that bring measured shapes closest to their computed ones; 0 where there is none
};

/// Pairs them. Throws InputError where there are less than two points (one is like every other), for a point that is none, and for sizes that do not fit together.
ModePairs pair_modes(const Model& model, const Input<double>& q, const NaturalModes& modes,
                     const MeasuredModes& measured);

/// Where a point of a shape is.
struct ShapePoint {
  Eigen::Vector3d p_W =
      Eigen::Vector3d::Zero();  ///< in the world; not a number where it is a coordinate, and no place
  Eigen::Vector3d axis = Eigen::Vector3d::
      Zero();  ///< along which its motion is seen, in the world; zero where it is a coordinate
};

/// Of each name. Throws as seen_shapes() does.
std::vector<ShapePoint> shape_points(const Model& model, const Input<double>& q,
                                     const std::vector<std::string>& points);

}  // namespace limber
