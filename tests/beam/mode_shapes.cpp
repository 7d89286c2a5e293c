// SPDX-License-Identifier: BSD-3-Clause
#include "limber/beam/mode_shapes.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>
#include <numbers>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double L = 2.3;

const Section root_section{.EI_y = 70.0,
                           .EI_z = 90.0,
                           .GJ = 40.0,
                           .EA = 5e4,
                           .mass_per_length = 1.9,
                           .rotary_inertia = {0.02, 0.01, 0.01}};
const Section tip_section{.EI_y = 20.0,
                          .EI_z = 25.0,
                          .GJ = 12.0,
                          .EA = 2e4,
                          .mass_per_length = 0.8,
                          .rotary_inertia = {0.008, 0.004, 0.004}};
const SectionProfile uniform_beam(L, root_section);
const SectionProfile tapered_beam({{0.0, root_section}, {0.6 * L, tip_section}, {L, tip_section}});
const TipLoad body{.mass = 3.0, .static_moment = 0.4, .inertia = 0.5};

double integral(const std::function<double(double)>& f) {
  double sum = 0.0;
  for (int panel = 0; panel < 50; ++panel)
    sum += boost::math::quadrature::gauss<double, 20>::integrate(f, L * panel / 50, L * (panel + 1) / 50);
  return sum;
}

// Every family in every direction that it has, on both beams, with and without a tip body.
struct Case {
  ShapeRequest request;
  const SectionProfile* profile;
};

bool is_held(ShapeFamily family) {
  return family == ShapeFamily::clamped_pinned || family == ShapeFamily::pinned_pinned;
}

std::vector<Case> all_cases(Normalization normalize) {
  std::vector<Case> cases;
  for (const SectionProfile* profile : {&uniform_beam, &tapered_beam})
    for (const Direction direction : all_directions)
      for (const ShapeFamily family :
           {ShapeFamily::craig_bampton, ShapeFamily::clamped_free, ShapeFamily::clamped_mass,
            ShapeFamily::clamped_pinned, ShapeFamily::pinned_pinned, ShapeFamily::pinned_free,
            ShapeFamily::polynomial, ShapeFamily::finite_element}) {
        if (!is_bending(direction) && (is_held(family) || family == ShapeFamily::pinned_free)) continue;
        cases.push_back({{direction, family, 9, body, normalize, {}}, profile});
      }
  return cases;
}

std::string description(const Case& c, std::size_t mode) {
  return std::string("direction ") + to_string(c.request.direction) + ", family " +
         std::to_string(static_cast<int>(c.request.family)) + ", mode " + std::to_string(mode + 1);
}

// The largest |phi|, from a fine grid and the parabola through its largest point.
double largest_value(const ModeShape& mode) {
  double peak = 0.0;
  for (int i = 0; i <= 4000; ++i) {
    const double x = L * i / 4000;
    const Jet jet = mode.at(x);
    const double step = jet[2] == 0.0 ? 0.0 : -jet[1] / jet[2];
    const bool inside = std::abs(step) < L / 4000 && x + step >= 0.0 && x + step <= L;
    peak = std::max({peak, std::abs(jet[0]), inside ? std::abs(mode.at(x + step)[0]) : 0.0});
  }
  return peak;
}

TEST(PeakNormalization, MakesTheLargestValueOne) {
  for (const Case& c : all_cases(Normalization::peak)) {
    const ShapeSet set = make_shapes(c.request, *c.profile);
    ASSERT_EQ(set.modes.size(), 9u);
    for (std::size_t j = 0; j < set.modes.size(); ++j)
      EXPECT_NEAR(largest_value(set.modes[j]), 1.0, 1e-12) << description(c, j);
  }
}

TEST(MassNormalization, MakesTheModalMassOne) {
  for (const Case& c : all_cases(Normalization::mass)) {
    const Direction direction = c.request.direction;
    const ShapeSet set = make_shapes(c.request, *c.profile);
    for (std::size_t j = 0; j < set.modes.size(); ++j) {
      const auto& mode = set.modes[j];
      const Jet tip = mode.at(L);
      double inertia = integral([&](double x) {
        const Section section = c.profile->at(x);
        const double m =
            direction == Direction::torsion ? section.rotary_inertia.x() : section.mass_per_length;
        return m * mode.at(x)[0] * mode.at(x)[0];
      });
      inertia += (direction == Direction::torsion ? body.inertia : body.mass) * tip[0] * tip[0];
      if (is_bending(direction))
        inertia += 2.0 * body.static_moment * tip[0] * tip[1] + body.inertia * tip[1] * tip[1];
      // The elements' ends are none of the integral's, therefore no more than:
      EXPECT_NEAR(inertia, 1.0, c.request.family == ShapeFamily::finite_element ? 1e-7 : 1e-11)
          << description(c, j);
    }
  }
}

TEST(Signs, ArePositiveAtTheTipOrNextToTheRoot) {
  for (const Normalization normalize : {Normalization::peak, Normalization::mass, Normalization::none})
    for (const Case& c : all_cases(normalize)) {
      const ShapeSet set = make_shapes(c.request, *c.profile);
      const std::size_t static_shapes = is_bending(c.request.direction) ? 2 : 1;
      for (std::size_t j = 0; j < set.modes.size(); ++j) {
        const bool craig_bampton = c.request.family == ShapeFamily::craig_bampton;
        if (craig_bampton && j < static_shapes) {
          EXPECT_GT(set.modes[j].at(L)[j], 0.0) << description(c, j);
        } else if (craig_bampton || is_held(c.request.family)) {
          EXPECT_GT(set.modes[j].at(1e-4 * L)[0], 0.0) << description(c, j);
        } else {
          EXPECT_GT(set.modes[j].at(L)[0], 0.0) << description(c, j);
        }
      }
    }
}

TEST(CraigBampton, BeginsWithTheStaticShapesOfTheTip) {
  ShapeRequest request{Direction::z, ShapeFamily::craig_bampton, 5, {}, Normalization::none, {}};
  const ShapeSet set = make_shapes(request, uniform_beam);
  EXPECT_NEAR(set.modes[0].at(L)[0], 1.0, 1e-15);
  EXPECT_NEAR(set.modes[0].at(L)[1], 0.0, 1e-15);
  EXPECT_NEAR(set.modes[1].at(L)[0], 0.0, 1e-15);
  EXPECT_NEAR(set.modes[1].at(L)[1], 1.0 / L, 1e-15);
  for (int j = 0; j < 2; ++j) {
    EXPECT_EQ(set.modes[j].at(0.0)[0], 0.0);
    EXPECT_EQ(set.modes[j].at(0.0)[1], 0.0);
    EXPECT_DOUBLE_EQ(set.modes[j].at(0.2 * L)[3], set.modes[j].at(0.9 * L)[3]);  // cubic
  }
  request.count = 1;
  request.normalize = Normalization::peak;
  ASSERT_EQ(make_shapes(request, uniform_beam).modes.size(), 1u);
  EXPECT_NEAR(make_shapes(request, uniform_beam).modes[0].at(0.5 * L)[0], 0.5, 1e-15);
  request.count = 2;
  EXPECT_NEAR(make_shapes(request, uniform_beam).modes[1].at(2.0 / 3.0 * L)[0], -1.0, 1e-15);
  request.direction = Direction::torsion;
  EXPECT_NEAR(make_shapes(request, uniform_beam).modes[0].at(0.3 * L)[0], 0.3, 1e-15);
  EXPECT_NEAR(make_shapes(request, uniform_beam).modes[1].at(0.3 * L)[0], std::sin(0.3 * pi), 1e-15);
}

TEST(Polynomials, ArePowersOfX) {
  for (const Direction direction : all_directions) {
    const int first = is_bending(direction) ? 2 : 1;
    ShapeRequest request{direction, ShapeFamily::polynomial, 12, {}, Normalization::none, {}};
    const ShapeSet none = make_shapes(request, uniform_beam);
    request.normalize = Normalization::peak;
    const ShapeSet peak = make_shapes(request, uniform_beam);
    for (int j = 0; j < 12; ++j) {
      const int p = first + j;
      const Jet jet = none.modes[j].at(1.1);
      double derivative = std::pow(1.1, p);
      for (int k = 0; k < 4; derivative *= (p - k) / 1.1, ++k)
        EXPECT_NEAR(jet[k], derivative, 1e-14 * std::abs(derivative));
      EXPECT_NEAR(peak.modes[j].at(1.1)[0] / std::pow(1.1 / L, p), 1.0, 1e-14);
      EXPECT_DOUBLE_EQ(peak.modes[j].at(L)[0], 1.0);
    }
  }
}

TEST(RodShapes, AreSines) {
  const TipLoad tip{.mass = 2.0, .static_moment = 0.0, .inertia = 0.03};
  const TipLoad ratios{.mass = 2.0 / (1.9 * L), .static_moment = 0.0, .inertia = 0.03 / (0.02 * L)};
  for (const Direction direction : {Direction::torsion, Direction::axial})
    for (const ShapeFamily family : {ShapeFamily::clamped_free, ShapeFamily::clamped_mass}) {
      const ShapeSet set = make_shapes({direction, family, 30, tip, Normalization::none, {}}, uniform_beam);
      const std::vector<double> roots = characteristic_roots(family, direction, 30, ratios);
      for (int n = 0; n < 30; ++n) {
        const double beta = roots[n] / L, sign = std::sin(roots[n]) > 0.0 ? 1.0 : -1.0;
        const Jet jet = set.modes[n].at(0.7);
        EXPECT_NEAR(jet[0], sign * std::sin(beta * 0.7), 1e-13);
        EXPECT_NEAR(jet[1] / beta, sign * std::cos(beta * 0.7), 1e-13);
        EXPECT_NEAR(jet[2] / (beta * beta), -sign * std::sin(beta * 0.7), 1e-13);
        EXPECT_NEAR(jet[3] / (beta * beta * beta), -sign * std::cos(beta * 0.7), 1e-13);
      }
    }
}

// Lin & Lewis, appendix: cosh - cos - s (sinh - sin) with bL = 0.912224, s = 1.1213, and the tip body that
// belongs to them by the conditions for moment and shear at the tip.
TEST(ClampedMassShapes, ReproduceTheConstantsOfLinAndLewis) {
  const double l = 0.912224, sigma = 1.1213;
  const double sh = std::sinh(l), ch = std::cosh(l), s = std::sin(l), c = std::cos(l);
  const double phi = ch - c - sigma * (sh - s), slope = sh + s - sigma * (ch - c);
  const double moment = ch + c - sigma * (sh + s), shear = sh - s - sigma * (ch + c);
  const double mu = -shear / (l * phi), iota = moment / (l * l * l * slope);
  EXPECT_NEAR(mu, 4.1, 0.1) << "a plausible arm";
  EXPECT_NEAR(characteristic_roots(ShapeFamily::clamped_mass, Direction::y, 1, {mu, 0, iota})[0], l, 1e-14);

  const double m = 1.9 * L;
  const ShapeRequest request{
      Direction::y, ShapeFamily::clamped_mass, 1, {mu * m, 0, iota * m * L * L}, Normalization::none, {}};
  const ModeShape mode = make_shapes(request, uniform_beam).modes[0];
  EXPECT_NEAR(mode.at(L)[0], 0.5497897482, 1e-10);
  EXPECT_NEAR(integral([&](double x) { return mode.at(x)[0] * mode.at(x)[0]; }) / L, 0.0714722654, 1e-10);
  EXPECT_NEAR(integral([&](double x) { return mode.at(x)[0]; }) / L, 0.206651, 5e-7);
  EXPECT_NEAR(integral([&](double x) { return x * mode.at(x)[0]; }) / (L * L * mode.at(L)[0]), 0.2754985846,
              1e-10);
  EXPECT_NEAR(mode.at(L)[1] * L / mode.at(L)[0], 1.4935, 5e-5);
}

// Two roots so close that both conditions at the tip are rounding: the shapes must still be two.
TEST(ClampedMassShapes, OfADoubleRootAreOrthogonal) {
  const double l = 0.5, c = std::cos(l), s = std::sin(l), ch = std::cosh(l), sh = std::sinh(l);
  const double d = 1.0 - c * ch, m = 1.9 * L;
  const TipLoad tip{(s * ch + c * sh) / (l * d) * m, -s * sh / (l * l * d) * m * L,
                    (s * ch - c * sh) / (l * l * l * d) * m * L * L};
  const ShapeRequest request{Direction::y, ShapeFamily::clamped_mass, 2, tip, Normalization::mass, {}};
  const ShapeSet set = make_shapes(request, uniform_beam);
  const Jet a = set.modes[0].at(L), b = set.modes[1].at(L);
  const double product =
      integral([&](double x) { return 1.9 * set.modes[0].at(x)[0] * set.modes[1].at(x)[0]; }) +
      tip.mass * a[0] * b[0] + tip.static_moment * (a[0] * b[1] + a[1] * b[0]) + tip.inertia * a[1] * b[1];
  EXPECT_NEAR(product, 0.0, 1e-12);
  const Eigen::VectorXd frequencies = shape_frequencies(set, Direction::y, uniform_beam, tip);
  for (int n = 0; n < 2; ++n)
    EXPECT_NEAR(frequencies[n] / (l * l / (L * L) * std::sqrt(90.0 / 1.9)), 1.0, 1e-11);
}

TEST(Shapes, OfATaperedBeamAreThoseOfAUniformOneWithTheSameMass) {
  const double mean = tapered_beam.total_inertia(Direction::y) / L;
  Section section = root_section;
  section.mass_per_length = mean;
  const ShapeRequest request{Direction::y, ShapeFamily::clamped_mass, 4, body, Normalization::peak, {}};
  const ShapeSet tapered = make_shapes(request, tapered_beam), uniform = make_shapes(request, {L, section});
  for (int j = 0; j < 4; ++j) EXPECT_NEAR(tapered.modes[j].at(0.4)[0], uniform.modes[j].at(0.4)[0], 1e-13);
}

// The path of the first problem, and that its message tells expected and found.
std::string path_of_error(const ShapeRequest& request, const SectionProfile& profile = uniform_beam) {
  try {
    make_shapes(request, profile);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.problems().front().expected.empty());
    EXPECT_FALSE(error.problems().front().found.empty());
    return error.problems().front().path;
  }
  return "no error";
}

TEST(ShapeErrors, NameTheKeyThatIsWrong) {
  ShapeRequest request{Direction::y, ShapeFamily::clamped_free, 1, {}, Normalization::peak, {}};
  for (const int count : {0, -3, 101}) {
    request.count = count;
    EXPECT_EQ(path_of_error(request), "count");
  }
  request.count = 100;
  EXPECT_EQ(path_of_error(request), "no error");
  request.family = ShapeFamily::polynomial;
  request.count = 13;
  EXPECT_EQ(path_of_error(request), "count");
  request.count = 12;
  EXPECT_EQ(path_of_error(request), "no error");

  for (const ShapeFamily family :
       {ShapeFamily::clamped_pinned, ShapeFamily::pinned_pinned, ShapeFamily::pinned_free})
    for (const Direction direction : {Direction::torsion, Direction::axial})
      EXPECT_EQ(path_of_error({direction, family, 1, {}, Normalization::peak, {}}), "shape");

  const auto with_tip = [](const TipLoad& tip) {
    return ShapeRequest{Direction::y, ShapeFamily::clamped_mass, 1, tip, Normalization::peak, {}};
  };
  EXPECT_EQ(path_of_error(with_tip({-1.0, 0.0, 0.0})), "tip_mass");
  EXPECT_EQ(path_of_error(with_tip({std::nan(""), 0.0, 0.0})), "tip_mass");
  EXPECT_EQ(path_of_error(with_tip({1.0, 0.0, -1.0})), "tip_inertia");
  EXPECT_EQ(path_of_error(with_tip({1.0, 1.1, 1.0})), "tip_static_moment");
  EXPECT_EQ(path_of_error(with_tip({1.0, -1.0, 1.0})), "no error");
  EXPECT_EQ(path_of_error({Direction::y, ShapeFamily::table, 1, {}, Normalization::peak, {}}), "shape.table");
}

TEST(ShapeErrors, TellWhereInertiaIsMissing) {
  Section section = root_section;
  section.rotary_inertia.setZero();
  const SectionProfile thin(L, section);
  const TipLoad tip{.mass = 0.0, .static_moment = 0.0, .inertia = 1.0};
  using enum ShapeFamily;
  EXPECT_EQ(path_of_error({Direction::torsion, clamped_free, 1, {}, Normalization::mass, {}}, thin),
            "normalize");
  EXPECT_EQ(path_of_error({Direction::torsion, clamped_free, 1, {}, Normalization::peak, {}}, thin),
            "no error");
  EXPECT_EQ(path_of_error({Direction::torsion, clamped_free, 1, tip, Normalization::mass, {}}, thin),
            "no error");
  EXPECT_EQ(path_of_error({Direction::torsion, clamped_mass, 1, tip, Normalization::peak, {}}, thin),
            "shape");
  EXPECT_EQ(path_of_error({Direction::torsion, finite_element, 1, tip, Normalization::peak, {}}, thin),
            "shape");
}

}  // namespace
}  // namespace limber
