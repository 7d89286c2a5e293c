// SPDX-License-Identifier: BSD-3-Clause
// Arms under filters: derivatives against differences of whole predictions, a wheel in closed form, and arms of our own whose state is known: errors must be as large as filters say.

#include <gtest/gtest.h>

#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "allocations.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/arm_estimator.hpp"
#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/moving_horizon_smoother.hpp"
#include "limber/estimation/observer.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"
#include "limber/io/scenario_file.hpp"
#include "limber/simulation/noise.hpp"
#include "limber/simulation/simulator.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ScenarioFile parsed(const std::string& text) {
  return parse_scenario(text, "scenario.yaml", LIMBER_MODELS_DIR);
}
Scenario built(const std::string& text) {
  const ScenarioFile file = parsed(text);
  return build_scenario(file.description, file.model);
}

// ---- derivatives ----

/// Phi and H of a process at a point, against central differences.
void expect_derivatives(StochasticArm& arm, const VectorXd& x, double from, double to) {
  const Index n = arm.error_size();
  std::vector<int> sensors;
  for (int i = 0; i < arm.reading_count(); ++i) sensors.push_back(i);
  VectorXd after = x, readings, there, error = VectorXd::Zero(n), above, below, shown_above, shown_below;
  MatrixXd Phi = MatrixXd::Identity(n, n), P = MatrixXd::Identity(n, n), H;
  arm.predict(from, to, after, {&P, &Phi});
  EXPECT_LE((P - Phi * Phi.transpose()).norm(), 1e-10 * P.norm());
  arm.read(from, x, sensors, readings, &H);
  for (Index c = 0; c < n; ++c) {
    const double step = 1e-5 * std::max(1.0, c < n / 2 ? 1.0 : std::abs(x[c + x.size() - n]));
    for (const double way : {step, -step}) {
      error[c] = way;
      arm.displace(x, error, there);
      arm.read(from, there, sensors, way > 0.0 ? shown_above : shown_below, nullptr);
      arm.predict(from, to, there, {});
      arm.difference(after, there, way > 0.0 ? above : below);
    }
    error[c] = 0.0;
    const VectorXd column = (above - below) / (2.0 * step), seen = (shown_above - shown_below) / (2.0 * step);
    EXPECT_LE((Phi.col(c) - column).norm(), 2e-7 * (1.0 + column.norm())) << "Phi " << c;
    EXPECT_LE((H.col(c) - seen).norm(), 2e-6 * (1.0 + seen.norm())) << "H " << c;
  }
}

const std::string bent = R"(
limber: 1
model: lab_link/lab_link.yaml
initial: {q: {hub: 0.4, strip.y1: 0.02, strip.y2: -0.01}, v: {hub: 1.5, strip.y1: 0.3}}
CONTROL
sensors:
  - {name: angle, type: position, joint: hub, noise: 1e-3}
  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], noise: 3e-6}
  - {name: gyro, type: gyroscope, link: strip, at: 1.0, axis: [0, 0, 1], noise: 0.02}
  - {name: imu, type: accelerometer, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}
  - {name: height, type: point, link: strip, at: 1.0, axis: [0, 1, 0], noise: 0.3}
  - {name: motor, type: effort, joint: hub, noise: 0.3}
duration: 1
)";
std::string with(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}

TEST(StochasticArm, KnowsItsDerivatives) {
  StochasticArm free(built(with(bent, "CONTROL", "")));
  expect_derivatives(free, free.start(), 0.0, 0.004);
  // What controllers remember is a state as well ...
  StochasticArm remembering(built(with(bent, "CONTROL",
                                       "actuation: [{joint: hub, type: pid, kp: 20, ki: 30, kd: 2, "
                                       "derivative_filter: 0.05, target: {value: 0.1}}]")));
  VectorXd x = remembering.start();
  EXPECT_EQ(x.size(), 10);
  x.tail(2) << 0.03, -0.2;
  expect_derivatives(remembering, x, 0.0, 0.004);
  // ... and so is what they hold between samples: one at the start, one within.
  StochasticArm sampled(
      built(with(bent, "CONTROL",
                 "actuation: [{joint: hub, type: pid, kp: 20, ki: 30, kd: 2, rate: 500, target: "
                 "{value: 0.1}}]")));
  EXPECT_GT(sampled.point_size(), 8);
  x = sampled.start();
  x.tail(x.size() - 8).setLinSpaced(0.1, 0.5);
  expect_derivatives(sampled, x, 0.0, 0.003);
}

TEST(StochasticArm, KnowsTheDerivativesOfTurningJoints) {
  StochasticArm arm(built(R"(
limber: 1
model:
  limber: 1
  links:
    - name: ball
      joint: {name: socket, type: spherical}
      rigid: {mass: 1, com: [0.3, 0, 0], inertia: [0.01, 0.02, 0.03, 0, 0, 0], tip: {xyz: [0.6, 0, 0]}}
    - name: strip
      joint: {name: hinge, type: revolute, axis: [0, 1, 0]}
      beam: {length: 0.5, section: {EI_y: 2, EI_z: 3, GJ: 1, EA: 1e5, mass_per_length: 0.5}, modes: {z: {shape: polynomial, count: 1}}}
initial: {v: {socket.1: 3, socket.2: -4, socket.3: 2, hinge: 1}}
sensors:
  - {name: gyro, type: gyroscope, link: ball, axis: [1, 2, 0], noise: 0.02}
  - {name: imu, type: accelerometer, link: strip, axis: [0, 1, 1], noise: 0.3}
duration: 1
)"),
                    {0.1, 0.1, 0.1, 0.0, 0.01});
  expect_derivatives(arm, arm.start(), 0.0, 0.05);
}

TEST(StochasticArm, KnowsTheDerivativesOfCylindersAndOil) {
  for (const std::string name : {"boom_cylinder", "boom_oil"}) {
    StochasticArm arm(
        built("limber: 1\nmodel: boom_cylinder/" + name +
              ".yaml\nsensors: [{name: angle, type: position, joint: pivot, noise: 1e-3}]\nduration: 1\n"),
        {0.01, 0.01, 1e-3, 0.0, 1e-3});
    const Index n = arm.error_size();
    VectorXd x = arm.start(), after = x, there, error = VectorXd::Zero(n), above, below;
    EXPECT_EQ(n, 2 * arm.model().nv() + (name == "boom_oil" ? 2 : 0));
    MatrixXd Phi = MatrixXd::Identity(n, n);
    arm.predict(0.0, 0.004, after, {nullptr, &Phi});
    for (Index c = 0; c < n; ++c) {
      const double step = 1e-5 * (c < 2 * arm.model().nv() ? 1.0 : 1e7);  // [Pa]
      for (const double way : {step, -step}) {
        error[c] = way;
        arm.displace(x, error, there);
        arm.predict(0.0, 0.004, there, {});
        arm.difference(after, there, way > 0.0 ? above : below);
      }
      error[c] = 0.0;
      const VectorXd column = (above - below) / (2.0 * step);
      EXPECT_LE((Phi.col(c) - column).norm(), 1e-5 * (1.0 + column.norm())) << name << c;
    }
  }
}

// ---- a wheel ----

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

// ---- consistency ----

const std::string swing = R"(
limber: 1
model: lab_link/lab_link.yaml
actuation: [{joint: hub, type: torque, signal: {trajectory: push}}]
trajectories:
  push: {type: table, times: [0, 0.1, 0.2, 0.3, 0.4, 1], values: [0, 0.8, 0, -0.8, 0, 0]}
sensors:
  - {name: angle, type: position, joint: hub, noise: 1e-3}
  - {name: gauge, type: strain, link: strip, at: 0.05, offset: [0.0015, 0], noise: 3e-6}
  - {name: gyro, type: gyroscope, link: strip, at: 1.0, axis: [0, 0, 1], noise: 0.02}
IMU
integrator: {method: radau, rtol: 1e-8}
duration: 1
output: {rate: 100}
)";

/// A motion that is known, and what sensors show of it without noise.
struct Truth {
  ScenarioFile file;
  int rows;
  std::vector<VectorXd> clean, q, v;

  Truth(const std::string& text, int count) : file(parsed(text)), rows(count) {
    ScenarioDescription silent = file.description;
    for (SensorDescription& sensor : silent.sensors) sensor.noise = 0.0;
    Simulator arm(build_scenario(silent, file.model));
    for (int i = 0; i <= rows; ++i) {
      arm.advance_to(time(i));
      clean.push_back(arm.readings());
      q.push_back(arm.state().q);
      v.push_back(arm.state().v);
    }
  }
  static double time(int row) { return 0.01 * row; }
  Scenario scenario() const { return build_scenario(file.description, file.model); }
  std::vector<int> sensors() const {
    std::vector<int> all;
    for (int i = 0; i < static_cast<int>(file.description.sensors.size()); ++i) all.push_back(i);
    return all;
  }
  VectorXd readings(int row, int seed) const {
    VectorXd shown = clean[static_cast<std::size_t>(row)];
    for (Index s = 0; s < shown.size(); ++s) {
      const SensorDescription& about = file.description.sensors[static_cast<std::size_t>(s)];
      shown[s] +=
          about.noise *
          NormalNoise(static_cast<std::uint32_t>(seed), about.name).at(static_cast<std::uint64_t>(row));
    }
    return shown;
  }
};

/// A start that is off by as much as the covariance says.
VectorXd drawn_start(StochasticArm& arm, const VectorXd& x, const MatrixXd& P, int seed) {
  const NormalNoise noise(static_cast<std::uint32_t>(seed), "start");
  VectorXd error(arm.error_size()), moved;
  for (Index c = 0; c < error.size(); ++c)
    error[c] = std::sqrt(P(c, c)) * noise.at(static_cast<std::uint64_t>(c));
  arm.displace(x, error, moved);
  return moved;
}

std::unique_ptr<StateFilter> make_filter(EstimationMethod method, StochasticArm& arm, const VectorXd& x,
                                         const MatrixXd& P) {
  if (method == EstimationMethod::ekf) return std::make_unique<ExtendedKalmanFilter>(arm, 0.0, x, P);
  return std::make_unique<UnscentedKalmanFilter>(arm, 0.0, x, P);
}

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

ScenarioAt with_payload(const Truth& truth) {
  return [&truth](const VectorXd& p) {
    ScenarioDescription description = truth.file.description;
    description.model.links[0].tip->mass = p[0];
    if (!(p[0] >= 0.0)) throw InputError(Problem{"tip.mass", "a mass >= 0", std::to_string(p[0]), ""});
    return build_scenario(description, build_model(description.model));
  };
}

TEST(StochasticArm, KnowsTheDerivativesByParameters) {
  const Truth truth(with(bent, "CONTROL", ""), 1);
  StochasticArm arm(with_payload(truth), {{"payload", 0.12, 0.02}});
  VectorXd x = arm.start();
  x[x.size() - 1] = 0.127;  // between prepared arms
  expect_derivatives(arm, x, 0.0, 0.004);
  // There it is the arm with that payload.
  StochasticArm exact(with_payload(truth)(VectorXd::Constant(1, 0.127)));
  VectorXd other = exact.start(), shown, shown_other;
  arm.predict(0.0, 0.02, x, {});
  exact.predict(0.0, 0.02, other, {});
  // Forces are linear in a mass, modal damping is not: to the polynomial's accuracy.
  EXPECT_LE((x.head(8) - other).norm(), 2e-6 * other.norm());
  arm.read(0.02, x, {0, 1, 2, 3}, shown, nullptr);
  exact.read(0.02, other, {0, 1, 2, 3}, shown_other, nullptr);
  EXPECT_LE((shown - shown_other).norm(), 2e-4 * shown_other.norm());
}

// A payload that is off at first by as much as it is said to be uncertain, nine numbers: by a fifth for the unscented filter, by 4 % for the extended one, which is too sure beyond that
// (docs/measurements.md).
TEST(ArmEstimator, FindsThePayload) {
  constexpr int seeds = 12;
  const Truth truth(with(swing, "IMU", ""), 40);
  for (const EstimationMethod method : {EstimationMethod::ekf, EstimationMethod::ukf}) {
    const int runs = method == EstimationMethod::ekf ? seeds : seeds / 2;
    const double deviation = method == EstimationMethod::ekf ? 0.004 : 0.02;
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
    RecordProperty(method == EstimationMethod::ekf ? "nees_payload_ekf" : "nees_payload_ukf",
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

// ---- an observer in the loop ----

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

/// The same by hand: the arm by its exponential, the filter by Cayley's transform of 20 steps between samples, anew from the start at every sample through all readings that have come.
std::vector<Eigen::Vector2d> observed_by_hand(int samples, int late) {
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
    u.push_back(8.0 * (0.3 - z[0]) - 3.0 * z[1]);
    Eigen::Vector3d y;
    y << x, u.back();
    x = (exact * y).head<2>();
    course.push_back(x);
  }
  return course;
}

Scenario watched(const std::string& delay, ObserverMethod method = ObserverMethod::ekf) {
  Scenario scenario = built(with(observed, "DELAY", delay));
  observe(scenario, {method, 50.0, {}, {0.1, 0.2, 1.0, 0.01, 1e-3}});
  return scenario;
}

TEST(Observer, IsWhatAHandComputes) {
  for (const auto& [method, delay, late] :
       {std::tuple{ObserverMethod::ekf, "", 0}, std::tuple{ObserverMethod::ukf, "", 0},
        std::tuple{ObserverMethod::ekf, ", delay: 0.05", 3}}) {
    Simulator arm(watched(delay, method));
    const std::vector<Eigen::Vector2d> course = observed_by_hand(100, late);
    for (int i = 1; i <= 100; ++i) {
      arm.advance_to(0.02 * i);
      EXPECT_NEAR(arm.state().q[0], course[static_cast<std::size_t>(i)][0], 1e-8) << delay << i;
      EXPECT_NEAR(arm.state().v[0], course[static_cast<std::size_t>(i)][1], 1e-8) << delay << i;
    }
  }
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
  ObserverOptions how;
  how.rate = 200.0;
  how.arm.process_noise = 1e-6;
  observe(scenario, how);
  Simulator arm(std::move(scenario));
  arm.advance_to(2.5);
  EXPECT_LE(arm.state().q.cwiseAbs().maxCoeff(), 3e-3);
  EXPECT_LE(arm.state().v.cwiseAbs().maxCoeff(), 3e-2);
}

TEST(Observer, SaysWhatItCannotTake) {
  const auto refusal = [](const std::string& from, const std::string& to, const ObserverOptions& how) {
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
  const ObserverOptions fine{ObserverMethod::ekf, 50.0, {}, {}};
  EXPECT_EQ(refusal("kp: 8", "kp: 8", fine), "");
  expect(refusal("noise: 0.05, ", "", fine), "sensors[1].noise: expected a standard deviation > 0");
  expect(refusal("kp: 8", "kp: 8", {ObserverMethod::ekf, 50.0, {"angel"}, {}}), "did you mean `angle`?");
  expect(refusal("kp: 8", "kp: 8", {ObserverMethod::ekf, 0.0, {}, {}}), "observer.rate: expected samples");
  expect(refusal("type: pd, kp: 8", "type: pid, rate: 30, kp: 8", fine),
         "observer.rate: expected a whole multiple");
}

// ---- calls ----

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
}

}  // namespace
}  // namespace limber
