// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/detail/sine_cosine.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "limber/math/dual.hpp"

namespace limber {
namespace {

std::vector<double> angles() {
  std::vector<double> all{0.0, 5e-324, 1e-300, 1e-8, 1.0, 99999.9, 100000.1, 1e9, 1e22};
  const double pi = 3.141592653589793;
  for (int n = 1; n < 200; ++n) {
    all.push_back(n * pi / 4);  // where quarters meet, and zeros of both
    all.push_back(std::nextafter(n * pi / 4, 0.0));
  }
  std::mt19937 random(1);
  for (const double largest : {1.0, 10.0, 1e5})
    for (int i = 0; i < 10000; ++i)
      all.push_back(std::uniform_real_distribution<double>(0.0, largest)(random));
  return all;
}

// To the last place, also next to zeros of either.
TEST(SineAndCosine, AreThoseOfEveryAngle) {
  for (const double size : angles())
    for (const double x : {size, -size}) {
      const auto [sine, cosine] = detail::sine_and_cosine(x);
      const long double true_sine = std::sin(static_cast<long double>(x)),
                        true_cosine = std::cos(static_cast<long double>(x));
      ASSERT_LE(std::abs(sine - true_sine), 2.2e-16L * std::abs(true_sine)) << x;
      ASSERT_LE(std::abs(cosine - true_cosine), 2.2e-16L * std::abs(true_cosine)) << x;
    }
}

TEST(SineAndCosine, AreNoNumbersWhereTheAngleIsNone) {
  for (const double x : {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()}) {
    const auto [sine, cosine] = detail::sine_and_cosine(x);
    EXPECT_TRUE(std::isnan(sine) && std::isnan(cosine)) << x;
  }
}

TEST(SineAndCosine, CarryDerivatives) {
  for (const double x : {0.0, -0.3, 2.0, 1e6}) {
    const Dual angle = Dual::variable(x, 1);
    const auto [sine, cosine] = sine_and_cosine(angle);
    EXPECT_NEAR(sine.value(), std::sin(x), 1e-15);
    EXPECT_NEAR(cosine.value(), std::cos(x), 1e-15);
    EXPECT_NEAR(sine.derivatives()[1], std::cos(x), 1e-15);
    EXPECT_NEAR(cosine.derivatives()[1], -std::sin(x), 1e-15);
    EXPECT_EQ(sine.derivatives()[0], 0.0);
  }
}

}  // namespace
}  // namespace limber
