// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace limber {
namespace {

TEST(GaussLegendre, IsExactForPolynomialsUpToTwiceItsSize) {
  for (int n = 1; n <= 64; ++n) {
    const GaussRule& rule = gauss_legendre(n);
    for (int power = 0; power <= 2 * n - 1; ++power) {
      const double exact = power % 2 == 0 ? 2.0 / (power + 1) : 0.0;
      EXPECT_NEAR(rule.weights.dot(rule.nodes.array().pow(power).matrix()), exact, 1e-14)
          << n << ", " << power;
    }
  }
}

TEST(GaussLegendre, IsNotExactBeyond) {
  const GaussRule& rule = gauss_legendre(3);
  EXPECT_GT(std::abs(rule.weights.dot(rule.nodes.array().pow(6).matrix()) - 2.0 / 7), 1e-3);
}

TEST(PanelGrid, EndsPanelsAtBreakpointsAndKeepsThemShort) {
  const PanelGrid grid({0.0, 0.3, 2.0}, 0.5);
  EXPECT_EQ(grid.panel_count(), 1 + 4);
  EXPECT_DOUBLE_EQ(grid.ends()[1], 0.3);
  EXPECT_EQ(grid.nearest_end(0.3 + 1e-13), 1);
  EXPECT_EQ(grid.nearest_end(0.0), 0);
  EXPECT_EQ(grid.nearest_end(2.0), 5);
  EXPECT_NEAR(grid.weights().sum(), 2.0, 1e-15);
}

TEST(PanelGrid, RunningIntegralsAreExactToRounding) {
  const double k = 7.0;
  const PanelGrid grid({0.0, 1.0, 3.0}, 0.5 * std::numbers::pi / k);
  const Eigen::ArrayXd x = grid.points().array();
  const auto once = grid.running_integral((k * x).cos().matrix());
  EXPECT_LT((once.at_points.array() - (k * x).sin() / k).abs().maxCoeff(), 2e-15);
  const auto twice = grid.running_integral(once.at_points);
  EXPECT_LT((twice.at_points.array() - (1.0 - (k * x).cos()) / (k * k)).abs().maxCoeff(), 2e-15);
  for (int i = 0; i <= grid.panel_count(); ++i) {
    EXPECT_NEAR(once.at_ends(i, 0), std::sin(k * grid.ends()[i]) / k, 2e-15);
    EXPECT_NEAR(twice.at_ends(i, 0), (1.0 - std::cos(k * grid.ends()[i])) / (k * k), 2e-15);
  }
}

}  // namespace
}  // namespace limber
