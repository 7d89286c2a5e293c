// SPDX-License-Identifier: BSD-3-Clause
#include "energy_factors.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "limber/math/detail/ritz_modes.hpp"
#include "limber/math/quadrature.hpp"
#include "same_place.hpp"

namespace limber {
namespace {

PanelGrid energy_grid(const ShapeSet& shapes, const SectionProfile& profile) {
  std::vector<double> breakpoints = shapes.breakpoints;
  for (const double x : profile.panel_ends()) breakpoints.push_back(x);
  std::sort(breakpoints.begin(), breakpoints.end());
  const auto together = [&](double a, double b) { return b - a < same_place * profile.length(); };
  breakpoints.erase(std::unique(breakpoints.begin(), breakpoints.end(), together), breakpoints.end());

  // A quarter of a wave in each panel: with 16 points, products of two shapes are exact to rounding. Shapes without waves get panels longer
  // than the beam: its breakpoints decide.
  constexpr int points_per_panel = 16;
  const double slowest = 1e-3 / profile.length();
  const double longest = 0.5 * std::numbers::pi / std::max(shapes.wavenumber, slowest);
  return PanelGrid(breakpoints, longest, points_per_panel);
}

}  // namespace

Eigen::MatrixXd strain_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile) {
  const PanelGrid grid = energy_grid(shapes, profile);
  const int order = is_bending(direction) ? 2 : 1;
  const bool shears = profile.shears(direction);
  const Eigen::Index points = grid.points().size();
  Eigen::MatrixXd factor(shears ? 2 * points : points, shapes.modes.size());
  for (Eigen::Index i = 0; i < points; ++i) {
    const double x = grid.points()[i];
    const Section section = profile.at(x);
    const double weight = std::sqrt(grid.weights()[i] * section.stiffness(direction));
    const double shear_weight =
        shears ? std::sqrt(grid.weights()[i] * section.shear_stiffness(direction)) : 0.0;
    for (Eigen::Index j = 0; j < factor.cols(); ++j) {
      const ModeShape& mode = shapes.modes[static_cast<std::size_t>(j)];
      const Jet bending = mode.bending_at(x);
      factor(i, j) = weight * bending[static_cast<std::size_t>(order)];
      if (shears) factor(points + i, j) = shear_weight * (mode.at(x)[1] - bending[1]);
    }
  }
  return factor;
}

Eigen::MatrixXd rotary_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile) {
  const PanelGrid grid = energy_grid(shapes, profile);
  const int axis = direction == Direction::y ? 2 : 1;
  Eigen::MatrixXd factor(grid.points().size(), shapes.modes.size());
  for (Eigen::Index i = 0; i < factor.rows(); ++i) {
    const double x = grid.points()[i];
    const double weight = std::sqrt(grid.weights()[i] * profile.at(x).rotary_inertia[axis]);
    for (Eigen::Index j = 0; j < factor.cols(); ++j)
      factor(i, j) = weight * shapes.modes[static_cast<std::size_t>(j)].bending_at(x)[1];
  }
  return factor;
}

Eigen::MatrixXd inertia_factor(const ShapeSet& shapes, Direction direction, const SectionProfile& profile,
                               const TipLoad& tip) {
  const PanelGrid grid = energy_grid(shapes, profile);
  const Eigen::Index points = grid.points().size();
  Eigen::MatrixXd factor(points + 2, shapes.modes.size());
  for (Eigen::Index i = 0; i < points; ++i) {
    const double x = grid.points()[i];
    const double weight = std::sqrt(grid.weights()[i] * profile.at(x).inertia(direction));
    for (Eigen::Index j = 0; j < factor.cols(); ++j)
      factor(i, j) = weight * shapes.modes[static_cast<std::size_t>(j)].at(x)[0];
  }

  // The tip body as two rows: m (phi + c phi')^2 + (J - m c^2) phi'^2 with its centre of mass c ahead of the
  // tip.
  const bool bends = is_bending(direction);
  const double mass = direction == Direction::torsion ? tip.inertia : tip.mass;
  const double ahead = bends && mass > 0.0 ? tip.static_moment / mass : 0.0;
  const double own_inertia = bends ? std::max(0.0, tip.inertia - ahead * tip.static_moment) : 0.0;
  for (Eigen::Index j = 0; j < factor.cols(); ++j) {
    const ModeShape& mode = shapes.modes[static_cast<std::size_t>(j)];
    const double moves = mode.at(profile.length())[0], turns = mode.bending_at(profile.length())[1];
    factor(points, j) = std::sqrt(mass) * (moves + ahead * turns);
    factor(points + 1, j) = std::sqrt(own_inertia) * turns;
  }
  return factor;
}

Eigen::VectorXd shape_frequencies(const ShapeSet& shapes, Direction direction, const SectionProfile& profile,
                                  const TipLoad& tip) {
  Eigen::MatrixXd inertia = inertia_factor(shapes, direction, profile, tip);
  if (profile.shears(direction)) {
    const Eigen::MatrixXd rotary = rotary_factor(shapes, direction, profile);
    const Eigen::Index rows = inertia.rows();
    inertia.conservativeResize(rows + rotary.rows(), Eigen::NoChange);
    inertia.bottomRows(rotary.rows()) = rotary;
  }
  return detail::rayleigh_ritz(strain_factor(shapes, direction, profile), inertia).frequencies;
}

}  // namespace limber
