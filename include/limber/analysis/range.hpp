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

/// What counts of a tip's deflection: across the beam; of a body, which has no axis, all of it [m].
double counted_deflection(const Link& link, const Eigen::Vector3d& deflection);

/// A sentence where a link bends or turns too far: its counted deflection [m], `slope` [rad].
std::optional<std::string> deflection_warning(const Link& link, double deflection, double slope);

/// The same for all of Model::links, of each its deflection and slope. Of a link in segments the one that bends most speaks for all.
std::vector<std::string> deflection_warnings(const Model& model, const std::vector<double>& deflections,
                                             const std::vector<double>& slopes);

/// Whether a link that bends has no geometric stiffening: with first-order kinematics all of them, and bodies of finite elements always.
bool lacks_stiffening(const Model& model);

/// A sentence where such an arm turns too fast: `rate` and `first_frequency` [rad/s].
std::optional<std::string> spin_warning(const Model& model, const std::string& joint, double rate,
                                        double first_frequency);

}  // namespace limber
