// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What filters and smoothers are told is looked at first.

#include <string>
#include <vector>

#include "limber/estimation/discrete_process.hpp"

namespace limber::detail {

/// Throws InputError for sizes that are not the process's, and for numbers that are not finite.
void require_state(const DiscreteProcess& process, const char* function_name, double t,
                   const Eigen::VectorXd& x, const Eigen::MatrixXd& covariance);
/// ... and for instruments that there are not.
void require_readings(const DiscreteProcess& process, const char* function_name,
                      const std::vector<int>& sensors, const Eigen::VectorXd& readings);

}  // namespace limber::detail
