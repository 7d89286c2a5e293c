// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Least squares between bounds:
//
//   smallest |r(x)|^2   with   lower <= x <= upper                                                       (1)
//
// by Levenberg and Marquardt's method in a region of trust, as the library Ceres has it (S. Agarwal, K. Mierle and others, ceres-solver.org), with exact
// derivatives dr/dx.

#include <functional>
#include <optional>
#include <string>

#include "limber/core/export.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// r and dr/dx at a point.
struct Residuals {
  Eigen::VectorXd values;  ///< r
  Eigen::MatrixXd slopes;  ///< dr/dx, a row for each of r
};

/// What is asked for.
struct LeastSquaresProblem {
  Eigen::VectorXd start;  ///< between the bounds
  Eigen::VectorXd lower;  ///< infinite: none
  Eigen::VectorXd upper;  ///< infinite: none
  /// At a point; none where it cannot be computed. Asked for once at each point. What is thrown ends the search.
  std::function<std::optional<Residuals>(const Eigen::VectorXd&)> evaluate;
};

/// How to look.
struct LeastSquaresOptions {
  double tolerance = 1e-8;  ///< relative decrease of |r|^2 at which to stop
  int iterations = 100;     ///< at most
};

/// What was found.
struct LeastSquaresOutcome {
  Eigen::VectorXd x;       ///< the best
  Residuals residuals;     ///< there
  int iterations = 0;      ///< steps of the method
  int evaluations = 0;     ///< points that were asked for
  bool converged = false;  ///< whether it ended by the tolerance
  std::string end;         ///< why it ended, in words
};

/// Nothing, or that this library was built without Ceres.
std::optional<Problem> why_no_least_squares();

/// Throws InputError where the library was built without Ceres, ComputationError where r cannot be computed at the start, and whatever `evaluate` throws.
LeastSquaresOutcome least_squares(const LeastSquaresProblem& problem,
                                  const LeastSquaresOptions& options = {});

}  // namespace limber
