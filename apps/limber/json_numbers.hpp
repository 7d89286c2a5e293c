// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eigen's vectors and matrices as JSON: lists, and lists of rows.

#include <Eigen/Core>
#include <cmath>
#include <nlohmann/json.hpp>

namespace limber::app {

/// JSON has no infinity.
inline nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

inline nlohmann::ordered_json vector_json(const Eigen::Ref<const Eigen::VectorXd>& vector) {
  auto list = nlohmann::ordered_json::array();
  for (const double value : vector) list.push_back(value);
  return list;
}

inline nlohmann::ordered_json matrix_json(const Eigen::Ref<const Eigen::MatrixXd>& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) rows.push_back(vector_json(matrix.row(i).transpose()));
  return rows;
}

}  // namespace limber::app
