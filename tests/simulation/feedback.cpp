// SPDX-License-Identifier: BSD-3-Clause
// What controllers see of sensors: samples, delays, noise and rounding as rows of results have them, and nothing of the future.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "limber/core/input_error.hpp"
#include "limber/simulation/linear_controller.hpp"
#include "limber/simulation/simulator.hpp"
#include "runs.hpp"

namespace limber {
namespace {

using Eigen::VectorXd;

constexpr double inertia = 3.0;

// Inertia 3 about the joint, without weight.
std::string turning(const std::string& sensors, const std::string& method, double rate) {
  return "limber: 1\nmodel:\n  gravity: [0, 0, 0]\n  links: [{name: a, joint: {name: j}, rigid: {mass: 2, "
         "com: [1, 0, 0], "
         "inertia: [1, 1, 1, 0, 0, 0]}}]\ninitial: {v: {j: 0.7}}\nsensors: [" +
         sensors + "]\nduration: 1\nintegrator: " + method + "\noutput: {rate: " + std::to_string(rate) +
         "}\n";
}

/// PD on q and v, so that something moves; notes what it sees.
class Watcher : public Controller {
 public:
  struct Seen {
    double t;
    VectorXd measured;
    double effort;
  };
  Watcher(double rate, std::vector<int> sensors) : rate_(rate), sensors_(std::move(sensors)) {}
  void add_efforts(const Instant& now, VectorXd& efforts) override {
    const double effort = -30.0 * now.q[0] - 4.0 * now.v[0];
    if (rate_ > 0.0) seen.push_back({now.t, now.measured, effort});
    efforts[0] += effort;
  }
  double rate() const override { return rate_; }
  std::vector<int> sensors() const override { return sensors_; }
  std::vector<Seen> seen;

 private:
  double rate_;
  std::vector<int> sensors_;
};

constexpr const char* instruments =
    "{name: angle, type: position, joint: j, noise: 1e-3, seed: 3}, "
    "{name: late, type: position, joint: j, delay: 0.0137}, "
    "{name: coarse, type: velocity, joint: j, rate: 130, delay: 0.011, quantum: 0.01, noise: 0.002}, "
    "{name: imu, type: acceleration, joint: j}, {name: unseen, type: velocity, joint: j}";

struct Methods : testing::TestWithParam<const char*> {};

TEST_P(Methods, SampledControllersSeeWhatRowsShow) {
  const ScenarioFile file = scenario(turning(instruments, GetParam(), 100.0));
  Scenario made = build_scenario(file.description, file.model);
  auto owned = std::make_unique<Watcher>(100.0, std::vector<int>{0, 1, 2, 3});
  Watcher& watcher = *owned;
  made.controllers.push_back(std::move(owned));
  History history;
  simulate(made, &history);
  ASSERT_EQ(watcher.seen.size(), 100u);
  double before = 0.0;  // efforts, which jump at samples
  for (std::size_t k = 0; k < watcher.seen.size(); ++k) {
    const Sample& row = history.rows[k];
    const Watcher::Seen& seen = watcher.seen[k];
    EXPECT_NEAR(seen.t, row.t, 1e-12);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(seen.measured[i], row.sensors[i], 1e-12) << row.t << " " << i;
    // Before it answers: the acceleration of the effort that was held.
    EXPECT_NEAR(seen.measured[3], before / inertia, 1e-9) << row.t;
    EXPECT_NEAR(row.sensors[3], seen.effort / inertia, 1e-9) << row.t;
    EXPECT_TRUE(std::isnan(seen.measured[4]));
    before = seen.effort;
  }
}
INSTANTIATE_TEST_SUITE_P(Integrators, Methods,
                         testing::Values("{method: rk4, step: 0.002}", "{method: radau9, rtol: 1e-9}",
                                         "{method: erk, rtol: 1e-9}", "{method: bdf, rtol: 1e-9}"));

// effort = -60 (what the encoder holds since it came, T late) - 20 v, against the solution of each piece.
TEST(ContinuousController, SeesSamplesThatAreHeld) {
  const double T = 0.02, late = 0.03, k = 60.0, d = 20.0;
  const ScenarioFile file = scenario(turning("{name: angle, type: position, joint: j, rate: 50, delay: 0.03}",
                                             "{method: radau9, rtol: 1e-11}", 50.0));
  Scenario made = build_scenario(file.description, file.model);
  LinearLaw law;
  law.D = (Eigen::MatrixXd(1, 2) << -k, -d).finished();
  made.controllers.push_back(std::make_unique<LinearController>(
      law,
      std::vector<LinearController::Input>{{{ControllerInput::Kind::sensor, 0, -1}, nullptr},
                                           {{ControllerInput::Kind::velocity, 0, 0}, nullptr}},
      std::vector<int>{0}, 0.0));
  History history;
  simulate(made, &history);
  // v' = -(k h + d v)/I with h held: v tends to -k h/d with the rate d/I. Half periods: samples arrive at k T + 0.01.
  double q = 0.0, v = 0.7, held = 0.0;
  std::vector<double> samples = {q};
  const double half = 0.5 * T, a = std::exp(-d / inertia * half);
  for (int step = 0; step < 100; ++step) {
    const double t = half * step;
    if (step % 2 == 0) {
      EXPECT_NEAR(history.rows[static_cast<std::size_t>(step / 2)].q[0], q, 1e-9) << t;
      samples.push_back(q);  // of t; the first stands twice
    }
    const int arrived = static_cast<int>(std::floor((t - late) / T + 1e-6));
    held = samples[static_cast<std::size_t>(std::max(arrived, 0) + 1)];
    const double end = -k * held / d;
    q += end * half + (v - end) * (1.0 - a) * inertia / d;
    v = end + (v - end) * a;
  }
}

TEST(SimulatorWithSensors, GoesOnFromWhatItSavedToTheLastBit) {
  const ScenarioFile file = scenario(turning(instruments, "{method: rk4, step: 0.002}", 100.0));
  Scenario made = build_scenario(file.description, file.model);
  made.controllers.push_back(std::make_unique<Watcher>(100.0, std::vector<int>{0, 1, 2, 3}));
  auto& watcher = static_cast<Watcher&>(*made.controllers.back());
  Simulator simulator(std::move(made));
  simulator.advance_to(0.313);
  const Simulator::Saved saved = simulator.save();
  simulator.advance_to(0.7);
  const std::size_t seen = watcher.seen.size();
  const double q = simulator.state().q[0];
  const VectorXd last = watcher.seen.back().measured.head(4);
  simulator.restore(saved);
  simulator.advance_to(0.7);
  EXPECT_EQ(simulator.state().q[0], q);
  EXPECT_GT(watcher.seen.size(), seen);
  EXPECT_EQ(VectorXd(watcher.seen.back().measured.head(4)), last);
}

// Nobody of its controllers looks; between its own stops, samples are taken all the same.
TEST(SimulatorWithSensors, ShowsWhatRowsShow) {
  constexpr const char* some =
      "{name: angle, type: position, joint: j, noise: 1e-3, seed: 3}, "
      "{name: coarse, type: velocity, joint: j, rate: 130, delay: 0.011, quantum: 0.01, noise: 0.002}, "
      "{name: imu, type: acceleration, joint: j, rate: 90}";
  const auto built = [&] {
    const ScenarioFile file = scenario(turning(some, "{method: rk4, step: 0.002}", 50.0));
    Scenario made = build_scenario(file.description, file.model);
    made.controllers.push_back(std::make_unique<Watcher>(100.0, std::vector<int>{}));
    return made;
  };
  Scenario whole = built();
  History history;
  simulate(whole, &history);
  Simulator simulator(built());
  for (const Sample& row : history.rows) {
    simulator.advance_to(row.t);
    const VectorXd shown = simulator.readings();
    ASSERT_EQ(shown.size(), 3);
    EXPECT_NEAR(shown[0], row.sensors[0], 2e-2) << row.t;  // noise of a time that differs by a rounding
    for (const int i : {1, 2}) EXPECT_NEAR(shown[i], row.sensors[i], 1e-12) << row.t << " " << i;
  }
  Simulator late([] {
    const ScenarioFile file = scenario(turning(instruments, "{}", 50.0));
    return build_scenario(file.description, file.model);
  }());
  EXPECT_THROW(late.readings(), InputError);
}

TEST(ContinuousController, IsRefusedWhatItCannotSee) {
  for (const int sensor : {0, 1, 3, 9}) {
    const ScenarioFile file = scenario(turning(instruments, "{}", 100.0));
    Scenario made = build_scenario(file.description, file.model);
    made.controllers.push_back(std::make_unique<Watcher>(0.0, std::vector<int>{sensor}));
    EXPECT_THROW(simulate(made), InputError) << sensor;
  }
}

}  // namespace
}  // namespace limber
