// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "limber/beam/mode_shapes.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double L = 0.8;
const Section section{.EI_y = 70.0,
                      .EI_z = 90.0,
                      .GJ = 40.0,
                      .EA = 5e4,
                      .mass_per_length = 1.9,
                      .rotary_inertia = {0.02, 0.01, 0.01}};
const SectionProfile beam(L, section);

// Frequencies [rad/s] of the uniform beam that belong to characteristic roots.
double frequency(Direction direction, double root) {
  switch (direction) {
    case Direction::y:
      return std::pow(root / L, 2) * std::sqrt(90.0 / 1.9);
    case Direction::z:
      return std::pow(root / L, 2) * std::sqrt(70.0 / 1.9);
    case Direction::torsion:
      return root / L * std::sqrt(40.0 / 0.02);
    case Direction::axial:
      return root / L * std::sqrt(5e4 / 1.9);
  }
  return 0.0;
}

TipLoad in_units_of_the_beam(const TipLoad& tip, Direction direction) {
  if (direction == Direction::torsion) return {0.0, 0.0, tip.inertia / (0.02 * L)};
  return {tip.mass / (1.9 * L), tip.static_moment / (1.9 * L * L), tip.inertia / (1.9 * L * L * L)};
}

double largest_error(const ShapeRequest& request, int compared) {
  const ShapeSet set = make_shapes(request, beam);
  const Eigen::VectorXd frequencies = shape_frequencies(set, request.direction, beam, request.tip);
  const ShapeFamily family =
      request.family == ShapeFamily::craig_bampton || request.family == ShapeFamily::polynomial
          ? ShapeFamily::clamped_mass
          : request.family;
  const std::vector<double> roots = characteristic_roots(
      family, request.direction, compared, in_units_of_the_beam(request.tip, request.direction));
  double error = 0.0;
  for (int n = 0; n < compared; ++n)
    error = std::max(error, std::abs(frequencies[n] / frequency(request.direction, roots[n]) - 1.0));
  return error;
}

TEST(ShapeFrequencies, AreThoseOfTheClosedForms) {
  for (const ShapeFamily family : {ShapeFamily::clamped_free, ShapeFamily::clamped_pinned,
                                   ShapeFamily::pinned_pinned, ShapeFamily::pinned_free})
    for (const Direction direction : all_directions) {
      if (!is_bending(direction) && family != ShapeFamily::clamped_free) continue;
      for (const int count : {1, 30, 100})
        EXPECT_LT(largest_error({direction, family, count, {}, Normalization::peak, {}}, count), 1e-12)
            << to_string(direction) << " " << static_cast<int>(family) << " " << count;
    }
}

// Eight orders of magnitude lie between the first frequency under a heavy tip and the thirtieth.
TEST(ShapeFrequencies, AreThoseOfTheClosedFormsUnderLightAndHeavyBodies) {
  for (const Direction direction : all_directions)
    for (const TipLoad& tip : {TipLoad{1e-6, 0, 0}, TipLoad{1, 0, 0}, TipLoad{1e8, 0, 0}, TipLoad{0, 0, 2},
                               TipLoad{0, 0, 1e8}, TipLoad{1, 0.3, 1}, TipLoad{1e4, -3e3, 1e3}})
      for (const Normalization normalize : {Normalization::peak, Normalization::none})
        EXPECT_LT(largest_error({direction, ShapeFamily::clamped_mass, 30, tip, normalize, {}}, 30), 1e-10)
            << to_string(direction) << " " << tip.mass << " " << tip.static_moment << " " << tip.inertia;
}

TEST(ShapeFrequencies, OfCraigBamptonTendToTheExactOnesFromAbove) {
  const TipLoad tip{2.0, 0.5, 0.6};
  for (const Direction direction : all_directions) {
    double before = 1.0;
    for (const int count : {4, 8, 16, 32}) {
      const ShapeRequest request{direction, ShapeFamily::craig_bampton, count, tip, Normalization::peak, {}};
      const double error = largest_error(request, 2);
      EXPECT_LT(error, before / 6.0) << count;
      before = error;
      const Eigen::VectorXd frequencies = shape_frequencies(make_shapes(request, beam), direction, beam, tip);
      const double root = characteristic_roots(ShapeFamily::clamped_mass, direction, 1,
                                               in_units_of_the_beam(tip, direction))[0];
      EXPECT_GT(frequencies[0], frequency(direction, root) * (1.0 - 1e-13));
    }
    EXPECT_LT(before, 1e-5);
  }
}

TEST(ShapeFrequencies, SurviveTwelvePolynomials) {
  for (const Direction direction : all_directions)
    for (const TipLoad& tip : {TipLoad{}, TipLoad{2.0, 0.5, 0.6}})
      EXPECT_LT(largest_error({direction, ShapeFamily::polynomial, 12, tip, Normalization::peak, {}}, 3),
                1e-8)
          << to_string(direction);
}

TEST(ShapeFrequencies, AreInfiniteWithoutInertia) {
  Section thin = section;
  thin.rotary_inertia.setZero();
  const SectionProfile thin_beam(L, thin);
  const ShapeSet set = make_shapes(
      {Direction::torsion, ShapeFamily::craig_bampton, 3, {}, Normalization::peak, {}}, thin_beam);
  const Eigen::VectorXd none = shape_frequencies(set, Direction::torsion, thin_beam, {});
  for (int n = 0; n < 3; ++n) EXPECT_EQ(none[n], std::numeric_limits<double>::infinity());
  const Eigen::VectorXd one = shape_frequencies(set, Direction::torsion, thin_beam, {0.0, 0.0, 0.5});
  EXPECT_NEAR(one[0], std::sqrt(40.0 / L / 0.5), 1e-12 * one[0]);  // a spring GJ/L under the tip's inertia
  EXPECT_GT(one[1], 1e6 * one[0]);
}

// De Luca & Siciliano 1991: two links, each with the rest of the arm, stretched out, on its tip.
TEST(ShapeFrequencies, ReproduceDeLucaAndSiciliano) {
  const double l = 0.5, m = 0.2;
  Section link = section;
  link.EI_z = 1.0;
  link.mass_per_length = m;
  const SectionProfile link_beam(l, link);
  const auto frequencies_hz = [&](const TipLoad& tip) -> Eigen::VectorXd {
    const ShapeRequest request{Direction::y, ShapeFamily::clamped_mass, 2, tip, Normalization::peak, {}};
    return shape_frequencies(make_shapes(request, link_beam), Direction::y, link_beam, tip) / (2.0 * pi);
  };
  const Eigen::VectorXd first =
      frequencies_hz({1.0 + 0.1 + 0.1, 0.0, 0.1 + m * l * l * l / 3.0 + 0.1 * l * l + 5e-4});
  EXPECT_NEAR(first[0], 0.48, 0.005);
  EXPECT_NEAR(first[1], 1.80, 0.005);
  const Eigen::VectorXd second = frequencies_hz({0.1, 0.0, 5e-4});
  EXPECT_NEAR(second[0], 2.18, 0.005);
  EXPECT_NEAR(second[1], 15.91, 0.005);
}

}  // namespace
}  // namespace limber
