// SPDX-License-Identifier: BSD-3-Clause
// How far a boom sags, what holds it, and how fast it swings, beside the formulas of textbooks.

#include <cmath>
#include <cstdio>
#include <limber/limber.hpp>

constexpr double L = 6.0, EI = 1e6, mass_per_length = 10.0, g = 9.81;  // m, N m^2, kg/m, m/s^2

static limber::Model boom(double payload) {
  limber::SectionDescription section;
  section.EI_y = EI;
  section.mass_per_length = mass_per_length;
  limber::TipDescription tip;
  tip.mass = payload;
  return limber::ModelBuilder("boom")
      .gravity({0.0, 0.0, -g})
      .link("boom")
      .revolute({0.0, 1.0, 0.0}, "shoulder")
      .beam(L, section)
      .modes(limber::Direction::z, 6)
      .tip(tip)
      .build();
}

static void print(const char* what, double value, double formula) {
  std::printf("%-28s %10.5g  formula %10.5g  relative error %.1e\n", what, value, formula,
              std::abs(value / formula - 1.0));
}

int main() try {
  const double payload = 20.0;
  const limber::Model loaded = boom(payload), bare = boom(0.0);
  const Eigen::VectorXd q = limber::neutral_configuration(loaded);

  const auto settled = limber::static_equilibrium(loaded, q, {}, limber::StaticModel::linear);
  limber::Evaluation arm(loaded);
  arm.set(settled.q);
  print("sag of the tip [m]", -arm.pose(limber::frame(loaded, "boom")).p.z(),
        (mass_per_length * L / 8.0 + payload / 3.0) * g * std::pow(L, 3) / EI);
  print("effort of the shoulder [N m]", settled.efforts[limber::coordinate_index(loaded, "shoulder")],
        -(mass_per_length * L / 2.0 + payload) * g * L);

  const auto modes = limber::natural_modes(bare, q, limber::JointTreatment::locked, 2);
  const double unit = std::sqrt(EI / mass_per_length) / (L * L);
  print("first frequency [rad/s]", modes.angular_frequencies[0], std::pow(1.87510407, 2) * unit);
  print("second frequency [rad/s]", modes.angular_frequencies[1], std::pow(4.69409113, 2) * unit);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// Prints
//   sag of the tip [m]             0.030019  formula   0.030019  relative error <1e-9
//   effort of the shoulder [N m]      -2943  formula      -2943  relative error <1e-9
//   first frequency [rad/s]          30.885  formula     30.885  relative error <1e-5
//   second frequency [rad/s]         193.58  formula     193.55  relative error <1e-3
