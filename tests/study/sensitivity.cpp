// SPDX-License-Identifier: BSD-3-Clause
// Indices against functions whose own are known in closed form.

#include "limber/study/sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

namespace limber {
namespace {

using std::numbers::pi;

Design design_of(const std::vector<VariationDescription>& variations, int samples,
                 DesignMethod method = DesignMethod::sobol) {
  StudyDescription study;
  for (std::size_t i = 0; i < variations.size(); ++i)
    study.vary.emplace_back("x" + std::to_string(i), variations[i]);
  study.samples = samples;
  study.method = method;
  return make_design(study, std::vector<std::optional<double>>(variations.size()));
}

VariantTable values_of(const Design& design, const std::function<double(const Eigen::VectorXd&)>& y) {
  VariantTable values(design.parameters.rows(), 1);
  for (Eigen::Index k = 0; k < values.rows(); ++k) values(k, 0) = y(design.parameters.row(k).transpose());
  return values;
}

VariationDescription uniform(double a, double b) {
  VariationDescription variation;
  variation.distribution.uniform = Eigen::Vector2d(a, b);
  return variation;
}
VariationDescription lognormal(double median, double sigma) {
  VariationDescription variation;
  variation.distribution.lognormal = Eigen::Vector2d(median, sigma);
  return variation;
}

void expect_holds(const SensitivityIndex& index, double truth, double tolerance) {
  EXPECT_NEAR(index.value, truth, tolerance);
  EXPECT_LE(index.lower, truth + 1e-12);
  EXPECT_GE(index.upper, truth - 1e-12);
}

// sin x1 + 7 sin^2 x2 + 0.1 x3^4 sin x1 on [-pi, pi]^3 (Ishigami and Homma 1990).
double ishigami(const Eigen::VectorXd& x) {
  return std::sin(x[0]) + 7.0 * std::pow(std::sin(x[1]), 2) + 0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

TEST(SobolIndices, AreIshigamisPublishedOnes) {
  const double a = 7.0, b = 0.1;
  const double V1 = 0.5 * std::pow(1.0 + b * std::pow(pi, 4) / 5.0, 2), V2 = a * a / 8.0;
  const double V13 = b * b * std::pow(pi, 8) * 8.0 / 225.0, V = V1 + V2 + V13;
  // 0.3139, 0.4424, 0; totals 0.5576, 0.4424, 0.2437: Saltelli et al., Global Sensitivity Analysis (2008), and others.
  ASSERT_NEAR(V1 / V, 0.3139, 1e-4);
  ASSERT_NEAR((V1 + V13) / V, 0.5576, 1e-4);
  for (const DesignMethod method :
       {DesignMethod::sobol, DesignMethod::random, DesignMethod::latin_hypercube}) {
    const Design design = design_of({uniform(-pi, pi), uniform(-pi, pi), uniform(-pi, pi)}, 4096, method);
    const auto found = sobol_indices(design, values_of(design, ishigami))[0];
    ASSERT_TRUE(found);
    EXPECT_GT(found->explained, 0.9999);
    constexpr double tolerance = 5e-4;
    EXPECT_NEAR(found->first_order[0].value, V1 / V, tolerance);
    EXPECT_NEAR(found->first_order[1].value, V2 / V, tolerance);
    EXPECT_NEAR(found->first_order[2].value, 0.0, tolerance);
    EXPECT_NEAR(found->total[0].value, (V1 + V13) / V, tolerance);
    EXPECT_NEAR(found->total[1].value, V2 / V, tolerance);
    EXPECT_NEAR(found->total[2].value, V13 / V, tolerance);
  }
}

// A cantilever's tip under a force: d = F L^3 / (3 E I), all lognormal. With s_i the standard deviation of a_i ln x_i,
// S_i = (e^(s_i^2) - 1) / (Prod e^(s_j^2) - 1), and T_i the same with all products of i in it.
TEST(SobolIndices, OfACantileverAreThoseOfAProductOfLognormalNumbers) {
  const Design design = design_of({lognormal(100.0, 0.1), lognormal(2.0, 0.05), lognormal(1e5, 0.2)}, 2048);
  const auto found = sobol_indices(design, values_of(design, [](const Eigen::VectorXd& x) {
                                     return x[0] * std::pow(x[1], 3) / (3.0 * x[2]);
                                   }))[0];
  ASSERT_TRUE(found);
  const double s[] = {0.1, 3 * 0.05, 0.2};
  double product = 1.0;
  for (const double one : s) product *= std::exp(one * one);
  for (std::size_t i = 0; i < 3; ++i) {
    const double own = std::exp(s[i] * s[i]) - 1.0;
    expect_holds(found->first_order[i], own / (product - 1.0), 1e-5);
    expect_holds(found->total[i], own * product / std::exp(s[i] * s[i]) / (product - 1.0), 1e-5);
  }
}

TEST(SobolIndices, OfLevelsAreThoseOfTheirAnalysisOfVariance) {
  VariationDescription three, two;
  three.distribution.values = {1.0, 2.0, 5.0};
  two.distribution.values = {0.0, 1.0};
  const Design design = design_of({three, two}, 6, DesignMethod::grid);
  const auto y = [](const Eigen::VectorXd& x) { return x[0] == 2.0 ? 4.0 + x[1] : x[0] + 3.0 * x[1]; };
  // Cells: 1, 4; 4, 5; 5, 8. Six variants for six coefficients say nothing: the grid several times.
  Design often = design;
  often.points = design.points.replicate(8, 1);
  often.parameters = design.parameters.replicate(8, 1);
  const auto found = sobol_indices(often, values_of(often, y))[0];
  ASSERT_TRUE(found);
  const double mean = 27.0 / 6.0;
  const double V = (3.5 * 3.5 + 0.25 + 0.25 + 0.25 + 0.25 + 3.5 * 3.5) / 6.0;
  const double rows[] = {2.5, 4.5, 6.5}, columns[] = {10.0 / 3.0, 17.0 / 3.0};
  double V1 = 0.0, V2 = 0.0;
  for (const double row : rows) V1 += (row - mean) * (row - mean) / 3.0;
  for (const double column : columns) V2 += (column - mean) * (column - mean) / 2.0;
  EXPECT_NEAR(found->first_order[0].value, V1 / V, 1e-10);
  EXPECT_NEAR(found->first_order[1].value, V2 / V, 1e-10);
  EXPECT_NEAR(found->total[0].value, 1.0 - V2 / V, 1e-10);
  EXPECT_NEAR(found->explained, 1.0, 1e-10);
}

TEST(SobolIndices, KnowWhatTheyDoNotExplain) {
  // No polynomial follows a number that jumps from variant to variant.
  const Design design = design_of({uniform(0.0, 1.0), uniform(0.0, 1.0)}, 512, DesignMethod::random);
  const auto found = sobol_indices(design, values_of(design, [](const Eigen::VectorXd& x) {
                                     return std::fmod(1e7 * (x[0] + x[1]), 1.0);
                                   }))[0];
  ASSERT_TRUE(found);
  EXPECT_LT(found->explained, 0.05);
  EXPECT_GT(found->total[0].upper, 0.9);
}

TEST(SobolIndices, LeaveOutVariantsThatFailed) {
  const Design design = design_of({uniform(0.0, 1.0), uniform(0.0, 1.0)}, 256);
  VariantTable values = values_of(design, [](const Eigen::VectorXd& x) { return 3.0 * x[0] + 4.0 * x[1]; });
  for (Eigen::Index k = 0; k < 256; k += 7) values(k, 0) = std::nan("");
  const auto found = sobol_indices(design, values)[0];
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->first_order[0].value, 9.0 / 25.0, 0.02);
  EXPECT_NEAR(found->first_order[1].value, 16.0 / 25.0, 0.02);
}

TEST(SobolIndices, AreNoneWhereNothingVariesOrTooLittleIsKnown) {
  const Design design = design_of({uniform(0.0, 1.0), uniform(0.0, 1.0)}, 64);
  EXPECT_FALSE(sobol_indices(design, values_of(design, [](const Eigen::VectorXd&) { return 2.0; }))[0]);
  const Design small = design_of({uniform(0.0, 1.0), uniform(0.0, 1.0)}, 4);
  EXPECT_FALSE(sobol_indices(small, values_of(small, [](const Eigen::VectorXd& x) { return x[0]; }))[0]);
  Design correlated = design;
  correlated.is_independent = false;
  EXPECT_FALSE(
      sobol_indices(correlated, values_of(design, [](const Eigen::VectorXd& x) { return x[0]; }))[0]);
}

}  // namespace
}  // namespace limber
