// SPDX-License-Identifier: BSD-3-Clause
// Eigenmodes of a tapered beam by finite elements of high degree (HierarchicalElement).
//
// With s = 2 for bending and 1 for torsion and axial motion, and m, k the inertia and the stiffness per
// length, the wave number of frequency omega is beta(x) = omega^(1/s) (m/k)^(1/2s). About half a wave fits
// between two nodes of a mode, so that mode n has
//
//   omega ~ (n pi / I)^s,    I = Int (m/k)^(1/2s) dx                                                      (1)
//
// which tells how many elements it needs. They end at the profile's stations and are refined, first in
// degree, then by halving, until no frequency changes. Each round solves
//
//   M v = nu (K + a M) v,    nu = 1 / (omega^2 + a)                                                       (2)
//
// with a = omega^2 of (1) for the last mode: the space of the wanted modes then comes out to rounding,
// however far apart they are. (K v = omega^2 M v has errors in proportion to the largest omega^2 of the mesh,
// M v = K v / omega^2 in proportion to the inverse of the smallest.) Two modes more are taken along: a heavy
// tip body has two whose nu are equal to rounding, and a single one would come out as a mixture. Modes and
// frequencies inside this space are rayleigh_ritz's.

#include "finite_element_shapes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>

#include "energy_factors.hpp"
#include "hierarchical_element.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/detail/ritz_modes.hpp"
#include "limber/math/quadrature.hpp"
#include "piecewise_polynomial.hpp"

namespace limber {
namespace {

constexpr double settled = 1e-11;          // relative change of the frequencies
constexpr double phase_per_element = 4.0;  // beta h
constexpr double taper_per_element = 4.0;  // ratio of k, or of m, at an element's ends
constexpr int highest_degree = 12;         // then elements are halved
constexpr int most_unknowns = 1400;        // some seconds

struct Beam {
  Direction direction;
  const SectionProfile& profile;
  TipLoad tip;
  double frequency;  // (1) for the last mode that is wanted

  int order() const { return is_bending(direction) ? 2 : 1; }
  double stiffness(double x) const { return profile.at(x).stiffness(direction); }
  double inertia(double x) const { return profile.at(x).inertia(direction); }
  // beta of frequency 1
  double slowness(double x) const { return std::pow(inertia(x) / stiffness(x), 0.5 / order()); }
  double wavenumber(double x) const { return std::pow(frequency, 1.0 / order()) * slowness(x); }
};

double expected_frequency(const Beam& beam, int count) {
  const PanelGrid grid(beam.profile.breakpoints(), beam.profile.length());
  double I = 0.0;
  for (Eigen::Index i = 0; i < grid.points().size(); ++i)
    I += grid.weights()[i] * beam.slowness(grid.points()[i]);
  return std::pow(count * std::numbers::pi / I, beam.order());
}

// Appends the right ends of the elements between `left` and `right`.
void split(const Beam& beam, double left, double right, int depth, std::vector<double>& ends) {
  constexpr int deepest = 14;      // halvings, next to a point where the section vanishes
  constexpr double inside = 0.01;  // of the element, since the section may jump at its ends
  const double h = right - left;
  const double first = left + inside * h, last = right - inside * h;
  const auto ratio = [](double a, double b) { return std::max(a, b) / std::min(a, b); };
  const bool too_steep = ratio(beam.stiffness(first), beam.stiffness(last)) > taper_per_element ||
                         ratio(beam.inertia(first), beam.inertia(last)) > taper_per_element;
  if (too_steep && depth < deepest) {
    const double middle = 0.5 * (left + right);
    split(beam, left, middle, depth + 1, ends);
    split(beam, middle, right, depth + 1, ends);
    return;
  }
  const double phase = h * std::max(beam.wavenumber(first), beam.wavenumber(last));
  const int pieces = std::max(1, static_cast<int>(std::ceil(phase / phase_per_element)));
  for (int i = 1; i <= pieces; ++i) ends.push_back(i == pieces ? right : left + h * i / pieces);
}

std::vector<double> first_mesh(const Beam& beam) {
  std::vector<double> ends{0.0};
  for (const double station : beam.profile.breakpoints())
    if (station > 0.0) split(beam, ends.back(), station, 0, ends);
  return ends;
}

// The degree that leaves errors of about 1e-11 (found by trial) with the longest element's beta h.
int first_degree(const Beam& beam, const std::vector<double>& ends) {
  double phase = 0.0;
  for (std::size_t i = 1; i < ends.size(); ++i)
    phase = std::max(phase, (ends[i] - ends[i - 1]) * beam.wavenumber(0.5 * (ends[i - 1] + ends[i])));
  return std::min(static_cast<int>(std::ceil(4.5 + 1.6 * phase)), highest_degree - 2);
}

std::vector<double> halved(const std::vector<double>& ends) {
  std::vector<double> result{ends.front()};
  for (std::size_t i = 1; i < ends.size(); ++i) {
    result.push_back(0.5 * (ends[i - 1] + ends[i]));
    result.push_back(ends[i]);
  }
  return result;
}

class Mesh {
 public:
  Mesh(std::vector<double> ends, const HierarchicalElement& element)
      : ends_(std::move(ends)), element_(element) {}

  const std::vector<double>& ends() const { return ends_; }
  int elements() const { return static_cast<int>(ends_.size()) - 1; }
  int unknowns() const { return elements() * (element_.order + element_.bubbles()); }
  double length(int e) const { return ends_[e + 1] - ends_[e]; }

  // The unknown of each of the element's functions; negative where the root is clamped. Those of all ends
  // come first, then those of all bubbles.
  std::vector<int> indices(int e) const {
    std::vector<int> result(static_cast<std::size_t>(element_.functions()));
    const auto bubbles = result.begin() + element_.end_functions();
    std::iota(result.begin(), bubbles, (e - 1) * element_.order);
    std::iota(bubbles, result.end(), elements() * element_.order + e * element_.bubbles());
    return result;
  }

 private:
  std::vector<double> ends_;
  const HierarchicalElement& element_;
};

struct Matrices {
  Eigen::MatrixXd K, M;
};

Matrices assemble(const Beam& beam, const Mesh& mesh, const HierarchicalElement& element) {
  const int n = mesh.unknowns();
  Matrices result{Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  for (int e = 0; e < mesh.elements(); ++e) {
    const double h = mesh.length(e);
    Eigen::VectorXd k(element.points.size()), m(element.points.size());
    for (Eigen::Index i = 0; i < k.size(); ++i) {
      const double x = mesh.ends()[e] + h * element.points[i];
      k[i] = element.weights[i] * beam.stiffness(x) * std::pow(h, 1 - 2 * element.order);
      m[i] = element.weights[i] * beam.inertia(x) * h;
    }
    const Eigen::VectorXd scales = element.scales(h);
    const Eigen::MatrixXd values = element.values * scales.asDiagonal();
    const Eigen::MatrixXd strains = element.strains * scales.asDiagonal();
    const Eigen::MatrixXd K = strains.transpose() * k.asDiagonal() * strains;
    const Eigen::MatrixXd M = values.transpose() * m.asDiagonal() * values;
    const std::vector<int> indices = mesh.indices(e);
    for (int i = 0; i < element.functions(); ++i)
      for (int j = 0; j < element.functions(); ++j)
        if (indices[i] >= 0 && indices[j] >= 0) {
          result.K(indices[i], indices[j]) += K(i, j);
          result.M(indices[i], indices[j]) += M(i, j);
        }
  }

  const int tip = (mesh.elements() - 1) * element.order;
  if (element.order == 2) {
    result.M.block<2, 2>(tip, tip) +=
        Eigen::Matrix2d{{beam.tip.mass, beam.tip.static_moment}, {beam.tip.static_moment, beam.tip.inertia}};
  } else {
    result.M(tip, tip) += beam.direction == Direction::torsion ? beam.tip.inertia : beam.tip.mass;
  }
  return result;
}

// (2): a space that holds the `count` lowest modes, one column each.
Eigen::MatrixXd lowest_space(const Matrices& matrices, double shift, int count) {
  const Eigen::MatrixXd shifted = matrices.K + shift * matrices.M;
  const Eigen::VectorXd scale = shifted.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(
      scale.asDiagonal() * matrices.M * scale.asDiagonal(),
      scale.asDiagonal() * shifted * scale.asDiagonal());
  return scale.asDiagonal() *
         solver.eigenvectors().rightCols(std::min<Eigen::Index>(count + 2, scale.size()));
}

ShapeSet shapes_of(const Eigen::MatrixXd& vectors, const Mesh& mesh, const HierarchicalElement& element) {
  ShapeSet set{{}, mesh.ends(), 0.0};
  for (Eigen::Index mode = 0; mode < vectors.cols(); ++mode) {
    Eigen::MatrixXd coefficients(element.degree + 1, mesh.elements());
    for (int e = 0; e < mesh.elements(); ++e) {
      const std::vector<int> indices = mesh.indices(e);
      Eigen::VectorXd local = element.scales(mesh.length(e));
      for (int i = 0; i < element.functions(); ++i)
        local[i] *= indices[i] < 0 ? 0.0 : vectors(indices[i], mode);
      coefficients.col(e) = element.powers * local;
    }
    set.modes.push_back({std::make_shared<PiecewisePolynomial>(mesh.ends(), std::move(coefficients)), 1.0});
  }
  return set;
}

FiniteElementModes solve(const Beam& beam, const std::vector<double>& ends, int degree, int count) {
  const HierarchicalElement element(beam.order(), degree);
  const Mesh mesh(ends, element);
  if (mesh.unknowns() > most_unknowns)
    throw InputError(
        {.path = "shape",
         .expected =
             "modes that finite elements find with " + std::to_string(most_unknowns) + " unknowns or less",
         .found =
             std::to_string(count) + " modes of a beam in " + std::to_string(mesh.elements()) + " elements",
         .hint = "ask for fewer modes, use fewer stations, avoid sections that are nearly zero"});
  const Eigen::MatrixXd space =
      lowest_space(assemble(beam, mesh, element), beam.frequency * beam.frequency, count);
  const ShapeSet spanning = shapes_of(space, mesh, element);
  const detail::RitzModes ritz =
      detail::rayleigh_ritz(strain_factor(spanning, beam.direction, beam.profile),
                            inertia_factor(spanning, beam.direction, beam.profile, beam.tip));
  const Eigen::VectorXd frequencies = ritz.frequencies.head(count);
  const Eigen::MatrixXd modes = space * ritz.combinations.leftCols(count) * frequencies.asDiagonal();
  return {shapes_of(modes, mesh, element).modes, mesh.ends(), frequencies, 0.0};
}

double largest_change(const Eigen::VectorXd& before, const Eigen::VectorXd& after) {
  return ((before - after).array() / after.array()).abs().maxCoeff();
}

}  // namespace

FiniteElementModes finite_element_modes(Direction direction, int count, const SectionProfile& profile,
                                        const TipLoad& tip) {
  if (!(profile.total_inertia(direction) > 0.0))
    throw InputError({.path = "shape",
                      .expected = "a beam with inertia, to find its modes",
                      .found = std::string("none for ") + to_string(direction),
                      .hint = "give the section a rotary_inertia about x, or use craig-bampton"});
  Beam beam{direction, profile, tip, 1.0};
  beam.frequency = expected_frequency(beam, count);
  assert(std::isfinite(beam.frequency));

  std::vector<double> ends = first_mesh(beam);
  int degree = first_degree(beam, ends);
  FiniteElementModes before = solve(beam, ends, degree, count);
  while (true) {
    if (degree < highest_degree) {
      degree = std::min(degree + 2, highest_degree);
    } else {
      ends = halved(ends);
    }
    FiniteElementModes after = solve(beam, ends, degree, count);
    if (largest_change(before.frequencies, after.frequencies) < settled) {
      beam.frequency = after.frequencies[count - 1];
      for (const double x : ends) after.wavenumber = std::max(after.wavenumber, beam.wavenumber(x));
      return after;
    }
    before = std::move(after);
  }
}

}  // namespace limber
