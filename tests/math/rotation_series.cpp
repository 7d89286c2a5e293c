// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/rotation_series_second.hpp"

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <unsupported/Eigen/AutoDiff>
#include <vector>

namespace limber::rotation_series {
namespace {

struct GoldenRow {
  double s;
  std::vector<long double> values;  // c1, c2, c3, g, dc1, dc2, dc3, dg
};

std::vector<GoldenRow> read_golden() {
  std::ifstream file(std::string(LIMBER_TESTS_DIR) + "/math/golden/rotation_series.csv");
  std::vector<GoldenRow> rows;
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    GoldenRow row{std::strtod(cell.c_str(), nullptr), {}};
    while (std::getline(cells, cell, ',')) row.values.push_back(std::strtold(cell.c_str(), nullptr));
    rows.push_back(row);
  }
  return rows;
}

template <typename Scalar>
std::vector<Scalar> all_functions(const Scalar& s) {
  return {c1(s), c2(s), c3(s), g(s), dc1(s), dc2(s), dc3(s), dg(s)};
}

TEST(RotationSeries, AgreeWithArbitraryPrecisionTo1e15) {
  const auto golden = read_golden();
  ASSERT_GT(golden.size(), 80u);
  for (const GoldenRow& row : golden) {
    ASSERT_EQ(row.values.size(), 8u);
    const auto values = all_functions(row.s);
    for (std::size_t i = 0; i < 8; ++i) {
      const long double error = std::abs(values[i] - row.values[i]) / std::abs(row.values[i]);
      EXPECT_LE(error, 1e-15L) << "function " << i << " at x = " << std::sqrt(row.s);
    }
  }
}

TEST(RotationSeries, AreExactAtZero) {
  const auto values = all_functions(0.0);
  const double expected[] = {1.0, 1.0 / 2, 1.0 / 6, 1.0 / 12, -1.0 / 6, -1.0 / 24, -1.0 / 120, 1.0 / 720};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_DOUBLE_EQ(values[i], expected[i]);
}

// Branches that disagree at their seam would make derivatives by differences jump.
TEST(RotationSeries, AreContinuousWhereSeriesAndClosedFormsMeet) {
  const auto size = all_functions(0.0);
  for (const double seam : {detail::early, detail::middle, detail::late}) {
    const auto below = all_functions(std::nextafter(seam, 0.0));
    const auto above = all_functions(std::nextafter(seam, 20.0));
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_NEAR(below[i], above[i], 2e-15 * std::abs(size[i])) << "function " << i << " at s = " << seam;
  }
}

TEST(RotationSeries, CarryDerivativesThroughDualScalars) {
  using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, 1>>;
  for (const double s : {0.0, 1e-12, 1e-3, 1.0, 3.0, 7.0, 9.5}) {
    const Dual seeded(s, 1, 0);
    EXPECT_NEAR(c1(seeded).derivatives()[0], dc1(s), 1e-14);
    EXPECT_NEAR(c2(seeded).derivatives()[0], dc2(s), 1e-14);
    EXPECT_NEAR(c3(seeded).derivatives()[0], dc3(s), 1e-14);
    EXPECT_NEAR(g(seeded).derivatives()[0], dg(s), 1e-14);
  }
}

TEST(RotationSeries, WorkInSinglePrecision) {
  for (const GoldenRow& row : read_golden()) {
    if (row.s > 9.5) continue;  // next to pi the float s itself decides c1
    const auto values = all_functions(static_cast<float>(row.s));
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_NEAR(values[i] / static_cast<float>(row.values[i]), 1.0f, 4e-6f) << "function " << i;
  }
}

// Below and above every place where a branch is taken: short series, long series, closed form.
TEST(RotationSeries, SecondDerivativesAreThoseOfTheFirst) {
  using Dual = Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, 1>>;
  for (const double s :
       {0.0, 1e-12, 1e-3, 0.2, 0.2499, 0.2501, 1.0, 2.4, 2.6, 5.9, 6.1, 9.9, 10.1, 12.0, 30.0}) {
    const Dual seeded(s, 1, 0);
    const SecondValues<double> both = second_values(s);
    EXPECT_NEAR(both.d2c2, dc2(seeded).derivatives()[0], 1e-15) << s;
    EXPECT_NEAR(both.d2c3, dc3(seeded).derivatives()[0], 1e-15) << s;
    if (s < small) {
      EXPECT_NEAR(both.d2c2, d2c2(s), 1e-17) << s;
      EXPECT_NEAR(both.d2c3, d2c3(s), 1e-18) << s;
    }
  }
  EXPECT_DOUBLE_EQ(second_values(0.0).d2c2, 2.0 / 720.0);   // 2 / 6!
  EXPECT_DOUBLE_EQ(second_values(0.0).d2c3, 2.0 / 5040.0);  // 2 / 7!
}

}  // namespace
}  // namespace limber::rotation_series
