// SPDX-License-Identifier: BSD-3-Clause
// Integrators on motions that are known: their order, their dissipation, their ledger.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "limber/core/computation_error.hpp"
#include "limber/scenario/choices.hpp"
#include "runs.hpp"

namespace limber {
namespace {

// A rigid link on a spring: q = q0 cos(w t) with w = 2 rad/s, exactly.
constexpr double w = 2.0, q0 = 0.7;
ScenarioFile oscillator(const std::string& integrator, double duration = 3.0) {
  return scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, stiffness: 8}, rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}}
initial: {q: {j: 0.7}}
integrator: )" + integrator +
                  "\nduration: " + std::to_string(duration) + "\noutput: {rate: 7}\n");
}

double error_at_end(const TestRun& run) {
  const double t = run.summary.end;
  return std::hypot(run.summary.q[0] - q0 * std::cos(w * t),
                    (run.summary.v[0] + q0 * w * std::sin(w * t)) / w);
}

struct FixedStep {
  const char* method;
  int order;
};
class Order : public testing::TestWithParam<FixedStep> {};

TEST_P(Order, IsThatOfTheMethod) {
  std::vector<double> errors;
  for (const char* step : {"0.05", "0.025", "0.0125"}) {
    const std::string integrator = std::string("{method: ") + GetParam().method + ", step: " + step + "}";
    errors.push_back(error_at_end(run(oscillator(integrator))));
  }
  const double expected = std::pow(2.0, GetParam().order);
  EXPECT_NEAR(errors[0] / errors[1], expected, 0.12 * expected);
  EXPECT_NEAR(errors[1] / errors[2], expected, 0.08 * expected);
}

INSTANTIATE_TEST_SUITE_P(FixedSteps, Order,
                         testing::Values(FixedStep{"euler", 1}, FixedStep{"rk4", 4},
                                         FixedStep{"generalized-alpha", 2}),
                         [](const auto& each) {
                           std::string name = each.param.method;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// Methods that choose their steps: held to one step length by a tolerance that never bites.
TEST(Order, OfRadauIsFive) {
  std::vector<double> errors;
  for (const char* step : {"0.4", "0.2", "0.1"})
    errors.push_back(error_at_end(
        run(oscillator(std::string("{method: radau, rtol: 0.1, atol: 1e6, max_step: ") + step + "}", 4.0))));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 5.0, 0.3);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 5.0, 0.3);
}

TEST(Order, OfRadau9IsNine) {
  std::vector<double> errors;
  for (const char* step : {"1", "0.5"})
    errors.push_back(error_at_end(
        run(oscillator(std::string("{method: radau9, rtol: 0.1, atol: 1e6, max_step: ") + step + "}", 8.0))));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 9.0, 0.6);
}

TEST(Order, OfRadau13IsThirteen) {
  std::vector<double> errors;
  for (const char* step : {"1.5", "0.75"})
    errors.push_back(error_at_end(run(
        oscillator(std::string("{method: radau13, rtol: 0.1, atol: 1e6, max_step: ") + step + "}", 48.0))));
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 13.0, 0.6);
}

TEST(Order, OfErkIsFive) {
  std::vector<double> errors;
  for (const char* step : {"0.2", "0.1", "0.05"})
    errors.push_back(error_at_end(
        run(oscillator(std::string("{method: erk, rtol: 0.1, atol: 1e6, max_step: ") + step + "}", 4.0))));
  // The first steps of ARKODE are shorter than the longest one.
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 5.0, 0.6);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 5.0, 0.6);
}

class Adaptive : public testing::TestWithParam<const char*> {};

TEST_P(Adaptive, FollowsItsTolerance) {
  double last = 1.0;
  for (const char* rtol : {"1e-4", "1e-6", "1e-8", "1e-10"}) {
    const TestRun result =
        run(oscillator(std::string("{method: ") + GetParam() + ", rtol: " + rtol + ", atol: 1e-12}"));
    const double error = error_at_end(result);
    EXPECT_LT(error, 300.0 * std::stod(rtol)) << rtol;
    EXPECT_LT(error, 0.5 * last) << rtol;
    last = error;
    // Rows in between are as good as the steps.
    for (const Sample& row : result.rows)
      EXPECT_NEAR(row.q[0], q0 * std::cos(w * row.t), 300.0 * std::stod(rtol) + 1e-10)
          << rtol << " " << row.t;
  }
}

TEST_P(Adaptive, KeepsTheLedger) {
  const TestRun result =
      run(oscillator(std::string("{method: ") + GetParam() + ", rtol: 1e-8, atol: 1e-12}"));
  const double energy = 0.5 * 8.0 * q0 * q0;
  EXPECT_LT(result.summary.last.largest_error, 1e-5 * energy);
  EXPECT_NEAR(result.rows.front().ledger.strain, energy, 1e-12);
  EXPECT_FALSE(result.summary.ledger_is_off);
}

INSTANTIATE_TEST_SUITE_P(Methods, Adaptive,
                         testing::Values("radau", "radau9", "radau13", "variable-radau", "bdf", "adams",
                                         "erk"));

// h w = 2000: only the method's own damping is left. With all three roots at -r, a mode decays as n^2 r^n.
TEST(GeneralizedAlpha, DampsInfinitelyFastModesAsItSays) {
  for (const double radius : {0.2, 0.5, 0.8}) {
    const ScenarioFile file = scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, stiffness: 8e8}, rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}}
initial: {q: {j: 0.7}}
integrator: {method: generalized-alpha, rtol: 1e-9, atol: 1e-15, step: 0.1, spectral_radius: )" +
                                       std::to_string(radius) + "}\nduration: 5\noutput: {rate: 10}\n");
    const TestRun result = run(file);
    const auto n = static_cast<std::size_t>(std::ceil(std::log(1e-2) / std::log(radius)));
    const double ratio = std::abs(result.rows[2 * n].q[0] / result.rows[n].q[0]) / 4.0;
    EXPECT_NEAR(std::pow(ratio, 1.0 / static_cast<double>(n)), radius, 0.1 * radius) << radius;
  }
}

TEST(GeneralizedAlpha, OfRadiusOneKeepsTheEnergy) {
  const TestRun result =
      run(oscillator("{method: generalized-alpha, step: 0.1, spectral_radius: 1, atol: 1e-15}", 50.0));
  const Ledger& end = result.rows.back().ledger;
  EXPECT_NEAR(end.kinetic + end.strain, 0.5 * 8.0 * q0 * q0, 1e-9);
}

TEST(Euler, IsWarnedAbout) {
  const TestRun result = run(oscillator("{method: euler, step: 1e-2}"));
  EXPECT_TRUE(result.summary.ledger_is_off);
  ASSERT_GE(result.log.size(), 2u);
  EXPECT_NE(result.log[0].find("unstable"), std::string::npos);
  EXPECT_NE(result.log[1].find("ledger is off"), std::string::npos);
}

TEST(Auto, ExplainsItself) {
  const TestRun soft = run(oscillator("{method: auto}"));
  EXPECT_EQ(soft.summary.integrator, "erk");
  EXPECT_NE(soft.summary.reason.find("not stiff"), std::string::npos);
  const TestRun stiff = run(shipped("crane/manoeuvre.yaml"));
  EXPECT_EQ(stiff.summary.integrator, "variable-radau");
  EXPECT_NE(stiff.summary.reason.find("stiff"), std::string::npos);
}

// An arm at rest could be followed in one step; but nothing is written, shown or stopped before a step ends.
TEST(LongRest, IsLookedAtAgainAndAgain) {
  for (const IntegrationMethod& method :
       {IntegrationMethod(integrators::Radau{}), IntegrationMethod(integrators::Bdf{}),
        IntegrationMethod(integrators::Erk{})}) {
    ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
    file.description.actuation.clear();
    file.description.trajectories.clear();
    file.description.integrator.method = method;
    file.description.duration = 1000.0;
    Scenario built = build_scenario(file.description, file.model);
    RunOptions options;
    double before = 0.0, longest = 0.0;
    options.progress = [&](const Progress& progress) {
      longest = std::max(longest, progress.t - before);
      before = progress.t;
      return true;
    };
    EXPECT_TRUE(simulate(built, nullptr, options).finished);
    EXPECT_EQ(before, 1000.0);
    EXPECT_LE(longest, 1000.0 / file.description.output.rate * (1.0 + 1e-9)) << type_name(method);
    EXPECT_GT(longest, 1.0) << type_name(method);
  }
}

// A free body without forces: angular momentum is constant in the world, and quaternions stay unit.
class FreeBody : public testing::TestWithParam<const char*> {};

TEST_P(FreeBody, KeepsItsMomentumAndUnitQuaternions) {
  const std::string step = std::string(GetParam()) == "rk4" || std::string(GetParam()) == "generalized-alpha"
                               ? ", step: 1e-3"
                               : ", rtol: 1e-9, atol: 1e-12";
  const TestRun result = run(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, type: free}, rigid: {mass: 2, com: [0, 0, 0], inertia: [1, 2, 3, 0, 0, 0]}}
initial: {v: {j.1: 1, j.2: -0.5, j.4: 1, j.5: 2, j.6: 0.3}}
integrator: {method: )" + std::string(GetParam()) +
                             step + "}\nduration: 10\noutput: {rate: 10}\n");
  const auto world = [](const Sample& row) {
    const Eigen::Quaterniond R(Eigen::Vector4d(row.q.segment<4>(3)));
    const Eigen::Vector3d angular = R * Eigen::Vector3d(1.0 * row.v[3], 2.0 * row.v[4], 3.0 * row.v[5]);
    const Eigen::Vector3d linear = R * Eigen::Vector3d(row.v.head<3>());
    return std::pair(angular, linear);
  };
  const auto first = world(result.rows.front());
  const double tolerance = std::string(GetParam()) == "generalized-alpha" ? 1e-4 : 1e-6;
  for (const Sample& row : result.rows) {
    EXPECT_NEAR(row.q.segment<4>(3).norm(), 1.0, 1e-14);
    EXPECT_LT((world(row).first - first.first).norm(), tolerance) << row.t;
    EXPECT_LT((world(row).second - first.second).norm(), tolerance) << row.t;
    // The centre moves on a straight line.
    EXPECT_LT((row.q.head<3>() - row.t * first.second).norm(), 10.0 * tolerance) << row.t;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, FreeBody,
                         testing::Values("radau", "radau9", "radau13", "variable-radau", "bdf", "adams",
                                         "erk", "rk4", "generalized-alpha"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A torque that jumps: x'' = u, exact at every row only if steps end where it jumps.
class Corners : public testing::TestWithParam<const char*> {};

TEST_P(Corners, AreSteppedToExactly) {
  const bool fixed = std::string(GetParam()) == "rk4";
  const TestRun result = run(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, armature: 1}, rigid: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
actuation:
  - {joint: j, type: torque, signal: {trajectory: u}}
trajectories: {u: {type: steps, points: [[0, 0], [0.3333333333, 2], [1.2345678, -6]]}}
integrator: {method: )" + std::string(GetParam()) +
                             (fixed ? ", step: 0.1" : ", rtol: 1e-9, atol: 1e-12") +
                             "}\nduration: 3\noutput: {rate: 100}\n");
  const auto exact = [](double t) {
    const double t1 = 0.3333333333, t2 = 1.2345678;
    if (t < t1) return 0.0;
    if (t < t2) return 0.5 * (t - t1) * (t - t1);
    const double v = t2 - t1;
    return 0.5 * v * v + v * (t - t2) - 1.5 * (t - t2) * (t - t2);
  };
  for (const Sample& row : result.rows) EXPECT_NEAR(row.q[0], exact(row.t), 1e-8) << row.t;
  EXPECT_LT(result.summary.last.largest_error, 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Methods, Corners,
                         testing::Values("radau", "radau9", "radau13", "variable-radau", "bdf", "adams",
                                         "erk", "rk4"));

// A spring of 2e28 N m/rad swings at 1e14 rad/s: no explicit method comes to an end.
TEST(EndlessRun, IsRefusedAtItsStartWithTheCoordinate) {
  const auto message = [](const std::string& integrator) {
    try {
      run(scenario(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links: [{name: a, joint: {name: elbow, stiffness: 2e28}, rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}}]
initial: {q: {elbow: 0.1}}
duration: 10
integrator: )" + integrator +
                   "\n"));
    } catch (const ComputationError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  for (const char* method : {"{method: auto}", "{method: erk}", "{method: adams}"}) {
    EXPECT_NE(message(method).find("would not end: `elbow` moves at 1e+14 rad/s"), std::string::npos)
        << message(method);
    EXPECT_NE(message(method).find("stiffness"), std::string::npos);
  }
}

TEST(Divergence, IsExplained) {
  // Far beyond the step that rk4 can take on the Canadarm's fastest mode (2.8/1034 s).
  ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  file.description.integrator.method = integrators::Rk4{5e-3};
  try {
    run(file);
    FAIL();
  } catch (const ComputationError& error) {
    const std::string message = error.what();
    for (const char* words :
         {"diverges at t = ", "link", "kinetic energy", "shorter step", "kinematics: second"})
      EXPECT_NE(message.find(words), std::string::npos) << message;
  }
}

TEST(Divergence, LeavesWhatWasReached) {
  ScenarioFile file = shipped("canadarm/manoeuvre.yaml");
  file.description.integrator.method = integrators::Rk4{5e-3};
  Scenario built = build_scenario(file.description, file.model);
  History history;
  Checkpoint reached;
  RunOptions options;
  options.last_good = &reached;
  EXPECT_THROW(simulate(built, &history, options), ComputationError);
  EXPECT_EQ(static_cast<std::size_t>(reached.rows), history.rows.size());
  EXPECT_GT(reached.rows, 1);
  EXPECT_TRUE(reached.integrator.y.allFinite());
}

}  // namespace
}  // namespace limber
