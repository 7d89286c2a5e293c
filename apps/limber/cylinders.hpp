// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "limber/algorithms/struts.hpp"

namespace limber::app {

/// What `eval` and `statics` say of cylinders at a state: of each its length, its rate (in motion) and its force. `drives`: forces of their drives, or empty.
nlohmann::ordered_json cylinders_json(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                                      const Eigen::VectorXd& drives);
/// The same in short.
void print_cylinders(const nlohmann::ordered_json& cylinders);

}  // namespace limber::app
