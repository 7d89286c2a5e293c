// SPDX-License-Identifier: BSD-3-Clause
// The best cantilever has a closed form. Of a rectangle b x h, length L, density rho, a force F on its tip (h along the force) and no weight:
//
//   mass  rho b h L,   sag  4 F L^3 / (E b h^3),   first frequency across it  1.8751^2 / (2 pi L^2) sqrt(E / (12 rho)) b

#include "limber/study/optimise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "limber/core/computation_error.hpp"
#include "limber/study/search.hpp"
#include "study/study_folder.hpp"

namespace limber {
namespace {

constexpr double E = 70e9, rho = 2700.0, L = 2.0, F = 100.0, root = 1.8751040687119611;

constexpr const char* beam = R"(limber: 1
gravity: [0, 0, 0]
kinematics: first
links:
  - name: boom
    joint: {name: shoulder, type: revolute, axis: [0, 0, 1], limits: {effort: 100}}
    beam:
      length: 2
      section: {shape: rectangle, width: 0.05, height: 0.08, material: {E: 70e9, nu: 0.33, density: 2700}}
      modes: {y: {shape: clamped-free, count: 1}, z: {shape: craig-bampton, count: 2}}
)";
constexpr const char* load = R"({"loads": [{"link": "boom", "force": [0, 0, -100]}]})";
constexpr const char* lightest = R"(limber: 1
model: beam.yaml
task: statics
state: load.json
optimise:
  links.boom.beam.section.width: {lower: 0.005, upper: 0.1}
  links.boom.beam.section.height: {lower: 0.01, upper: 0.15}
minimise: mass
constraints:
  - {measure: sag, below: 0.002}
  - {measure: across, above: 5}
measure:
  - {name: mass, of: mass}
  - {name: sag, of: sag.distance}
  - {name: across, of: links.boom.frequencies_hz.y.0, task: info}
)";

double frequency(double b) {
  return root * root / (2.0 * std::numbers::pi * L * L) * std::sqrt(E / (12.0 * rho)) * b;
}
double sag(double b, double h) { return 4.0 * F * L * L * L / (E * b * h * h * h); }

class Optimum : public test::StudyFolder {
 protected:
  Optimum() {
    folder_.write("beam.yaml", beam);
    folder_.write("load.json", load);
  }
  void SetUp() override {
    if (const auto problem = why_no_search()) GTEST_SKIP() << "built without NLopt";
  }
  StudyResult run(const std::string& text, const SweepOptions& options = {}) const {
    const Study asked = study(text);
    std::filesystem::remove(path("a.h5"));
    return sweep(asked, path("a.h5"), asked.empty_result("test"), options).result;
  }
};

TEST_F(Optimum, OfACantileverIsThatOfItsFormulas) {
  const double b = 5.0 / frequency(1.0), h = std::cbrt(4.0 * F * L * L * L / (E * b * 0.002));
  // Tolerances of x: of the ranges, 0.095 m and 0.14 m. Differences are good to 1e-8, and SLSQP ends when a step is smaller than 1e-6.
  for (const char* method : {"gradient", "derivative-free"}) {
    const StudyResult result = run(std::string(lightest) + "search: {method: " + method + "}\n");
    ASSERT_EQ(result.optimum.found.size(), 1U);
    const long best = result.optimum.found.front().variant;
    EXPECT_NEAR(result.parameters(best, 0), b, 2e-6 * b + 1e-7) << result.optimum.found.front().end;
    EXPECT_NEAR(result.parameters(best, 1), h, 2e-6 * h + 2e-7);
    EXPECT_NEAR(result.values(best, 0), rho * b * h * L, 5e-6 * rho * b * h * L);
    EXPECT_NEAR(result.values(best, 2), 5.0, 1e-5);
    EXPECT_TRUE(result.failed.empty());
    // Read again.
    const StudyResult read = read_study_result(path("a.h5"));
    EXPECT_EQ(read.optimum.goals, std::vector<std::string>{"mass"});
    EXPECT_EQ(read.optimum.senses, std::vector<std::string>{"minimise"});
    EXPECT_EQ(read.optimum.found.front().variant, best);
    EXPECT_EQ(read.optimum.limits(1, 0), 5.0);
    EXPECT_EQ(read.status, "complete");
  }
}

TEST_F(Optimum, OfAMeasureThatShouldBeLarge) {
  // As wide as the mass allows, and as low as it may be.
  const StudyResult result = run(with(with(lightest, "minimise: mass", "maximise: across"),
                                      "  - {measure: sag, below: 0.002}\n  - {measure: across, above: 5}\n",
                                      "  - {measure: mass, below: 4}\n"));
  const long best = result.optimum.found.front().variant;
  EXPECT_NEAR(result.parameters(best, 1), 0.01, 1e-6);
  EXPECT_NEAR(result.parameters(best, 0), 4.0 / (rho * L * 0.01), 1e-6);
  EXPECT_NEAR(result.values(best, 2), frequency(4.0 / (rho * L * 0.01)), 1e-4);
}

TEST_F(Optimum, OfTwoMeasuresIsTheFrontOfTheFormulas) {
  const StudyResult result =
      run(with(with(lightest, "minimise: mass", "minimise: [mass, sag]"),
               "constraints:\n  - {measure: sag, below: 0.002}\n  - {measure: across, above: 5}\n",
               "search: {points: 9}\n"));
  // From the lightest on, first higher, then wider.
  const double b_low = 0.005, h_low = 0.01, h_high = 0.15, b_high = 0.1;
  ASSERT_EQ(result.optimum.found.size(), 9U);
  double before = 0.0;
  for (const FoundVariant& one : result.optimum.found) {
    const double mass = result.values(one.variant, 0), area = mass / (rho * L);
    const double h = std::min(h_high, area / b_low), b = area / h;
    EXPECT_NEAR(result.values(one.variant, 1) / sag(b, h), 1.0, 2e-5) << mass;
    EXPECT_GT(mass, before);
    before = mass;
  }
  const long first = result.optimum.found.front().variant, last = result.optimum.found.back().variant;
  EXPECT_NEAR(result.values(first, 0), rho * b_low * h_low * L, 1e-6);
  EXPECT_NEAR(result.values(last, 1), sag(b_high, h_high), 1e-9);
  // Four levels of the sag, three of the mass: both span more than a decade, and lie evenly in their logarithms.
  for (const int measure : {0, 1}) {
    const int levels = measure == 0 ? 3 : 4;
    const double from = std::log(result.values(first, measure)), to = std::log(result.values(last, measure));
    for (int k = 1; k <= levels; ++k) {
      const double level = from + (to - from) * k / (levels + 1);
      EXPECT_TRUE(std::any_of(result.optimum.found.begin(), result.optimum.found.end(),
                              [&](const FoundVariant& one) {
                                return std::abs(std::log(result.values(one.variant, measure)) - level) < 1e-4;
                              }))
          << measure << " " << std::exp(level);
    }
  }
}

TEST_F(Optimum, OfOneMeasureThatShouldBeSmallAndOneThatShouldBeLarge) {
  const StudyResult result =
      run(with(with(lightest, "minimise: mass", "minimise: mass\nmaximise: across"),
               "constraints:\n  - {measure: sag, below: 0.002}\n  - {measure: across, above: 5}\n",
               "search: {points: 4}\n"));
  ASSERT_EQ(result.optimum.found.size(), 4U);
  for (const FoundVariant& one :
       result.optimum.found)  // as low as it may be: both are proportional to the width
    EXPECT_NEAR(result.values(one.variant, 2) / frequency(result.values(one.variant, 0) / (rho * L * 0.01)),
                1.0, 2e-5);
}

TEST_F(Optimum, IsTheSameBytesWhateverTheThreadsAndRestarts) {
  const std::string front =
      with(with(lightest, "minimise: mass", "minimise: [mass, sag]"), "  - {measure: sag, below: 0.002}\n",
           "") +
      "search: {points: 40}\n";  // ten times as long as it takes to be asked whether to go on
  SweepOptions options;
  options.threads = 1;
  run(front, options);
  const std::string one = bytes("a.h5");
  options.threads = 3;
  run(front, options);
  EXPECT_EQ(one, bytes("a.h5"));

  const Study asked = study(front);
  std::filesystem::remove(path("a.h5"));
  SweepOptions hasty = options;
  hasty.progress = [](const SweepProgress& progress) { return progress.computed < 10; };
  const SweepSummary stopped = sweep(asked, path("a.h5"), asked.empty_result("test"), hasty);
  EXPECT_FALSE(stopped.finished);
  const StudyResult begun = read_study_result(path("a.h5"));
  EXPECT_EQ(begun.status, "interrupted");
  EXPECT_GE(begun.values.rows(), 10);
  const SweepSummary rest = sweep(asked, path("a.h5"), begun, options);
  EXPECT_TRUE(rest.finished);
  EXPECT_EQ(rest.progress.computed + begun.values.rows(), rest.result.values.rows());
  EXPECT_EQ(one, bytes("a.h5"));
}

TEST_F(Optimum, ThatDoesNotExistIsAFailureWithTheNearest) {
  const Study asked = study(with(lightest, "above: 5", "above: 500"));
  try {
    sweep(asked, path("a.h5"), asked.empty_result("test"));
    FAIL();
  } catch (const ComputationError& error) {
    const std::string words = error.what();
    EXPECT_NE(words.find("no design was found that keeps to all constraints; the nearest is variant"),
              std::string::npos)
        << words;
    EXPECT_NE(words.find("(above: 500)"), std::string::npos) << words;
  }
  EXPECT_TRUE(read_study_result(path("a.h5")).optimum.found.empty());
}

TEST_F(Optimum, OfARunIsLookedForEverywhere) {
  folder_.write("turn.yaml",
                "limber: 1\nmodel: beam.yaml\nduration: 0.4\nactuation:\n  - {joint: shoulder, type: pd, kp: "
                "200, kd: 40, target: "
                "{trajectory: a}}\ntrajectories:\n  a: {type: quintic, from: 0, to: 0.1, duration: 0.3}\n");
  const StudyResult result = run(R"(limber: 1
scenario: turn.yaml
optimise:
  model.links.boom.beam.section.width: {lower: 0.005, upper: 0.1}
minimise: mass
constraints: [{measure: share, below: 0.6}, {measure: across, above: 5}]
search: {evaluations: 120}
measure:
  - {name: mass, of: mass, task: modes}
  - {name: share, of: largest_utilisation}
  - {name: across, of: links.boom.frequencies_hz.y.0, task: info}
)");
  ASSERT_EQ(result.optimum.found.size(), 1U);
  const FoundVariant& best = result.optimum.found.front();
  EXPECT_NE(best.end.find("ISRES"), std::string::npos) << best.end;
  EXPECT_NEAR(result.parameters(best.variant, 0), 5.0 / frequency(1.0), 1e-5);
  EXPECT_LT(result.values(best.variant, 1), 0.6);
}

// A weight on a spring and a damper, let go: of the pairs that keep its speed below 0.8 m/s, which brings it to rest soonest? The answer is compared with the closed form all
// around what was found. Differences of runs are as rough as the integrator's tolerance; these are sensitivities.
TEST_F(Optimum, OfARunIsFoundByItsSensitivities) {
  folder_.write("spring.yaml", R"(limber: 1
gravity: [0, 0, 0]
links:
  - name: cart
    joint: {name: rail, type: prismatic, axis: [1, 0, 0], stiffness: 40, damping: 1}
    rigid: {mass: 2.5}
)");
  folder_.write("release.yaml",
                "limber: 1\nmodel: spring.yaml\nduration: 1.7\ninitial: {q: {rail: 0.3}, hold: "
                "all}\nintegrator: {method: radau9, rtol: 1e-6}\n");
  const StudyResult result = run(R"(limber: 1
scenario: release.yaml
optimise:
  model.links.cart.joint.damping: {lower: 0.1, upper: 13}
  model.links.cart.joint.stiffness: {lower: 20, upper: 60}
minimise: late
constraints: [{measure: soft, above: -0.8}]
search: {method: gradient}
measure:
  - {name: late, of: rail, what: rms}
  - {name: soft, of: rail.rate, what: min}
)");
  ASSERT_EQ(result.optimum.found.size(), 1U);
  const FoundVariant& best = result.optimum.found.front();
  EXPECT_NE(best.end.find("sensitivities"), std::string::npos) << best.end;
  // Rows, as they are recorded, of the closed form x = 0.3 e^(-d t) (cos w t + d/w sin w t).
  const auto swing = [](double damping, double stiffness) {
    const double m = 2.5, d = damping / (2.0 * m), w = std::sqrt(stiffness / m - d * d);
    double sum = 0.0, least = 1.0;
    constexpr int rows = 171;
    for (int i = 0; i < rows; ++i) {
      const double t = 0.01 * i, decay = 0.3 * std::exp(-d * t);
      const double v = -decay * (w + d * d / w) * std::sin(w * t);
      const double x = decay * (std::cos(w * t) + d / w * std::sin(w * t));
      least = std::min(least, v);
      sum += x * x;
    }
    return std::pair{std::sqrt(sum / rows), least};
  };
  const double damping = result.parameters(best.variant, 0), stiffness = result.parameters(best.variant, 1);
  const auto [rms, least] = swing(damping, stiffness);
  EXPECT_NEAR(result.values(best.variant, 0), rms, 1e-6 * rms);
  EXPECT_NEAR(result.values(best.variant, 1), least, 1e-6);
  // Nothing around it is better and allowed.
  for (int i = 0; i < 400; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 400.0;
    for (const double part : {1e-3, 1e-2}) {
      const double c = std::clamp(damping + 12.9 * part * std::cos(angle), 0.1, 13.0),
                   k = std::clamp(stiffness + 40.0 * part * std::sin(angle), 20.0, 60.0);
      const auto [other, low] = swing(c, k);
      EXPECT_TRUE(low < -0.8 || other > rms - 2e-6 * rms) << c << ' ' << k;
    }
  }
}

TEST_F(Optimum, AskedForWronglyIsRefusedInItsPlace) {
  EXPECT_EQ(refused(with(lightest, "lower: 0.005", "lower: -0.1")),
            "study.yaml:6:34: optimise.links.boom.beam.section.width: expected a number > 0 [m], found -0.1 "
            "(at `lower`)");
  EXPECT_EQ(refused(with(lightest, "lower: 0.005, upper: 0.1", "lower: 0.1, upper: 0.1")),
            "study.yaml:6:34: optimise.links.boom.beam.section.width: expected `lower` < `upper`, found 0.1 "
            "and 0.1");
  EXPECT_EQ(refused(with(lightest, "upper: 0.1}", "upper: 0.1, start: 1}")),
            "study.yaml:6:68: optimise.links.boom.beam.section.width.start: expected a number from 0.005 to "
            "0.1, found 1");
  EXPECT_EQ(refused(with(lightest, "minimise: mass", "minimise: mas")),
            "study.yaml:8:11: minimise: expected the name of a measure, found `mas` (did you mean `mass`?)");
  EXPECT_EQ(refused(with(lightest, "minimise: mass", "minimise: [mass, sag, across]")),
            "study.yaml:8:11: minimise: expected one measure to `minimise` or to `maximise`, or two of them: "
            "their front, found 3 "
            "(make constraints of the others)");
  EXPECT_EQ(refused(with(lightest, "minimise: mass\n", "")),
            "study.yaml:1:1: expected one measure to `minimise` or to `maximise`, or two of them: their "
            "front, found none (such as "
            "minimise: mass)");
  EXPECT_EQ(refused(with(lightest, ", below: 0.002", "")),
            "study.yaml:10:5: constraints[0]: expected `above`, `below`, or both, found neither (such as "
            "above: 3)");
  EXPECT_EQ(refused(with(lightest, "minimise: mass", "minimise: mass\nsamples: 4")),
            "study.yaml:9:10: samples: expected a key that goes with `optimise`, found `samples` (it goes "
            "with `vary`)");
  EXPECT_EQ(refused(with(lightest, "task: info", "task: simulate")),
            "study.yaml:15:61: measure[2].task: expected a task of a `model`, found simulate (a `scenario` "
            "is what can be simulated)");
  EXPECT_EQ(refused(std::string(lightest) + "vary:\n  links.boom.beam.length: {uniform: [1, 2]}\n"),
            "study.yaml:5:1: optimise: expected exactly one of `vary` and `optimise`, found `vary` and "
            "`optimise` (remove one of them)");
}

}  // namespace
}  // namespace limber
