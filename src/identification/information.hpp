// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What data tell about parameters. With J = d(f/s)/dp, columns in units u of the parameters, J = U W V^T,
//
//   information F = J^T J,   covariance = V W^-2 V^T,   log det F = 2 Sum log w                          (1)
//
// 1/w is the standard deviation along the direction v that belongs to w; where w is nothing beside the largest, nothing tells that direction.

#include <string>
#include <vector>

#include "limber/identification/identify.hpp"
#include "limber/math/eigen.hpp"

namespace limber {

struct Information {
  Eigen::MatrixXd covariance;             ///< in the parameters' own units; what nothing tells is left out
  Eigen::MatrixXd correlation;            ///< not a number where a standard error is infinite
  Eigen::VectorXd standard_errors;        ///< infinite where nothing tells a parameter
  double log_determinant = 0.0;           ///< of F; minus infinity where a direction is not told
  std::vector<UnclearDirection> unclear;  ///< with a standard deviation above 1
};

/// `slopes`: J with columns in units of `units`. `variance`: of the unit of f/s.
Information information(const Eigen::MatrixXd& slopes, const Eigen::VectorXd& units, double variance = 1.0);

/// A triangle R with R^T R = J^T J: as many rows as there are parameters tell as much as all data do.
Eigen::MatrixXd condensed(const Eigen::MatrixXd& slopes);

/// "the data do not tell 0.71 links.a.. - 0.71 links.b..: ..."
std::string words(const UnclearDirection& one, const std::vector<std::string>& paths);

/// A parameter's size: what its standard deviation is compared with.
double size_of_parameter(double value);

}  // namespace limber
