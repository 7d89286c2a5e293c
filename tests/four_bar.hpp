// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A rigid four-bar, and its kinematics and energies by hand.

#include <cmath>

#include "limber/model/builder.hpp"

namespace limber {

inline const Eigen::Vector3d z_axis = Eigen::Vector3d::UnitZ();

inline RigidDescription rod(double length, double mass, double inertia, Eigen::Vector3d com) {
  RigidDescription body;
  body.mass = mass;
  body.com = com;
  body.inertia << inertia, inertia, inertia, 0, 0, 0;
  body.tip.xyz = {length, 0, 0};
  return body;
}
inline RigidDescription rod(double length, double mass) {
  return rod(length, mass, mass * length * length / 12.0, {0.5 * length, 0, 0});
}

// ---- a four-bar: crank, coupler and rocker on a ground of length d, in the plane z = 0 with weight along -y ----

inline constexpr double a_ = 0.3, b_ = 0.9, c_ = 0.7, d_ = 0.8, g_ = 9.81;
inline constexpr double m_a = 1.2, m_b = 2.0, m_c = 1.5;

inline Model four_bar(LoopType type = LoopType::revolute) {
  ModelBuilder builder("four_bar");
  builder.gravity({0, -g_, 0}).link("crank").revolute(z_axis).rigid(rod(a_, m_a));
  builder.link("coupler").revolute(z_axis).rigid(rod(b_, m_b));
  builder.link("rocker", "base").origin({d_, 0, 0}).revolute(z_axis).rigid(rod(c_, m_c));
  LoopDescription pin{.name = "pin", .type = type, .a = {.link = "coupler"}, .b = {.link = "rocker"}};
  if (type == LoopType::revolute) pin.axis = z_axis;
  builder.loop(pin);
  return builder.build();
}

// Absolute angles of coupler and rocker, elbow up: the triangle over the diagonal from the crank's tip to the rocker's foot.
struct FourBar {
  double coupler, rocker;
};
inline FourBar solved(double crank) {
  const double x = d_ - a_ * std::cos(crank), y = -a_ * std::sin(crank), s = std::hypot(x, y);
  const double at_coupler = std::acos((b_ * b_ + s * s - c_ * c_) / (2 * b_ * s));
  const double coupler = std::atan2(y, x) + at_coupler;
  return {coupler, std::atan2(a_ * std::sin(crank) + b_ * std::sin(coupler),
                              a_ * std::cos(crank) + b_ * std::cos(coupler) - d_)};
}
inline Eigen::VectorXd configuration(double crank) {
  const FourBar at = solved(crank);
  return Eigen::Vector3d(crank, at.coupler - crank, at.rocker);
}
// Ratios of absolute rates to the crank's.
inline FourBar rates(double crank) {
  const FourBar at = solved(crank);
  return {a_ * std::sin(at.rocker - crank) / (b_ * std::sin(at.coupler - at.rocker)),
          a_ * std::sin(at.coupler - crank) / (c_ * std::sin(at.coupler - at.rocker))};
}
// T = I(crank) rate^2 / 2
inline double inertia(double crank) {
  const FourBar at = solved(crank), k = rates(crank);
  const double vx = -a_ * std::sin(crank) - 0.5 * b_ * k.coupler * std::sin(at.coupler);
  const double vy = a_ * std::cos(crank) + 0.5 * b_ * k.coupler * std::cos(at.coupler);
  return m_a * a_ * a_ / 3 + m_b * (vx * vx + vy * vy) + m_b * b_ * b_ / 12 * k.coupler * k.coupler +
         m_c * c_ * c_ / 3 * k.rocker * k.rocker;
}
inline double height_energy(double crank) {
  const FourBar at = solved(crank);
  return g_ *
         (m_a * 0.5 * a_ * std::sin(crank) + m_b * (a_ * std::sin(crank) + 0.5 * b_ * std::sin(at.coupler)) +
          m_c * 0.5 * c_ * std::sin(at.rocker));
}
// Differences of sixth order.
template <typename Function>
double fine_slope(Function&& f, double x, double h = 4e-3) {
  return (45 * (f(x + h) - f(x - h)) - 9 * (f(x + 2 * h) - f(x - 2 * h)) + (f(x + 3 * h) - f(x - 3 * h))) /
         (60 * h);
}

}  // namespace limber
