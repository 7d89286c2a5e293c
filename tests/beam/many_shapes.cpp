// SPDX-License-Identifier: BSD-3-Clause
// Integrals of products of up to a hundred shapes, against closed forms in arbitrary precision.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "beam/exponential_sum.hpp"
#include "limber/beam/shape_integrals.hpp"

namespace limber {
namespace {

using textbook::Ends;
using textbook::ExponentialSum;
using textbook::Real;

constexpr double L = 1.7;
constexpr double tolerance = 1e-13;
const Section section{.EI_y = 310.0,
                      .EI_z = 270.0,
                      .GJ = 95.0,
                      .EA = 7.3e6,
                      .mass_per_length = 2.9,
                      .rotary_inertia = {0.031, 0.017, 0.014}};

BeamBasis make_basis(Direction direction, ShapeFamily family, int count, const TipLoad& tip = {}) {
  const SectionProfile profile(L, section);
  ShapeRequest request;
  request.direction = direction;
  request.family = family;
  request.count = count;
  request.tip = tip;
  request.normalize = Normalization::none;
  BeamBasis basis(profile);
  basis.add(direction, make_shapes(request, profile));
  return basis;
}

ShapeIntegrals integrals_of(const BeamBasis& basis, KinematicOrder order) {
  return make_shape_integrals(basis, order, make_tip_node(basis, order, TipRotation::slope), {});
}

// ---- the same shapes as sums of exponentials ----

ExponentialSum clamped(const Real& root, const Real& sigma) {
  return ExponentialSum::vibration(root / L, 1, -sigma, -1, sigma);
}
ExponentialSum sine(const Real& root) { return ExponentialSum::vibration(root / L, 0, 0, 0, 1); }

ExponentialSum held(Ends ends, double start) {
  const Real l = textbook::refined_root(ends, start);
  return clamped(l, (cosh(l) - cos(l)) / (sinh(l) - sin(l)));
}

const double pi = std::numbers::pi;

ExponentialSum clamped_free(int n, double mu) {
  const double start =
      characteristic_roots(ShapeFamily::clamped_mass, Direction::y, n, {mu, 0.0, 0.0}).back();
  const Real l = textbook::refined_root(Ends::clamped_free, start, {.mu = mu});
  return clamped(l, (cosh(l) + cos(l)) / (sinh(l) + sin(l)));
}

// Shape n = 1, 2, ... of a family.
ExponentialSum bending_shape(ShapeFamily family, int n, double mu) {
  const Real l = L;
  switch (family) {
    case ShapeFamily::clamped_free:
    case ShapeFamily::clamped_mass:
      return clamped_free(n, mu);
    case ShapeFamily::clamped_pinned:
      return held(Ends::clamped_pinned, (n + 0.25) * pi);
    case ShapeFamily::pinned_pinned:
      return sine(n * textbook::refined_root(Ends::pinned_pinned, pi));
    case ShapeFamily::pinned_free: {
      const Real root = textbook::refined_root(Ends::pinned_free, (n + 0.25) * pi);
      return ExponentialSum::vibration(root / L, 0, sin(root) / sinh(root), 0, 1);
    }
    case ShapeFamily::craig_bampton:
      if (n == 1) return ExponentialSum::polynomial({0, 0, 3 / (l * l), -2 / (l * l * l)});
      if (n == 2) return ExponentialSum::polynomial({0, 0, -1 / (l * l), 1 / (l * l * l)});
      return held(Ends::clamped_clamped, (n - 1.5) * pi);
    default: {  // polynomial
      std::vector<Real> coefficients(static_cast<std::size_t>(n) + 2, Real(0));
      coefficients.back() = 1;
      return ExponentialSum::polynomial(coefficients);
    }
  }
}

ExponentialSum rod_shape(ShapeFamily family, int n, double mu) {
  const Real half_turn = textbook::refined_root(Ends::pinned_pinned, pi);
  switch (family) {
    case ShapeFamily::clamped_free:
      return sine((n - Real("0.5")) * half_turn);
    case ShapeFamily::clamped_mass: {
      const TipLoad tip{mu, 0.0, mu};
      const double start = characteristic_roots(family, Direction::torsion, n, tip).back();
      const auto condition = [&](const Real& l) { return cos(l) - mu * l * sin(l); };
      return sine(textbook::refined_root(condition, start));
    }
    case ShapeFamily::craig_bampton:
      if (n == 1) return ExponentialSum::polynomial({0, 1 / Real(L)});
      return sine((n - 1) * half_turn);
    default: {
      std::vector<Real> coefficients(static_cast<std::size_t>(n) + 1, Real(0));
      coefficients.back() = 1;
      return ExponentialSum::polynomial(coefficients);
    }
  }
}

struct Case {
  const char* name;
  Direction direction;
  ShapeFamily family;
  int count;
  double mu = 0.0;  // of the tip body, in units of the beam's inertia
};

// Some of each hundred, the fastest among them.
std::vector<int> chosen(int count) {
  if (count <= 12) return {1, 2, 3, count - 1, count};
  return {1, 3, (2 * count) / 3 + 1, count - 1, count};
}

class ManyShapes : public testing::TestWithParam<Case> {};

TEST_P(ManyShapes, AreIntegratedToRounding) {
  const auto& [name, direction, family, count, mu] = GetParam();
  const double whole = section.inertia(direction) * L;
  const TipLoad tip =
      direction == Direction::torsion ? TipLoad{0.0, 0.0, mu * whole} : TipLoad{mu * whole, 0.0, 0.0};
  const BeamBasis basis = make_basis(direction, family, count, tip);
  const ShapeIntegrals integrals = integrals_of(basis, KinematicOrder::first);

  const bool bends = is_bending(direction);
  const std::vector<int> numbers = chosen(count);
  std::vector<ExponentialSum> shapes, slopes, strains;
  for (const int n : numbers) {
    shapes.push_back(bends ? bending_shape(family, n, mu) : rod_shape(family, n, mu));
    // Which of the two signs a shape has is not at stake here.
    constexpr double next_to_root = 0.01 * L;
    if (shapes.back().at(next_to_root) * basis.coordinates()[n - 1].shape.at(next_to_root)[0] < 0.0)
      shapes.back() = shapes.back() * -1.0;
    slopes.push_back(shapes.back().derivative());
    strains.push_back(bends ? slopes.back().derivative() : slopes.back());
  }
  const auto product = [](const ExponentialSum& a, const ExponentialSum& b) {
    return (a * b).integral().at(L);
  };
  const double rotary = direction == Direction::y ? section.rotary_inertia.z() : section.rotary_inertia.y();
  const auto size = static_cast<Eigen::Index>(numbers.size());
  Eigen::MatrixXd M(size, size), K(size, size);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const auto row = static_cast<Eigen::Index>(i), column = static_cast<Eigen::Index>(j);
      M(row, column) = section.inertia(direction) * product(shapes[i], shapes[j]) +
                       (bends ? rotary * product(slopes[i], slopes[j]) : 0.0);
      K(row, column) = section.stiffness(direction) * product(strains[i], strains[j]);
    }
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      const int a = numbers[static_cast<std::size_t>(i)] - 1, b = numbers[static_cast<std::size_t>(j)] - 1;
      EXPECT_NEAR(integrals.rest_inertia(a, b), M(i, j), tolerance * std::sqrt(M(i, i) * M(j, j)))
          << a << " " << b;
      EXPECT_NEAR(integrals.stiffness(a, b), K(i, j), tolerance * std::sqrt(K(i, i) * K(j, j)))
          << a << " " << b;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Families, ManyShapes,
    testing::Values(Case{"clamped_free", Direction::y, ShapeFamily::clamped_free, 100},
                    Case{"clamped_free_forty_five", Direction::z, ShapeFamily::clamped_free, 45},
                    Case{"clamped_mass", Direction::z, ShapeFamily::clamped_mass, 100, 0.7},
                    Case{"clamped_pinned", Direction::y, ShapeFamily::clamped_pinned, 100},
                    Case{"pinned_pinned", Direction::z, ShapeFamily::pinned_pinned, 100},
                    Case{"pinned_free", Direction::y, ShapeFamily::pinned_free, 100},
                    Case{"craig_bampton", Direction::z, ShapeFamily::craig_bampton, 100},
                    Case{"polynomial", Direction::y, ShapeFamily::polynomial, 12},
                    Case{"torsion_free", Direction::torsion, ShapeFamily::clamped_free, 100},
                    Case{"torsion_mass", Direction::torsion, ShapeFamily::clamped_mass, 100, 1.3},
                    Case{"torsion_craig_bampton", Direction::torsion, ShapeFamily::craig_bampton, 100},
                    Case{"torsion_polynomial", Direction::torsion, ShapeFamily::polynomial, 12},
                    Case{"axial_free", Direction::axial, ShapeFamily::clamped_free, 100},
                    Case{"axial_mass", Direction::axial, ShapeFamily::clamped_mass, 100, 0.4},
                    Case{"axial_craig_bampton", Direction::axial, ShapeFamily::craig_bampton, 100}),
    [](const auto& test) { return std::string(test.param.name); });

// Shapes that are modes of the beam are orthogonal, all of them: with `none` Int phi^2 = L, or L/2 for sines.
TEST(ManyShapes, OfAModalFamilyAreOrthogonal) {
  for (const auto& [direction, family, square] :
       {std::tuple(Direction::y, ShapeFamily::clamped_free, L),
        std::tuple(Direction::z, ShapeFamily::pinned_pinned, L / 2),
        std::tuple(Direction::axial, ShapeFamily::clamped_free, L / 2)}) {
    const BeamBasis basis = make_basis(direction, family, 100);
    const ShapeIntegrals integrals = integrals_of(basis, KinematicOrder::first);
    const Eigen::MatrixXd gram =
        integrals.gram.bottomRightCorner(100, 100) / (section.mass_per_length * square);
    EXPECT_LT((gram - Eigen::MatrixXd::Identity(100, 100)).cwiseAbs().maxCoeff(), tolerance);
  }
}

// At second order there are products of four shapes: Int (Int phi_i' phi_j') (Int phi_k' phi_l').
TEST(ManyShapes, AtSecondOrderAreIntegratedToRounding) {
  constexpr int count = 44;
  const BeamBasis basis = make_basis(Direction::y, ShapeFamily::clamped_free, count);
  const ShapeIntegrals integrals = integrals_of(basis, KinematicOrder::second);
  const std::vector<std::pair<int, int>> pairs{{0, 0}, {0, 43}, {20, 43}, {42, 43}, {43, 43}};
  std::vector<ExponentialSum> shortening;
  std::vector<Eigen::Index> terms;
  for (const auto& [j, k] : pairs) {
    const ExponentialSum a = clamped_free(j + 1, 0.0).derivative(), b = clamped_free(k + 1, 0.0).derivative();
    // Shapes are positive at the tip; the textbook's change their sign there from one to the next.
    const double sign = (j + k) % 2 == 0 ? 1.0 : -1.0;
    shortening.push_back((a * b).integral() * (sign * (j == k ? -0.5 : -1.0)));
    for (std::size_t t = 0; t < integrals.terms.size(); ++t)
      if (integrals.terms[t] == FieldTerm{0, j, k}) terms.push_back(static_cast<Eigen::Index>(t));
  }
  ASSERT_EQ(terms.size(), pairs.size());
  for (std::size_t a = 0; a < pairs.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b) {
      const double exact = section.mass_per_length * (shortening[a] * shortening[b]).integral().at(L);
      const double size = std::sqrt(integrals.gram(terms[a], terms[a]) * integrals.gram(terms[b], terms[b]));
      EXPECT_NEAR(integrals.gram(terms[a], terms[b]), exact, tolerance * size) << a << " " << b;
    }
  // ... and the tip's node ends where the integrals do.
  const BeamNode tip = make_tip_node(basis, KinematicOrder::second, TipRotation::slope);
  for (std::size_t a = 0; a < pairs.size(); ++a) {
    const auto& [j, k] = pairs[a];
    const double size = std::sqrt(tip.Phi2[0](j, j) * tip.Phi2[0](k, k));  // both negative
    EXPECT_NEAR(tip.Phi2[0](j, k), shortening[a].at(L) * (j == k ? 2.0 : 1.0), tolerance * size);
  }
}

}  // namespace
}  // namespace limber
