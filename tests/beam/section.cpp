// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/section.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;
const Material steel{.E = 2.1e11, .G = 8e10, .density = 7850.0};

// Everything but torsion, from areas and second moments of area.
void expect_section(const Section& section, double area, double I_y, double I_z) {
  EXPECT_NEAR(section.EA / (steel.E * area), 1.0, 1e-14);
  EXPECT_NEAR(section.EI_y / (steel.E * I_y), 1.0, 1e-14);
  EXPECT_NEAR(section.EI_z / (steel.E * I_z), 1.0, 1e-14);
  EXPECT_NEAR(section.mass_per_length / (steel.density * area), 1.0, 1e-14);
  EXPECT_NEAR(section.rotary_inertia.x() / (steel.density * (I_y + I_z)), 1.0, 1e-14);
  EXPECT_NEAR(section.rotary_inertia.y() / (steel.density * I_y), 1.0, 1e-14);
  EXPECT_NEAR(section.rotary_inertia.z() / (steel.density * I_z), 1.0, 1e-14);
}

TEST(RodSection, HasTheCirclesMoments) {
  const Section rod = rod_section(0.04, steel);
  const double I = pi * std::pow(0.02, 4) / 4.0;
  expect_section(rod, pi * 0.02 * 0.02, I, I);
  EXPECT_NEAR(rod.GJ / (steel.G * 2.0 * I), 1.0, 1e-14);
}

TEST(TubeSection, IsADifferenceOfRods) {
  const Section tube = tube_section(0.1, 0.004, steel), outer = rod_section(0.1, steel),
                inner = rod_section(0.092, steel);
  expect_section(tube, (outer.EA - inner.EA) / steel.E, (outer.EI_y - inner.EI_y) / steel.E,
                 (outer.EI_z - inner.EI_z) / steel.E);
  EXPECT_NEAR(tube.GJ / (outer.GJ - inner.GJ), 1.0, 1e-14);
}

TEST(RectangleSection, HasWidthAlongYAndHeightAlongZ) {
  expect_section(rectangle_section(0.03, 0.05, steel), 0.03 * 0.05, 0.03 * std::pow(0.05, 3) / 12.0,
                 0.05 * std::pow(0.03, 3) / 12.0);
}

// J / (a b^3): Saint-Venant's series summed by mpmath; the first digits are in every textbook.
TEST(RectangleSection, HasSaintVenantsTorsionConstant) {
  const auto coefficient = [](double a, double b) {
    return rectangle_section(a, b, steel).GJ / (steel.G * a * b * b * b);
  };
  EXPECT_NEAR(coefficient(1.0, 1.0), 0.140577014955153715588, 1e-15);
  EXPECT_NEAR(coefficient(1.5, 1.0), 0.195760708875544024991, 1e-15);
  EXPECT_NEAR(coefficient(2.0, 1.0), 0.228681677119570765025, 1e-15);
  EXPECT_NEAR(coefficient(10.0, 1.0), 0.312325037457205385543, 1e-15);
  EXPECT_NEAR(coefficient(1e6, 1.0), 1.0 / 3.0, 1e-6);
  EXPECT_DOUBLE_EQ(rectangle_section(0.03, 0.05, steel).GJ, rectangle_section(0.05, 0.03, steel).GJ);
}

// The series term by term, 20000 of them: slow to converge, and nothing else in common with ours.
TEST(RectangleSection, AgreesWithTheSeriesSummedTermByTerm) {
  for (const double ratio : {1.0, 1.7, 4.0, 30.0}) {
    double sum = 0.0;
    for (int n = 39999; n >= 1; n -= 2) sum += std::tanh(n * pi * ratio / 2.0) / std::pow(n, 5);
    const double expected = ratio / 3.0 * (1.0 - 192.0 / std::pow(pi, 5) / ratio * sum);
    EXPECT_NEAR(rectangle_section(ratio, 1.0, steel).GJ / steel.G, expected, 1e-14 * ratio);
  }
}

TEST(BoxSection, IsADifferenceOfRectanglesWithBredtsTorsionConstant) {
  const double w = 0.3, h = 0.2, t = 0.008;
  const Section box = box_section(w, h, t, steel), outer = rectangle_section(w, h, steel);
  const Section inner = rectangle_section(w - 2 * t, h - 2 * t, steel);
  expect_section(box, (outer.EA - inner.EA) / steel.E, (outer.EI_y - inner.EI_y) / steel.E,
                 (outer.EI_z - inner.EI_z) / steel.E);
  // 4 A^2 / Int ds/t along the middle line.
  EXPECT_NEAR(box.GJ / steel.G, 4.0 * std::pow(0.292 * 0.192, 2) / (2.0 * (0.292 + 0.192) / t), 1e-15);
}

TEST(Section, NamesStiffnessAndInertiaByDirection) {
  const Section section{
      .EI_y = 1, .EI_z = 2, .GJ = 3, .EA = 4, .mass_per_length = 5, .rotary_inertia = {6, 7, 8}};
  EXPECT_EQ(section.stiffness(Direction::y), 2.0);
  EXPECT_EQ(section.stiffness(Direction::z), 1.0);
  EXPECT_EQ(section.stiffness(Direction::torsion), 3.0);
  EXPECT_EQ(section.stiffness(Direction::axial), 4.0);
  EXPECT_EQ(section.inertia(Direction::y), 5.0);
  EXPECT_EQ(section.inertia(Direction::axial), 5.0);
  EXPECT_EQ(section.inertia(Direction::torsion), 6.0);
  EXPECT_STREQ(to_string(Direction::torsion), "torsion");
}

// A section whose every property is `value`, but for the torsional stiffness, which was not given.
Section plain(double value) {
  return {value, value, std::numeric_limits<double>::quiet_NaN(), value, value, {value, value, value}};
}

TEST(SectionProfile, IsLinearBetweenStations) {
  const SectionProfile profile({{0.0, plain(4)}, {1.0, plain(2)}, {3.0, plain(3)}});
  EXPECT_FALSE(profile.is_uniform());
  EXPECT_EQ(profile.length(), 3.0);
  EXPECT_EQ(profile.breakpoints(), (std::vector<double>{0.0, 1.0, 3.0}));
  for (const auto& [x, value] : {std::pair{0.0, 4.0}, {0.25, 3.5}, {1.0, 2.0}, {2.0, 2.5}, {3.0, 3.0}}) {
    const Section section = profile.at(x);
    for (const double property : {section.EI_y, section.EI_z, section.EA, section.mass_per_length,
                                  section.rotary_inertia.x(), section.rotary_inertia.z()})
      EXPECT_DOUBLE_EQ(property, value) << x;
    EXPECT_TRUE(std::isnan(section.GJ));
  }
  EXPECT_DOUBLE_EQ(profile.total_inertia(Direction::y), 3.0 + 5.0);
  EXPECT_DOUBLE_EQ(profile.total_inertia(Direction::torsion), 3.0 + 5.0);
}

SectionGeometry tube(double diameter, double thickness) {
  return {.shape = SectionShape::tube, .diameter = diameter, .thickness = thickness, .material = steel};
}

void expect_same(const Section& a, const Section& b) {
  for (const Direction direction : all_directions)
    EXPECT_NEAR(a.stiffness(direction), b.stiffness(direction), 1e-14 * b.stiffness(direction));
  EXPECT_NEAR(a.mass_per_length, b.mass_per_length, 1e-14 * b.mass_per_length);
  EXPECT_LT((a.rotary_inertia - b.rotary_inertia).norm(), 1e-14 * b.rotary_inertia.norm());
}

TEST(SectionProfile, HasLinearSizesBetweenStationsOfOneShape) {
  const SectionProfile profile({{0.0, tube(0.4, 0.02)}, {2.0, tube(0.2, 0.01)}, {3.0, tube(0.2, 0.03)}});
  expect_same(profile.at(0.0), tube_section(0.4, 0.02, steel));
  expect_same(profile.at(0.5), tube_section(0.35, 0.0175, steel));
  expect_same(profile.at(2.0), tube_section(0.2, 0.01, steel));
  expect_same(profile.at(2.5), tube_section(0.2, 0.02, steel));
  expect_same(profile.at(3.0), tube_section(0.2, 0.03, steel));
  // A rod's area by its end diameters: pi/12 L (a^2 + a b + b^2).
  SectionGeometry thick{.shape = SectionShape::rod, .diameter = 0.3, .material = steel}, thin = thick;
  thin.diameter = 0.1;
  const SectionProfile cone({{0.0, thick}, {3.0, thin}});
  EXPECT_NEAR(cone.total_inertia(Direction::y), steel.density * pi / 12 * 3.0 * (0.09 + 0.03 + 0.01), 1e-11);
}

TEST(SectionProfile, IsLinearInItsPropertiesBetweenDifferentShapes) {
  const SectionGeometry rod{.shape = SectionShape::rod, .diameter = 0.1, .material = steel};
  const SectionProfile profile({{0.0, tube(0.4, 0.02)}, {2.0, rod}, {4.0, plain(7)}});
  const Section a = tube_section(0.4, 0.02, steel), b = rod_section(0.1, steel);
  EXPECT_DOUBLE_EQ(profile.at(1.0).EI_z, 0.5 * (a.EI_z + b.EI_z));
  EXPECT_DOUBLE_EQ(profile.at(3.0).EA, 0.5 * (b.EA + 7.0));
}

TEST(SectionProfile, KeepsAStatedRotaryInertiaLinear) {
  SectionGeometry root = tube(0.4, 0.02), tip = tube(0.2, 0.01);
  root.rotary_inertia = Eigen::Vector3d(4.0, 2.0, 2.0);
  const SectionProfile profile({{0.0, root}, {2.0, tip}});
  const Eigen::Vector3d expected =
      0.5 * (*root.rotary_inertia + tube_section(0.2, 0.01, steel).rotary_inertia);
  EXPECT_LT((profile.at(1.0).rotary_inertia - expected).norm(), 1e-14);
  EXPECT_NEAR(profile.at(1.0).EA, tube_section(0.3, 0.015, steel).EA, 1e-6);
}

// No side more than doubles within a panel; stations of tubes need none, since theirs are polynomials.
TEST(SectionProfile, EndsPanelsWhereASideHasDoubled) {
  SectionGeometry root{
      .shape = SectionShape::box, .width = 0.8, .height = 0.1, .thickness = 0.01, .material = steel};
  SectionGeometry tip = root;
  tip.width = 0.1;
  tip.height = 0.4;
  const SectionProfile profile({{0.0, root}, {7.0, tip}});
  const std::vector<double> ends = profile.panel_ends();
  EXPECT_EQ(profile.breakpoints(), (std::vector<double>{0.0, 7.0}));
  // width 0.8, 0.4, 0.2, 0.1 at 0, 4, 6, 7; height 0.1, 0.2, 0.4 at 0, 7/3, 7
  ASSERT_EQ(ends.size(), 5u);
  for (const auto& [index, place] : {std::pair{0, 0.0}, {1, 7.0 / 3.0}, {2, 4.0}, {3, 6.0}, {4, 7.0}})
    EXPECT_NEAR(ends[static_cast<std::size_t>(index)], place, 1e-12);
  EXPECT_EQ(SectionProfile({{0.0, tube(0.4, 0.02)}, {2.0, tube(0.1, 0.01)}}).panel_ends().size(), 2u);
}

TEST(SectionProfile, MayStepWhereTwoStationsMeet) {
  const SectionProfile profile({{0.0, plain(4)}, {1.0, plain(4)}, {1.0, plain(2)}, {3.0, plain(2)}});
  EXPECT_EQ(profile.breakpoints(), (std::vector<double>{0.0, 1.0, 3.0}));
  EXPECT_EQ(profile.at(0.999999).EA, 4.0);
  EXPECT_EQ(profile.at(1.0).EA, 2.0);
  EXPECT_EQ(profile.at(1.000001).EA, 2.0);
  EXPECT_DOUBLE_EQ(profile.total_inertia(Direction::axial), 8.0);
}

TEST(SectionProfile, IsUniformWhenAllStationsAreTheSame) {
  EXPECT_TRUE(SectionProfile(2.0, plain(1)).is_uniform());
  EXPECT_TRUE(SectionProfile({{0.0, plain(1)}, {1.0, plain(1)}, {2.0, plain(1)}}).is_uniform());
  EXPECT_EQ(SectionProfile({{0.0, plain(1)}, {1.0, plain(1)}, {2.0, plain(1)}}).breakpoints().size(), 2u);
  EXPECT_DOUBLE_EQ(SectionProfile(2.0, plain(3)).total_inertia(Direction::z), 6.0);
}

}  // namespace
}  // namespace limber
