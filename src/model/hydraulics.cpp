// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/hydraulics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "limber/core/computation_error.hpp"

namespace limber {
namespace {

// r of (5).
double root(double p, double laminar) { return p / std::sqrt(std::hypot(p, laminar)); }

// A piston stops at its limits; what of a chamber lies beyond is no place for it.
void require_room(const Cylinder& cylinder, const std::array<double, 2>& volumes, double length) {
  const double least = 0.5 * cylinder.hydraulics->volume;
  if (volumes[0] > least && volumes[1] > least) return;
  throw ComputationError(fmt::format(
      "cylinder `{}` has run beyond its end: at a length of {:.4g} m its chamber {} has less than half of "
      "`volume` left (`limits` are {:.4g} to {:.4g} m). Give them `stop_stiffness`, or drive it less far",
      cylinder.name, length, volumes[0] > least ? "b" : "a", *cylinder.limits.lower, *cylinder.limits.upper));
}

}  // namespace

std::array<double, 2> piston_areas(const HydraulicsDescription& oil) {
  const double whole = 0.25 * std::numbers::pi * oil.bore * oil.bore;
  return {whole, whole - 0.25 * std::numbers::pi * oil.rod * oil.rod};
}

std::array<double, 2> chamber_volumes(const Cylinder& cylinder, double length) {
  const HydraulicsDescription& oil = cylinder.hydraulics.value();
  const auto [A_a, A_b] = piston_areas(oil);
  return {oil.volume + A_a * (length - cylinder.limits.lower.value()),
          oil.volume + A_b * (cylinder.limits.upper.value() - length)};
}

double hydraulic_force(const HydraulicsDescription& oil, const ChamberPressures& p) {
  const auto [A_a, A_b] = piston_areas(oil);
  return A_a * p.a - A_b * p.b;
}

ChamberPressures pressure_rates(const Cylinder& cylinder, const ChamberPressures& p, double length,
                                double rate, double opening, int side) {
  const HydraulicsDescription& oil = cylinder.hydraulics.value();
  const auto [A_a, A_b] = piston_areas(oil);
  const std::array<double, 2> volumes = chamber_volumes(cylinder, length);
  require_room(cylinder, volumes, length);
  const auto [V_a, V_b] = volumes;
  const double flow = oil.flow_gain * opening, laminar = laminar_share * oil.supply;
  const double Q_a = flow * root(side > 0 ? oil.supply - p.a : p.a - oil.tank, laminar);
  const double Q_b = -flow * root(side > 0 ? p.b - oil.tank : oil.supply - p.b, laminar);
  return {oil.bulk_modulus / V_a * (Q_a - A_a * rate), oil.bulk_modulus / V_b * (Q_b + A_b * rate)};
}

ChamberPressures holding_pressures(const HydraulicsDescription& oil, double force) {
  const auto [A_a, A_b] = piston_areas(oil);
  if (force >= (A_a - A_b) * oil.tank) return {(force + A_b * oil.tank) / A_a, oil.tank};
  return {oil.tank, (A_a * oil.tank - force) / A_b};
}

double oil_stiffness(const Cylinder& cylinder, double length) {
  const HydraulicsDescription& oil = cylinder.hydraulics.value();
  const auto [A_a, A_b] = piston_areas(oil);
  const std::array<double, 2> volumes = chamber_volumes(cylinder, length);
  require_room(cylinder, volumes, length);
  const auto [V_a, V_b] = volumes;
  return oil.bulk_modulus * (A_a * A_a / V_a + A_b * A_b / V_b);
}

}  // namespace limber
