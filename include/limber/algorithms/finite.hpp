// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Numbers that are none. They make every matrix look singular, so whoever meets a matrix that cannot be factored looks
// here first; and so do functions that are called once, before they begin. Inside loops nobody looks.

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Throws ComputationError with the name of the first coordinate that is not finite. Vectors of length 0 are left out.
void require_finite(const Model& model, const Input<double>& q, const Input<double>& v = Eigen::VectorXd(),
                    const Input<double>& tau = Eigen::VectorXd(), const std::vector<Load>& loads = {});

}  // namespace limber
