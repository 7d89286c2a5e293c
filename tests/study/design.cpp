// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/design.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "limber/core/input_error.hpp"

namespace limber {
namespace {

VariationDescription uniform(double a, double b) {
  VariationDescription variation;
  variation.distribution.uniform = Eigen::Vector2d(a, b);
  return variation;
}
VariationDescription normal(double mean, double sd) {
  VariationDescription variation;
  variation.distribution.normal = Eigen::Vector2d(mean, sd);
  return variation;
}
VariationDescription lognormal(double median, double sigma) {
  VariationDescription variation;
  variation.distribution.lognormal = Eigen::Vector2d(median, sigma);
  return variation;
}
VariationDescription values(std::vector<double> list) {
  VariationDescription variation;
  variation.distribution.values = std::move(list);
  return variation;
}

TEST(Distribution, HasTheQuantilesOfTextbooks) {
  EXPECT_EQ(Distribution(uniform(2.0, 6.0)).at(0.25), 3.0);
  // Abramowitz and Stegun, table 26.5.
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
  EXPECT_NEAR(normal_quantile(1e-9), -5.997807015007687, 1e-12);
  EXPECT_NEAR(Distribution(normal(10.0, 2.0)).at(0.975), 13.919927969080108, 1e-12);
  EXPECT_NEAR(Distribution(lognormal(3.0, 0.5)).at(0.5), 3.0, 1e-14);
  EXPECT_NEAR(Distribution(lognormal(3.0, 0.5)).at(0.975), 3.0 * std::exp(0.5 * 1.959963984540054), 1e-13);
  const Distribution three = Distribution(values({1.0, 5.0, 9.0}));
  EXPECT_EQ(three.at(0.1), 1.0);
  EXPECT_EQ(three.at(0.5), 5.0);
  EXPECT_EQ(three.at(0.9999), 9.0);
}

TEST(Distribution, ScalesTheValueOfTheFile) {
  VariationDescription variation;
  variation.scale = DistributionDescription{};
  variation.scale->uniform = Eigen::Vector2d(0.9, 1.1);
  EXPECT_NEAR(Distribution(variation, 200.0).at(0.75), 210.0, 1e-12);
  StudyDescription study;
  study.vary = {{"a", variation}};
  study.samples = 4;
  EXPECT_THROW(make_design(study, {std::nullopt}), InputError);
}

TEST(Design, HasTheMeansAndDeviationsThatWereAskedFor) {
  StudyDescription study;
  study.vary = {{"a", normal(5.0, 2.0)}, {"b", lognormal(2.0, 0.3)}, {"c", uniform(-1.0, 1.0)}};
  study.samples = 4096;
  for (const DesignMethod method : {DesignMethod::sobol, DesignMethod::latin_hypercube}) {
    study.method = method;
    const VariantTable x = make_design(study, {{}, {}, {}}).parameters;
    EXPECT_NEAR(x.col(0).mean(), 5.0, 2e-3);
    EXPECT_NEAR(std::sqrt((x.col(0).array() - 5.0).square().mean()), 2.0, 1e-2);
    EXPECT_NEAR(x.col(1).array().log().mean(), std::log(2.0), 1e-3);
    EXPECT_NEAR(x.col(2).array().square().mean(), 1.0 / 3.0, 1e-3);
  }
}

TEST(Design, CorrelatesAsItIsTold) {
  StudyDescription study;
  study.vary = {{"a", normal(0.0, 1.0)}, {"b", normal(3.0, 0.1)}, {"c", normal(0.0, 5.0)}};
  study.correlation = {{{"a", "b"}, 0.8}, {{"b", "c"}, -0.5}};
  study.samples = 16384;
  const Design design = make_design(study, {{}, {}, {}});
  EXPECT_FALSE(design.is_independent);
  const auto correlation = [&](Eigen::Index i, Eigen::Index j) {
    const Eigen::ArrayXd a = design.parameters.col(i).array() - design.parameters.col(i).mean();
    const Eigen::ArrayXd b = design.parameters.col(j).array() - design.parameters.col(j).mean();
    return (a * b).mean() / std::sqrt(a.square().mean() * b.square().mean());
  };
  EXPECT_NEAR(correlation(0, 1), 0.8, 2e-3);
  EXPECT_NEAR(correlation(1, 2), -0.5, 2e-3);
  EXPECT_NEAR(correlation(0, 2), 0.0, 2e-3);
  study.correlation = {{{"a", "b"}, 0.9}, {{"b", "c"}, 0.9}, {{"a", "c"}, -0.9}};
  EXPECT_THROW(make_design(study, {{}, {}, {}}), InputError);
}

TEST(Grid, HasAllCombinations) {
  StudyDescription study;
  study.method = DesignMethod::grid;
  study.vary = {{"a", uniform(0.0, 3.0)}, {"b", values({7.0, 8.0})}};
  study.vary[0].second.levels = 4;
  const Design design = make_design(study, {{}, {}});
  ASSERT_EQ(design.parameters.rows(), 8);
  VariantTable expected(8, 2);
  expected << 0, 7, 0, 8, 1, 7, 1, 8, 2, 7, 2, 8, 3, 7, 3, 8;
  EXPECT_EQ(design.parameters, expected);
  // Without levels: as many as `samples` allows.
  study.vary[0].second.levels.reset();
  study.samples = 1001;
  EXPECT_EQ(make_design(study, {{}, {}}).parameters.rows(), 1000);
  study.samples = 3;
  EXPECT_THROW(make_design(study, {{}, {}}), InputError);
}

}  // namespace
}  // namespace limber
