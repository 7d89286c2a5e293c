// SPDX-License-Identifier: BSD-3-Clause
// Singular configurations that a motion touches, rests in, comes near to or passes twice in a step; and runs that are interrupted around one.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "simulation/parallelogram.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;

// The parallelogram's crank is told to move along `trajectory`, from 0.3 rad on.
std::string told(const std::string& trajectory, const std::string& more) {
  std::string text = parallelogram(0.3, "trajectories: {t: " + trajectory +
                                            "}\nactuation: [{joint: crank, type: prescribed, target: "
                                            "{trajectory: t}}]\n" +
                                            more);
  const std::string start = "crank: " + number(0.3) + ", ";
  return text.erase(text.find(start), start.size());
}
double time_of(const std::string& note) {
  double time = -1.0;
  std::sscanf(note.c_str(), "at t = %lf", &time);  // NOLINT
  return time;
}
const std::string of_the_pin =
    "(loop `pin`), in which a freedom appears: with `crank` held, `head` and `foot` can move";

TEST(SingularTouches, AMotionThatComesToRestFlatEndsThere) {
  struct Case {
    const char* trajectory;
    double early;  // flat to rounding (a margin of 3e-6) so much before 1 s
  };
  for (const Case& one : {Case{"{type: quintic, from: 0.3, to: 0, duration: 1}", 0.03},
                          Case{"{type: quintic, from: 0.3, to: 1e-6, duration: 1}", 0.03}})
    for (const char* integrator :
         {"method: auto", "method: rk4, step: 1e-3", "method: generalized-alpha, step: 1e-3"}) {
      SCOPED_TRACE(std::string(one.trajectory) + integrator);
      const Ended end = ended(told(one.trajectory, "duration: 1.5\noutput: {rate: 100}\nintegrator: {" +
                                                       std::string(integrator) + "}\n"));
      EXPECT_GT(end.time, 1.0 - one.early) << end.text;
      EXPECT_LE(end.time, 1.0);
      EXPECT_NE(end.text.find(of_the_pin), std::string::npos) << end.text;
      EXPECT_GE(end.rows, 96);
    }
}

// It arrives as the run ends: nothing comes after that could show it.
TEST(SingularTouches, AMotionThatArrivesAsTheRunEndsEndsThere) {
  const Ended end =
      ended(told("{type: trapezoidal, from: 0.3, to: 4e-6, velocity: 5, acceleration: 1.199984}",
                 "duration: 1\nintegrator: {method: rk4, step: 1e-2}\n"));
  EXPECT_NEAR(end.time, 1.0, 0.006) << end.text;  // 0.6 rad/s^2 (t - 1 s)^2 below 2.1e-5 rad
}

// The parabola through 0.3, `least` and 0.3 rad, 1.5 units [s] apart. What is left of s_r is a seventh of the angle: below 3e-6 for 0.013 units. The short one is over within a step.
std::string there_and_back(double least, double unit) {
  const std::string turn = number(least + (0.3 - least) / 9.0);
  return "{type: table, times: [0, " + number(unit) + ", " + number(2.0 * unit) + ", " + number(3.0 * unit) +
         "], values: [0.3, " + turn + ", " + turn + ", 0.3]}";
}

TEST(SingularTouches, AMotionThatTurnsBackFromItEndsThere) {
  for (const double unit : {1.0, 0.1})
    for (const char* integrator : {"method: auto", "method: rk4, step: 7e-3"}) {
      SCOPED_TRACE(integrator + std::to_string(unit));
      const std::string more = "duration: " + number(3.0 * unit) +
                               "\noutput: {rate: " + number(100.0 / unit) + "}\nintegrator: {" + integrator +
                               "}\n";
      const Ended end = ended(told(there_and_back(0.0, unit), more));
      EXPECT_NEAR(end.time, 1.5 * unit, 0.015 * unit) << end.text;
      EXPECT_NE(end.text.find(of_the_pin), std::string::npos) << end.text;
      EXPECT_GT(end.rows, 145);
      // A thousandth of a radian before it is not there.
      EXPECT_EQ(ended(told(there_and_back(1e-3, unit), more)).text, "");
    }
}

// 16 rad/s in steps of half a second: more than a whole turn in each.
TEST(SingularTouches, AllPassesOfAStepAreSaid) {
  const TestRun found = run(told("{type: table, times: [0, 10], values: [0.3, 160.3]}",
                                 "singular: pass\nduration: 0.95\nintegrator: {method: rk4, step: 0.5}\n"));
  EXPECT_EQ(found.summary.last.steps, 2);
  ASSERT_EQ(found.summary.last.notes.size(), 4U);
  for (int k = 1; k <= 4; ++k)
    EXPECT_NEAR(time_of(found.summary.last.notes[static_cast<std::size_t>(k - 1)]), (k * pi - 0.3) / 16.0,
                1e-5);
}

// What was said before a run was interrupted is said after it has gone on, once; and the motion is the same.
TEST(SingularTouches, ARunThatGoesOnKnowsWhatWasPassed) {
  struct Case {
    const char* integrator;
    double tolerance;
  };
  for (const Case& one :
       {Case{"method: rk4, step: 1e-3", 1e-9}, Case{"method: auto, rtol: 1e-9, atol: 1e-11", 1e-6}}) {
    const ScenarioFile file = scenario(parallelogram(
        0.3, "singular: pass\nduration: 0.6\nintegrator: {" + std::string(one.integrator) + "}\n"));
    const TestRun whole = run(file);
    ASSERT_EQ(whole.summary.last.notes.size(), 1U);
    const double passed = time_of(whole.summary.last.notes[0]);
    for (const double until : {0.5 * passed, passed - 2e-3, passed, passed + 2e-3, 0.5}) {
      SCOPED_TRACE(std::string(one.integrator) + " until " + std::to_string(until));
      Scenario first = build_scenario(file.description, file.model),
               second = build_scenario(file.description, file.model);
      RunOptions options;
      options.progress = [&](const Progress& now) { return now.t < until; };
      const RunSummary stopped = simulate(first, nullptr, options);
      ASSERT_FALSE(stopped.finished);
      RunOptions more;
      more.resume = stopped.last;
      const RunSummary rest = simulate(second, nullptr, more);
      ASSERT_EQ(rest.last.notes.size(), 1U);
      EXPECT_NEAR(time_of(rest.last.notes[0]), passed, 1e-4);
      EXPECT_LT((rest.q - whole.summary.q).lpNorm<Eigen::Infinity>(), one.tolerance);
      EXPECT_LT((rest.v - whole.summary.v).lpNorm<Eigen::Infinity>(), 100.0 * one.tolerance);
    }
  }
}

}  // namespace
}  // namespace limber
