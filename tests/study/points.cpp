// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/points.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

constexpr double half_interval = 0x1p-54;

/// In every dimension one point in each of `count` equal intervals.
void expect_stratified(const VariantTable& points, Eigen::Index dimension) {
  std::set<long> taken;
  for (const double u : points.col(dimension)) {
    EXPECT_GT(u, 0.0);
    EXPECT_LT(u, 1.0);
    taken.insert(static_cast<long>(std::floor(u * static_cast<double>(points.rows()))));
  }
  EXPECT_EQ(taken.size(), static_cast<std::size_t>(points.rows())) << "dimension " << dimension;
}

TEST(SobolPoints, AreThoseThatJoeAndKuoPublish) {
  // The first points of new-joe-kuo-6.21201, as their page lists them.
  const double published[][3] = {{0, 0, 0},
                                 {0.5, 0.5, 0.5},
                                 {0.75, 0.25, 0.25},
                                 {0.25, 0.75, 0.75},
                                 {0.375, 0.375, 0.625},
                                 {0.875, 0.875, 0.125},
                                 {0.625, 0.125, 0.875},
                                 {0.125, 0.625, 0.375},
                                 {0.1875, 0.3125, 0.9375},
                                 {0.6875, 0.8125, 0.4375}};
  const VariantTable points = sobol_points(10, 3, 1, false);
  for (int k = 0; k < 10; ++k)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(points(k, j), published[k][j], 2 * half_interval) << k << ", " << j;
}

TEST(SobolPoints, FillEveryIntervalOfEveryDimensionOnce) {
  for (const bool scramble : {false, true}) {
    const VariantTable points = sobol_points(1024, 1200, 7, scramble);
    for (Eigen::Index j = 0; j < 1200; j += 37) expect_stratified(points, j);
  }
}

TEST(SobolPoints, FillEveryBoxOfTheFirstTwoDimensionsOnceAlsoWhenTheyAreScrambled) {
  const VariantTable points = sobol_points(256, 2, 3, true);
  for (int a = 0; a <= 8; ++a) {
    const int rows = 1 << a, columns = 256 / rows;
    std::set<int> boxes;
    for (Eigen::Index k = 0; k < 256; ++k)
      boxes.insert(static_cast<int>(points(k, 0) * rows) * columns +
                   static_cast<int>(points(k, 1) * columns));
    EXPECT_EQ(boxes.size(), 256U) << rows << " x " << columns;
  }
}

TEST(SobolPoints, IntegrateBetterThanRandomOnes) {
  // Int Prod (1 + (u_i - 1/2)) = 1
  const auto error = [](const VariantTable& points) {
    double sum = 0.0;
    for (Eigen::Index k = 0; k < points.rows(); ++k) sum += (points.row(k).array() + 0.5).prod();
    return std::abs(sum / static_cast<double>(points.rows()) - 1.0);
  };
  EXPECT_LT(error(sobol_points(4096, 8, 1, true)), 5e-4);  // random ones: a standard deviation of 1.4e-2
}

TEST(SobolPoints, AreOthersForOtherSeedsAndTheSameForTheSame) {
  EXPECT_EQ(sobol_points(64, 5, 1, true), sobol_points(64, 5, 1, true));
  EXPECT_NE(sobol_points(64, 5, 1, true), sobol_points(64, 5, 2, true));
  // More of them begin with the same.
  EXPECT_EQ(sobol_points(128, 5, 1, true).topRows(64), sobol_points(64, 5, 1, true));
  EXPECT_THROW(sobol_points(2, most_sobol_dimensions + 1, 1, false), InputError);
}

TEST(RandomPoints, AreThoseOfTheGeneratorThatTheStandardDescribes) {
  // [rand.predef]: the 10000th invocation of mt19937_64 with its default seed is 9981545732273789042.
  const VariantTable points = random_points(10000, 1, 5489);
  EXPECT_EQ(points(9999, 0), (static_cast<double>(9981545732273789042U >> 11U) + 0.5) * 0x1p-53);
}

TEST(LatinHypercube, HasOnePointInEveryIntervalOfEveryDimension) {
  const VariantTable points = latin_hypercube_points(333, 4, 1);
  for (Eigen::Index j = 0; j < 4; ++j) expect_stratified(points, j);
  EXPECT_NE(points.col(0), points.col(1));
}

}  // namespace
}  // namespace limber
