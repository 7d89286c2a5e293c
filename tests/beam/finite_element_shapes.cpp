// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "beam/tapered_beam.hpp"
#include "limber/beam/mode_shapes.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

// A section that is `factor` times the root's.
Section scaled(double stiffness, double inertia) {
  return {.EI_y = 70.0 * stiffness,
          .EI_z = 90.0 * stiffness,
          .GJ = 40.0 * stiffness,
          .EA = 5e4 * stiffness,
          .mass_per_length = 1.9 * inertia,
          .rotary_inertia = {0.02 * inertia, 0.0, 0.0}};
}

struct TaperedCase {
  const char* name;
  std::vector<SectionProfile::Station> stations;
  TipLoad tip;
};

const std::vector<TaperedCase> cases = {
    {"one_taper", {{0.0, scaled(1, 1)}, {2.0, scaled(0.3, 0.5)}}, {}},
    {"one_taper_with_body", {{0.0, scaled(1, 1)}, {2.0, scaled(0.3, 0.5)}}, {3.0, 0.4, 0.5}},
    {"steep_taper", {{0.0, scaled(1, 1)}, {1.0, scaled(0.02, 0.1)}}, {0.1, 0.0, 0.01}},
    {"growing_towards_the_tip", {{0.0, scaled(0.2, 0.3)}, {1.5, scaled(1, 1)}}, {}},
    {"several_stations",
     {{0.0, scaled(1, 1)},
      {0.3, scaled(0.9, 1)},
      {0.5, scaled(0.5, 0.8)},
      {1.7, scaled(0.4, 0.3)},
      {2.2, scaled(0.6, 0.4)}},
     {1.0, -0.1, 0.2}},
    {"step",
     {{0.0, scaled(1, 1)}, {0.8, scaled(1, 1)}, {0.8, scaled(0.25, 0.5)}, {2.0, scaled(0.25, 0.5)}},
     {}},
    {"heavy_body", {{0.0, scaled(1, 1)}, {2.0, scaled(0.5, 0.5)}}, {1e7, 0.0, 1e7}},
};

// Cut in pieces along which the stiffness changes little, so that the series about each left end converges.
void cut(const tapered::Interval& whole, std::vector<tapered::Interval>& pieces) {
  const auto [length, k_left, k_right, m_left, m_right] = whole;
  if (std::max(k_left, k_right) <= 1.6 * std::min(k_left, k_right)) return pieces.push_back(whole);
  const double k = 0.5 * (k_left + k_right), m = 0.5 * (m_left + m_right);
  cut({length / 2, k_left, k, m_left, m}, pieces);
  cut({length / 2, k, k_right, m, m_right}, pieces);
}

tapered::Beam reference(const TaperedCase& c, Direction direction) {
  const auto stiffness = [direction](const Section& s) {
    return direction == Direction::y ? s.EI_z : direction == Direction::torsion ? s.GJ : s.EA;
  };
  const auto inertia = [direction](const Section& s) {
    return direction == Direction::torsion ? s.rotary_inertia.x() : s.mass_per_length;
  };
  std::vector<tapered::Interval> intervals;
  for (std::size_t i = 1; i < c.stations.size(); ++i) {
    const auto &left = c.stations[i - 1], &right = c.stations[i];
    if (right.x > left.x)
      cut({right.x - left.x, stiffness(left.section), stiffness(right.section), inertia(left.section),
           inertia(right.section)},
          intervals);
  }
  const double tip_mass = direction == Direction::torsion ? c.tip.inertia : c.tip.mass;
  return {is_bending(direction), intervals, {tip_mass, c.tip.static_moment, c.tip.inertia}};
}

class FiniteElements : public testing::TestWithParam<TaperedCase> {};
INSTANTIATE_TEST_SUITE_P(TaperedBeams, FiniteElements, testing::ValuesIn(cases),
                         [](const auto& tapered_case) { return tapered_case.param.name; });

TEST_P(FiniteElements, HaveTheFrequenciesOfTheDifferentialEquation) {
  const SectionProfile profile(GetParam().stations);
  for (const Direction direction : {Direction::y, Direction::torsion, Direction::axial}) {
    const ShapeRequest request{direction,      ShapeFamily::finite_element, 6,
                               GetParam().tip, Normalization::peak,         {}};
    const ShapeSet set = make_shapes(request, profile);
    const Eigen::VectorXd frequencies = shape_frequencies(set, direction, profile, GetParam().tip);
    const tapered::Beam exact = reference(GetParam(), direction);
    const auto sign = [&](double omega) { return exact.determinant(omega) > 0 ? 1 : -1; };
    for (int n = 0; n < 6; ++n) {
      const double omega = frequencies[n];
      EXPECT_NE(sign(omega * (1.0 - 2e-12)), sign(omega * (1.0 + 2e-12)))
          << to_string(direction) << " " << n + 1 << " " << omega;
      // None was skipped: from the frequency before, the determinant changes its sign here for the first
      // time.
      const double before = n == 0 ? 0.01 * omega : frequencies[n - 1] * (1.0 + 1e-9);
      for (const double place : {0.3, 0.7, 1.0})
        EXPECT_EQ(sign(before + (omega * (1.0 - 1e-9) - before) * place), sign(before))
            << to_string(direction) << " " << n + 1;
    }
  }
}

TEST_P(FiniteElements, HaveTheShapesOfTheDifferentialEquation) {
  const SectionProfile profile(GetParam().stations);
  const double L = profile.length();
  const ShapeRequest request{Direction::y,   ShapeFamily::finite_element, 6,
                             GetParam().tip, Normalization::peak,         {}};
  const ShapeSet set = make_shapes(request, profile);
  const Eigen::VectorXd frequencies = shape_frequencies(set, Direction::y, profile, GetParam().tip);
  const tapered::Beam exact = reference(GetParam(), Direction::y);
  for (int n = 0; n < 6; ++n) {
    const double x0 = 0.37 * L;
    const tapered::Real omega = exact.frequency(frequencies[n]);
    const double scale = set.modes[n].at(x0)[0] / static_cast<double>(exact.mode(omega, x0)[0]);
    double largest_slope = 0.0, largest_moment = 0.0, slope_error = 0.0, moment_error = 0.0;
    for (int i = 0; i <= 8; ++i) {
      const double x = L * (i / 8.0 * 0.98 + 0.01);
      const tapered::State state = exact.mode(omega, x);
      const Jet jet = set.modes[n].at(x);
      EXPECT_NEAR(jet[0], scale * static_cast<double>(state[0]), 1e-9) << n + 1;
      const double slope = scale * static_cast<double>(state[1]),
                   moment = scale * static_cast<double>(state[2]);
      largest_slope = std::max(largest_slope, std::abs(slope));
      largest_moment = std::max(largest_moment, std::abs(moment));
      slope_error = std::max(slope_error, std::abs(jet[1] - slope));
      moment_error = std::max(moment_error, std::abs(profile.at(x).EI_z * jet[2] - moment));
    }
    EXPECT_LT(slope_error, 1e-8 * largest_slope) << n + 1;
    EXPECT_LT(moment_error, 1e-6 * largest_moment) << n + 1;
  }
}

TEST(FiniteElementShapes, OfAUniformBeamEqualTheClosedForms) {
  const double L = 2.0;
  const SectionProfile profile(L, scaled(1, 1));
  for (const TipLoad& tip : {TipLoad{}, TipLoad{3, 0.5, 1}, TipLoad{1e8, 0, 0}, TipLoad{1e8, 0, 1e8}})
    for (const Direction direction : all_directions)
      for (const int count : {1, 3, 30}) {
        ShapeRequest request{direction, ShapeFamily::finite_element, count, tip, Normalization::peak, {}};
        const ShapeSet elements = make_shapes(request, profile);
        const Eigen::VectorXd frequencies = shape_frequencies(elements, direction, profile, tip);
        request.family = ShapeFamily::clamped_mass;
        const ShapeSet exact = make_shapes(request, profile);
        const Eigen::VectorXd exact_frequencies = shape_frequencies(exact, direction, profile, tip);
        for (int n = 0; n < count; ++n) {
          EXPECT_NEAR(frequencies[n] / exact_frequencies[n], 1.0, 1e-10);
          if (tip.mass == 1e8 && n >= 1) continue;  // their tip's deflection is too small to fix the sign by
          for (const double x : {0.1 * L, 0.33 * L, 0.77 * L, L})
            EXPECT_NEAR(elements.modes[n].at(x)[0], exact.modes[n].at(x)[0], 1e-9)
                << to_string(direction) << " " << n + 1 << " of " << count;
        }
      }
}

TEST(FiniteElementShapes, AreClampedAndSmoothAcrossElements) {
  const SectionProfile profile(cases[4].stations);
  const ShapeSet set =
      make_shapes({Direction::y, ShapeFamily::finite_element, 6, {}, Normalization::peak, {}}, profile);
  ASSERT_GT(set.breakpoints.size(), 3u);
  EXPECT_EQ(set.breakpoints.front(), 0.0);
  EXPECT_EQ(set.breakpoints.back(), profile.length());
  for (const ModeShape& mode : set.modes) {
    EXPECT_EQ(mode.at(0.0)[0], 0.0);
    EXPECT_EQ(mode.at(0.0)[1], 0.0);
    for (std::size_t i = 1; i + 1 < set.breakpoints.size(); ++i) {
      const double x = set.breakpoints[i];
      const Jet left = mode.at(std::nextafter(x, 0.0)), right = mode.at(x);
      EXPECT_NEAR(left[0], right[0], 1e-13);
      EXPECT_NEAR(left[1], right[1], 1e-12);
    }
  }
}

TEST(FiniteElementShapes, OfABodyWithADoubleRootAreBothFound) {
  // mu : s : iota = 12 : -6 : 4, far heavier than the beam.
  const SectionProfile profile(1.0, scaled(1, 1));
  const double m = 1.9e6;
  const TipLoad tip{12 * m, -6 * m, 4 * m};
  const ShapeSet set =
      make_shapes({Direction::y, ShapeFamily::finite_element, 3, tip, Normalization::mass, {}}, profile);
  const Eigen::VectorXd frequencies = shape_frequencies(set, Direction::y, profile, tip);
  const std::vector<double> roots =
      characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 3, {12e6, -6e6, 4e6});
  for (int n = 0; n < 3; ++n)
    EXPECT_NEAR(frequencies[n] / (roots[n] * roots[n] * std::sqrt(90.0 / 1.9)), 1.0, 1e-11) << n + 1;
}

TEST(FiniteElementShapes, OfABeamThatEndsInANeedleAreFoundOrRefused) {
  const SectionProfile needle({{0.0, scaled(1, 1)}, {1.0, scaled(1e-6, 1e-3)}});
  const ShapeRequest request{Direction::y, ShapeFamily::finite_element, 4, {}, Normalization::peak, {}};
  try {
    const ShapeSet set = make_shapes(request, needle);
    EXPECT_TRUE(shape_frequencies(set, Direction::y, needle, {}).allFinite());
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "shape");
  }
}

}  // namespace
}  // namespace limber
