// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How fast natural modes die away.

#include "limber/analysis/modes.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// Each mode's share of critical damping: of a mode phi with frequency omega
///
///   zeta = phi^T D phi / (2 omega phi^T M phi)                                                         (1)
///
/// D of beams and joints. A vibration then falls as e^(-zeta omega t). (1) is the first term of a series in D: exact where D
/// couples no modes, and off by terms of second order in D where it does. NaN for a mode without a frequency, or that
/// grows. Empty where nothing that moves is damped, and for modes in steady rotation, whose shapes are complex.
Eigen::VectorXd damping_ratios(const Model& model, const Input<double>& q, const NaturalModes& modes);

}  // namespace limber
