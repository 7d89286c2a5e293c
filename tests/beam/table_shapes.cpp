// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "limber/beam/mode_shapes.hpp"
#include "limber/core/input_error.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double L = 1.4;
const Section section{.EI_y = 70.0,
                      .EI_z = 90.0,
                      .GJ = 40.0,
                      .EA = 5e4,
                      .mass_per_length = 1.9,
                      .rotary_inertia = {0.02, 0.01, 0.01}};
const SectionProfile beam(L, section);

// Samples of functions on a grid that is a little uneven.
template <typename... Functions>
ModeTable table_of(int rows, const Functions&... functions) {
  ModeTable table{"modes.csv", Eigen::VectorXd(rows), Eigen::MatrixXd(rows, sizeof...(functions))};
  for (int i = 0; i < rows; ++i) {
    const double u = i / (rows - 1.0), x = L * (u + 0.05 * std::sin(2.0 * pi * u));
    table.x[i] = i + 1 == rows ? L : x;
    int j = 0;
    ((table.values(i, j++) = functions(table.x[i])), ...);
  }
  return table;
}

ShapeRequest request_for(const ModeTable& table, int count, Normalization normalize = Normalization::none) {
  return {Direction::y, ShapeFamily::table, count, {}, normalize, table};
}

// Clamped-free modes 1 and 2 by the textbook, roots to 15 digits.
double cantilever(int n, double x) {
  const double l = n == 1 ? 1.875104068711961 : 4.694091132974175, z = l * x / L;
  const double sigma = (std::cosh(l) + std::cos(l)) / (std::sinh(l) + std::sin(l));
  return std::cosh(z) - std::cos(z) - sigma * (std::sinh(z) - std::sin(z));
}

TEST(TableShapes, InterpolateTheirRows) {
  const ModeTable table = table_of(
      40, [](double x) { return cantilever(1, x); }, [](double x) { return cantilever(2, x); });
  const ShapeSet set = make_shapes(request_for(table, 2), beam);
  ASSERT_EQ(set.modes.size(), 2u);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 2; ++j) EXPECT_NEAR(set.modes[j].at(table.x[i])[0], table.values(i, j), 1e-13);
}

TEST(TableShapes, AreExactForPolynomialsOfDegreeFiveWithThreeDerivatives) {
  const ModeTable table =
      table_of(17, [](double x) { return x * x * (3.0 - x + 0.5 * x * x - 0.2 * x * x * x); });
  const ShapeSet set = make_shapes(request_for(table, 1), beam);
  for (int i = 0; i <= 50; ++i) {
    const double x = L * i / 50;
    const Jet jet = set.modes[0].at(x);
    EXPECT_NEAR(jet[0], 3 * std::pow(x, 2) - std::pow(x, 3) + 0.5 * std::pow(x, 4) - 0.2 * std::pow(x, 5),
                1e-12);
    EXPECT_NEAR(jet[1], 6 * x - 3 * x * x + 2 * std::pow(x, 3) - std::pow(x, 4), 1e-11);
    EXPECT_NEAR(jet[2], 6 - 6 * x + 6 * x * x - 4 * std::pow(x, 3), 1e-9);
    EXPECT_NEAR(jet[3], -6 + 12 * x - 12 * x * x, 1e-7);
  }
}

TEST(TableShapes, AreSmoothUpToTheThirdDerivative) {
  const ModeTable table = table_of(25, [](double x) { return cantilever(2, x); });
  const ShapeSet set = make_shapes(request_for(table, 1), beam);
  ASSERT_GT(set.breakpoints.size(), 10u);
  EXPECT_EQ(set.breakpoints.front(), 0.0);
  EXPECT_EQ(set.breakpoints.back(), L);
  for (std::size_t i = 1; i + 1 < set.breakpoints.size(); ++i) {
    const Jet left = set.modes[0].at(std::nextafter(set.breakpoints[i], 0.0)),
              right = set.modes[0].at(set.breakpoints[i]);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(left[k], right[k], 1e-9 * std::pow(50.0, k)) << k;
  }
}

// The slope at the root comes out with an error of fifth order in the rows' distance; so do the frequencies.
TEST(TableShapes, OfCantileverModesHaveTheirFrequencies) {
  const auto error = [](int rows) {
    const ModeTable table = table_of(
        rows, [](double x) { return cantilever(1, x); }, [](double x) { return cantilever(2, x); });
    const ShapeSet set = make_shapes(request_for(table, 2, Normalization::peak), beam);
    const Eigen::VectorXd frequencies = shape_frequencies(set, Direction::y, beam, {});
    const double unit = std::sqrt(90.0 / 1.9) / (L * L);
    return std::max(std::abs(frequencies[0] / (std::pow(1.875104068711961, 2) * unit) - 1.0),
                    std::abs(frequencies[1] / (std::pow(4.694091132974175, 2) * unit) - 1.0));
  };
  EXPECT_LT(error(61), 1e-6);
  EXPECT_LT(error(121), error(61) / 25.0);
  EXPECT_LT(error(241), error(121) / 25.0);
}

TEST(TableShapes, KeepTheirSignWithoutNormalisationOnly) {
  const ModeTable table = table_of(
      30, [](double x) { return -x * x; }, [](double x) { return -x * x * (L - x); });
  const ShapeSet none = make_shapes(request_for(table, 2, Normalization::none), beam);
  EXPECT_NEAR(none.modes[0].at(L)[0], -L * L, 1e-13);
  const ShapeSet peak = make_shapes(request_for(table, 2, Normalization::peak), beam);
  EXPECT_NEAR(peak.modes[0].at(L)[0], 1.0, 1e-13);
  EXPECT_NEAR(peak.modes[1].at(2.0 * L / 3.0)[0], 1.0, 1e-12) << "held at the tip: positive next to the root";
}

TEST(TableShapes, TakeFourRowsAndHundreds) {
  const auto cubic = [](double x) { return x * x * (3.0 - x); };
  EXPECT_NEAR(make_shapes(request_for(table_of(4, cubic), 1), beam).modes[0].at(0.9)[0], cubic(0.9), 1e-13);
  EXPECT_NEAR(make_shapes(request_for(table_of(500, cubic), 1), beam).modes[0].at(0.9)[0], cubic(0.9), 1e-12);
}

std::string error_of(const ModeTable& table, int count = 1) {
  try {
    make_shapes(request_for(table, count), beam);
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().front().path, "shape.table");
    EXPECT_NE(std::string(error.what()).find("modes.csv"), std::string::npos);
    return error.problems().front().expected + ", found " + error.problems().front().found;
  }
  return "no error";
}

TEST(TableErrors, SayWhatIsWrong) {
  const auto square = [](double x) { return x * x; };
  const ModeTable good = table_of(10, square);
  EXPECT_EQ(error_of(good), "no error");
  EXPECT_EQ(error_of(good, 2), "at least 2 columns besides x, one for each mode, found 1");
  EXPECT_EQ(error_of(table_of(3, square)), "at least 4 rows, found 3");

  ModeTable table = good;
  table.values(4, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(error_of(table), "finite numbers, found none in row 5");
  table = good;
  std::swap(table.x[3], table.x[4]);
  EXPECT_EQ(error_of(table).rfind("x in ascending order", 0), 0u);
  table = good;
  table.x[4] = table.x[3];
  EXPECT_EQ(error_of(table).rfind("x in ascending order", 0), 0u);
  table = good;
  table.x[9] = 0.99 * L;
  EXPECT_EQ(error_of(table), "x from 0 to the beam's length 1.4 [m], found 0 to 1.386");
  table = good;
  table.x[0] = 0.01;
  EXPECT_EQ(error_of(table), "x from 0 to the beam's length 1.4 [m], found 0.01 to 1.4");
  table = good;
  table.values(0, 0) = 1e-5;
  EXPECT_EQ(error_of(table).rfind("0 at the root for mode 1", 0), 0u);
  table.values.setZero();
  EXPECT_EQ(error_of(table), "a shape other than zero for mode 1, found zeros");

  EXPECT_EQ(error_of(table_of(20, square, [](double x) { return x; }), 2),
            "a shape that strains the beam for mode 2, found a rigid motion");
  EXPECT_EQ(error_of(table_of(20, square, [](double x) { return 3.0 * x * x - 0.1 * x; }), 2),
            "modes with strains that are linearly independent, found one that follows from the others");
}

}  // namespace
}  // namespace limber
