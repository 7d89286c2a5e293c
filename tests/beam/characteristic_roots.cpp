// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "beam/textbook_beam.hpp"
#include "limber/beam/mode_shapes.hpp"

namespace limber {
namespace {

using textbook::Ends;
using textbook::Real;
using textbook::Tip;

constexpr double pi = std::numbers::pi;

double relative_error(double value, const Real& exact) {
  return static_cast<double>(abs((value - exact) / exact));
}

// How often the characteristic function changes its sign up to l, on a grid of steps of 0.01.
int sign_changes(double l, const Tip& tip) {
  int changes = 0;
  double before = 1.0;
  for (int i = 1; 0.01 * i < l; ++i) {
    const double x = 0.01 * i, c = std::cos(x), s = std::sin(x), ch = std::cosh(x), sh = std::sinh(x);
    const double f = 1 + c * ch + x * tip.mu * (c * sh - s * ch) - x * x * x * tip.iota * (c * sh + s * ch) -
                     2 * x * x * tip.s * s * sh +
                     x * x * x * x * (tip.mu * tip.iota - tip.s * tip.s) * (1 - c * ch);
    changes += f * before < 0.0;
    before = f;
  }
  return changes;
}

struct Family {
  ShapeFamily family;
  Ends ends;
  double offset;  // root n is near (n + offset) pi
};

TEST(BendingRoots, OfAllFamiliesAreExactToRoundingUpToTheHundredth) {
  for (const auto& [family, ends, offset] : {Family{ShapeFamily::clamped_free, Ends::clamped_free, -0.5},
                                             Family{ShapeFamily::craig_bampton, Ends::clamped_clamped, 0.5},
                                             Family{ShapeFamily::clamped_pinned, Ends::clamped_pinned, 0.25},
                                             Family{ShapeFamily::pinned_free, Ends::pinned_free, 0.25},
                                             Family{ShapeFamily::pinned_pinned, Ends::pinned_pinned, 0.0}}) {
    const std::vector<double> roots = characteristic_roots(family, Direction::z, 100);
    ASSERT_EQ(roots.size(), 100u);
    for (int n = 1; n <= 100; ++n) {
      EXPECT_NEAR(roots[n - 1], (n + offset) * pi, 0.31) << n;
      EXPECT_LT(relative_error(roots[n - 1], textbook::refined_root(ends, roots[n - 1])), 4e-16) << n;
    }
  }
}

TEST(ClampedMassRoots, EqualPublishedOnesForATipAsHeavyAsTheBeam) {
  const std::vector<double> roots =
      characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 2, {1, 0, 0});
  EXPECT_NEAR(roots[0], 1.247917409606, 5e-13);
  EXPECT_NEAR(roots[1], 4.031139436715, 5e-13);
}

TEST(ClampedMassRoots, AreExactToRoundingForLightAndHeavyBodies) {
  for (const Tip& tip : {Tip{1e-8, 0, 0}, Tip{1, 0, 0}, Tip{1e8, 0, 0}, Tip{0, 0, 1e-8}, Tip{0, 0, 1},
                         Tip{0, 0, 1e8}, Tip{1e8, 0, 1e8}, Tip{1e-3, 0, 1e5}, Tip{3e3, 1, 1e-2},
                         Tip{1, 0.5, 1}, Tip{0.1, -0.05, 0.1}, Tip{2, 1, 0.5}, Tip{12e8, -6e8, 4e8}}) {
    const std::vector<double> roots =
        characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 40, {tip.mu, tip.s, tip.iota});
    for (int n = 1; n <= 40; ++n) {
      const double error =
          relative_error(roots[n - 1], textbook::refined_root(Ends::clamped_free, roots[n - 1], tip));
      EXPECT_LT(error, 1e-15) << "root " << n << " of tip " << tip.mu << " " << tip.s << " " << tip.iota;
    }
  }
}

TEST(ClampedMassRoots, AreAsManyAsTheCharacteristicFunctionChangesItsSign) {
  for (const Tip& tip : {Tip{0, 0, 0}, Tip{1, 0, 0}, Tip{50, 0, 0}, Tip{0, 0, 3}, Tip{1, 0.5, 1},
                         Tip{2, -1, 1}, Tip{0.3, 0.1, 0.5}}) {
    const std::vector<double> roots =
        characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 30, {tip.mu, tip.s, tip.iota});
    for (int n = 1; n < 30; ++n)
      EXPECT_EQ(sign_changes(0.5 * (roots[n - 1] + roots[n]), tip), n)
          << "tip " << tip.mu << " " << tip.s << " " << tip.iota;
  }
}

// The tip body whose inertia, at l, balances the beam's dynamic stiffness in both directions: l is then a
// double root.
Tip body_with_double_root(double l) {
  const Real x = l, c = cos(x), s = sin(x), ch = cosh(x), sh = sinh(x), d = 1 - c * ch;
  return {static_cast<double>((s * ch + c * sh) / (x * d)), static_cast<double>(-s * sh / (x * x * d)),
          static_cast<double>((s * ch - c * sh) / (x * x * x * d))};
}

TEST(ClampedMassRoots, AreNotSkippedWhenNearlyDouble) {
  for (const double place : {0.01, 0.3, 1.0, 1.8})
    for (const double detuning : {1e-3, 1e-6, 1e-9, 1e-12}) {
      Tip tip = body_with_double_root(place);
      tip.mu *= 1.0 + detuning;
      const std::vector<double> roots =
          characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 3, {tip.mu, tip.s, tip.iota});
      // The secant method reaches each root of the pair from its own side.
      const Real low = textbook::refined_root(Ends::clamped_free, place * 0.99, tip);
      const Real high = textbook::refined_root(Ends::clamped_free, place * 1.01, tip);
      EXPECT_LT(relative_error(roots[0], low), 2e-15) << place << " " << detuning;
      EXPECT_LT(relative_error(roots[1], high), 2e-15) << place << " " << detuning;
      EXPECT_GT(high, low) << "two roots, or this test tests nothing";
      EXPECT_NEAR(roots[1] / roots[0] - 1.0, static_cast<double>(high / low - 1), 4e-15);
    }
}

TEST(ClampedMassRoots, TendToTheStaticStiffnessOverAHeavyBody) {
  const double by_mass = characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 1, {1e8, 0, 0})[0];
  EXPECT_NEAR(std::pow(by_mass, 4) * 1e8, 3.0, 1e-7);  // 3 EI / L^3
  const double by_inertia = characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 1, {0, 0, 1e8})[0];
  EXPECT_NEAR(std::pow(by_inertia, 4) * 1e8, 1.0, 1e-7);  // EI / L
}

TEST(ClampedMassRoots, WithoutABodyAreThoseOfClampedFree) {
  for (const Direction direction : all_directions)
    EXPECT_EQ(characteristic_roots(ShapeFamily::clamped_mass, direction, 50),
              characteristic_roots(ShapeFamily::clamped_free, direction, 50));
}

TEST(RodRoots, AreExactToRounding) {
  for (const double mu : {1e-8, 0.1, 1.0, 30.0, 1e8}) {
    const auto axial = characteristic_roots(ShapeFamily::clamped_mass, Direction::axial, 100, {mu, 0, 0});
    const auto torsion = characteristic_roots(ShapeFamily::clamped_mass, Direction::torsion, 100, {0, 0, mu});
    EXPECT_EQ(axial, torsion);
    for (int n = 1; n <= 100; ++n) {
      const auto f = [mu](const Real& l) { return Real(cos(l) - mu * l * sin(l)); };
      EXPECT_GT(axial[n - 1], (n - 1) * pi);
      EXPECT_LT(axial[n - 1], (n - 0.5) * pi);
      EXPECT_LT(relative_error(axial[n - 1], textbook::refined_root(f, axial[n - 1])), 1e-15)
          << mu << " " << n;
    }
  }
  EXPECT_DOUBLE_EQ(characteristic_roots(ShapeFamily::clamped_mass, Direction::axial, 7, {1e-20, 0, 0})[6],
                   6.5 * pi);
  EXPECT_DOUBLE_EQ(characteristic_roots(ShapeFamily::clamped_free, Direction::axial, 7)[6], 6.5 * pi);
  EXPECT_DOUBLE_EQ(characteristic_roots(ShapeFamily::craig_bampton, Direction::torsion, 7)[6], 7 * pi);
}

TEST(CharacteristicRoots, AreRefusedForFamiliesWithoutAClosedForm) {
  for (const ShapeFamily family : {ShapeFamily::polynomial, ShapeFamily::finite_element, ShapeFamily::table})
    EXPECT_THROW(characteristic_roots(family, Direction::y, 1), std::invalid_argument);
  EXPECT_THROW(characteristic_roots(ShapeFamily::pinned_free, Direction::torsion, 1), std::invalid_argument);
}

}  // namespace
}  // namespace limber
