// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Gauss-Legendre rule on [-1, 1].
struct GaussRule {
  Eigen::VectorXd nodes;    ///< ascending
  Eigen::VectorXd weights;  ///< positive, sum 2
};

/// The rule with n points, 1 <= n <= 64: exact for polynomials up to degree 2n - 1. Computed once.
const GaussRule& gauss_legendre(int n);

/// An interval cut into panels with Gauss points in each: integrates, and integrates from the left end up to
/// every point, functions that are known by their values at the points.
///
/// Running integrals use the polynomial through a panel's points, integrated exactly, so that they are as
/// accurate as the function is smooth inside the panels; a running integral can be integrated again.
class PanelGrid {
 public:
  /// Panels end at all `breakpoints` (ascending; the first and the last are the interval's ends) and are no
  /// longer than `longest_panel`.
  PanelGrid(const std::vector<double>& breakpoints, double longest_panel, int points_per_panel = 20);

  /// Of all panels, ascending.
  const Eigen::VectorXd& points() const { return points_; }
  /// One for each point: an integral is their product with the function's values.
  const Eigen::VectorXd& weights() const { return weights_; }
  /// Ends of the panels: panel_count() + 1 places, ascending.
  const std::vector<double>& ends() const { return ends_; }
  /// Panels in all.
  int panel_count() const { return static_cast<int>(ends_.size()) - 1; }
  /// Index into ends() of the end nearest to x.
  int nearest_end(double x) const;

  /// Integrals from the left end up to each place; columns as those of what was integrated.
  struct Running {
    Eigen::MatrixXd at_points;  ///< rows: points()
    Eigen::MatrixXd at_ends;    ///< rows: ends()
  };
  /// Integral from the left end of every column of `samples` (rows: points()).
  Running running_integral(const Eigen::Ref<const Eigen::MatrixXd>& samples) const;

 private:
  int points_per_panel_;
  std::vector<double> ends_;
  Eigen::VectorXd points_;
  Eigen::VectorXd weights_;
};

}  // namespace limber
