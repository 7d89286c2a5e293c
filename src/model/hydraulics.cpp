// SPDX-License-Identifier: BSD-3-Clause
#include "limber/model/hydraulics.hpp"

#include <cmath>
#include <numbers>

namespace limber {
namespace {

// r of (5).
double root(double p, double laminar) { return p / std::sqrt(std::hypot(p, laminar)); }

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
  const auto [V_a, V_b] = chamber_volumes(cylinder, length);
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
  const auto [V_a, V_b] = chamber_volumes(cylinder, length);
  return oil.bulk_modulus * (A_a * A_a / V_a + A_b * A_b / V_b);
}

}  // namespace limber
