// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vibration from factors of the energies: K = strain^T strain, M = inertia^T inertia.

#include "limber/math/eigen.hpp"

namespace limber::detail {

struct RitzModes {
  Eigen::VectorXd frequencies;   ///< [rad/s] ascending, infinite for modes without inertia
  Eigen::MatrixXd combinations;  ///< column n: mode n in terms of the shapes; strain energy 1/2
};

/// Each frequency is accurate relative to itself, however far they are apart: a heavy body on the tip puts
/// eight orders of magnitude between the first and the tenth.
RitzModes rayleigh_ritz(const Eigen::MatrixXd& strain, const Eigen::MatrixXd& inertia);

}  // namespace limber::detail
