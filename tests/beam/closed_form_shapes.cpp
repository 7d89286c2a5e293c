// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>

#include "beam/textbook_beam.hpp"
#include "limber/beam/mode_shapes.hpp"

namespace limber {
namespace {

using textbook::Ends;
using textbook::Real;
using textbook::RealJet;
using textbook::Tip;

constexpr double length = 1.7;
constexpr double mass_per_length = 0.9;

SectionProfile uniform_beam() {
  return {length,
          {.EI_y = 2.0,
           .EI_z = 3.0,
           .GJ = 4.0,
           .EA = 5.0,
           .mass_per_length = mass_per_length,
           .rotary_inertia = {0.7, 0.0, 0.0}}};
}

struct Family {
  ShapeFamily family;
  Ends ends;
  Tip tip;
  const char* name;
};

// The tip mass with which the first root is 1, where our formulas switch from one basis to the other.
double mass_for_root_one() {
  const double s = std::sin(1.0), c = std::cos(1.0), sh = std::sinh(1.0), ch = std::cosh(1.0);
  return (1.0 + c * ch) / (s * ch - c * sh);
}

// Light, equal, heavy, eccentric; inertia alone.
const std::vector<Family> families = {
    {ShapeFamily::clamped_free, Ends::clamped_free, {}, "clamped_free"},
    {ShapeFamily::clamped_pinned, Ends::clamped_pinned, {}, "clamped_pinned"},
    {ShapeFamily::craig_bampton, Ends::clamped_clamped, {}, "clamped_clamped"},
    {ShapeFamily::pinned_pinned, Ends::pinned_pinned, {}, "pinned_pinned"},
    {ShapeFamily::pinned_free, Ends::pinned_free, {}, "pinned_free"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {1e-6, 0, 0}, "light_tip"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {1, 0, 0}, "tip_mass"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {mass_for_root_one(), 0, 0}, "root_of_one"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {1e8, 0, 0}, "heavy_tip_mass"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {0, 0, 2}, "tip_inertia"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {0, 0, 1e8}, "large_tip_inertia"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {1e6, 0, 1e6}, "heavy_tip"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {1, 0.5, 1}, "body_ahead_of_the_tip"},
    {ShapeFamily::clamped_mass, Ends::clamped_free, {12e4, -6e4, 4.1e4}, "body_over_the_beam"},
};

TipLoad physical(const Tip& tip) {
  const double m = mass_per_length * length;
  return {tip.mu * m, tip.s * m * length, tip.iota * m * length * length};
}

// Modes 1 ... count, as the textbook writes them.
ShapeSet modes_of(const Family& family, int count, Normalization normalize) {
  const int static_shapes = family.family == ShapeFamily::craig_bampton ? 2 : 0;
  ShapeRequest request{Direction::y,         family.family, count + static_shapes,
                       physical(family.tip), normalize,     {}};
  ShapeSet set = make_shapes(request, uniform_beam());
  set.modes.erase(set.modes.begin(), set.modes.begin() + static_shapes);
  return set;
}

std::vector<double> roots_of(const Family& family, int count) {
  return characteristic_roots(family.family, Direction::y, count,
                              {family.tip.mu, family.tip.s, family.tip.iota});
}

std::vector<double> places(int count) {
  std::vector<double> result;
  for (int i = 0; i <= count; ++i) result.push_back(length * i / count);
  return result;
}

class ClosedFormShapes : public testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(Families, ClosedFormShapes, testing::ValuesIn(families),
                         [](const auto& family) { return family.param.name; });

// The largest error of any derivative at any place, relative to that derivative's largest value on the beam.
// (Or to the largest value of the derivative before it, per length: under heavy bodies phi''' can be next to
// nothing.)
double error_of_mode(const ModeShape& mode, const textbook::Shape& reference, const std::vector<double>& xs) {
  Jet error{}, largest{};
  const double inside = 0.01 * length;
  const double sign = std::copysign(1.0, mode.at(inside)[0] * static_cast<double>(reference.at(inside)[0]));
  for (const double x : xs) {
    const Jet jet = mode.at(x);
    const RealJet exact = reference.at(x);
    for (int k = 0; k < 4; ++k) {
      error[k] = std::max(error[k], static_cast<double>(abs(sign * jet[k] - exact[k])));
      largest[k] = std::max(largest[k], static_cast<double>(abs(exact[k])));
    }
  }
  double worst = 0.0;
  for (int k = 0; k < 4; ++k)
    worst = std::max(worst, error[k] / std::max(largest[k], k > 0 ? largest[k - 1] / length : 0.0));
  return worst;
}

TEST_P(ClosedFormShapes, EqualTheTextbooksFormulasWithThreeDerivatives) {
  const Family& family = GetParam();
  const ShapeSet set = modes_of(family, 98, Normalization::none);
  const std::vector<double> roots = roots_of(family, 98);
  std::vector<int> numbers{40, 60, 80, 98};
  for (int n = 1; n <= 30; ++n) numbers.push_back(n);
  for (const int n : numbers) {
    const Real root = textbook::refined_root(family.ends, roots[n - 1], family.tip);
    const textbook::Shape reference(family.ends, root, length, family.tip);
    EXPECT_LT(error_of_mode(set.modes[n - 1], reference, places(n <= 30 ? 31 : 11)), n <= 30 ? 1e-13 : 1e-12)
        << n;
  }
}

TEST_P(ClosedFormShapes, KeepTheirDigitsNextToTheRoot) {
  const Family& family = GetParam();
  const ShapeSet set = modes_of(family, 30, Normalization::none);
  const std::vector<double> roots = roots_of(family, 30);
  for (const int n : {1, 2, 3, 12, 30}) {
    const Real root = textbook::refined_root(family.ends, roots[n - 1], family.tip);
    const textbook::Shape reference(family.ends, root, length, family.tip);
    for (const double x : {1e-9, 1e-6, 1e-3, 1e-2}) {
      const Jet jet = set.modes[n - 1].at(x);
      const RealJet exact = reference.at(x);
      for (int k = 0; k < 2; ++k)
        EXPECT_NEAR(std::abs(static_cast<double>(jet[k] / exact[k])), 1.0, 1e-12)
            << n << " at " << x << ", " << k;
    }
  }
}

double integral(const std::function<double(double)>& f) {
  double sum = 0.0;
  for (int panel = 0; panel < 40; ++panel)
    sum += boost::math::quadrature::gauss<double, 30>::integrate(f, length * panel / 40,
                                                                 length * (panel + 1) / 40);
  return sum;
}

// Int phi_i'' phi_j'' = beta_i^4 (Int phi_i phi_j + tip): holds for no function but the eigenfunctions.
TEST_P(ClosedFormShapes, SolveTheBeamEquation) {
  const Family& family = GetParam();
  const double mu = family.tip.mu, s = family.tip.s, iota = family.tip.iota;
  const ShapeSet set = modes_of(family, 30, Normalization::peak);
  const std::vector<double> roots = roots_of(family, 30);
  const auto strain = [](const ModeShape& a, const ModeShape& b) {
    return integral([&](double x) { return a.at(x)[2] * b.at(x)[2]; });
  };
  const auto inertia = [&](const ModeShape& a, const ModeShape& b) {
    const Jet a_L = a.at(length), b_L = b.at(length);
    return integral([&](double x) { return a.at(x)[0] * b.at(x)[0]; }) + length * mu * a_L[0] * b_L[0] +
           length * length * s * (a_L[0] * b_L[1] + a_L[1] * b_L[0]) +
           std::pow(length, 3) * iota * a_L[1] * b_L[1];
  };
  for (const int i : {1, 2, 29, 30})
    for (const int j : {1, 2, 29, 30}) {
      const ModeShape &a = set.modes[i - 1], &b = set.modes[j - 1];
      const double beta4 = std::pow(roots[i - 1] / length, 4);
      const double size =
          std::sqrt(strain(a, a) * strain(b, b)) + beta4 * std::sqrt(inertia(a, a) * inertia(b, b));
      EXPECT_NEAR(strain(a, b) / size, beta4 * inertia(a, b) / size, 1e-10) << i << " " << j;
    }
}

TEST_P(ClosedFormShapes, MeetTheirBoundaryConditions) {
  const Family& family = GetParam();
  const ShapeSet set = modes_of(family, 30, Normalization::peak);
  const std::vector<double> roots = roots_of(family, 30);
  const bool clamped = family.ends != Ends::pinned_pinned && family.ends != Ends::pinned_free;
  const auto& [mu, s, iota] = family.tip;
  for (int n = 1; n <= 30; ++n) {
    const double l = roots[n - 1];
    const Jet root = set.modes[n - 1].at(0.0), tip = set.modes[n - 1].at(length);
    // Derivative k with respect to z = beta x, and the largest of all of them at the ends.
    const auto d = [l](const Jet& jet, int k) { return jet[k] / std::pow(l / length, k); };
    double size = 0.0;
    for (int k = 0; k < 4; ++k) size = std::max({size, std::abs(d(root, k)), std::abs(d(tip, k))});
    const double tolerance = 1e-12 * size;

    EXPECT_EQ(root[0], 0.0);
    EXPECT_EQ(d(root, clamped ? 1 : 2), 0.0);
    switch (family.ends) {
      case Ends::clamped_free:
        EXPECT_NEAR(d(tip, 2), l * l * s * d(tip, 0) + l * l * l * iota * d(tip, 1),
                    tolerance * (1 + l * l * std::abs(s) + l * l * l * iota));
        EXPECT_NEAR(-d(tip, 3), l * mu * d(tip, 0) + l * l * s * d(tip, 1),
                    tolerance * (1 + l * mu + l * l * std::abs(s)));
        break;
      case Ends::clamped_pinned:
      case Ends::pinned_pinned:
        EXPECT_NEAR(d(tip, 0), 0.0, tolerance) << n;
        EXPECT_NEAR(d(tip, 2), 0.0, tolerance) << n;
        break;
      case Ends::clamped_clamped:
        EXPECT_NEAR(d(tip, 0), 0.0, tolerance) << n;
        EXPECT_NEAR(d(tip, 1), 0.0, tolerance) << n;
        break;
      case Ends::pinned_free:
        EXPECT_NEAR(d(tip, 2), 0.0, tolerance) << n;
        EXPECT_NEAR(d(tip, 3), 0.0, tolerance) << n;
        break;
    }
  }
}

}  // namespace
}  // namespace limber
