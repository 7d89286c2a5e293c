// SPDX-License-Identifier: BSD-3-Clause
// Controllers that see an estimate: against a computation by hand, saved, with arms that bend, and from scenarios.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "estimation/followed_arms.hpp"
#include "limber/estimation/observer.hpp"

namespace limber {
namespace {

const std::string observed = R"(
limber: 1
model:
  limber: 1
  links:
    - name: wheel
      joint: {name: axle, type: revolute, axis: [0, 0, 1], stiffness: 3, damping: 0.4}
      rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}
initial: {q: {axle: 0.2}, v: {axle: -0.1}}
actuation: [{joint: axle, type: pd, kp: 8, kd: 3, target: {value: 0.3}}]
sensors:
  - {name: angle, type: position, joint: axle, noise: 0.02, rate: 50, seed: 4DELAY}
  - {name: tacho, type: velocity, joint: axle, noise: 0.05, rate: 50, seed: 5}
integrator: {method: radau, rtol: 1e-10, atol: 1e-12}
duration: 3
)";

using Law = std::function<double(const Eigen::Vector2d&)>;
double by_pd(const Eigen::Vector2d& z) { return 8.0 * (0.3 - z[0]) - 3.0 * z[1]; }

/// The same by hand: the arm by its exponential, the filter by Cayley's transform of 20 steps between samples, anew from the start at every sample through all readings that have come.
std::vector<Eigen::Vector2d> observed_by_hand(int samples, int late, const Law& law = by_pd) {
  const double T = 0.02, I = 2.0, k = 3.0, d = 0.4, W = 0.01, R[2] = {0.02 * 0.02, 0.05 * 0.05};
  Eigen::Matrix2d F;
  F << 0.0, 1.0, -k / I, -d / I;
  const Eigen::Vector2d G(0.0, 1.0 / I);
  Eigen::Matrix3d all = Eigen::Matrix3d::Zero();
  all.topLeftCorner<2, 2>() = F;
  all.topRightCorner<2, 1>() = G;
  const Eigen::Matrix3d exact = (all * T).exp();
  const NormalNoise angle(4, "angle"), tacho(5, "tacho");
  Eigen::Vector2d x(0.2, -0.1);
  std::vector<Eigen::Vector2d> course = {x}, shown;
  std::vector<double> u;
  for (int i = 0; i < samples; ++i) {
    const auto at = static_cast<std::uint64_t>(i);
    shown.push_back({x[0] + 0.02 * angle.at(at), x[1] + 0.05 * tacho.at(at)});
    Eigen::Vector2d z(0.2, -0.1);
    Eigen::Matrix2d P = Eigen::Vector2d(0.01, 0.04).asDiagonal();
    for (int j = 0; j <= i; ++j) {
      if (j > 0) {
        const double h = T / 20;
        const Eigen::Matrix2d left = (Eigen::Matrix2d::Identity() - h / 2 * F).inverse(),
                              A = left * (Eigen::Matrix2d::Identity() + h / 2 * F);
        const double S = I + h / 2 * d + h * h / 4 * k;
        const Eigen::Vector2d g(h / 2 / S, 1.0 / S);
        for (int step = 0; step < 20; ++step) {
          z = A * z + left * h * G * u[static_cast<std::size_t>(j - 1)];
          P = A * P * A.transpose() + h * W * g * g.transpose();
        }
      }
      // One reading after the other is the same as both at once.
      for (int sensor = 0; sensor < 2; ++sensor) {
        if (sensor == 0 && j > i - late && j > 0) continue;
        const Eigen::RowVector2d H = sensor == 0 ? Eigen::RowVector2d(1, 0) : Eigen::RowVector2d(0, 1);
        const double S = H * P * H.transpose() + R[sensor];
        const Eigen::Vector2d K = P * H.transpose() / S;
        z += K * (shown[static_cast<std::size_t>(j)][sensor] - z[sensor]);
        P = (Eigen::Matrix2d::Identity() - K * H) * P;
      }
    }
    u.push_back(law(z));
    Eigen::Vector3d y;
    y << x, u.back();
    x = (exact * y).head<2>();
    course.push_back(x);
  }
  return course;
}

Scenario watched(const std::string& delay, ObserverMethod method = ObserverMethod::ekf) {
  Scenario scenario = built(with(observed, "DELAY", delay));
  observe(scenario, {method, 50.0, {}, 0.01, 0.1, 0.2, 1.0, 1e-3});
  return scenario;
}

void expect_course(Simulator& arm, const std::vector<Eigen::Vector2d>& course, const std::string& about) {
  for (int i = 1; i < static_cast<int>(course.size()); ++i) {
    arm.advance_to(0.02 * i);
    EXPECT_NEAR(arm.state().q[0], course[static_cast<std::size_t>(i)][0], 1e-8) << about << i;
    EXPECT_NEAR(arm.state().v[0], course[static_cast<std::size_t>(i)][1], 1e-8) << about << i;
  }
}

TEST(Observer, IsWhatAHandComputes) {
  for (const auto& [method, delay, late] :
       {std::tuple{ObserverMethod::ekf, "", 0}, std::tuple{ObserverMethod::ukf, "", 0},
        std::tuple{ObserverMethod::ekf, ", delay: 0.05", 3}}) {
    Simulator arm(watched(delay, method));
    expect_course(arm, observed_by_hand(100, late), delay);
  }
}

Scenario of_file(const std::string& text) {
  const ScenarioFile file = parsed(text);
  return build_observed_scenario(file.description, file.model);
}

const std::string key =
    "observer: {rate: 50, process_noise: 0.01, position_deviation: 0.1, velocity_deviation: 0.2, "
    "elastic_deviation: 1}\n";

TEST(Observer, IsAKeyOfScenarios) {
  const std::string text = with(observed, "DELAY", "") + key;
  Simulator arm(of_file(text));
  expect_course(arm, observed_by_hand(100, 0), "ekf");
  Simulator unscented(of_file(with(text, "rate: 50, process", "rate: 50, method: ukf, process")));
  expect_course(unscented, observed_by_hand(100, 0), "ukf");
  // Whoever builds scenarios without it says so.
  EXPECT_THROW(built(text), InputError);
  // A controller of one's own sees the estimate, too.
  struct Looks : Controller {
    void add_efforts(const Instant& now, VectorXd&) override { seen = now.q[0]; }
    double seen = 0.0;
  };
  Scenario scenario = of_file(text);
  auto looks = std::make_unique<Looks>();
  const Looks& own = *looks;
  add_controller(scenario, std::move(looks));
  ASSERT_EQ(scenario.controllers.size(), 1u);
  Simulator looked_at(std::move(scenario));
  looked_at.advance_to(1.0);
  EXPECT_NE(own.seen, looked_at.state().q[0]);
  EXPECT_NEAR(own.seen, looked_at.state().q[0], 0.05);
}

// What a continuous controller remembers between samples, with what it sees held: an integral, and a filter that is five times as fast as the samples.
TEST(Observer, RemembersForContinuousControllers) {
  constexpr double h = 0.02, filter = 0.004;
  double integral = 0.0, derivative = 0.0;
  const Law pid = [&](const Eigen::Vector2d& z) {
    const double u = 8.0 * (0.3 - z[0]) + 4.0 * integral + 3.0 * derivative;
    integral += h * (0.3 - z[0]);
    derivative += (1.0 - std::exp(-h / filter)) * (-z[1] - derivative);
    return u;
  };
  Simulator arm(of_file(with(with(observed, "DELAY", ""), "type: pd, kp: 8, kd: 3",
                             "type: pid, kp: 8, ki: 4, kd: 3, derivative_filter: 0.004") +
                        key));
  expect_course(arm, observed_by_hand(100, 0, pid), "pid");
}

// Saved in the middle, the run goes on as it would have.
TEST(Observer, IsSavedAndRestored) {
  Simulator arm(watched(", delay: 0.05"));
  arm.advance_to(0.51);
  const Simulator::Saved saved = arm.save();
  arm.advance_to(1.0);
  const VectorXd q = arm.state().q;
  arm.restore(saved);
  arm.advance_to(1.0);
  EXPECT_EQ(q, arm.state().q);
}

// An arm that bends, under lqr, whose state nobody sees: it arrives as if somebody did.
TEST(Observer, HoldsAnArmThatBends) {
  Scenario scenario = built(R"(
limber: 1
model: lab_link/lab_link.yaml
initial: {q: {hub: 0.3}}
actuation: [{joint: hub, type: lqr, target: {value: 0}}]
sensors:
  - {name: angle, type: position, joint: hub, noise: 1e-4}
  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], noise: 1e-6}
duration: 3
)");
  ObserverDescription how;
  how.rate = 200.0;
  how.process_noise = 1e-6;
  observe(scenario, how);
  Simulator arm(std::move(scenario));
  arm.advance_to(2.5);
  EXPECT_LE(arm.state().q.cwiseAbs().maxCoeff(), 3e-3);
  EXPECT_LE(arm.state().v.cwiseAbs().maxCoeff(), 3e-2);
}

TEST(Observer, SaysWhatItCannotTake) {
  const auto refusal = [](const std::string& from, const std::string& to, const ObserverDescription& how) {
    try {
      Scenario scenario = built(with(with(observed, "DELAY", ""), from, to));
      observe(scenario, how);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto expect = [](const std::string& said, const std::string& words) {
    EXPECT_NE(said.find(words), std::string::npos) << said;
  };
  const ObserverDescription fine{ObserverMethod::ekf, 50.0, {}};
  EXPECT_EQ(refusal("kp: 8", "kp: 8", fine), "");
  expect(refusal("noise: 0.05, ", "", fine), "sensors[1].noise: expected a standard deviation > 0");
  expect(refusal("kp: 8", "kp: 8", {ObserverMethod::ekf, 50.0, {"angel"}}), "did you mean `angle`?");
  expect(refusal("kp: 8", "kp: 8", {ObserverMethod::ekf, 0.0, {}}), "observer.rate: expected samples");
  expect(refusal("type: pd, kp: 8", "type: pid, rate: 30, kp: 8", fine),
         "observer.rate: expected a whole multiple");
  expect(refusal("noise: 0.05, ", "noise: 0.05, delay: 1e9, ", fine),
         "sensors[1].delay: expected at most 10000 samples of the observer, 200 s, found 1e+09 s");
  const auto file_refusal = [](const std::string& text) {
    try {
      of_file(text);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string text = with(observed, "DELAY", "");
  EXPECT_EQ(file_refusal(text + key), "");
  expect(file_refusal(text + "observer: {rate: 50, sensors: [angel, tacho]}\n"), "did you mean `angle`?");
  expect(file_refusal(text + "observer: {rate: 50, sensors: [angle, angle]}\n"), "each sensor once");
  expect(file_refusal(text + "observer: {rat: 50}\n"), "did you mean `rate`?");
  expect(file_refusal(text + "observer: {rate: 0}\n"), "observer.rate");
  expect(file_refusal(text + "observer: {rate: 50, method: mhe}\n"), "observer.method");
  expect(file_refusal(with(text, "type: pd, kp: 8, kd: 3", "type: lqg, sensors: angle") + key),
         "actuation[0].type: expected a controller of the state");
  expect(file_refusal(with(text, "type: pd, kp: 8", "type: pid, rate: 30, kp: 8") + key),
         "observer.rate: expected a whole multiple");
}

}  // namespace
}  // namespace limber
