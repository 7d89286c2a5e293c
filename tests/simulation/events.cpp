// SPDX-License-Identifier: BSD-3-Clause
// Runs in pieces: limits that are met and left, efforts that slide between them, and inputs that change for a moment only.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <utility>

#include "runs.hpp"

namespace limber {
namespace {

// A rigid link of 26.5 kg at 1 m, level: 260 N m would hold it.
constexpr double mass = 26.5, inertia = 30.0, weight = mass * 9.81, limit = 50.0;

std::string weak_arm(double target, const std::string& integrator) {
  return R"(limber: 1
model:
  links:
    - name: a
      joint: {name: j, axis: [0, -1, 0], limits: {effort: 50}}
      rigid: {mass: 26.5, com: [1, 0, 0], inertia: [1, 3.5, 3.5, 0, 0, 0]}
actuation: [{joint: j, type: pd, kp: 800, kd: 100, target: {value: )" +
         std::to_string(target) + R"(}}]
integrator: )" +
         integrator + "\nduration: 5\n";
}

// The same by a method of its own: Runge-Kutta of order 4 with steps so short that kinks do not matter.
Eigen::Vector2d end_of_weak_arm(double target) {
  const auto rate = [&](const Eigen::Vector2d& y) -> Eigen::Vector2d {
    const double asked = 800.0 * (target - y[0]) - 100.0 * y[1];
    return {y[1], (std::clamp(asked, -limit, limit) - weight * std::cos(y[0])) / inertia};
  };
  constexpr double h = 1e-5;
  Eigen::Vector2d y(0.0, 0.0);
  for (int i = 0; i < 500000; ++i) {
    const Eigen::Vector2d k1 = rate(y), k2 = rate(y + 0.5 * h * k1), k3 = rate(y + 0.5 * h * k2),
                          k4 = rate(y + h * k3);
    y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return y;
}

class SaturatedMotor : public testing::TestWithParam<const char*> {};

// Above: it falls, and swings at its limit for good. Below: it comes into and out of its limits until it stands.
TEST_P(SaturatedMotor, CostsNoMoreThanAFreeOne) {
  for (const double target : {0.5, -1.5}) {
    const TestRun result = run(weak_arm(target, GetParam()));
    const Eigen::Vector2d expected = end_of_weak_arm(target);
    EXPECT_NEAR(result.summary.q[0], expected[0], 1e-5);
    EXPECT_NEAR(result.summary.v[0], expected[1], 1e-5);
    EXPECT_LT(result.summary.last.steps, 1500);
    EXPECT_LT(result.summary.last.rejected, 100);
    bool at_limit = false, free = false;
    for (const Sample& row : result.rows) {
      EXPECT_LE(std::abs(row.efforts[0]), limit) << row.t;
      (std::abs(row.efforts[0]) == limit ? at_limit : free) = true;
    }
    EXPECT_TRUE(at_limit);
    EXPECT_EQ(free, target < 0.0);
    EXPECT_FALSE(result.summary.ledger_is_off);
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, SaturatedMotor,
                         testing::Values("{method: radau, rtol: 1e-7}", "{method: radau9, rtol: 1e-7}",
                                         "{method: bdf, rtol: 1e-8}", "{method: adams, rtol: 1e-8}",
                                         "{method: erk, rtol: 1e-8}", "{method: rk4, step: 0.01}",
                                         "{method: auto, rtol: 1e-7}"));

// Fed-back so hard that the effort would jump from one limit to the other: in truth the joint slides along
// kp (target - q) = kd v, so that its error falls as exp(-kp/kd t).
class HardFeedback : public testing::TestWithParam<const char*> {};

TEST_P(HardFeedback, Slides) {
  const TestRun result = run(std::string(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, limits: {effort: 50}}, rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}}
actuation: [{joint: j, type: pd, target: {value: 1}, )") +
                             GetParam() + R"(}]
integrator: {method: radau, rtol: 1e-6}
duration: 3
)");
  EXPECT_LT(result.summary.last.steps, 3000);
  EXPECT_EQ(result.summary.end, 3.0);
  // On the line from some time on: kp/kd is 4/s in all of them.
  const Sample& some = result.rows[100];
  for (std::size_t i = 100; i < result.rows.size(); ++i) {
    const Sample& row = result.rows[i];
    EXPECT_NEAR(1.0 - row.q[0], (1.0 - some.q[0]) * std::exp(-4.0 * (row.t - some.t)), 2e-5) << row.t;
    EXPECT_LE(std::abs(row.efforts[0]), limit);
  }
}
INSTANTIATE_TEST_SUITE_P(Gains, HardFeedback,
                         testing::Values("kp: 4e4, kd: 1e4", "kp: 4e6, kd: 1e6", "kp: 4e8, kd: 1e8",
                                         "kp: 4e10, kd: 1e10", "kp: 4e12, kd: 1e12"));

// Two motors, each fed back so hard that it is at its limit at first and later slides, on links that bend. `auto` must see what
// comes when the motors leave their limits, and a mode that ends as soon as it has begun must not stop a method.
class HardFeedbackOfTwoJoints : public testing::TestWithParam<const char*> {};

TEST_P(HardFeedbackOfTwoJoints, EndsWhereItShould) {
  for (const std::string gains :
       {"kp: 1e4, kd: 1e3", "kp: 1e6, kd: 1e5", "kp: 1e7, kd: 1e6", "kp: 1e9, kd: 1e8"}) {
    SCOPED_TRACE(gains);
    const std::string beam =
        "beam: {length: 1, section: {EI_z: 500, mass_per_length: 1}, modes: {y: {count: 2}}, damping: "
        "{ratio: "
        "0.01}}";
    const TestRun result = run(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: first, limits: {effort: 20}}, )" +
                               beam + R"(}
    - {name: b, joint: {name: second, limits: {effort: 5}}, )" +
                               beam + R"(}
actuation:
  - {joint: first, type: pd, target: {value: 0.5}, )" +
                               gains +
                               R"(}
  - {joint: second, type: pd, target: {value: -0.4}, )" +
                               gains + R"(}
integrator: {method: )" + GetParam() +
                               R"(}
duration: 3
)");
    EXPECT_EQ(result.summary.end, 3.0);
    EXPECT_NEAR(result.summary.q[0], 0.5, 1e-3);
    EXPECT_NEAR(result.summary.q[3], -0.4, 1e-3);
    EXPECT_LT(result.summary.last.steps, 10000);
    for (const Sample& row : result.rows) EXPECT_LE(std::abs(row.efforts[3]), 5.0) << row.t;
  }
}
INSTANTIATE_TEST_SUITE_P(Methods, HardFeedbackOfTwoJoints,
                         testing::Values("auto", "radau", "radau9", "variable-radau", "bdf"));

// ---- inputs that change for a moment ----

TEST(Pace, OfATableEndsWhereItsPolynomialDoes) {
  // Slow, though finely given: few stretches. With a pulse somewhere: short ones there.
  std::vector<double> times, values;
  for (int i = 0; i <= 10000; ++i) {
    times.push_back(i * 1e-3);
    values.push_back(std::sin(0.2 * times.back()));
  }
  const auto stretches = [&] {
    const auto table =
        make_trajectory(trajectories::Table{times, values}, [](const std::string&) { return nullptr; });
    std::vector<double> ends;
    for (double t = 0.0; std::isfinite(table->pace(t).until); t = ends.back())
      ends.push_back(table->pace(t).until);
    return ends;
  };
  EXPECT_LT(stretches().size(), 40u);
  EXPECT_EQ(stretches().back(), 10.0);
  for (int i = 5000; i < 5010; ++i) values[static_cast<std::size_t>(i)] += 1e-3;
  const std::vector<double> with_pulse = stretches();
  EXPECT_LT(with_pulse.size(), 120u);
  EXPECT_GT(
      std::count_if(with_pulse.begin(), with_pulse.end(), [](double t) { return t > 4.995 && t < 5.015; }),
      10);
}

struct Method {
  const char* description;
  double accuracy;  ///< relative to what the pulse does
};
class Pulse : public testing::TestWithParam<Method> {};

// Somewhere in two seconds of rest a pulse of 2 to 50 ms: a torque, a load or a target, given by a table, by steps or by
// two ramps. All methods see it.
TEST_P(Pulse, IsNotSteppedOver) {
  const Method method = GetParam();
  std::mt19937 random(7);
  const auto uniform = [&](double a, double b) {
    return std::uniform_real_distribution<double>(a, b)(random);
  };
  const bool is_dae = std::string(method.description).find("rkmk4") != std::string::npos;
  const ScenarioFile file = scenario(std::string(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, stiffness: 20, damping: 1}, rigid: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}
formulation: )") + (is_dae ? "dae" : "recursive") +
                                     R"(
actuation:
  - {joint: j, type: torque, signal: {trajectory: torque}}
  - {joint: j, type: pd, kp: 5, kd: 0.5, target: {trajectory: target}}
loads: [{link: a, force: [0, 3, 0], factor: {trajectory: load}}]
trajectories:
  torque: {type: constant, value: 0}
  target: {type: constant, value: 0}
  load: {type: constant, value: 0}
integrator: )" + method.description + "\nduration: 2\noutput: {rate: 10}\n");
  const char* asked = std::getenv("LIMBER_PULSES");  // 500 take ten minutes
  const int pulses = asked != nullptr ? std::atoi(asked) : 45;
  for (int i = 0; i < pulses; ++i) {
    const double width = std::exp(uniform(std::log(0.002), std::log(0.05))), start = uniform(0.05, 1.9);
    ScenarioDescription description = file.description;
    TrajectoryDescription pulse;
    const int kind = i % 3, input = (i / 3) % 3;
    if (kind == 0) {  // a bell, on a grid
      trajectories::Table bell;
      const int count = static_cast<int>(2.0 / (0.25 * width));
      for (int k = 0; k <= count; ++k) {
        const double t = k * 2.0 / count, s = (t - start) / width;
        bell.times.push_back(t);
        bell.values.push_back(s > 0.0 && s < 1.0 ? 16.0 * s * s * (1.0 - s) * (1.0 - s) : 0.0);
      }
      pulse = bell;
    } else if (kind == 1) {
      pulse = trajectories::Steps{{{0.0, 0.0}, {start, 1.0}, {start + width, 0.0}}};
    } else {
      pulse = trajectories::Sum{{"up", "down"}};
      const double half = 0.5 * width;
      description.trajectories.emplace_back("up", trajectories::Quintic{0.0, 1.0, start, half});
      description.trajectories.emplace_back("down", trajectories::Quintic{0.0, -1.0, start + half, half});
    }
    description.trajectories[static_cast<std::size_t>(input)].second = pulse;
    const TestRun result = run(description, file.model);
    description.integrator = {};
    description.integrator.method = integrators::Rk4{0.1 * width};
    description.formulation = FormulationKind::recursive;
    const TestRun reference = run(description, file.model);
    const double size = reference.summary.last.peaks.rate[0].value;
    EXPECT_GT(size, 0.0);
    EXPECT_NEAR(result.summary.v[0], reference.summary.v[0], method.accuracy * size)
        << method.description << ", pulse " << i << " of " << width << " s at " << start << " s";
    EXPECT_NEAR(result.summary.q[0], reference.summary.q[0], method.accuracy * size);
  }
}
// A pulse in a table whose other points are zero: its spline has humps between them, one of two seconds before. Methods
// that look at ends of steps only see them as well (bdf and ida went from zero to zero and were 0.4 % off at any tolerance).
TEST_P(Pulse, MayBeAHumpBetweenThePointsOfATable) {
  const Method method = GetParam();
  const bool is_dae = std::string(method.description).find("rkmk4") != std::string::npos;
  ScenarioFile file = scenario(std::string(R"(limber: 1
model:
  gravity: [0, 0, 0]
  links:
    - {name: a, joint: {name: j, damping: 1}, rigid: {mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], tip: {xyz: [1, 0, 0]}}}
formulation: )") + (is_dae ? "dae" : "recursive") +
                               R"(
actuation: [{joint: j, type: torque, signal: {trajectory: torque}}]
trajectories:
  torque: {type: table, times: [0, 2, 2.1, 2.2, 2.3, 2.4, 2.5, 2.6, 2.7, 2.8], values: [0, 0, 0, 0, 0, 1, 0, 0, 0, 0]}
integrator: )" + method.description +
                               "\nduration: 2\noutput: {rate: 1}\n");
  const TestRun result = run(file.description, file.model);
  file.description.integrator = {};
  file.description.integrator.method = integrators::Rk4{0.001};
  file.description.formulation = FormulationKind::recursive;
  const TestRun reference = run(file.description, file.model);
  const double size = reference.summary.last.peaks.rate[0].value;
  EXPECT_GT(size, 1e-3);
  EXPECT_NEAR(result.summary.q[0], reference.summary.q[0], method.accuracy * size) << method.description;
}

INSTANTIATE_TEST_SUITE_P(Methods, Pulse,
                         testing::Values(Method{"{method: auto}", 1e-3}, Method{"{method: radau}", 1e-3},
                                         Method{"{method: radau9}", 1e-3}, Method{"{method: bdf}", 1e-2},
                                         Method{"{method: adams}", 1e-2}, Method{"{method: erk}", 1e-3},
                                         Method{"{method: ida}", 1e-2},
                                         Method{"{method: rk4, step: 0.05}", 1e-3},
                                         Method{"{method: generalized-alpha, step: 0.02}", 0.05},
                                         Method{"{method: euler, step: 0.005}", 0.15},
                                         Method{"{method: rkmk4, step: 0.05}", 1e-3}));

// A joint of inertia 3 under kp (1 - q) - kd v, at most 3: it comes off its limit at the root of kp (1 - u t^2/2I) - kd u t/I = u, and goes on as a damped
// oscillator, whose equation is solved in closed form. A mode that changed a little late would show: with steps of 0.05 s, by 1e-5 and more.
TEST(EffortLimits, AreLeftWhereTheyEndAndNotAtTheNextLook) {
  constexpr double I = 3.0, kp = 6.0, kd = 4.0, most = 3.0, end = 4.0;
  const double a = 0.5 * kp * most / I, b = kd * most / I, c = most - kp;
  const double t = (-b + std::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
  const double q1 = 0.5 * most / I * t * t, v1 = most / I * t;
  const double decay = 0.5 * kd / I, omega = std::sqrt(kp / I - decay * decay), rest = end - t, e = q1 - 1.0;
  const double expected = 1.0 + std::exp(-decay * rest) * (e * std::cos(omega * rest) +
                                                           (v1 + decay * e) / omega * std::sin(omega * rest));
  for (const auto& [method, tolerated] :
       {std::pair{"{method: radau9, rtol: 1e-11}", 1e-9}, std::pair{"{method: rk4, step: 0.05}", 2e-7},
        std::pair{"{method: erk, rtol: 1e-10}", 1e-8}}) {
    const TestRun result = run(std::string("limber: 1\nmodel:\n  gravity: [0, 0, 0]\n  links: [{name: a, "
                                           "joint: {name: j, limits: {effort: 3}}, rigid: {mass: 2, "
                                           "com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}}]\nactuation: "
                                           "[{joint: j, type: pd, kp: 6, kd: 4, target: {value: "
                                           "1}}]\nduration: 4\nintegrator: ") +
                               method + "\noutput: {rate: 100}\n");
    EXPECT_NEAR(result.summary.q[0], expected, tolerated) << method;
    // Rows before it show what was before it.
    for (const Sample& row : result.rows) {
      if (row.t >= t) break;
      EXPECT_NEAR(row.q[0], 0.5 * most / I * row.t * row.t, 1e-8) << method << " at " << row.t;
      EXPECT_EQ(row.efforts[0], most) << method << " at " << row.t;
    }
  }
}

}  // namespace
}  // namespace limber
