// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>

#include "limber/model/prepared_beams.hpp"

namespace limber {

/// What basis_error() compares [rad/s]: at most three, joints locked, at the neutral configuration and without gravity; where loops close, joints that others follow from are
/// held, at the configuration that closes them.
Eigen::VectorXd first_frequencies(const Model& model, PreparedBeams& kept);

}  // namespace limber
