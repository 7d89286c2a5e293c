// SPDX-License-Identifier: BSD-3-Clause
// What experiments tell, against a wheel whose motion is known in closed form; what is left over, against numbers by hand; its page.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/identification/experiment_design.hpp"
#include "limber/identification/residual_statistics.hpp"
#include "limber/report/fit_page.hpp"
#include "limber/simulation/noise.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

using Eigen::Matrix2d;
using Eigen::VectorXd;

// ---- a wheel: I v' = T - d v, T = a until t = s, then b ----

struct Push {
  double a, s, b;
};
constexpr double inertia = 0.5, drag = 0.3;

template <typename Number>
Number angle_of(const Push& push, Number I, Number d, double t) {
  const auto go = [&](Number q, Number v, double T, double time) {
    const Number left = exp(-d * time / I);
    return std::pair(q + T / d * time + (v - T / d) * (I / d) * (1.0 - left), T / d + (v - T / d) * left);
  };
  const auto [q, v] = go(Number(0.0), Number(0.0), push.a, std::min(t, push.s));
  return t <= push.s ? q : go(q, v, push.b, t - push.s).first;
}

// F of readings of the angle, both parameters in units of themselves. Derivatives by a complex step are exact to rounding.
Matrix2d information_of(const Push& push, double sigma = 1e-3, double rate = 20.0, double end = 2.0) {
  using Complex = std::complex<double>;
  constexpr double h = 1e-30;
  Matrix2d F = Matrix2d::Zero();
  for (int i = 0; i <= static_cast<int>(rate * end + 1e-9); ++i) {
    const double t = i / rate;
    const Eigen::Vector2d slope(
        inertia * angle_of<Complex>(push, Complex(inertia, h), drag, t).imag() / h / sigma,
        drag * angle_of<Complex>(push, inertia, Complex(drag, h), t).imag() / h / sigma);
    F += slope * slope.transpose();
  }
  return F;
}
double told_by(const Matrix2d& F) { return std::log(F.determinant()); }
double told_by(const Push& push) { return told_by(information_of(push)); }

class Designs : public testing::Test {
 protected:
  Designs() {
    folder_.write("wheel.yaml", R"(
limber: 1
links:
  - name: wheel
    joint: {name: axle, type: revolute, axis: [0, 0, 1], damping: 0.3}
    rigid: {mass: 1, inertia: [1, 1, 0.5, 0, 0, 0]}
)");
    folder_.write("push.yaml", R"(
limber: 1
model: wheel.yaml
actuation: [{joint: axle, type: torque, signal: {trajectory: push}}]
trajectories: {push: {type: steps, points: [[0, 1], [1, -1]]}}
sensors: [{name: encoder, type: position, joint: axle, noise: 1e-3}]
integrator: {method: radau, rtol: 1e-9}
duration: 2
output: {rate: 20}
)");
  }
  ExperimentDesign design(const std::string& text) const {
    return design_experiment(
        parse_fit("limber: 1\nscenario: push.yaml\nfit: {'model.links.wheel.rigid.inertia[2]': {}, "
                  "model.links.wheel.joint.damping: {}}\n" +
                      text,
                  (folder_.path() / "design.yaml").string()));
  }
  std::string refusal(const std::string& text) const {
    try {
      design(text);
    } catch (const InputError& error) {
      std::string words = error.what();
      const std::string folder = folder_.path().string() + "/";
      for (std::size_t at = 0; (at = words.find(folder)) != std::string::npos;)
        words.erase(at, folder.size());
      return words;
    }
    return "nothing is wrong";
  }
  static std::string as_points(const Push& push) {
    return "[[0, " + std::to_string(push.a) + "], [" + std::to_string(push.s) + ", " +
           std::to_string(push.b) + "]]";
  }
  static std::string as_candidates(const std::vector<Push>& pushes) {
    std::string text = "  candidates:\n";
    for (const Push& push : pushes)
      text += "    - {set: {trajectories.push.points: " + as_points(push) + "}}\n";
    return text;
  }
  TemporaryFolder folder_;
};

TEST_F(Designs, TellWhatAnExperimentWouldTell) {
  const Push push{1.0, 1.0, -1.0};
  const Matrix2d F = information_of(push), covariance = F.inverse();
  const ExperimentDesign found = design("design: {outputs: encoder}\n");
  EXPECT_NEAR(found.log_determinant, told_by(F), 1e-6);
  ASSERT_EQ(found.parameters.size(), 2u);
  EXPECT_EQ(found.parameters[0].path, "model.links.wheel.rigid.inertia[2]");
  EXPECT_EQ(found.parameters[1].value, drag);
  EXPECT_NEAR(found.parameters[0].standard_error, inertia * std::sqrt(covariance(0, 0)), 1e-6 * inertia);
  EXPECT_NEAR(found.parameters[1].standard_error, drag * std::sqrt(covariance(1, 1)), 1e-6 * drag);
  EXPECT_NEAR(found.correlation(0, 1), covariance(0, 1) / std::sqrt(covariance(0, 0) * covariance(1, 1)),
              1e-6);
  EXPECT_EQ(found.chosen, std::vector<int>{0});
  EXPECT_FALSE(found.measured_log_determinant);
  const ExperimentDesign finer = design("design: {outputs: encoder, sigma: 5e-4, to: 1.5, rate: 40}\n");
  EXPECT_NEAR(finer.log_determinant, told_by(information_of(push, 5e-4, 40.0, 1.5)), 1e-6);
}

// Each candidate by itself, and the best two together, of all pairs by trying.
TEST_F(Designs, ChooseTheCandidatesThatTellMost) {
  const std::vector<Push> pushes = {{0.2, 0.5, 0.0}, {1.0, 1.9, 1.0}, {1.0, 0.2, -0.2}, {1.0, 1.0, -1.0}};
  const ExperimentDesign one = design("design:\n  outputs: [encoder]\n" + as_candidates(pushes));
  double largest = -std::numeric_limits<double>::infinity(), best = largest;
  int first = -1;
  for (std::size_t i = 0; i < pushes.size(); ++i) {
    EXPECT_NEAR(one.candidates[i].log_determinant, told_by(pushes[i]), 1e-6) << i;
    if (told_by(pushes[i]) > largest) {
      largest = told_by(pushes[i]);
      first = static_cast<int>(i);
    }
    for (std::size_t j = 0; j <= i; ++j)
      best = std::max(best, told_by(information_of(pushes[i]) + information_of(pushes[j])));
  }
  EXPECT_EQ(one.chosen, std::vector<int>{first});
  const ExperimentDesign two = design("design:\n  outputs: [encoder]\n  choose: 2\n" + as_candidates(pushes));
  EXPECT_EQ(two.chosen.size(), 2u);
  EXPECT_NEAR(two.log_determinant, best, 1e-6);
}

// What was measured already counts: the same once more, det 2F = 4 det F.
TEST_F(Designs, BuildOnWhatWasMeasured) {
  std::string rows = "t,angle\n";
  for (int i = 0; i <= 40; ++i) rows += std::to_string(i / 20.0) + ",0\n";
  folder_.write("run.csv", rows);
  const ExperimentDesign found =
      design("data: {file: run.csv, columns: {encoder: angle}}\ndesign: {outputs: encoder}\n");
  const double once = told_by(Push{1.0, 1.0, -1.0});
  ASSERT_TRUE(found.measured_log_determinant);
  EXPECT_NEAR(*found.measured_log_determinant, once, 1e-6);
  EXPECT_NEAR(found.log_determinant, once + std::log(4.0), 1e-6);
}

// When to turn the torque round, and to what, against a fine grid of the closed form; then with an angle that must not be left.
TEST_F(Designs, FindValuesOfATrajectory) {
  constexpr double limit = 0.35;
  double best = -1e9, best_within = -1e9, best_of_two = -1e9;
  Push at{};
  for (double s = 0.2; s < 1.801; s += 0.005)
    for (double b = -1.0; b < 0.301; b += 0.01) {
      const Push push{1.0, s, b};
      double highest = 0.0, lowest = 0.0;
      for (int i = 0; i <= 40; ++i) {
        const double angle = angle_of<double>(push, inertia, drag, i / 20.0);
        highest = std::max(highest, angle);
        lowest = std::min(lowest, angle);
      }
      const double told = told_by(push);
      if (highest <= limit && lowest >= -limit) best_within = std::max(best_within, told);
      if (highest <= limit) best_of_two = std::max(best_of_two, told);
      if (told > best) at = push;
      best = std::max(best, told);
    }
  const std::string vary =
      "  vary:\n    \"trajectories.push.points[1][0]\": {lower: 0.2, upper: 1.8}\n"
      "    \"trajectories.push.points[1][1]\": {lower: -1, upper: 0.3, start: -0.5}\n";
  const ExperimentDesign found = design("design:\n  outputs: encoder\n" + vary);
  EXPECT_NEAR(found.log_determinant, best, 2e-3);
  ASSERT_EQ(found.values.size(), 2u);
  EXPECT_EQ(found.values[0].start, 1.0);
  EXPECT_NEAR(found.values[0].value, at.s, 0.03);
  EXPECT_NEAR(found.values[1].value, at.b, 0.03);
  EXPECT_GT(found.log_determinant, found.candidates[0].log_determinant);

  const ExperimentDesign within =
      design("design:\n  outputs: encoder\n  limits: {encoder: {lower: -0.35, upper: 0.35}}\n" + vary);
  const Push chosen{1.0, within.values[0].value, within.values[1].value};
  for (int i = 0; i <= 40; ++i)
    EXPECT_LE(std::abs(angle_of<double>(chosen, inertia, drag, i / 20.0)), limit * (1.0 + 1e-4));
  EXPECT_NEAR(within.log_determinant, best_within, 0.05);
  EXPECT_LT(within.log_determinant, best - 0.1);
  EXPECT_TRUE(within.candidates[1].keeps_limits);

  // With one limit alone there are two hills: to swing up to it, or to go the other way at once, which tells more.
  const ExperimentDesign anywhere =
      design("design:\n  outputs: encoder\n  limits: {encoder: {upper: 0.35}}\n" + vary);
  EXPECT_NEAR(anywhere.log_determinant, best_of_two, 0.02);
}

// The angle knows torque, inertia and drag by their ratios only.
TEST_F(Designs, NameWhatWouldStayOpen) {
  const ExperimentDesign found = design_experiment(parse_fit(
      "limber: 1\nscenario: push.yaml\nfit: {'model.links.wheel.rigid.inertia[2]': {}, "
      "model.links.wheel.joint.damping: {}, 'trajectories.push.points[0][1]': {}}\n"
      "design:\n  outputs: encoder\n  candidates:\n    - {set: {'trajectories.push.points[1][0]': 3}}\n",
      (folder_.path() / "design.yaml").string()));
  EXPECT_FALSE(std::isfinite(found.log_determinant));
  ASSERT_EQ(found.unclear.size(), 1u);
  EXPECT_FALSE(std::isfinite(found.unclear[0].standard_deviation));
  for (int j = 0; j < 3; ++j)
    EXPECT_NEAR(std::abs(found.unclear[0].direction[j]), std::sqrt(1.0 / 3.0), 1e-6);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.back().find("0.58 `model.links.wheel.rigid.inertia[2]`"), std::string::npos);
}

TEST_F(Designs, SayWhatIsWrongAndWhere) {
  EXPECT_NE(refusal("data: {frequencies_hz: [1], sigma: 1}\n").find("expected the key `design`"),
            std::string::npos);
  EXPECT_EQ(refusal("design: {outputs: encodr}\n").substr(0, 79),
            "design.yaml:4:19: design.outputs.encodr: expected an output: a sensor, a coordi");
  EXPECT_NE(refusal("design: {outputs: encodr}\n").find("did you mean `encoder`?"), std::string::npos);
  EXPECT_EQ(refusal("design: {outputs: axle}\n"),
            "design.yaml:4:9: design.sigma: expected a standard deviation of `axle`, found none (or give its "
            "sensor `noise`)");
  EXPECT_NE(
      refusal("design: {outputs: encoder, limits: {encodr: {upper: 1}}}\n").find("did you mean `encoder`?"),
      std::string::npos);
  EXPECT_NE(refusal("design: {outputs: encoder, choose: 2}\n")
                .find("design.choose: expected at most 1: as many as there are candidates, found 2"),
            std::string::npos);
  EXPECT_NE(
      refusal("design: {outputs: encoder, vary: {trajectories.push.points: {}}}\n").find("`lower` < `upper`"),
      std::string::npos);
  EXPECT_NE(refusal("design: {outputs: encoder, vary: {trajectories.pusch.points: {lower: 0, upper: 1}}}\n")
                .find("did you mean `push`?"),
            std::string::npos);
  const std::string wrong =
      refusal("design:\n  outputs: encoder\n  candidates:\n    - {set: {duration: -1}}\n");
  EXPECT_NE(wrong.find("design.yaml:7:13: design.candidates[0].set: expected a number > 0"),
            std::string::npos)
      << wrong;
  EXPECT_NE(refusal("design: {outputs: encoder, rate: 1e9}\n").find("at most 1e+06 rows"), std::string::npos);
  EXPECT_NE(refusal("design: {outputs: encoder, candidates: [{}], vary: {duration: {lower: 1, upper: 2}}}\n")
                .find("`candidates`"),
            std::string::npos);
  EXPECT_NE(refusal("").find("data: expected at least one experiment"), std::string::npos);
  EXPECT_THROW(design("design: {outputs: encoder, limits: {encoder: {upper: -1}}}\n"), ComputationError);
  EXPECT_THROW(
      design_experiment(parse_fit("limber: 1\nscenario: push.yaml\nfit: {model.links.wheel.rigid.mass: {}}\n"
                                  "design: {outputs: encoder}\n",
                                  (folder_.path() / "design.yaml").string())),
      FileError);  // turning about its centre, it is not felt
}

// ---- what is left over ----

TEST(ResidualStatistics, AreThoseOfNumbersByHand) {
  VectorXd left(8);
  left << 1, -1, 1, -1, 1, -1, 1, -1;
  const ResidualStatistics found = residual_statistics(left);
  ASSERT_EQ(found.autocorrelation.size(), 3);
  EXPECT_NEAR(found.autocorrelation[1], -7.0 / 8.0, 1e-15);
  EXPECT_NEAR(found.autocorrelation[2], 6.0 / 8.0, 1e-15);
  EXPECT_NEAR(found.whiteness, std::exp(-0.5 * 16.25), 1e-12);  // Q = 80 (49/448 + 36/384)
  EXPECT_NEAR(found.band, 1.96 / std::sqrt(8.0), 1e-4);
  EXPECT_NEAR(found.excess_kurtosis, -2.0, 1e-12);
  EXPECT_NEAR(found.normality, std::exp(-2.0 / 3.0), 1e-12);
  EXPECT_EQ(residual_statistics(VectorXd::Ones(50)).whiteness, 1.0);
  EXPECT_EQ(residual_statistics(VectorXd()).normality, 1.0);
}

// A probability of less than 0.05 comes up in 5 of 100 cases, and hardly ever fails to where noise is neither white nor normal.
TEST(ResidualStatistics, RefuseAsManySeedsAsTheySay) {
  int coloured = 0, odd = 0, seen_colour = 0, seen_shape = 0;
  constexpr int seeds = 400, n = 200;
  for (int seed = 0; seed < seeds; ++seed) {
    const NormalNoise noise(static_cast<std::uint32_t>(seed), "white");
    VectorXd white(n), brown(n), square(n);
    for (int i = 0; i < n; ++i) {
      white[i] = noise.at(static_cast<std::size_t>(i));
      brown[i] = white[i] + (i > 0 ? 0.4 * brown[i - 1] : 0.0);
      square[i] = white[i] * white[i];
    }
    coloured += residual_statistics(white).whiteness < 0.05 ? 1 : 0;
    odd += residual_statistics(white).normality < 0.05 ? 1 : 0;
    seen_colour += residual_statistics(brown).whiteness < 0.05 ? 1 : 0;
    seen_shape += residual_statistics(square).normality < 0.05 ? 1 : 0;
  }
  EXPECT_NEAR(coloured / double(seeds), 0.05, 0.033);  // three standard deviations
  EXPECT_NEAR(odd / double(seeds), 0.05, 0.033);
  EXPECT_GT(seen_colour, 0.95 * seeds);
  EXPECT_EQ(seen_shape, seeds);
}

// ---- the page ----

TEST(FitPage, ShowsWhatWasFoundAndWhatIsLeft) {
  Identified found;
  found.parameters = {{"links.a<b>.EI", 1.0, 2.5, 0.1, false}, {"links.c.mass", 1.0, 3.5, 0.2, true}};
  found.correlation = Eigen::Matrix2d::Identity();
  found.correlation(0, 1) = found.correlation(1, 0) = -0.75;
  found.warnings = {"the data do not tell `x` & `y`"};
  FitChannel course;
  course.name = "encoder";
  course.times = VectorXd::LinSpaced(50, 0.0, 1.0);
  course.measured = course.times.array().sin();
  course.computed = course.measured + 1e-3 * (40.0 * course.times.array()).cos().matrix();
  course.sigma = VectorXd::Constant(50, 1e-3);
  FitChannel frequencies;
  frequencies.name = "frequencies_hz";
  frequencies.measured = Eigen::Vector2d(2.0, 11.0);
  frequencies.computed = Eigen::Vector2d(2.1, 10.7);
  frequencies.sigma = Eigen::Vector2d(0.05, 0.1);
  found.channels = {course, frequencies};
  const std::string page = fit_page(found, "study.yaml");
  const auto count = [&](const std::string& part) {
    int times = 0;
    for (std::size_t at = page.find(part); at != std::string::npos; at = page.find(part, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count("<svg"), 4);  // measured and fitted, what is left, its autocorrelation, its distribution
  EXPECT_EQ(count("<svg"), count("</svg>"));
  EXPECT_EQ(count("<script"), 0);
  EXPECT_EQ(count("nan"), 0);
  for (const char* words :
       {"links.a&lt;b&gt;.EI", "at its bound", "-0.750", "`x` &amp; `y`", "autocorrelation, whiteness p",
        "distribution, normality p", "what is left over", "-3.00", "+2.00"})
    EXPECT_GE(count(words), 1) << words;
  EXPECT_EQ(count("a<b>"), 0);
}

}  // namespace
}  // namespace limber
