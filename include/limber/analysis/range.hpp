// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far a deflection field can be trusted (docs/statics.md): beyond a tenth of the length, or slopes of 15 deg, terms
// of third order are no longer small; and with first-order kinematics a link that spins at about its own first
// frequency has lost its stiffness (centrifugal forces soften it, and what stiffens it is of second order).

#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

inline constexpr double largest_trusted_deflection = 0.1;            ///< of the length
inline constexpr double largest_trusted_slope = 0.2617993877991494;  ///< 15 deg
inline constexpr double largest_trusted_spin = 0.5;  ///< of the first frequency, joints locked

/// A sentence where a link bends or turns too far: `deflection` of its tip across the beam [m], `slope` [rad].
std::optional<std::string> deflection_warning(const Link& link, double deflection, double slope);

/// The same for all of Model::links, of each its deflection and slope. Of a link in segments the one that bends most speaks for all.
std::vector<std::string> deflection_warnings(const Model& model, const std::vector<double>& deflections,
                                             const std::vector<double>& slopes);

/// A sentence where an arm with first-order kinematics turns too fast: `rate` and `first_frequency` [rad/s].
std::optional<std::string> spin_warning(const Model& model, const std::string& joint, double rate,
                                        double first_frequency);

}  // namespace limber
