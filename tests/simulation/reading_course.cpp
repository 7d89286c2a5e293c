// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of what sensors show by parameters: against a closed form, and against differences of whole runs with tight tolerances.

#include "limber/simulation/reading_course.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

#include "limber/core/input_error.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

ScenarioAt built_from(const std::string& text, const std::vector<std::string>& paths) {
  return [=](const VectorXd& values) {
    Settings settings;
    for (std::size_t j = 0; j < paths.size(); ++j)
      settings.push_back({paths[j], fmt::format("{}", values[static_cast<Eigen::Index>(j)]), {}});
    const ScenarioFile file = parse_scenario(text, "scenario.yaml", LIMBER_MODELS_DIR, settings);
    return build_scenario(file.description, file.model);
  };
}

std::vector<double> grid(double end, int count) {
  std::vector<double> times;
  for (int i = 0; i <= count; ++i) times.push_back(end * i / count);
  return times;
}

const std::string oscillator = R"(
limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: wheel
      joint: {name: axle, type: revolute, axis: [0, 0, 1], stiffness: 8, damping: 0.3}
      rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}
initial: {q: {axle: 0.2}, v: {axle: -0.1}}
sensors:
  - {name: angle, type: position, joint: axle}
  - {name: rate, type: velocity, joint: axle}
  - {name: acceleration, type: acceleration, joint: axle}
integrator: {method: radau, rtol: 1e-11, atol: 1e-13}
duration: 5
)";

// I a + d v + k q = 0: q = e^(-st) (q0 cos wt + (v0 + s q0)/w sin wt), s = d/2I, w^2 = k/I - s^2. Its derivatives by complex steps: exact to rounding.
std::complex<double> closed_form(double t, const std::array<std::complex<double>, 5>& p) {
  const auto& [I, d, k, q0, v0] = p;
  const std::complex<double> s = d / (2.0 * I), w = std::sqrt(k / I - s * s);
  return std::exp(-s * t) * (q0 * std::cos(w * t) + (v0 + s * q0) / w * std::sin(w * t));
}

TEST(ReadingCourse, DifferentiatesADampedOscillatorAsItsClosedForm) {
  const std::vector<std::string> paths = {
      "model.links.wheel.rigid.inertia[2]", "model.links.wheel.joint.damping",
      "model.links.wheel.joint.stiffness", "initial.q.axle", "initial.v.axle"};
  const VectorXd values = (VectorXd(5) << 2.0, 0.3, 8.0, 0.2, -0.1).finished();
  const std::vector<double> times = grid(5.0, 40);
  const ReadingCourse course = reading_course(built_from(oscillator, paths), values, values, times);
  ASSERT_EQ(course.slopes.size(), 5u);
  EXPECT_EQ(course.runs, 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    std::array<std::complex<double>, 5> p = {2.0, 0.3, 8.0, 0.2, -0.1};
    EXPECT_NEAR(course.readings(row, 0), closed_form(times[i], p).real(), 1e-10);
    for (std::size_t j = 0; j < 5; ++j) {
      constexpr double h = 1e-30;
      p[j] += std::complex<double>(0.0, h);
      const double expected = closed_form(times[i], p).imag() / h;
      p[j] = p[j].real();
      EXPECT_NEAR(course.slopes[j](row, 0), expected, 1e-9) << paths[j] << " at " << times[i];
    }
  }
}

/// Slopes of one course against differences of sixth order of whole runs, in parts of the largest slope. Steps are small: a mode that has gone through p
/// radians is p times as far from where it was, and differences must follow that; what changes little takes larger ones, for rounding.
void expect_slopes_of_runs(const ScenarioAt& at, const VectorXd& values, const std::vector<double>& times,
                           const VectorXd& steps, double tolerance) {
  const ReadingCourse course = reading_course(at, values, values, times);
  for (Eigen::Index j = 0; j < values.size(); ++j) {
    const double h = steps[j] * std::abs(values[j]);
    const auto difference = [&](double by) {
      VectorXd above = values, below = values;
      above[j] += by;
      below[j] -= by;
      return MatrixXd(reading_course(at, above, values, times, CourseSlopes::none).readings -
                      reading_course(at, below, values, times, CourseSlopes::none).readings);
    };
    const MatrixXd expected =
        (45.0 * difference(h) - 9.0 * difference(2.0 * h) + difference(3.0 * h)) / (60.0 * h);
    for (Eigen::Index s = 0; s < expected.cols(); ++s) {
      const double size = expected.col(s).cwiseAbs().maxCoeff();
      EXPECT_LE((course.slopes[static_cast<std::size_t>(j)].col(s) - expected.col(s)).cwiseAbs().maxCoeff(),
                tolerance * size)
          << "parameter " << j << ", sensor " << s << " of size " << size;
    }
  }
}

const std::string slew = R"(
limber: 1
model: lab_link/lab_link.yaml
actuation:
  - {joint: hub, type: pid, kp: 60, ki: 20, kd: 6, target: {trajectory: slew}}
trajectories:
  slew: {type: quintic, from: 0, to: 0.6, start: 0.02, duration: 0.2}
loads:
  - {link: strip, at: 1.0, force: [0, 0.3, 0], from: 0.1}
sensors:
  - {name: encoder, type: position, joint: hub, rate: 200, quantum: 1e-3}
  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], rate: 1000, delay: 0.002, noise: 1e-6}
  - {name: imu, type: accelerometer, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.02}
  - {name: camera, type: point, link: strip, at: 1.0, axis: [0, 1, 0]}
  - {name: moment, type: wrench, joint: hub, component: mz}
  - {name: motor, type: effort, joint: hub}
integrator: {method: radau, rtol: 1e-13, atol: 1e-16}
duration: 0.3
)";

// Stiffness, density and length (through shapes and integrals), damping, payload, gains and loads: any value of any file.
TEST(ReadingCourse, DifferentiatesAnArmUnderControlAsWholeRunsDo) {
  const std::vector<std::string> paths = {"model.links.strip.beam.section.material.E",
                                          "model.links.strip.beam.section.material.density",
                                          "model.links.strip.beam.length",
                                          "model.links.strip.beam.damping.ratio",
                                          "model.links.strip.tip.mass",
                                          "model.links.strip.joint.damping",
                                          "actuation.hub.kp",
                                          "loads.strip.force[1]"};
  const VectorXd values = (VectorXd(8) << 70e9, 2700, 0.8, 0.005, 0.1, 0.05, 60, 0.3).finished();
  const VectorXd steps = (VectorXd(8) << 2e-4, 2e-4, 2e-4, 2e-2, 1e-3, 5e-2, 1e-3, 2e-2).finished();
  expect_slopes_of_runs(built_from(slew, paths), values, grid(0.3, 6), steps, 2e-8);
}

TEST(ReadingCourse, TakesValuesAtTheEdgeOfWhatTheyMayBe) {
  const std::string text = slew;
  const std::vector<std::string> paths = {"model.links.strip.joint.damping"};
  const VectorXd nothing = VectorXd::Zero(1), scale = VectorXd::Constant(1, 0.05);
  const std::vector<double> times = grid(0.3, 6);
  const ReadingCourse edge = reading_course(built_from(text, paths), nothing, scale, times);
  const VectorXd near = VectorXd::Constant(1, 1e-4);
  const MatrixXd change =
      reading_course(built_from(text, paths), near, scale, times, CourseSlopes::none).readings -
      edge.readings;
  EXPECT_LE((edge.slopes[0].col(0) - change.col(0) / 1e-4).norm(), 1e-3 * edge.slopes[0].col(0).norm());
}

TEST(ReadingCourse, ShowsWhatSimulateShowsWithoutNoise) {
  std::string text = slew;
  for (const char* part : {", quantum: 1e-3", ", noise: 1e-6", ", noise: 0.02"})
    text.erase(text.find(part), std::string(part).size());
  const TestRun shown = run(text);
  std::vector<double> times;
  for (const Sample& sample : shown.rows) times.push_back(sample.t);
  const ReadingCourse course =
      reading_course(built_from(slew, {}), VectorXd(), VectorXd(), times, CourseSlopes::none);
  for (std::size_t i = 0; i < times.size(); ++i)
    for (Eigen::Index s = 0; s < course.readings.cols(); ++s)
      EXPECT_NEAR(course.readings(static_cast<Eigen::Index>(i), s), shown.rows[i].sensors[s],
                  1e-7 * std::max(1.0, std::abs(shown.rows[i].sensors[s])))
          << times[i] << " " << s;
}

TEST(ReadingCourse, DifferencesRunsWhereSomebodySamples) {
  const ScenarioAt at = built_from(slew, {"model.links.strip.tip.mass"});
  const VectorXd mass = VectorXd::Constant(1, 0.1);
  EXPECT_TRUE(is_smooth(at(mass)));
  const ReadingCourse whole = reading_course(at, mass, mass, grid(0.3, 6), CourseSlopes::by_runs);
  const ReadingCourse along = reading_course(at, mass, mass, grid(0.3, 6));
  EXPECT_EQ(whole.runs, 3);
  EXPECT_LE((whole.slopes[0] - along.slopes[0]).norm(), 1e-4 * along.slopes[0].norm());
}

TEST(ReadingCourse, RefusesTimesThatCannotBe) {
  const ScenarioAt at = built_from(oscillator, {});
  EXPECT_THROW(reading_course(at, VectorXd(), VectorXd(), {0.2, 0.1}), InputError);
  EXPECT_THROW(reading_course(at, VectorXd(), VectorXd(), {-0.2}), InputError);
  EXPECT_THROW(reading_course(at, VectorXd(), VectorXd(1), {0.2}), InputError);
}

}  // namespace
}  // namespace limber
