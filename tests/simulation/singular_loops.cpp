// SPDX-License-Identifier: BSD-3-Clause
// Closed loops in motion, as benchmarks have them: singular configurations that are reached, passed, or passed by; a mechanism that moves although counting says that it cannot.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "limber/algorithms/constraints.hpp"
#include "limber/simulation/run_warnings.hpp"
#include "simulation/parallelogram.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double pi = std::numbers::pi, g = 9.81;

// Simpson's rule.
template <typename Function>
double integral(Function&& f, double from, double to, int pieces = 4000) {
  const double h = (to - from) / pieces;
  double sum = f(from) + f(to);
  for (int i = 1; i < pieces; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * f(from + i * h);
  return h / 3.0 * sum;
}

// From rest at an angle to flat. I angle'^2/2 + W sin(angle) is kept; angle = start (1 - u^2) takes out the root of the start.
double time_to_flat(double start) {
  constexpr double I = 2.0 * a * a / 3.0 + 2.0 * a * a, W = g * (2.0 * 0.25 + 2.0 * a);
  return integral(
      [&](double u) {
        if (u == 0.0) return 2.0 * start / std::sqrt(2.0 * W * start * std::cos(start) / I);
        return 2.0 * start * u / std::sqrt(2.0 * W * (std::sin(start) - std::sin(start * (1.0 - u * u))) / I);
      },
      0.0, 1.0);
}

TEST(SingularLoops, AParallelogramThatFallsFlatEndsThereByEveryMethod) {
  const double flat = time_to_flat(0.3);
  struct Case {
    const char* integrator;
    double tolerance;
  };
  for (const Case& one :
       {Case{"method: auto", 1e-5}, Case{"method: auto, rtol: 1e-10, atol: 1e-12", 1e-6},
        Case{"method: radau, rtol: 1e-9", 1e-6}, Case{"method: rk4, step: 1e-3", 1e-6},
        Case{"method: generalized-alpha, step: 1e-3", 1e-4}, Case{"method: euler, step: 1e-3", 2e-2}}) {
    SCOPED_TRACE(one.integrator);
    const Ended end = ended(parallelogram(
        0.3, "duration: 1\noutput: {rate: 100}\nintegrator: {" + std::string(one.integrator) + "}\n"));
    EXPECT_NEAR(end.time, flat, one.tolerance) << end.text;
    EXPECT_NE(end.text.find(
                  "(loop `pin`), in which a freedom appears: with `crank` held, `head` and `foot` can move"),
              std::string::npos)
        << end.text;
    EXPECT_EQ(end.rows, static_cast<long>(std::floor(100.0 * end.time)) + 1);
    EXPECT_NEAR(end.reached, end.time, 1e-3);
  }
}

TEST(SingularLoops, APassGoesOnAlongItsBranchAndSaysSo) {
  // The time is that of values within a step: of long ones they are less accurate than its ends.
  for (const auto& [integrator, tolerance] : {std::pair{"method: auto, rtol: 1e-9, atol: 1e-11", 1e-4},
                                              std::pair{"method: rk4, step: 1e-3", 1e-6}}) {
    SCOPED_TRACE(integrator);
    const ScenarioFile file = scenario(
        parallelogram(0.3, "singular: pass\nduration: 0.6\nintegrator: {" + std::string(integrator) + "}\n"));
    const TestRun found = run(file);
    EXPECT_EQ(found.summary.end, 0.6);
    ASSERT_EQ(found.summary.last.notes.size(), 1U);
    double time = 0.0;
    std::sscanf(found.summary.last.notes[0].c_str(), "at t = %lf", &time);  // NOLINT
    EXPECT_NEAR(time, time_to_flat(0.3), tolerance);
    for (const Sample& row : found.rows) {
      EXPECT_NEAR(row.q[2], row.q[0], 1e-6) << row.t;
      EXPECT_NEAR(row.q[1], -row.q[0], 1e-6) << row.t;
    }
    EXPECT_LT(found.rows.back().q[0], -1.0);
    EXPECT_LT(std::abs(found.summary.ledger.error), 1e-5);
    const Scenario built = build_scenario(file.description, file.model);
    const std::vector<std::string> warnings = run_warnings(built, found.summary.last, found.summary.doubts);
    EXPECT_NE(std::find(warnings.begin(), warnings.end(), found.summary.last.notes[0]), warnings.end());
  }
}

// Then it does not lie flat: the rods turn into each other's line in another way, and back.
TEST(SingularLoops, ARodThatIsLongerByAHundredThousandthIsSilent) {
  for (const double off : {1e-5, -1e-5}) {
    const TestRun found = run(parallelogram(
        0.3, "duration: 0.6\nintegrator: {method: auto, rtol: 1e-9, atol: 1e-11}\n", b * (1.0 + off)));
    EXPECT_EQ(found.summary.end, 0.6) << off;
    EXPECT_TRUE(found.summary.last.notes.empty()) << off;
  }
}

TEST(SingularLoops, AStartInOneSaysSo) {
  const Ended end = ended(parallelogram(0.0, "duration: 1\n"));
  EXPECT_EQ(end.time, 0.0) << end.text;
  EXPECT_NE(end.text.find("singular configuration (loop `pin`)"), std::string::npos) << end.text;
  EXPECT_EQ(end.rows, 1);
  const Ended far = ended(parallelogram(0.5, "duration: 0.05\n"));
  EXPECT_EQ(far.text, "");
}

// ---- a slider-crank: crank of 1 m, rod of `rod`, a block on the x axis ----

// `told`: the joint that is prescribed, whose start is its trajectory's.
std::string slider_crank(double rod, double crank, const std::string& told, const std::string& more) {
  const double angle = -std::asin(std::sin(crank) / rod);
  std::string start = "head: " + number(angle - crank);
  if (told != "crank") start += ", crank: " + number(crank);
  if (told != "slide") start += ", slide: " + number(std::cos(crank) + rod * std::cos(angle));
  return "limber: 1\nmodel:\n  limber: 1\n  gravity: [0, -9.81, 0]\n  links:\n"
         "    - {name: crank, joint: {name: crank, axis: [0, 0, 1]}, rigid: {mass: 1, com: [0.5, 0, 0], "
         "inertia: [1e-3, 0.1, 0.1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}\n"
         "    - {name: rod, joint: {name: head, axis: [0, 0, 1]}, rigid: {mass: 2, com: [1, 0, 0], inertia: "
         "[1e-3, 0.5, 0.5, 0, 0, 0], tip: {xyz: [" +
         number(rod) +
         ", 0, 0]}}}\n"
         "    - {name: block, parent: base, joint: {name: slide, type: prismatic, axis: [1, 0, 0]}, rigid: "
         "{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n"
         "  loops: [{name: eye, type: spherical, a: {link: rod}, b: {link: block}}]\n"
         "initial: {q: {" +
         start + "}}\n" + more;
}
const std::string
    turning = "trajectories: {t: {type: table, times: [0, 1, 2, 3, 4], values: [0.4, 2.4, 4.4, 6.4, 8.4]}}\n",
    prescribed_crank = "actuation: [{joint: crank, type: prescribed, target: {trajectory: t}}]\n";

TEST(SingularLoops, ACrankTurnsItsSliderThroughBothDeadCentres) {
  for (const char* integrator :
       {"method: auto", "method: rk4, step: 2e-3", "method: generalized-alpha, step: 2e-3"})
    for (const char* told : {"crank", ""}) {
      SCOPED_TRACE(std::string(integrator) + " " + told);
      const std::string kind = *told ? "prescribed" : "pd, kp: 1e3, kd: 1e3";
      const TestRun found = run(slider_crank(2.0, 0.4, told,
                                             turning + "actuation: [{joint: crank, type: " + kind +
                                                 ", target: {trajectory: t}}]\nduration: 4\nintegrator: {" +
                                                 integrator + "}\n"));
      EXPECT_EQ(found.summary.end, 4.0);
      EXPECT_TRUE(found.summary.last.notes.empty());
      EXPECT_GT(found.rows.back().q[0], 2.0 * pi);
    }
}

// Prescribed along x = 2.7 + 0.3 t^2 it would pass the dead centre at x = 3 when t = 1; there the crank's rate is beyond all bounds.
TEST(SingularLoops, ASliderPushesItsCrankToItsDeadCentreAndNoFarther) {
  const double crank = std::acos((2.7 * 2.7 + 1.0 - 4.0) / (2.0 * 2.7));
  const std::string pushed =
      "trajectories: {t: {type: trapezoidal, from: 2.7, to: 3.5, start: 0, velocity: 5, acceleration: 0.6}}\n"
      "actuation: [{joint: slide, type: prescribed, target: {trajectory: t}}]\nduration: 2\n";
  for (const char* integrator : {"method: auto", "method: radau", "method: rk4, step: 1e-3",
                                 "method: generalized-alpha, step: 1e-3"}) {
    SCOPED_TRACE(integrator);
    const Ended end = ended(slider_crank(2.0, crank, "slide", pushed + "integrator: {" + integrator + "}\n"));
    EXPECT_NEAR(end.time, 1.0, 2e-3) << end.text;
    EXPECT_NE(end.text.find(
                  "(loop `eye`), in which a freedom appears: with `slide` held, `crank` and `head` can move"),
              std::string::npos)
        << end.text;
    EXPECT_GE(end.rows, 99);
  }
}

// A rod as long as the crank: with the crank upright the block is on its bearing, and crank and rod can turn there together.
TEST(SingularLoops, ABlockOnTheBearingOfItsCrankSetsItFree) {
  const std::string more =
      turning + prescribed_crank + "duration: 1\nintegrator: {method: auto, rtol: 1e-9, atol: 1e-11}\n";
  const Ended end = ended(slider_crank(1.0, 0.4, "crank", more));
  EXPECT_NEAR(end.time, (pi / 2.0 - 0.4) / 2.0, 1e-6) << end.text;
  EXPECT_EQ(ended(slider_crank(1.0 + 1e-5, 0.4, "crank", more)).text, "");
}

// ---- two four-bars: IFToMM's benchmark A02 ----

TEST(SingularLoops, TwoFourBarsArePublishedPendulumThroughTenSingularConfigurations) {
  const TestRun found = run(shipped("two_four_bars/turn.yaml"));
  const auto slowness = [](double phi) {
    return 1.0 / std::sqrt(1.0 + 7.0 * g / 3.0 * (1.0 - std::cos(phi)));
  };
  const double quarter = integral(slowness, 0.0, 0.5 * pi), turn = integral(slowness, 0.0, 2.0 * pi);
  EXPECT_NEAR(quarter, 0.714356, 5e-7);
  std::vector<double> expected;
  for (double t = 0.0; t < 10.0; t += turn)
    for (const double at : {t + quarter, t + turn - quarter})
      if (at < 10.0) expected.push_back(at);
  ASSERT_EQ(found.summary.last.notes.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    double time = 0.0;
    std::sscanf(found.summary.last.notes[i].c_str(), "at t = %lf", &time);  // NOLINT
    EXPECT_NEAR(time, expected[i], 1e-5) << found.summary.last.notes[i];
  }
  EXPECT_NE(found.summary.last.notes[0].find(
                "(loops `pin1` and `pin2`), in which 2 freedoms appear: with `first` held, "
                "`top1`, `middle`, `top2` and `last` can move in 2 ways"),
            std::string::npos)
      << found.summary.last.notes[0];
  // phi'' = 7 g/6 sin(phi), by small steps of the midpoint's kin (Verlet, extrapolated to fourth order).
  double phi = 0.0, rate = 1.0, t = 0.0;
  const auto step = [&](double h) {
    constexpr double w = 1.3512071919596578;
    for (const double part : {w, 1.0 - 2.0 * w, w}) {
      phi += 0.5 * part * h * rate;
      rate += part * h * 7.0 * g / 6.0 * std::sin(phi);
      phi += 0.5 * part * h * rate;
    }
    t += h;
  };
  for (const Sample& row : found.rows) {
    while (t < row.t - 1e-9) step(1e-4);
    for (const int bar : {0, 2, 4}) {
      EXPECT_NEAR(std::cos(row.q[bar]), std::sin(phi), 1e-5) << row.t;
      EXPECT_NEAR(std::sin(row.q[bar]), std::cos(phi), 1e-5) << row.t;
    }
  }
  EXPECT_LT(found.summary.last.largest_error, 1e-5);
}

// ---- Bricard's mechanism: IFToMM's benchmark A04 ----

// Hinges turn by a and b in turn, (1 + sin a)(1 + sin b) = 1. From the cube a goes to 180 degrees while b dips and comes back. With a = pi/2 + r cos(psi), b = pi/2 + r sin(psi)
// that is a quarter of a round in psi; inertia and weight along it by the rods' own motion.
struct Bricard {
  Eigen::Vector2d angles, slope;  // by psi
  double inertia = 0.0, weight = 0.0;
  explicit Bricard(double psi) {
    double low = 0.1, high = 2.9;
    for (int i = 0; i < 100; ++i) {
      const double r = 0.5 * (low + high);
      (std::cos(r * std::cos(psi)) + 1.0) * (std::cos(r * std::sin(psi)) + 1.0) > 1.0 ? low = r : high = r;
    }
    const Eigen::Vector2d d = low * Eigen::Vector2d(std::cos(psi), std::sin(psi));
    angles = Eigen::Vector2d(0.5 * pi, 0.5 * pi) + d;
    const Eigen::Vector2d F =
        angles.array().cos() / (1.0 + angles.array().sin());  // of ln((1 + sin a)(1 + sin b))
    slope = Eigen::Vector2d(-F[1], F[0]) * low * low / d.dot(F);
    const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), y = Eigen::Vector3d::UnitY(),
                          z = Eigen::Vector3d::UnitZ();
    const Eigen::Vector3d axes[] = {y, z, x, y, z}, ways[] = {x, -y, z, -x, y};  // NOLINT
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    Eigen::Vector3d p = Eigen::Vector3d::Zero(), v = p, w = p;
    for (int i = 0; i < 5; ++i) {
      w += R * axes[i] * slope[i % 2];
      R = (R * Eigen::AngleAxisd(angles[i % 2], axes[i])).eval();
      const Eigen::Vector3d way = R * ways[i], v_com = v + 0.5 * w.cross(way);
      const double along = w.dot(way);
      inertia +=
          v_com.squaredNorm() + 1.01 / 12.0 * (w.squaredNorm() - along * along) + 0.02 / 12.0 * along * along;
      weight += g * (p + 0.5 * way).y();
      p += way;
      v += w.cross(way);
    }
    EXPECT_LT((p - z).norm() + (R * x - x).norm(), 1e-12) << psi;  // closed
  }
};

TEST(BricardsMechanism, SwingsWithThePeriodOfItsClosedFormAndKeepsItsEnergy) {
  const double top = Bricard(-0.75 * pi).weight;
  ASSERT_NEAR(Bricard(-0.25 * pi).weight, top, 1e-12);
  double period = 0.0;
  constexpr int pieces =
      200;  // psi = -pi/2 + pi/4 sin(u) takes out the roots of both ends; the rule of midpoints then converges with every digit
  for (int i = 0; i < pieces; ++i) {
    const double u = pi * ((i + 0.5) / pieces - 0.5);
    const Bricard at(-0.5 * pi + 0.25 * pi * std::sin(u));
    period += 2.0 * pi / pieces * 0.25 * pi * std::cos(u) * std::sqrt(at.inertia / (2.0 * (top - at.weight)));
  }
  EXPECT_NEAR(period, 4.99171, 5e-6);

  ScenarioFile file = shipped("bricard/swing.yaml");
  const TestRun ten = run(file);
  EXPECT_LT(ten.summary.last.largest_error, 1e-6);
  EXPECT_EQ(ten.summary.end, 10.0);
  for (const Sample& row : ten.rows) {
    EXPECT_NEAR((1.0 + std::sin(row.q[0])) * (1.0 + std::sin(row.q[1])), 1.0, 1e-6) << row.t;
    EXPECT_NEAR(row.q[0], row.q[2], 1e-6);
    EXPECT_NEAR(row.q[1], row.q[3], 1e-6);
  }
  file.description.duration = period;
  file.description.output.rate = 1.0;
  const TestRun once = run(file);
  EXPECT_LT(once.summary.q.lpNorm<Eigen::Infinity>(), 1e-6);
  EXPECT_LT(once.summary.v.lpNorm<Eigen::Infinity>(), 1e-4);  // times a microsecond of 20 rad/s^2
  file.description.duration = 0.5 * period;
  const TestRun half = run(file);
  EXPECT_NEAR(half.summary.q[0], pi, 1e-6);
  EXPECT_LT(half.summary.v.lpNorm<Eigen::Infinity>(), 1e-4);
}

}  // namespace
}  // namespace limber
