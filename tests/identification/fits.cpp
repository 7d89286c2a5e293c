// SPDX-License-Identifier: BSD-3-Clause
// Fits against closed forms: what one number tells about another, and how well; then noisy runs of our own, whose estimates must scatter as Cramer and Rao say.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "limber/core/input_error.hpp"
#include "limber/identification/identify.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/noise.hpp"
#include "limber/simulation/reading_course.hpp"
#include "limber/simulation/simulate.hpp"
#include "temporary_folder.hpp"

namespace limber {
namespace {

namespace fs = std::filesystem;
using Eigen::VectorXd;

std::string exact(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

/// A folder of its own for the files of a test.
class Fits : public testing::Test {
 protected:
  Fits() {
    write("cantilever.yaml", cantilever);
    write("strip.yaml", strip);
    write("swing.yaml", swing);
  }

  fs::path write(const std::string& name, const std::string& text) const { return folder_.write(name, text); }
  Scenario scenario(const std::string& name, const Settings& settings = {}) const {
    const ScenarioFile file = read_scenario(folder_.path() / name, settings);
    return build_scenario(file.description, file.model);
  }
  Identified fit(const std::string& text) const {
    return identify(parse_fit("limber: 1\n" + text, (folder_.path() / "fit.yaml").string()));
  }

  // ---- the swing: three sensors, three parameters, rows in 0.8 s ----

  static const std::vector<std::string>& paths() {
    static const std::vector<std::string> all = {"model.links.strip.beam.section.EI_z",
                                                 "model.links.strip.tip.mass",
                                                 "model.links.strip.beam.damping.ratio"};
    return all;
  }
  static Eigen::Vector3d sigma() { return {1e-3, 0.01, 0.3}; }
  static std::vector<double> times() {
    std::vector<double> all;
    for (int i = 0; i <= 40; ++i) all.push_back(0.02 * i);
    return all;
  }
  Eigen::MatrixXd shown(const ScenarioAt& at, const std::vector<double>& when) const {
    return reading_course(at, VectorXd(), VectorXd(), when, CourseSlopes::none).readings;
  }
  /// run.csv: what was shown with the noise of a seed. What stands there is returned.
  Eigen::MatrixXd measure(Eigen::MatrixXd all, int seed) const {
    std::string rows = "t,encoder,gauge,a_tip\n";
    for (Eigen::Index i = 0; i < all.rows(); ++i) {
      rows += std::to_string(times()[static_cast<std::size_t>(i)]);
      for (int s = 0; s < 3; ++s) {
        const NormalNoise noise(static_cast<std::uint32_t>(seed), std::to_string(s));
        all(i, s) += sigma()[s] * noise.at(static_cast<std::uint64_t>(i));
        rows += "," + exact(all(i, s));
      }
      rows += "\n";
    }
    write("run.csv", rows);
    return all;
  }
  Identified fit_the_swing() const {
    return fit(
        "scenario: swing.yaml\n"
        "fit:\n"
        "  model.links.strip.beam.section.EI_z: {start: 5.5, lower: 1, upper: 50}\n"
        "  model.links.strip.tip.mass: {start: 0.12, lower: 0}\n"
        "  model.links.strip.beam.damping.ratio: {start: 0.02, lower: 0, upper: 0.5}\n"
        "data: {file: run.csv, columns: {angle: encoder, bend: gauge, imu: a_tip}}\n");
  }
  std::string refusal(const std::string& text) const {
    try {
      fit(text);
    } catch (const InputError& error) {
      std::string words = error.what();
      const std::string folder = folder_.path().string() + "/";
      for (std::size_t at = 0; (at = words.find(folder)) != std::string::npos;)
        words.erase(at, folder.size());
      return words;
    }
    return "";
  }

  // Clamped, without weight and payload: everything is known in closed form.
  static constexpr const char* cantilever = R"(
limber: 1
gravity: [0, 0, 0]
kinematics: first
links:
  - name: beam
    joint: {type: fixed}
    beam:
      length: 2
      section: {EI_y: 1000, EI_z: 500, GJ: 100, EA: 1e7, mass_per_length: 3}
      modes: {y: {shape: craig-bampton, count: 4}}
)";
  static constexpr const char* strip = R"(
limber: 1
links:
  - name: strip
    joint: {name: hub, type: revolute, axis: [0, 0, 1], armature: 0.02, damping: 0.05}
    beam:
      length: 0.8
      section: {EI_y: 100, EI_z: 6.3, GJ: 10, EA: 1e6, mass_per_length: 0.324}
      modes: {y: {shape: craig-bampton, count: 2}}
      damping: {ratio: 0.01}
    tip: {mass: 0.1}
)";
  static constexpr const char* swing = R"(
limber: 1
model: strip.yaml
actuation:
  - {joint: hub, type: torque, signal: {trajectory: push}}
trajectories:
  push: {type: table, times: [0, 0.1, 0.2, 0.3, 0.4, 1], values: [0, 0.8, 0, -0.8, 0, 0]}
sensors:
  - {name: angle, type: position, joint: hub, noise: 1e-3}
  - {name: bend, type: curvature, link: strip, at: 0.05, axis: z, noise: 0.01}
  - {name: imu, type: accelerometer, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}
integrator: {method: radau, rtol: 1e-5}
duration: 1
)";
  TemporaryFolder folder_;
};

// omega_i = (beta_i L)^2 sqrt(EI / m L^4): d EI/EI = 2 d f/f, whatever the mode. Roots of cos x cosh x = -1.
TEST_F(Fits, FrequenciesTellTheStiffnessOfACantilever) {
  constexpr double EI = 700.0;
  const auto frequency = [&](double root) {
    return root * root * std::sqrt(EI / (3.0 * 16.0)) / (2.0 * M_PI);
  };
  const double f1 = frequency(1.8751040687119611), f2 = frequency(4.6940911329741746);
  const Identified found =
      fit("model: cantilever.yaml\nfit: {links.beam.beam.section.EI_z: {start: 300}}\n"
          "data: {frequencies_hz: [" +
          std::to_string(f1) + ", " + std::to_string(f2) + "], sigma: [0.05, 0.3]}\n");
  // Four shapes are not all: the second frequency is 0.03 % high.
  EXPECT_NEAR(found.parameters[0].value, EI, 2e-3 * EI);
  // Yaqubi's (88), the wavenumber of a measured frequency: beta^2 = 2 pi f sqrt(rho A / EI).
  const double fitted = found.parameters[0].value;
  EXPECT_NEAR(2.0 * std::sqrt(2.0 * M_PI * f1 * std::sqrt(3.0 / fitted)), 1.8751040687119611, 1e-3);
  EXPECT_NEAR(2.0 * std::sqrt(2.0 * M_PI * f2 * std::sqrt(3.0 / fitted)), 4.6940911329741746, 3e-3);
  const double expected = 2.0 * EI / std::hypot(f1 / 0.05, f2 / 0.3);
  EXPECT_NEAR(found.parameters[0].standard_error, expected, 1e-2 * expected);
  EXPECT_EQ(found.parameters[0].start, 300.0);
  EXPECT_TRUE(found.converged);
  EXPECT_TRUE(found.unclear.empty());
  EXPECT_GT(found.fit_percent, 99.9);
}

// y = F L^3 / 3 EI: exact, for the shapes have the cubic.
TEST_F(Fits, ADeflectionAtRestTellsTheStiffness) {
  write("load.json", R"({"loads": [{"link": "beam", "at": 1.0, "force": [0, 5, 0]}]})");
  const double y = 5.0 * 8.0 / (3.0 * 640.0);
  const Identified found =
      fit("model: cantilever.yaml\nfit: {links.beam.beam.section.EI_z: {}}\n"
          "data: {readings: {beam@1.0.y: " +
          std::to_string(y) + "}, state: load.json, sigma: 1e-4}\n");
  EXPECT_NEAR(found.parameters[0].value, 640.0, 0.05);  // of to_string's six digits
  EXPECT_NEAR(found.parameters[0].standard_error, 640.0 * 1e-4 / y, 1e-4 * 640.0);
  EXPECT_EQ(found.parameters[0].start, 500.0);
}

// Frequencies know EI / m alone: the direction in which both grow together is named.
TEST_F(Fits, NamesWhatTheDataDoNotTell) {
  const Identified found =
      fit("model: cantilever.yaml\n"
          "fit: {links.beam.beam.section.EI_z: {}, links.beam.beam.section.mass_per_length: {}}\n"
          "data: {frequencies_hz: [1.8, 11.3], sigma: 0.01}\n");
  ASSERT_EQ(found.unclear.size(), 1u);
  EXPECT_FALSE(std::isfinite(found.unclear[0].standard_deviation));
  EXPECT_NEAR(std::abs(found.unclear[0].direction[0]), std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(found.unclear[0].direction[0], found.unclear[0].direction[1], 1e-6);
  EXPECT_FALSE(std::isfinite(found.parameters[0].standard_error));
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.back().find("0.71 `links.beam.beam.section.EI_z` + 0.71"), std::string::npos)
      << found.warnings.back();
}

// One value among many that is no measurement.
TEST_F(Fits, NamesAValueThatStandsForAllOthers) {
  const auto with = [&](const std::string& value) {
    std::string rows = "t,gauge\n";
    for (int i = 0; i <= 20; ++i) rows += exact(0.01 * i) + "," + (i == 5 ? value : exact(1e-3 * i)) + "\n";
    write("run.csv", rows);
    return fit("scenario: swing.yaml\nfit: {model.links.strip.beam.section.EI_z: {}}\n"
               "data: {file: run.csv, columns: {bend: gauge}}\n")
        .warnings;
  };
  const auto is_outlier = [](const std::string& warning) {
    return warning.find("is one value: 1e+06 of `bend` at 0.05 s") != std::string::npos;
  };
  const auto far = with("1e6"), near = with("5e-3");
  EXPECT_TRUE(std::any_of(far.begin(), far.end(), is_outlier));
  EXPECT_TRUE(std::none_of(near.begin(), near.end(), [](const std::string& warning) {
    return warning.find("is one value") != std::string::npos;
  }));
}

// 100 experiments with other noise. The truth is known, and so is how far estimates may scatter.
TEST_F(Fits, ScatterAsCramerAndRaoSay) {
  const Eigen::Vector3d truth(6.3, 0.1, 0.01);
  const Eigen::MatrixXd clean = shown([&](const VectorXd&) { return scenario("swing.yaml"); }, times());
  constexpr int seeds = 100;
  Eigen::MatrixXd z(seeds, 3), values(seeds, 3);
  Eigen::Vector3d bound;
  double whiteness = 0.0, rms = 0.0;
  for (int seed = 0; seed < seeds; ++seed) {
    measure(clean, seed);
    const Identified found = fit_the_swing();
    EXPECT_TRUE(found.converged);
    for (int j = 0; j < 3; ++j) {
      values(seed, j) = found.parameters[static_cast<std::size_t>(j)].value;
      bound[j] = found.parameters[static_cast<std::size_t>(j)].standard_error;
      z(seed, j) = (values(seed, j) - truth[j]) / bound[j];
    }
    whiteness += found.channels[0].whiteness > 0.01 ? 1.0 : 0.0;
    rms += found.weighted_rms / seeds;
    // One run for every point (a bound may want one more), and one or two for the check.
    EXPECT_LE(found.evaluations, found.iterations + 2 + 2);
  }
  EXPECT_GE(whiteness, 0.95 * seeds);
  EXPECT_NEAR(rms, 1.0, 0.02);
  for (int j = 0; j < 3; ++j) {
    EXPECT_GE((z.col(j).array().abs() < 3.0).count(), 99) << paths()[static_cast<std::size_t>(j)];
    const double scatter =
        std::sqrt((values.col(j).array() - values.col(j).mean()).square().sum() / (seeds - 1));
    EXPECT_NEAR(scatter / bound[j], 1.0, 0.15) << paths()[static_cast<std::size_t>(j)];
  }
}

// The same fit with derivatives that are differences of whole runs, by the same method from the same start: as good, and five times as many runs.
TEST_F(Fits, TakeAFifthOfTheRunsOfDifferences) {
  const ScenarioAt at = [&](const VectorXd& p) {
    Settings settings;
    for (int j = 0; j < p.size(); ++j)
      settings.push_back({paths()[static_cast<std::size_t>(j)], exact(p[j]), {}});
    return scenario("swing.yaml", settings);
  };
  const Eigen::MatrixXd measured = measure(shown(at, times()), 77);
  const Identified found = fit_the_swing();
  long runs = 0;
  LeastSquaresProblem problem;
  const Eigen::Vector3d start(5.5, 0.12, 0.02);
  problem.start = VectorXd::Ones(3);
  problem.lower = Eigen::Vector3d(1.0, 0.0, 0.0).cwiseQuotient(start);
  problem.upper = Eigen::Vector3d(50.0, 1e9, 0.5).cwiseQuotient(start);
  problem.evaluate = [&](const VectorXd& x) -> std::optional<Residuals> {
    const ReadingCourse course =
        reading_course(at, x.cwiseProduct(start), start, times(), CourseSlopes::by_runs);
    runs += course.runs;
    Residuals all{VectorXd(measured.size()), Eigen::MatrixXd(measured.size(), 3)};
    const auto n = measured.rows();
    for (int s = 0; s < 3; ++s) {
      const double weight = 1.0 / sigma()[s];
      all.values.segment(s * n, n) = weight * (course.readings.col(s) - measured.col(s));
      for (int j = 0; j < 3; ++j)
        all.slopes.col(j).segment(s * n, n) =
            weight * start[j] * course.slopes[static_cast<std::size_t>(j)].col(s);
    }
    return all;
  };
  const LeastSquaresOutcome by_runs = least_squares(problem);
  EXPECT_TRUE(by_runs.converged);
  for (int j = 0; j < 3; ++j) {
    const FoundParameter& one = found.parameters[static_cast<std::size_t>(j)];
    EXPECT_NEAR(one.value, by_runs.x[j] * start[j], 0.05 * one.standard_error) << one.path;
  }
  EXPECT_GE(runs, 5 * found.evaluations);
  RecordProperty("runs", static_cast<int>(found.evaluations));
  RecordProperty("runs_of_differences", static_cast<int>(runs));
}

// Outputs may be coordinates of any kind, and their rates.
TEST_F(Fits, TakeElasticCoordinates) {
  write("run.csv", "t,a,b\n0,0,0\n0.1,0.01,0.1\n0.2,0.02,0.1\n0.3,0.02,0.0\n");
  const Identified found =
      fit("scenario: swing.yaml\nfit: {model.links.strip.beam.section.EI_z: {}}\n"
          "data: {file: run.csv, columns: {strip.y1: a, strip.y1.rate: b}, sigma: 0.01}\n");
  ASSERT_EQ(found.channels.size(), 2u);
  Scenario fitted = scenario("swing.yaml", {{paths()[0], exact(found.parameters[0].value), {}}});
  fitted.duration = 0.2;
  const RunSummary run = simulate(fitted);
  EXPECT_NEAR(found.channels[0].computed[2], run.q[1], 1e-5);
  EXPECT_NEAR(found.channels[1].computed[2], run.v[1], 1e-3);
}

// Two experiments with starts that nobody knows; standard deviations that nobody knows either.
TEST_F(Fits, FindsStartsAndTakesSeveralExperiments) {
  write("free.yaml", R"(
limber: 1
model: strip.yaml
actuation: [{joint: hub, type: pd, kp: 40, kd: 1, target: {trajectory: rest}}]
trajectories: {rest: {type: steps, points: [[0, 0]]}}
sensors: [{name: bend, type: curvature, link: strip, at: 0.05, axis: z}]
integrator: {method: radau, rtol: 1e-9}
duration: 1
)");
  std::vector<double> when;
  for (int i = 0; i <= 60; ++i) when.push_back(0.005 * i);
  int number = 0;
  for (const double start : {0.02, -0.035}) {
    const Settings settings = {{"initial.q.strip.y1", std::to_string(start), {}}};
    const Eigen::MatrixXd clean =
        shown([&](const VectorXd&) { return scenario("free.yaml", settings); }, when);
    const NormalNoise noise(5, std::to_string(number));
    std::string rows = "time;gauge\n";
    for (std::size_t i = 0; i < when.size(); ++i)
      rows += std::to_string(when[i]) + ";" +
              std::to_string(clean(static_cast<Eigen::Index>(i), 0) + 1e-3 * noise.at(i)) + "\n";
    write("free" + std::to_string(number++) + ".csv", rows);
  }
  const Identified found =
      fit("scenario: free.yaml\n"
          "fit: {model.links.strip.beam.section.EI_z: {start: 6.9}}\n"
          "data:\n"
          "  - {file: free0.csv, time: time, columns: {bend: gauge}, initial: strip.y1}\n"
          "  - {file: free1.csv, time: time, columns: {bend: gauge}, initial: [strip.y1], to: 0.25}\n");
  ASSERT_EQ(found.parameters.size(), 3u);
  EXPECT_TRUE(found.estimates_sigma);
  EXPECT_EQ(found.parameters[1].path, "data[0].initial.q.strip.y1");
  const Eigen::Vector3d truth(6.3, 0.02, -0.035);
  for (int j = 0; j < 3; ++j) {
    const FoundParameter& one = found.parameters[static_cast<std::size_t>(j)];
    EXPECT_NEAR(one.value, truth[j], 3.0 * one.standard_error) << one.path;
    EXPECT_LE(one.standard_error, 0.01 * std::abs(truth[j])) << one.path;
  }
  EXPECT_EQ(found.channels[1].measured.size(), 51);
  EXPECT_NEAR(found.residual_rms, 1e-3, 1.5e-4);
}

TEST_F(Fits, SayWhatIsWrongAndWhere) {
  write("run.csv", "t,gauge\n0,0\n0.01,0.1\n0.02,0.1\n");
  write("back.csv", "t,gauge\n0,0\n0.02,0.1\n0.01,0.1\n");
  write("gap.csv", "t,gauge\n0,0\n0.01,\n0.02,nan\n");
  const std::string EI = "fit: {model.links.strip.beam.section.EI_z: {}}\n",
                    scenario = "scenario: swing.yaml\n";
  const auto history = [](const std::string& rest) { return "data: {file: " + rest + "}\n"; };
  EXPECT_EQ(refusal(scenario + EI + history("run.csv, columns: {bend: gage}")),
            "fit.yaml:4:39: data.columns.bend: expected the name of a column of run.csv, found `gage` (did "
            "you mean "
            "`gauge`?)");
  EXPECT_EQ(refusal(scenario + EI + history("run.csv, columns: {bnd: gauge}")).substr(0, 80),
            "fit.yaml:4:38: data.columns.bnd: expected an output: a sensor, a coordinate, `<c");
  EXPECT_NE(refusal(scenario + EI + history("back.csv, columns: {bend: gauge}"))
                .find("data.time: expected ascending times in column `t` of back.csv, found 0.01 after 0.02, "
                      "in row 3"),
            std::string::npos);
  write("far.csv", "t,gauge\n0,0\n0.01,1e300\n0.02,0.1\n");
  const std::string far = refusal(scenario + EI + history("far.csv, columns: {bend: gauge}"));
  EXPECT_NE(far.find("squares can be added up, found 1e+300 of `bend` at 0.01 s"), std::string::npos) << far;
  const std::string gaps = refusal(scenario + EI + history("gap.csv, columns: {bend: gauge}"));
  EXPECT_NE(gaps.find("gap.csv:3:6: expected a number, found nothing"), std::string::npos) << gaps;
  EXPECT_NE(gaps.find("gap.csv:4:6: expected a number"), std::string::npos) << gaps;
  EXPECT_EQ(refusal(scenario + "fit: {model.links.strip.beam.section.EI_y: {}}\n" +
                    history("run.csv, columns: {bend: gauge}")),
            "fit.yaml:3:44: fit.model.links.strip.beam.section.EI_y: expected a value that changes what was "
            "measured, "
            "found one that changes nothing (leave it out, or measure something that depends on it)");
  EXPECT_NE(refusal(scenario + "fit: {model.links.strip.beam.sectoin.EI_z: {}}\n" +
                    history("run.csv, columns: {bend: gauge}"))
                .find("did you mean `section`?"),
            std::string::npos);
  EXPECT_NE(refusal(scenario + "fit: {model.links.strip.tip.mass: {start: -1}}\n" +
                    history("run.csv, columns: {bend: gauge}"))
                .find("fit.model.links.strip.tip.mass: expected a number >= 0"),
            std::string::npos);
  EXPECT_NE(
      refusal("model: cantilever.yaml\nfit: {links.beam.beam.section.EI_z: {}, links.beam.beam.length: {}}\n"
              "data: {frequencies_hz: [1.8], sigma: 0.1}\n")
          .find("data: expected at least 2 numbers: as many as there are parameters, found 1"),
      std::string::npos);
  EXPECT_NE(refusal("model: cantilever.yaml\nfit: {links.beam.beam.section.EI_z: {start: 3, lower: 4}}\n"
                    "data: {frequencies_hz: [1.8], sigma: 0.1}\n")
                .find("fit.links.beam.beam.section.EI_z.start: expected a number between `lower` and "
                      "`upper`, found 3"),
            std::string::npos);
  EXPECT_NE(refusal("model: cantilever.yaml\n" + EI + "data: {frequencies_hz: [1, 2, 3, 4, 5], sigma: 0.1}\n")
                .find("at most 4 modes"),
            std::string::npos);
  EXPECT_NE(refusal(EI + history("run.csv, columns: {bend: gauge}")).find("`scenario`"), std::string::npos);
  EXPECT_NE(refusal(scenario + EI + history("run.csv, columns: {bend: gauge}, sigma: {bond: 1}"))
                .find("did you mean `bend`?"),
            std::string::npos);
}

}  // namespace
}  // namespace limber
