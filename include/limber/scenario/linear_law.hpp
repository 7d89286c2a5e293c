// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A linear compensator: x' (or the next x) = A x + B e, u = C x + D e + u0. What is empty is zero; without A it is a static gain.
struct LinearLaw {
  Eigen::MatrixXd A;   ///< states x states
  Eigen::MatrixXd B;   ///< states x inputs
  Eigen::MatrixXd C;   ///< outputs x states
  Eigen::MatrixXd D;   ///< outputs x inputs
  Eigen::VectorXd u0;  ///< outputs
};

/// What does not fit together, with paths A, B, C, D, u0.
std::vector<Problem> check_sizes(const LinearLaw& law, int inputs, int outputs);

/// The same law with zeros for what is empty; sizes must fit.
LinearLaw completed(LinearLaw law, int inputs, int outputs);

}  // namespace limber
