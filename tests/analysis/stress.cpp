// SPDX-License-Identifier: BSD-3-Clause
// Stress of sections by geometry, against textbooks and a field of its own; fatigue against the standard's example.

#include "limber/analysis/stress.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "limber/analysis/equilibrium.hpp"
#include "limber/analysis/fatigue.hpp"
#include "limber/core/input_error.hpp"
#include "limber/model/builder.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;
const Material steel{210e9, 80e9, 7850.0};

Vector6<double> forces(double N, double Vy, double Vz, double T, double My, double Mz) {
  Vector6<double> all;
  all << N, Vy, Vz, T, My, Mz;
  return all;
}
SectionStress stress_of(const SectionGeometry& geometry, const Vector6<double>& of) {
  return section_stress(stress_factors(geometry), of);
}

const SectionGeometry tube{SectionShape::tube, 0.2, 0, 0, 0.01, steel},
    rod{SectionShape::rod, 0.1, 0, 0, 0, steel}, plank{SectionShape::rectangle, 0, 0.04, 0.1, 0, steel},
    box{SectionShape::box, 0, 0.1, 0.2, 0.01, steel};

TEST(SectionStress, OfTubesAndRodsIsTheTextbooks) {
  const double outer = 0.1, inner = 0.09, I = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4)),
               A = pi * (outer * outer - inner * inner);
  EXPECT_NEAR(stress_of(tube, forces(0, 0, 0, 5e3, 0, 0)).torsion, 5e3 * outer / (2 * I), 1e-6);  // T r / J
  EXPECT_NEAR(stress_of(tube, forces(0, 0, 0, 5e3, 0, 0)).von_mises, std::sqrt(3.0) * 5e3 * outer / (2 * I),
              1e-5);
  EXPECT_NEAR(stress_of(tube, forces(-4e4, 0, 0, 0, 3e3, 4e3)).normal, 4e4 / A + 5e3 * outer / I, 1e-5);
  const SectionStress both = stress_of(rod, forces(1e4, 0, 0, 2e3, 3e3, 0));
  const double sigma = 1e4 / (pi * 0.0025) + 32 * 3e3 / (pi * 1e-3), tau = 16 * 2e3 / (pi * 1e-3);  // d = 0.1
  EXPECT_NEAR(both.von_mises, std::hypot(sigma, std::sqrt(3.0) * tau), 1e-5);
  EXPECT_NEAR(stress_of(rod, forces(0, 3e3, 4e3, 0, 0, 0)).transverse_shear, 4.0 / 3.0 * 5e3 / (pi * 0.0025),
              1e-6);
  EXPECT_EQ(stress_of(rod, forces(0, 3e3, 4e3, 0, 0, 0)).von_mises, 0.0);
  // A thin tube: 2 V / A.
  const SectionGeometry thin{SectionShape::tube, 0.2, 0, 0, 1e-5, steel};
  EXPECT_NEAR(
      stress_of(thin, forces(0, 1e3, 0, 0, 0, 0)).transverse_shear / (2e3 * stress_factors(thin).axial), 1.0,
      1e-4);
}

TEST(SectionStress, OfBoxesIsTheTextbooks) {
  const double I_y = (0.1 * std::pow(0.2, 3) - 0.08 * std::pow(0.18, 3)) / 12,
               I_z = (0.2 * std::pow(0.1, 3) - 0.18 * std::pow(0.08, 3)) / 12;
  const double A = 0.1 * 0.2 - 0.08 * 0.18;
  const double sigma = 2e4 / A + 6e3 * 0.1 / I_y + 2e3 * 0.05 / I_z, tau = 4e3 / (2 * 0.09 * 0.19 * 0.01);
  const SectionStress corner = stress_of(box, forces(2e4, 0, 0, -4e3, -6e3, 2e3));
  EXPECT_NEAR(corner.normal, sigma, 1e-5);
  EXPECT_NEAR(corner.torsion, tau, 1e-6);
  EXPECT_NEAR(corner.von_mises, std::sqrt(sigma * sigma + 3 * tau * tau), 1e-5);
  // V Q / (I b) at the neutral axis: webs of 0.01 each, flanges of 0.1.
  const double Q = 0.1 * 0.1 * 0.05 - 0.08 * 0.09 * 0.045;
  EXPECT_NEAR(stress_of(box, forces(0, 0, 1e4, 0, 0, 0)).transverse_shear, 1e4 * Q / (I_y * 0.02), 1e-5);
}

TEST(SectionStress, OfRectanglesIsTheTextbooks) {
  const double W_y = 0.04 * 0.01 / 6, W_z = 0.1 * 0.0016 / 6;
  const SectionStress corner = stress_of(plank, forces(1e4, 2e3, 3e3, 0, 500, -300));
  EXPECT_NEAR(corner.von_mises, 1e4 / 0.004 + 500 / W_y + 300 / W_z, 1e-5);
  EXPECT_NEAR(corner.transverse_shear, 1.5 * std::hypot(2e3, 3e3) / 0.004, 1e-6);
  // Timoshenko & Goodier, table of 109: tau_max = T / (k_2 b a^2) with a the shorter side; k_2 = 0.208, 0.231, 0.246, 0.258, 0.267, 0.282 and 1/3.
  const std::map<double, double> k_2 = {{1, 0.208}, {1.5, 0.231}, {2, 0.246},    {2.5, 0.258},
                                        {3, 0.267}, {4, 0.282},   {1000, 0.3331}};
  for (const auto& [ratio, k] : k_2) {
    const SectionGeometry slab{SectionShape::rectangle, 0, 0.02 * ratio, 0.02, 0, steel};
    const double T = 10.0;
    EXPECT_NEAR(T / (stress_of(slab, forces(0, 0, 0, T, 0, 0)).torsion * 0.02 * ratio * 0.02 * 0.02), k, 6e-4)
        << ratio;
  }
}

// Saint-Venant's torsion by Prandtl's membrane on a grid: an algorithm of its own. Both middles of sides.
TEST(SectionStress, OfTwistedRectanglesIsThatOfAMembrane) {
  constexpr int across = 40, along = 60;  // h is the same: 1.5 to 1
  const double width = 0.03, h = width / across;
  Eigen::MatrixXd phi = Eigen::MatrixXd::Zero(across + 1, along + 1);
  const double omega = 2.0 / (1.0 + std::sin(pi / along));  // successive over-relaxation of laplace(phi) = -2
  for (int sweep = 0; sweep < 800; ++sweep)
    for (int i = 1; i < across; ++i)
      for (int j = 1; j < along; ++j)
        phi(i, j) +=
            omega *
            (0.25 * (phi(i - 1, j) + phi(i + 1, j) + phi(i, j - 1) + phi(i, j + 1) + 2 * h * h) - phi(i, j));
  const double J = 2 * phi.sum() * h * h;
  const auto slope = [&](double a, double b, double c) { return (4 * a - b) / (2 * h) - 1.5 * c / h; };
  const double at_long = slope(phi(1, along / 2), phi(2, along / 2), 0),
               at_short = slope(phi(across / 2, 1), phi(across / 2, 2), 0);
  const SectionGeometry lying{SectionShape::rectangle, 0, width, 1.5 * width, 0, steel};
  const StressFactors factors = stress_factors(lying);
  EXPECT_NEAR(factors.torsion_y * J / at_long, 1.0, 5e-3);  // the sides y = const are the long ones
  EXPECT_NEAR(factors.torsion_z * J / at_short, 1.0, 5e-3);
  EXPECT_EQ(factors.torsion_corner, 0.0);
  const SectionGeometry standing{SectionShape::rectangle, 0, 1.5 * width, width, 0, steel};
  EXPECT_EQ(stress_factors(standing).torsion_z, factors.torsion_y);
  // With bending about z, the middle of a long side may bear more than a corner.
  const SectionStress mixed = stress_of(lying, forces(0, 0, 0, 200, 0, 50));
  EXPECT_NEAR(mixed.von_mises, std::hypot(50 * factors.about_z, std::sqrt(3.0) * 200 * factors.torsion_y),
              1e-6);
}

TEST(SectionStress, OfFibresIsBoundedByTheOuterOnes) {
  for (const SectionGeometry& geometry : {tube, rod, plank, box}) {
    const StressFactors factors = stress_factors(geometry);
    const Vector6<double> of = forces(-3e4, 0, 0, 0, 800, -1200);
    double largest = 0.0;
    for (const Eigen::Vector2d& fibre : factors.fibres) {
      const double I_y = make_section(geometry).EI_y / steel.E, I_z = make_section(geometry).EI_z / steel.E;
      const double sigma = normal_stress(factors, of, fibre);
      EXPECT_NEAR(sigma, -3e4 * factors.axial + 800 * fibre.y() / I_y + 1200 * fibre.x() / I_z, 1e-6);
      largest = std::max(largest, std::abs(sigma));
    }
    const double outer = section_stress(factors, of).normal;
    EXPECT_LE(largest, outer * (1 + 1e-12));
    EXPECT_GT(largest, 0.98 * outer);
  }
}

// A tapered beam under its tip load: M c / I of the section right there.
TEST(BeamStress, OfATaperedBeamIsThatOfTheLocalSection) {
  const auto station = [](double x, double height) {
    StationDescription one;
    one.x = x;
    one.section.shape = SectionShape::rectangle;
    one.section.width = 0.04;
    one.section.height = height;
    one.section.material = MaterialDescription{.E = 210e9, .nu = 0.3, .density = 7850.0};
    return one;
  };
  ModelBuilder builder("taper");
  builder.gravity({0, 0, 0});
  builder.link("beam").fixed().beam(2.0, {station(0.0, 0.12), station(2.0, 0.04)}).modes(Direction::z, 3);
  const Model model = builder.build();
  const std::vector<Load> loads = {{0, 0, Axes::section, {0, 0, -100.0}}};
  SectionForces sections(model, 9);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(model.nv());
  sections.update(zero, zero, zero, loads);
  auto stress = BeamStress::of(model, sections.beam(0));
  ASSERT_TRUE(stress);
  stress->update(sections.beam(0));
  for (std::size_t i = 0; i < 9; ++i) {
    const double x = 0.25 * static_cast<double>(i), h = 0.12 - 0.04 * x;
    EXPECT_NEAR(stress->at()[i].von_mises, 100.0 * (2.0 - x) / (0.04 * h * h / 6), 1e-4) << x;
  }
  EXPECT_NEAR(sections.beam(0).places[static_cast<std::size_t>(stress->worst())].x, 1.0,
              1e-12);  // h = 2 h(L)
}

TEST(BeamStress, NeedsGeometryEverywhere) {
  ModelBuilder builder("mixed");
  SectionDescription by_stiffness{.EI_y = 1e4, .EI_z = 1e4, .mass_per_length = 3.0};
  builder.link("plain").fixed().beam(1.0, by_stiffness);
  const Model model = builder.build();
  EXPECT_FALSE(has_stress(model.links()[0]));
  EXPECT_FALSE(BeamStress::of(model, SectionForces(model, 2).beam(0)));
}

std::map<double, double> counts(const std::vector<double>& series) {
  std::map<double, double> by_range;
  for (const StressCycle& cycle : rainflow(series)) by_range[cycle.range] += cycle.count;
  return by_range;
}

// ASTM E1049-85, 5.4.5: the series of its figure on rainflow counting, points A to I.
TEST(Rainflow, CountsTheStandardsExample) {
  const std::map<double, double> expected = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0}, {9, 0.5}};
  EXPECT_EQ(counts({-2, 1, -3, 5, -1, 3, -4, 4, -2}), expected);
  // The same with points between the turning ones, and with repeated ones.
  EXPECT_EQ(counts({-2, -1, 1, 1, 0, -3, 2, 5, 3, -1, -1, 3, 0, -4, 0, 4, 4, 1, -2}), expected);
  const std::vector<StressCycle> cycles = rainflow({-2, 1, -3, 5, -1, 3, -4, 4, -2});
  ASSERT_EQ(cycles.size(), 7U);
  EXPECT_EQ(cycles[0].mean, -0.5);  // A-B
  EXPECT_EQ(cycles[0].count, 0.5);
  bool has_whole = false;
  for (const StressCycle& cycle : cycles)
    if (cycle.count == 1.0) {
      has_whole = true;
      EXPECT_EQ(cycle.range, 4.0);  // E-F
      EXPECT_EQ(cycle.mean, 1.0);
    }
  EXPECT_TRUE(has_whole);
}

TEST(Rainflow, CountsWhatDoesNotTurn) {
  EXPECT_TRUE(rainflow({}).empty());
  EXPECT_TRUE(rainflow({3, 3, 3}).empty());
  EXPECT_EQ(counts({0, 1, 2}), (std::map<double, double>{{2, 0.5}}));
  std::vector<double> wave;
  for (int i = 0; i <= 400; ++i)
    wave.push_back(std::sin(pi / 2 * i));  // 100 periods: halves and wholes add up
  double total = 0.0;
  for (const StressCycle& cycle : rainflow(wave)) total += cycle.count * cycle.range;
  EXPECT_NEAR(total, 2.0 * 100, 1e-9);
  EXPECT_THROW(rainflow({0.0, std::nan("")}), InputError);
}

// N cycles of the curve's own range break it; twice the range does 2^slope times the damage.
TEST(Rainflow, DamageIsMinersSum) {
  const SnCurveDescription curve{100e6, 2e6, 3.0};
  EXPECT_DOUBLE_EQ(miner_damage(StressCycle{100e6, 0, 1}, curve), 1.0 / 2e6);
  EXPECT_DOUBLE_EQ(miner_damage(StressCycle{200e6, 0, 0.5}, curve), 4.0 / 2e6);
  EXPECT_DOUBLE_EQ(miner_damage(rainflow({0, 200e6, 0}), curve), 8.0 / 2e6);
}

TEST(StrengthWarning, NamesLinkStressAndPlace) {
  ModelBuilder builder("rod");
  SectionDescription section;
  section.shape = SectionShape::rod;
  section.diameter = 0.02;
  section.material = MaterialDescription{.E = 210e9, .nu = 0.3, .density = 7850.0};
  builder.link("boom").fixed().beam(1.0, section);
  builder.current_link().beam->strength = 300e6;
  const Model model = builder.build();
  EXPECT_FALSE(strength_warning(model.links()[0], 299e6, "at x = 0 m"));
  EXPECT_EQ(strength_warning(model.links()[0], 450e6, "at x = 0 m"),
            "`boom` is stressed beyond its strength: 450 MPa at x = 0 m is 1.5 times 300 MPa");
}

}  // namespace
}  // namespace limber
