// SPDX-License-Identifier: BSD-3-Clause
// Noise against published bits and the moments of a normal distribution; samples and delays against exact signals, alone and in runs.

#include "limber/simulation/instruments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "limber/io/scenario_file.hpp"
#include "limber/simulation/simulate.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;
using Words = std::array<std::uint32_t, 4>;

// ---- noise ----

// Known answers of Philox 4x32-10 that its authors published with Random123 (kat_vectors).
TEST(Philox, GivesItsAuthorsBits) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(NormalNoise, HasTheMomentsOfANormalDistribution) {
  const NormalNoise noise(7, "gauge");
  constexpr int count = 200000;
  double m1 = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0, beyond = 0.0, neighbour = 0.0, before = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = noise.at(static_cast<std::uint64_t>(i));
    m1 += x;
    m2 += x * x;
    m3 += x * x * x;
    m4 += x * x * x * x;
    beyond += std::abs(x) > 1.959963984540054 ? 1.0 : 0.0;
    neighbour += x * before;
    before = x;
  }
  const double n = count, five_sigma = 5.0 / std::sqrt(n);  // of each mean's own deviation
  EXPECT_NEAR(m1 / n, 0.0, five_sigma);
  EXPECT_NEAR(m2 / n, 1.0, five_sigma * std::sqrt(2.0));
  EXPECT_NEAR(m3 / n, 0.0, five_sigma * std::sqrt(15.0));
  EXPECT_NEAR(m4 / n, 3.0, five_sigma * std::sqrt(96.0));
  EXPECT_NEAR(beyond / n, 0.05, five_sigma * std::sqrt(0.05 * 0.95));
  EXPECT_NEAR(neighbour / n, 0.0, five_sigma);
}

// (1) of noise.hpp with the library's logarithm, and the bits of another counter for another name or seed.
TEST(NormalNoise, IsThePolarMethodAndTheSameWheneverItIsAsked) {
  const NormalNoise noise(1, "gauge"), other(1, "gauge2"), reseeded(2, "gauge");
  double same = 0.0;
  for (std::uint64_t k = 0; k < 1000; ++k) {
    const double x = noise.at(k);
    EXPECT_EQ(noise.at(k), x);
    EXPECT_NE(other.at(k), x);
    EXPECT_NE(reseeded.at(k), x);
    same += x * other.at(k);
  }
  EXPECT_LT(std::abs(same / 1000.0), 5.0 / std::sqrt(1000.0));
  // By the same words in Python, with integers of any length and 50 decimal digits.
  EXPECT_DOUBLE_EQ(noise.at(0), 0.8484810768878569);
  EXPECT_DOUBLE_EQ(noise.at(1), -0.54901482578883887);
  EXPECT_DOUBLE_EQ(noise.at((std::uint64_t{1} << 40U) + 3), 0.63262043238945109);
  EXPECT_DOUBLE_EQ(NormalNoise(12345, "imu").at(999), 0.77980782441632879);
}

// ---- samples ----

SensorDescription sensor(const char* name) {
  SensorDescription about;
  about.name = name;
  about.kind = sensors::Position{"hub"};
  return about;
}

// What one sensor shows of y(t) = t over a second, at `looks` of a row rate.
std::vector<double> shown_of_time(const SensorDescription& about, double rate) {
  Readings readings({about});
  readings.expect_looks(rate);
  VectorXd value(1), shown;
  std::vector<double> all;
  value << 0.0;
  readings.take(0.0, value);
  double next = readings.next_sample(0.0);
  for (int k = 0; k <= rate; ++k) {
    const double t = k / rate;
    for (; next <= t + 1e-12; next = readings.next_sample(next)) {
      value << next;
      readings.take(next, value);
    }
    value << t;
    readings.read(t, value, shown);
    all.push_back(shown[0]);
  }
  return all;
}

TEST(Readings, OfAnIdealSensorAreWhatIsThere) {
  const std::vector<double> shown = shown_of_time(sensor("s"), 100.0);
  for (int k = 0; k <= 100; ++k) EXPECT_EQ(shown[static_cast<std::size_t>(k)], k / 100.0);
}

TEST(Readings, AreTheNewestSampleThatHasArrived) {
  for (const double rate : {10.0, 25.0, 30.0, 1000.0})
    for (const double delay : {0.0, 0.1, 0.137, 0.25}) {
      if (delay > 0.0 && delay * rate < 1.0) continue;
      SensorDescription about = sensor("s");
      about.rate = rate;
      about.delay = delay;
      const std::vector<double> shown = shown_of_time(about, 100.0);
      for (int k = 0; k <= 100; ++k) {
        const double index = std::floor((k / 100.0 - delay) * rate + 1e-9);
        EXPECT_EQ(shown[static_cast<std::size_t>(k)], std::max(index, 0.0) / rate)
            << rate << " " << delay << " " << k;
      }
    }
}

TEST(Readings, WithADelayAndNoRateAreThoseOfTheTimeBefore) {
  SensorDescription about = sensor("s");
  about.delay = 0.0123;
  const std::vector<double> shown = shown_of_time(about, 100.0);
  for (int k = 0; k <= 100; ++k)
    EXPECT_NEAR(shown[static_cast<std::size_t>(k)], std::max(k / 100.0 - 0.0123, 0.0), 1e-15);
}

TEST(Readings, AreRoundedToTheQuantumAfterNoiseWasAdded) {
  SensorDescription about = sensor("s");
  about.rate = 100.0;
  about.noise = 0.3;
  about.quantum = 0.25;
  about.seed = 5;
  const NormalNoise noise(5, "s");
  const std::vector<double> shown = shown_of_time(about, 100.0);
  for (int k = 0; k <= 100; ++k)
    EXPECT_EQ(shown[static_cast<std::size_t>(k)],
              0.25 * std::round((k / 100.0 + 0.3 * noise.at(static_cast<std::uint64_t>(k))) / 0.25));
}

TEST(Readings, ComeBackFromTheirState) {
  SensorDescription about = sensor("s");
  about.rate = 10.0;
  about.delay = 0.35;
  Readings readings({about, sensor("t")}), again({about, sensor("t")});
  VectorXd value(2), shown, shown_again;
  for (int k = 0; k <= 9; ++k) {
    value << k, -k;
    readings.take(k / 10.0, value);
  }
  readings.forget(0.9);
  std::vector<double> state;
  readings.write_state(state);
  EXPECT_LE(state.size(), 1U + 2U * 5U + 1U);  // what nobody can see any more is gone
  again.restore(state);
  for (const double t : {0.9, 0.95, 1.0, 1.2}) {
    readings.read(t, value, shown);
    again.read(t, value, shown_again);
    EXPECT_EQ(shown, shown_again);
  }
  state.pop_back();
  EXPECT_THROW(again.restore(state), std::exception);
}

// ---- runs ----

struct Rows : ResultSink {
  std::vector<Sample> all;
  void add(const Sample& sample) override { all.push_back(sample); }
};

Scenario scenario_of(const std::string& rest) {
  const std::string text = R"(limber: 1
model:
  limber: 1
  gravity: [0, 0, 0]
  links:
    - name: boom
      joint: {name: hub, axis: [0, 0, 1]}
      beam: {length: 2, section: {EI_z: 100, mass_per_length: 1}, modes: {y: {count: 2}}, damping: {ratio: 0.02}}
)" + rest;
  const ScenarioFile file = parse_scenario(text, "scenario.yaml", "");
  return build_scenario(file.description, file.model);
}

constexpr const char* moved = R"(
actuation: [{joint: hub, type: prescribed, target: {trajectory: a}}]
trajectories: {a: {type: quintic, from: 0, to: 1, start: 0, duration: 0.8}}
duration: 1
output: {rate: 77}
)";

double quintic(double t) {
  const double s = std::clamp(t / 0.8, 0.0, 1.0);
  return s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
}

TEST(RunWithSensors, TakesSamplesAtTheirExactTimesWhateverTheSteps) {
  for (const char* method : {"auto", "{method: rk4, step: 1e-3}", "radau", "bdf"}) {
    const std::string integrator =
        std::string("integrator: ") + (method[0] == '{' ? method : "{method: " + std::string(method) + "}");
    Scenario scenario = scenario_of(integrator + moved + R"(
sensors:
  - {name: plain, type: position, joint: hub}
  - {name: sampled, type: position, joint: hub, rate: 30}
  - {name: late, type: position, joint: hub, rate: 30, delay: 0.05}
  - {name: shifted, type: position, joint: hub, delay: 0.0301}
)");
    Rows rows;
    simulate(scenario, &rows);
    ASSERT_EQ(rows.all.size(), 78U);
    for (const Sample& row : rows.all) {
      ASSERT_EQ(row.sensors.size(), 4);
      EXPECT_EQ(row.sensors[0], row.q[0]);
      EXPECT_NEAR(row.sensors[1], quintic(std::floor(row.t * 30.0 + 1e-9) / 30.0), 1e-12) << row.t;
      EXPECT_NEAR(row.sensors[2], quintic(std::max(0.0, std::floor((row.t - 0.05) * 30.0 + 1e-9)) / 30.0),
                  1e-12);
      EXPECT_NEAR(row.sensors[3], quintic(row.t - 0.0301), 1e-12) << row.t;
    }
  }
}

TEST(RunWithSensors, ShowsAccelerationsPowerAndForcesOfTheSameState) {
  Scenario scenario = scenario_of(R"(
actuation: [{joint: hub, type: torque, signal: {value: 3}}]
duration: 0.5
output: {rate: 1000}
sensors:
  - {name: a, type: acceleration, joint: hub}
  - {name: u, type: effort, joint: hub}
  - {name: m, type: wrench, joint: hub, component: mz}
  - {name: w, type: gyroscope, link: boom, at: 0, axis: [0, 0, 1]}
)");
  Rows rows;
  simulate(scenario, &rows);
  for (const Sample& row : rows.all) {
    EXPECT_EQ(row.sensors[0], row.acceleration[0]);
    EXPECT_EQ(row.sensors[1], 3.0);
    EXPECT_NEAR(row.sensors[2], row.wrenches[0].moment.z(), 1e-9);
    EXPECT_NEAR(row.sensors[3], row.v[0], 1e-12);
    EXPECT_DOUBLE_EQ(row.power[0], 3.0 * row.v[0]);
  }
  // The work of the motor is the integral of its power.
  double work = 0.0;
  for (std::size_t i = 1; i < rows.all.size(); ++i)
    work += 0.5 * (rows.all[i].power[0] + rows.all[i - 1].power[0]) * (rows.all[i].t - rows.all[i - 1].t);
  EXPECT_NEAR(work, rows.all.back().ledger.work_actuators, 2e-3 * work);
}

TEST(RunWithSensors, GoesOnWithItsSamplesWhereItWasStopped) {
  const std::string text = std::string("integrator: {method: rk4, step: 1e-3}") + moved + R"(
sensors:
  - {name: gauge, type: strain, link: boom, at: 0.1, offset: [0.1, 0], rate: 40, delay: 0.2, noise: 1e-5, seed: 3}
  - {name: other, type: strain, link: boom, at: 0.1, offset: [0.1, 0], delay: 0.1, noise: 1e-5}
)";
  Scenario whole = scenario_of(text), parts = scenario_of(text);
  Rows rows, first, second;
  simulate(whole, &rows);
  RunOptions stop;
  stop.progress = [](const Progress& p) { return p.t < 0.503; };
  const RunSummary half = simulate(parts, &first, stop);
  EXPECT_FALSE(half.finished);
  RunOptions go_on;
  go_on.resume = half.last;
  simulate(parts, &second, go_on);
  ASSERT_EQ(first.all.size() + second.all.size(), rows.all.size());
  for (std::size_t i = 0; i < rows.all.size(); ++i) {
    const Sample& row = i < first.all.size() ? first.all[i] : second.all[i - first.all.size()];
    EXPECT_LT((row.sensors - rows.all[i].sensors).cwiseAbs().maxCoeff(), 1e-14) << row.t;  // noise is 1e-5
  }
}

}  // namespace
}  // namespace limber
