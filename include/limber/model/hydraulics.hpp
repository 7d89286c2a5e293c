// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The hydraulic side of a cylinder (docs/cylinders.md). Chamber a lies at the piston, b around the rod; l is the length between the eyes, u the valve's opening, from -1 to 1.
//
//   A_a = pi bore^2/4,   A_b = A_a - pi rod^2/4,   force f = A_a p_a - A_b p_b                                         (1)
//   V_a = volume + A_a (l - lower),   V_b = volume + A_b (upper - l)                                                    (2)
//   p_a' = E/V_a (Q_a - A_a l'),   p_b' = E/V_b (Q_b + A_b l')                                                          (3)
//
// Q_a and Q_b flow into the chambers, through orifices as wide as the valve is open: with r(p) the root of a pressure difference,
//
//   u > 0:  Q_a = G u r(supply - p_a),   Q_b = -G u r(p_b - tank)                                                       (4)
//   u < 0:  Q_a = G u r(p_a - tank),     Q_b = -G u r(supply - p_b)
//   r(p) = p / (p^2 + p_0^2)^(1/4)                                                                                      (5)
//
// Turbulent flow is sign(p) sqrt(|p|), of infinite slope where nothing flows; (5) is that law to 1e-4 from 50 p_0 on, and p/sqrt(p_0) near zero, as flow is laminar there.

#include <array>

#include "limber/core/export.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// p_0 of (5), as a share of the supply's pressure.
inline constexpr double laminar_share = 1e-3;

/// Pressures of both chambers, or their rates [Pa, Pa/s].
struct ChamberPressures {
  double a = 0.0;  ///< at the piston
  double b = 0.0;  ///< around the rod
};

/// A_a and A_b of (1) [m^2].
std::array<double, 2> piston_areas(const HydraulicsDescription& oil);
/// V_a and V_b of (2) [m^3].
std::array<double, 2> chamber_volumes(const Cylinder& cylinder, double length);
/// (1) [N].
double hydraulic_force(const HydraulicsDescription& oil, const ChamberPressures& p);
/// (3), at an opening of the valve. Throws ComputationError where a chamber has less than half of `volume`: beyond its end. `side`: 1 or -1, the line of (4), also where the opening is zero or has the other sign.
ChamberPressures pressure_rates(const Cylinder& cylinder, const ChamberPressures& p, double length,
                                double rate, double opening, int side);
/// Pressures that give a force: the chamber that does not push is at the tank's.
ChamberPressures holding_pressures(const HydraulicsDescription& oil, double force);
/// Of blocked chambers at a length: E (A_a^2/V_a + A_b^2/V_b) [N/m].
double oil_stiffness(const Cylinder& cylinder, double length);

}  // namespace limber
