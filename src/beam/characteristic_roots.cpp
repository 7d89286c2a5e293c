// SPDX-License-Identifier: BSD-3-Clause
// Roots of the characteristic equations of uniform beams, l = wave number times length.
//
// Families without a tip body have one root between known multiples of pi, and an equation that can be
// scaled so that it neither overflows nor cancels. With a tip body, of dimensionless mass mu, static moment s
// and inertia iota, two roots can lie as close to each other as one likes (mu : s : iota near 12 : -6 : 4),
// and a search for changes of sign would miss both. There we count roots instead (Wittrick & Williams, Q. J.
// Mech. Appl. Math. 24, 1971):
//
//   roots below l = clamped-clamped roots below l + negative eigenvalues of K(l),                         (1)
//   K(l) = D(l) - l^4 [mu s; s iota]
//
// where D is the dynamic stiffness seen by the tip's deflection and slope (times length). With
//
//   G1 = sin cosh + cos sinh,  G2 = sin sinh,  G3 = sin cosh - cos sinh,  G4 = 1 - cos cosh               (2)
//
// at l, D = [l^3 G1, -l^2 G2; -l^2 G2, l G3] / G4, and det K = l^4 f(l) / G4 with the characteristic function
//
//   f = 2 - G4 - l mu G3 - l^3 iota G1 - 2 l^2 s G2 + l^4 (mu iota - s^2) G4                              (3)
//
// (G1 G3 - G2^2 = G4 (2 - G4) was used.) Bisecting the count isolates every root and refines it to the last
// digit.

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "limber/beam/mode_shapes.hpp"
#include "quartic_series.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;

// The root of `function` between `low` and `high`, where its signs differ.
template <typename Function>
double root_between(Function function, double low, double high) {
  std::uintmax_t steps = 200;
  const auto [left, right] = boost::math::tools::toms748_solve(
      function, low, high, boost::math::tools::eps_tolerance<double>(52), steps);
  return std::abs(function(left)) < std::abs(function(right)) ? left : right;
}

double sech(double x) { return 1.0 / std::cosh(x); }

// cos = sech
double clamped_clamped_root(int n) {
  return root_between([](double l) { return std::cos(l) - sech(l); }, n * pi, (n + 1) * pi);
}

// tan = tanh, also the equation of pinned-free
double clamped_pinned_root(int n) {
  return root_between([](double l) { return std::sin(l) - std::cos(l) * std::tanh(l); }, n * pi,
                      (n + 0.5) * pi);
}

// cot l = mu l for torsion and axial vibration, multiplied by sin l. The bracket goes a little beyond the
// clamped-free root, which a light body moves by less than rounding.
double clamped_mass_rod_root(int n, double mu) {
  constexpr double beyond = 0.1;
  if (mu == 0.0) return (n - 0.5) * pi;
  return root_between([mu](double l) { return std::cos(l) - mu * l * std::sin(l); }, (n - 1) * pi,
                      (n - 0.5) * pi + beyond);
}

// (2), all divided by cosh l where that is large; only ratios and signs matter.
struct RayleighFunctions {
  double G1, G2, G3, G4, one;

  explicit RayleighFunctions(double l) {
    constexpr double series_end = 2.0;  // below it G3 and G4 are differences of nearly equal numbers
    if (l < series_end) {
      G1 = 2.0 * quartic_series(1, l, -4.0);
      G2 = 2.0 * quartic_series(2, l, -4.0);
      G3 = 4.0 * quartic_series(3, l, -4.0);
      G4 = 4.0 * quartic_series(4, l, -4.0);
      one = 1.0;
    } else {
      const double sine = std::sin(l), cosine = std::cos(l), tanh = std::tanh(l);
      one = sech(l);
      G1 = sine + cosine * tanh;
      G2 = sine * tanh;
      G3 = sine - cosine * tanh;
      G4 = one - cosine;
    }
  }
};

// A number as the sum of its terms, with the sum of their magnitudes: how much was lost to cancellation.
struct Sum {
  double value = 0.0, magnitude = 0.0;
  Sum(std::initializer_list<double> terms) {
    for (const double term : terms) {
      value += term;
      magnitude += std::abs(term);
    }
  }
};

// mu iota - s^2 without cancellation (Kahan); zero for a point mass ahead of the tip, never negative.
double determinant_of(const TipLoad& tip) {
  const double square = tip.static_moment * tip.static_moment;
  const double rounding = std::fma(-tip.static_moment, tip.static_moment, square);
  return std::max(0.0, std::fma(tip.mass, tip.inertia, -square) + rounding);
}

// (1), for l > 0.
int roots_below(double l, const TipLoad& tip) {
  const double mu = tip.mass, s = tip.static_moment, iota = tip.inertia;
  const RayleighFunctions g(l);
  const double l2 = l * l, l3 = l2 * l, l4 = l2 * l2;

  // G4 changes its sign once between multiples of pi: at the clamped-clamped root.
  const int half_waves = static_cast<int>(l / pi);
  const bool even = half_waves % 2 == 0;
  const int clamped_clamped = half_waves - ((g.G4 > 0.0) == even ? 0 : 1);

  // K times G4, entry by entry.
  const Sum K11{l3 * g.G1, -l4 * mu * g.G4};
  const Sum K12{-l2 * g.G2, -l4 * s * g.G4};
  const Sum K22{l * g.G3, -l4 * iota * g.G4};

  // Its determinant in two ways. From the entries it is good where K is small as a whole (nearly double
  // roots); from (3) where D is nearly singular itself (a light tip, where clamped-clamped and clamped-free
  // roots merge).
  const Sum f{2.0 * g.one,          -g.G4,
              -l * mu * g.G3,       -l3 * iota * g.G1,
              -2.0 * l2 * s * g.G2, l4 * determinant_of(tip) * g.G4};
  const double scale = l4 * g.G4;
  const double error_of_entries = K11.magnitude * std::abs(K22.value) + K22.magnitude * std::abs(K11.value) +
                                  2.0 * K12.magnitude * std::abs(K12.value);
  const bool entries_are_better = error_of_entries < std::abs(scale) * f.magnitude;
  const double determinant =
      entries_are_better ? K11.value * K22.value - K12.value * K12.value : scale * f.value;

  if (determinant < 0.0) return clamped_clamped + 1;
  const double sign = K11.value / K11.magnitude + K22.value / K22.magnitude;
  return clamped_clamped + ((sign > 0.0) == (g.G4 > 0.0) ? 0 : 2);
}

// A body on the tip lowers every root below the clamped-free one, but not below the clamped-clamped root two
// places down, since it acts through two coordinates.
double clamped_mass_root(int n, const TipLoad& tip) {
  double low = std::max(0, n - 2) * pi, high = n * pi;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return high;
    (roots_below(middle, tip) < n ? low : high) = middle;
  }
}

double bending_root(ShapeFamily family, int n, const TipLoad& tip) {
  switch (family) {
    case ShapeFamily::craig_bampton:
      return clamped_clamped_root(n);
    case ShapeFamily::clamped_free:
      return clamped_mass_root(n, TipLoad{});
    case ShapeFamily::clamped_mass:
      return clamped_mass_root(n, tip);
    case ShapeFamily::clamped_pinned:
    case ShapeFamily::pinned_free:
      return clamped_pinned_root(n);
    case ShapeFamily::pinned_pinned:
      return n * pi;
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

double rod_root(ShapeFamily family, int n, double mu) {
  switch (family) {
    case ShapeFamily::craig_bampton:
      return n * pi;
    case ShapeFamily::clamped_free:
      return (n - 0.5) * pi;
    case ShapeFamily::clamped_mass:
      return clamped_mass_rod_root(n, mu);
    default:
      return std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace

std::vector<double> characteristic_roots(ShapeFamily family, Direction direction, int count,
                                         const TipLoad& tip) {
  std::vector<double> roots;
  for (int n = 1; n <= count; ++n) {
    roots.push_back(is_bending(direction)
                        ? bending_root(family, n, tip)
                        : rod_root(family, n, direction == Direction::torsion ? tip.inertia : tip.mass));
    if (std::isnan(roots.back()))
      throw std::invalid_argument("characteristic_roots: the family has no closed form in this direction");
  }
  return roots;
}

}  // namespace limber
