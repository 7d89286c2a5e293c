#pragma once

// Numbers that are none. They make every matrix look singular, so whoever meets a matrix that cannot be factored looks
// here first; and so do functions that are called once, before they begin. Inside loops nobody looks.

#include <Eigen/Core>

#include "limber/algorithms/forward_dynamics.hpp"

namespace limber {

/// Throws ComputationError with the name of the first coordinate that is not finite. Vectors of length 0 are left out.
void require_finite(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& v = {},
                    const Eigen::VectorXd& tau = {}, const std::vector<ExternalWrench>& loads = {});

}  // namespace limber
