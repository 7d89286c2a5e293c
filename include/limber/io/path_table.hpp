// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Ways in space as tables: places, perhaps with times and attitudes.

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/io/number_table.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A way in space, row by row.
struct PathTable {
  Eigen::VectorXd times;                   ///< [s]; none where the table has none
  Eigen::Matrix3Xd positions;              ///< [m], world axes
  std::vector<Eigen::Matrix3d> rotations;  ///< to the world's axes; none: any attitude
};

/// Columns x, y, z; t where there are times; roll, pitch, yaw (all three) where the attitude matters. Throws InputError for columns that are missing; `asked_by` is the path of whatever
/// named the file.
PathTable path_of_table(const NumberTable& table, const std::string& asked_by);

}  // namespace limber
