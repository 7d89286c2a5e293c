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
