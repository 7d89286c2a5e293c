// SPDX-License-Identifier: BSD-3-Clause
#include "limber/io/path_table.hpp"

#include <algorithm>

#include "limber/math/rotation.hpp"

namespace limber {

PathTable path_of_table(const NumberTable& table, const std::string& asked_by) {
  const auto has = [&](const char* name) {
    return std::find(table.columns.begin(), table.columns.end(), name) != table.columns.end();
  };
  PathTable path;
  path.positions.resize(3, table.values.rows());
  constexpr const char* axes[] = {"x", "y", "z"};
  constexpr const char* angles[] = {"roll", "pitch", "yaw"};
  for (int i = 0; i < 3; ++i) path.positions.row(i) = table.column(axes[i], asked_by).transpose();
  if (has("t")) path.times = table.column("t", asked_by);
  if (!has("roll") && !has("pitch") && !has("yaw")) return path;
  Eigen::Matrix3Xd rpy(3, table.values.rows());
  for (int i = 0; i < 3; ++i) rpy.row(i) = table.column(angles[i], asked_by).transpose();
  for (Eigen::Index k = 0; k < rpy.cols(); ++k) path.rotations.push_back(rotation_from_rpy(rpy.col(k)));
  return path;
}

}  // namespace limber
