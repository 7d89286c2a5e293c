// SPDX-License-Identifier: BSD-3-Clause
// A wheel under filters in closed form; what a step allocates, and wrong calls.

#include <gtest/gtest.h>

#include <cmath>

#include "allocations.hpp"
#include "estimation/followed_arms.hpp"
#include "limber/core/interruption.hpp"

namespace limber {
namespace {

// That nothing moves: x+ = [1 h; 0 1] x, and the filters are Kalman's own.
TEST(ArmEstimator, IsKalmansForAFreeWheel) {
  for (const EstimationMethod method : {EstimationMethod::ekf, EstimationMethod::ukf}) {
    ArmEstimator filter(built(R"(
limber: 1
model:
  limber: 1
  links:
    - name: wheel
      joint: {name: axle, type: revolute, axis: [0, 0, 1]}
      rigid: {mass: 1, inertia: [1, 1, 2, 0, 0, 0]}
initial: {q: {axle: 0.2}, v: {axle: -0.1}}
sensors: [{name: angle, type: position, joint: axle, noise: 0.05}]
duration: 5
)"),
                        method, {0.3, 0.2, 1.0, 0.05, 0.1});
    Eigen::Vector2d x(0.2, -0.1);
    Eigen::Matrix2d P = Eigen::Vector2d(0.09, 0.04).asDiagonal(), Phi;
    const double h = 0.1;
    Phi << 1.0, h, 0.0, 1.0;
    const Eigen::Vector2d g(0.5 * h / 2.0, 1.0 / 2.0);  // inertia 2
    const Eigen::RowVector2d H(1.0, 0.0);
    for (int k = 1; k <= 10; ++k) {
      const double reading = 0.2 - 0.08 * k * h + 0.01 * std::sin(3.0 * k);
      filter.predict(k * h);
      const VectorXd left = filter.update(std::vector<std::string>{"angle"}, VectorXd::Constant(1, reading));
      x = Phi * x;
      P = Phi * P * Phi.transpose() + h * 0.05 * g * g.transpose();
      const double S = H * P * H.transpose() + 0.0025;
      const Eigen::Vector2d gain = P * H.transpose() / S;
      EXPECT_NEAR(left[0], (reading - x[0]) / std::sqrt(S), 1e-12);
      x += gain * (reading - x[0]);
      P = (Eigen::Matrix2d::Identity() - gain * H) * P;
      EXPECT_NEAR(filter.q()[0], x[0], 1e-12);
      EXPECT_NEAR(filter.v()[0], x[1], 1e-12);
      EXPECT_LE((filter.covariance() - P).norm(), 1e-12);
    }
  }
}

TEST(ArmEstimator, AllocatesNothingInAStep) {
  StochasticArm arm(built(with(swing, "IMU", "")));
  ExtendedKalmanFilter filter(arm, 0.0, arm.start(), arm.start_covariance());
  const std::vector<int> sensors = {0, 1};
  const VectorXd shown = Eigen::Vector2d(0.01, 1e-6);
  for (const double t : {0.001, 0.002}) {
    filter.predict(t);
    filter.update(sensors, shown);
  }
  const test::AllocationCounter counter;
  filter.predict(0.003);
  filter.update(sensors, shown);
  EXPECT_EQ(counter.count(), 0);
}

TEST(ArmEstimator, SaysWhatItCannotTake) {
  const auto refusal = [](const std::string& text) {
    try {
      ArmEstimator filter(built(text));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(with(swing, "IMU", "  - {name: imu, type: gyroscope, link: strip, axis: [0, 0, 1]}"))
                .find("sensors[3].noise: expected a standard deviation > 0"),
            std::string::npos);
  EXPECT_NE(refusal("limber: 1\nmodel: four_bar/four_bar.yaml\nsensors: [{name: a, type: position, joint: "
                    "crank, noise: "
                    "1}]\nduration: 1\n")
                .find("model.loops[0]: expected an arm without closed loops"),
            std::string::npos);
  ArmEstimator filter(built(with(swing, "IMU", "")));
  EXPECT_THROW(ArmEstimator(built(with(swing, "IMU", "")), EstimationMethod::mhe), InputError);
  EXPECT_THROW(filter.update(std::vector<std::string>{"angel"}, VectorXd::Zero(1)), InputError);
  EXPECT_THROW(filter.set_state(VectorXd::Zero(1), VectorXd::Zero(4), MatrixXd::Zero(8, 8)), InputError);
  EXPECT_THROW(
      StochasticArm([](const VectorXd&) { return built(with(swing, "IMU", "")); }, {{"p", 1.0, 0.0}}),
      InputError);
  for (const double step : {0.0, -1e-3, std::nan("")})
    EXPECT_THROW(StochasticArm(built(with(swing, "IMU", "")), {.longest_step = step}), InputError) << step;
  EXPECT_THROW(StochasticArm(built(with(swing, "IMU", "")), {.process_noise = -1.0}), InputError);
  EXPECT_THROW(StochasticArm(built(with(swing, "IMU", "")), {.position_deviation = 1e300}), InputError);
}

// The number of steps to a time that is far away is none that an int can hold: it used to become none at all, and the arm stayed where it was.
TEST(ArmEstimator, DoesNotGoWhereNobodyWouldWait) {
  ArmEstimator filter(built(with(swing, "IMU", "")));
  EXPECT_THROW(filter.predict(1e9), InputError);
  ArmEstimator short_steps(built(with(swing, "IMU", "")), EstimationMethod::ekf, {.longest_step = 1e-300});
  EXPECT_THROW(short_steps.predict(0.1), InputError);
}

TEST(ArmEstimator, StopsInTheMiddleOfALongWay) {
  ArmEstimator filter(built(with(swing, "IMU", "")));
  ask_to_stop();
  EXPECT_THROW(filter.predict(1e5), Interrupted);
  forget_stop();
}

}  // namespace
}  // namespace limber
