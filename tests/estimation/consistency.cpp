// SPDX-License-Identifier: BSD-3-Clause
// Arms of our own whose state is known: errors of estimates must be as large as filters say.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "estimation/followed_arms.hpp"
#include "limber/estimation/moving_horizon_smoother.hpp"

namespace limber {
namespace {

// ---- states ----

/// What is left of the normalized error squared, on average over seeds, at the end of the readings; the tip's error in its deviations, and beside that of an arm which does not bend.
struct Consistency {
  double mean = 0.0, tip_ratio = 0.0, tip_error = 0.0, rigid_error = 0.0;
};
Consistency consistency(const Truth& truth, EstimationMethod method, int seeds, double step = 1e-3) {
  StochasticArm arm(truth.scenario(), {0.01, 0.01, 1e-3, 0.0, step});
  const VectorXd x = arm.start();
  const MatrixXd P = arm.start_covariance();
  const int n = arm.model().nv();
  Consistency all;
  const VectorXd true_point = arm.with_state(x, truth.q.back(), truth.v.back());
  const TipEstimate there = arm.tip(true_point, P);
  for (int seed = 0; seed < seeds; ++seed) {
    auto filter = make_filter(method, arm, drawn_start(arm, x, P, seed), P);
    for (int i = 0; i <= truth.rows; ++i) {
      filter->predict(Truth::time(i));
      filter->update(truth.sensors(), truth.readings(i, seed));
    }
    VectorXd error;
    arm.difference(filter->x(), true_point, error);
    all.mean += normalized_error_squared(error, filter->covariance(), nullptr, 2 * n) / seeds;
    const TipEstimate tip = arm.tip(filter->x(), filter->covariance());
    const double wrong = tip.position[1] - there.position[1];
    all.tip_ratio += std::pow(wrong / tip.standard_deviation[1], 2) / seeds;
    all.tip_error += wrong * wrong / seeds;
  }
  all.tip_error = std::sqrt(all.tip_error);
  all.rigid_error = std::abs(there.unbent[1] - there.position[1]);
  return all;
}

// Over N seeds the mean of chi-squared numbers with 2 nv = 8 degrees of freedom has the standard deviation sqrt(16 / N): 95 % lie within 1.96 of these.
TEST(ArmEstimator, IsAsWrongAsItSays) {
  constexpr int seeds = 100;
  const Truth truth(with(swing, "IMU", ""), 30);
  for (const EstimationMethod method : {EstimationMethod::ekf, EstimationMethod::ukf}) {
    const Consistency all = consistency(truth, method, seeds);
    RecordProperty(method == EstimationMethod::ekf ? "nees_ekf" : "nees_ukf", std::to_string(all.mean));
    EXPECT_NEAR(all.mean, 8.0, 1.96 * std::sqrt(16.0 / seeds));
    EXPECT_NEAR(std::sqrt(all.tip_ratio), 1.0, 0.2);
    EXPECT_LT(all.tip_error, 0.1 * all.rigid_error);
  }
}

// An accelerometer shows what acts, too.
TEST(ArmEstimator, TakesAccelerations) {
  constexpr int seeds = 40;
  const Truth truth(
      with(swing, "IMU",
           "  - {name: imu, type: accelerometer, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}"),
      30);
  EXPECT_NEAR(consistency(truth, EstimationMethod::ekf, seeds).mean, 8.0, 2.6 * std::sqrt(16.0 / seeds));
}

TEST(MovingHorizonSmoother, IsAsWrongAsItSaysOnAnArm) {
  constexpr int seeds = 50, rows = 20, looked_at = 10;
  const Truth truth(with(swing, "IMU", ""), rows);
  StochasticArm arm(truth.scenario(), {0.01, 0.01, 1e-3, 0.0, 2e-3});
  const VectorXd x = arm.start();
  const MatrixXd P = arm.start_covariance();
  double mean = 0.0, filtered = 0.0, smoothed = 0.0;
  for (int seed = 0; seed < seeds; ++seed) {
    MovingHorizonSmoother smoother(arm, 0.0, drawn_start(arm, x, P, seed), P, {8, 20, 1e-4});
    std::vector<SmoothedPoint> course;
    for (int i = 0; i <= rows; ++i)
      if (auto gone = smoother.add(Truth::time(i), truth.sensors(), truth.readings(i, seed)))
        course.push_back(*gone);
    const SmoothedPoint& point = course[looked_at];
    const VectorXd there = arm.with_state(x, truth.q[looked_at], truth.v[looked_at]);
    VectorXd error;
    arm.difference(point.x, there, error);
    mean += normalized_error_squared(error, point.covariance) / seeds;
    smoothed += point.covariance.trace();
    ExtendedKalmanFilter filter(arm, 0.0, drawn_start(arm, x, P, seed), P);
    for (int i = 0; i <= looked_at && seed == 0; ++i) {
      filter.predict(Truth::time(i));
      filter.update(truth.sensors(), truth.readings(i, seed));
    }
    if (seed == 0) filtered = filter.covariance().trace() * seeds;
  }
  RecordProperty("nees_mhe", std::to_string(mean));
  EXPECT_NEAR(mean, 8.0, 1.96 * std::sqrt(16.0 / seeds));
  EXPECT_LT(smoothed, 0.8 * filtered);  // it knows what comes later
}

// ---- parameters ----

// A payload that is off at first by as much as it is said to be uncertain, a fifth or 4 %: nine numbers.
TEST(ArmEstimator, FindsThePayload) {
  const Truth truth(with(swing, "IMU", ""), 40);
  for (const auto& [method, deviation, runs] :
       {std::tuple{EstimationMethod::ekf, 0.02, 20}, std::tuple{EstimationMethod::ekf, 0.004, 12},
        std::tuple{EstimationMethod::ukf, 0.02, 6}}) {
    double mean = 0.0, widest = 0.0;
    for (int seed = 0; seed < runs; ++seed) {
      const double start = 0.1 + deviation * NormalNoise(static_cast<std::uint32_t>(seed), "payload").at(0);
      StochasticArm arm(with_payload(truth), {{"payload", start, deviation}});
      MatrixXd P = arm.start_covariance();
      VectorXd x = arm.start(), error;
      MatrixXd own = P;
      own(8, 8) = 0.0;
      auto filter = make_filter(method, arm, drawn_start(arm, x, own, seed), P);
      for (int i = 0; i <= truth.rows; ++i) {
        filter->predict(Truth::time(i));
        filter->update(truth.sensors(), truth.readings(i, seed));
      }
      VectorXd there = arm.with_state(filter->x(), truth.q.back(), truth.v.back());
      there[there.size() - 1] = 0.1;
      arm.difference(filter->x(), there, error);
      mean += normalized_error_squared(error, filter->covariance()) / runs;
      widest = std::max(widest, std::sqrt(filter->covariance()(8, 8)));
    }
    RecordProperty((method == EstimationMethod::ekf ? "nees_payload_ekf_" : "nees_payload_ukf_") +
                       std::to_string(deviation),
                   std::to_string(mean));
    EXPECT_LT(widest, deviation);
    EXPECT_LT(mean, 9.0 + 4.0 * std::sqrt(18.0 / runs));
    EXPECT_GT(mean, 9.0 - 4.0 * std::sqrt(18.0 / runs));
  }
}

// ---- sampled controllers, late sensors ----

TEST(ArmEstimator, FollowsSampledControllers) {
  const std::string text =
      with(with(swing, "IMU", ""), "actuation: [{joint: hub, type: torque, signal: {trajectory: push}}]",
           "actuation: [{joint: hub, type: pid, kp: 3, ki: 2, kd: 0.4, rate: 100, target: {value: 0.5}}]");
  constexpr int seeds = 20;
  const Truth truth(text, 20);
  // Efforts that jump at samples make the fastest mode swing: steps must follow it.
  EXPECT_NEAR(consistency(truth, EstimationMethod::ekf, seeds, 1e-4).mean, 8.0,
              2.6 * std::sqrt(16.0 / seeds));
}

}  // namespace
}  // namespace limber
