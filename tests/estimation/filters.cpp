// SPDX-License-Identifier: BSD-3-Clause
// Filters and smoother on processes whose answers are known: a linear one, which Kalman's own formulas solve, and a pendulum, whose most probable course solves dense normal equations.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <set>

#include "allocations.hpp"
#include "limber/core/input_error.hpp"
#include "limber/estimation/extended_kalman_filter.hpp"
#include "limber/estimation/moving_horizon_smoother.hpp"
#include "limber/estimation/unscented_kalman_filter.hpp"

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A pendulum of unknown strength c, x = (angle, rate, c): x+ = (angle + h rate, rate - h c sin(angle), c) for h = to - from, seen by its angle and by the sine of it. Linear: angle for
/// its sine.
class Pendulum : public DiscreteProcess {
 public:
  explicit Pendulum(bool is_linear, double disturbance) : is_linear_(is_linear), q_(disturbance) {}
  int point_size() const override { return 3; }
  int error_size() const override { return 3; }
  int reading_count() const override { return 2; }
  int constant_count() const override { return is_linear_ ? 0 : 1; }
  double variance(int sensor) const override { return sensor == 0 ? 0.01 : 0.04; }
  bool is_disturbed() const override { return q_ > 0.0; }
  void displace(const VectorXd& x, const VectorXd& e, VectorXd& result) override { result = x + e; }
  void difference(const VectorXd& from, const VectorXd& to, VectorXd& e) override { e = to - from; }
  void predict(double from, double to, VectorXd& x, Carried carried) override {
    constants_.insert(x[2]);
    const double h = to - from;
    const Eigen::Matrix3d A = transition(x, h);
    if (carried.covariance) {
      product_.noalias() = A * *carried.covariance;
      carried.covariance->noalias() = product_ * A.transpose();
      (*carried.covariance)(0, 0) += 0.1 * q_ * h;
      (*carried.covariance)(1, 1) += q_ * h;
    }
    if (carried.transition) *carried.transition = (A * *carried.transition).eval();
    const double force = is_linear_ ? 2.0 * x[0] : x[2] * std::sin(x[0]);
    const double rate = x[1];
    x[1] -= h * force;
    x[0] += h * rate;
  }
  void read(double, const VectorXd& x, const std::vector<int>& sensors, VectorXd& readings,
            MatrixXd* H) override {
    readings.resize(static_cast<Index>(sensors.size()));
    if (H) H->setZero(readings.size(), 3);
    for (std::size_t i = 0; i < sensors.size(); ++i) {
      const auto row = static_cast<Index>(i);
      const bool is_sine = sensors[i] == 1 && !is_linear_;
      readings[row] = is_sine ? std::sin(x[0]) : (sensors[i] == 1 ? x[1] : x[0]);
      if (!H) continue;
      (*H)(row, sensors[i] == 1 && is_linear_ ? 1 : 0) = is_sine ? std::cos(x[0]) : 1.0;
    }
  }
  Eigen::Matrix3d transition(const VectorXd& x, double h) const {
    Eigen::Matrix3d A = Eigen::Matrix3d::Identity();
    A(0, 1) = h;
    A(1, 0) = -h * (is_linear_ ? 2.0 : x[2] * std::cos(x[0]));
    if (!is_linear_) A(1, 2) = -h * std::sin(x[0]);
    return A;
  }
  std::set<double> constants_;

 private:
  bool is_linear_;
  double q_;
  Eigen::Matrix3d product_;
};

// Something between noise and none, the same everywhere.
double wobble(int k) { return std::sin(12.9898 * k) * std::cos(78.233 * k * k); }

VectorXd reading(int k) {
  return Eigen::Vector2d(std::cos(0.14 * k) + 0.1 * wobble(k),
                         0.8 * std::cos(0.14 * k + 0.3) + 0.2 * wobble(k + 50));
}

const Eigen::Vector3d start(0.9, 0.1, 2.0);
const MatrixXd start_covariance = Eigen::Vector3d(0.04, 0.09, 0.0).asDiagonal();

// Kalman's own formulas, as textbooks have them.
template <typename Filter>
void expect_kalman() {
  Pendulum process(true, 0.02);
  Filter filter(process, 0.0, start, start_covariance);
  VectorXd x = start;
  MatrixXd P = start_covariance;
  const Eigen::Vector3d Q(0.1 * 0.02 * 0.1, 0.02 * 0.1, 0.0);
  MatrixXd H = MatrixXd::Zero(2, 3);
  H(0, 0) = H(1, 1) = 1.0;
  const MatrixXd R = Eigen::Vector2d(0.01, 0.04).asDiagonal();
  for (int k = 1; k <= 50; ++k) {
    filter.predict(0.1 * k);
    filter.update({0, 1}, reading(k));
    const MatrixXd A = process.transition(x, filter.time() - 0.1 * (k - 1));
    x = A * x;
    P = A * P * A.transpose();
    P.diagonal() += Q;
    const MatrixXd S = H * P * H.transpose() + R, K = P * H.transpose() * S.inverse();
    const VectorXd left = reading(k) - H * x;
    x += K * left;
    P = (MatrixXd::Identity(3, 3) - K * H) * P;
    EXPECT_LE((filter.x() - x).norm(), 1e-12);
    EXPECT_LE((filter.covariance() - P).norm(), 1e-12);
    EXPECT_NEAR(filter.innovations()[1], left[1] / std::sqrt(S(1, 1)), 1e-12);
  }
}
TEST(ExtendedKalmanFilter, IsKalmansForALinearProcess) { expect_kalman<ExtendedKalmanFilter>(); }
TEST(UnscentedKalmanFilter, IsKalmansForALinearProcess) { expect_kalman<UnscentedKalmanFilter>(); }

TEST(ExtendedKalmanFilter, AllocatesNothing) {
  Pendulum process(true, 0.02);
  ExtendedKalmanFilter filter(process, 0.0, start, start_covariance);
  const std::vector<int> sensors = {0, 1};
  const VectorXd shown = reading(1);
  filter.predict(0.1);
  filter.update(sensors, shown);
  process.constants_.clear();
  filter.predict(0.2);
  const test::AllocationCounter counter;
  filter.update(sensors, shown);
  EXPECT_EQ(counter.count(), 0);
}

// Means and variances of x^2-like functions: the sine's second derivative moves its mean by -P/2 sin, which the extended filter does not see.
TEST(UnscentedKalmanFilter, SeesTheSecondOrder) {
  Pendulum process(false, 0.0);
  MatrixXd P = MatrixXd::Zero(3, 3);
  P(0, 0) = 0.01;
  const Eigen::Vector3d x(1.0, 0.0, 2.0);
  UnscentedKalmanFilter unscented(process, 0.0, x, P);
  const double expected = std::sin(1.0) * std::exp(-0.005);  // of a normal angle
  unscented.update({1}, VectorXd::Constant(1, expected));
  EXPECT_LE(std::abs(unscented.innovations()[0]), 1e-5);
  ExtendedKalmanFilter extended(process, 0.0, x, P);
  extended.update({1}, VectorXd::Constant(1, expected));
  EXPECT_GE(std::abs(extended.innovations()[0]), 1e-2);
}

/// y' = sin c with a constant c, seen as cos c.
class Sine : public DiscreteProcess {
 public:
  int point_size() const override { return 2; }
  int error_size() const override { return 2; }
  int reading_count() const override { return 1; }
  int constant_count() const override { return 1; }
  double variance(int) const override { return 1e4; }
  bool is_disturbed() const override { return false; }
  void displace(const VectorXd& x, const VectorXd& error, VectorXd& result) override { result = x + error; }
  void difference(const VectorXd& from, const VectorXd& to, VectorXd& error) override { error = to - from; }
  void predict(double from, double to, VectorXd& x, Carried carried) override {
    MatrixXd Phi = MatrixXd::Identity(2, 2);
    Phi(0, 1) = (to - from) * std::cos(x[1]);
    x[0] += (to - from) * std::sin(x[1]);
    if (carried.covariance) *carried.covariance = Phi * *carried.covariance * Phi.transpose();
    if (carried.transition) *carried.transition = Phi * *carried.transition;
  }
  void read(double, const VectorXd& x, const std::vector<int>&, VectorXd& readings,
            MatrixXd* slopes) override {
    readings = VectorXd::Constant(1, std::cos(x[1]));
    if (slopes) *slopes = Eigen::RowVector2d(0.0, -std::sin(x[1]));
  }
};

// Of a normal c: E sin c = sin(c0) e^(-s^2/2), E cos c likewise, Var sin c = (1 - cos(2 c0) e^(-2 s^2))/2 - (E sin c)^2, Cov(sin c, c) = s^2 cos(c0) e^(-s^2/2).
TEST(ExtendedKalmanFilter, IsOfHigherOrderAlongConstants) {
  constexpr double c = 0.8, s = 0.5;
  const double less = std::exp(-s * s / 2.0);
  Sine process;
  ExtendedKalmanFilter filter(process, 0.0, Eigen::Vector2d(0.0, c),
                              Eigen::Vector2d(0.0, s * s).asDiagonal());
  filter.predict(1.0);
  EXPECT_NEAR(filter.x()[0], std::sin(c) * less, 2e-4);
  EXPECT_NEAR(filter.x()[1], c, 1e-14);
  const double variance =
      (1.0 - std::cos(2.0 * c) * std::exp(-2.0 * s * s)) / 2.0 - std::pow(std::sin(c) * less, 2);
  EXPECT_NEAR(filter.covariance()(0, 0), variance, 0.02 * variance);
  EXPECT_NEAR(filter.covariance()(0, 1), s * s * std::cos(c) * less, 2e-3);
  EXPECT_NEAR(filter.covariance()(1, 1), s * s, 1e-14);
  filter.update({0}, VectorXd::Constant(1, std::cos(c) * less));
  EXPECT_NEAR(100.0 * filter.innovations()[0], 0.0, 2e-4);
}

// Arms are prepared for values of constants: points have few of them.
TEST(UnscentedKalmanFilter, HasFewConstants) {
  Pendulum process(false, 0.01);
  MatrixXd P = Eigen::Vector3d(0.04, 0.09, 0.01).asDiagonal();
  P(0, 2) = P(2, 0) = 0.01;
  UnscentedKalmanFilter filter(process, 0.0, start, P);
  filter.predict(0.1);
  EXPECT_EQ(process.constants_.size(), 3u);
}

// An update takes half of a constant's deviation at most, and all that readings say once they say less.
TEST(StateFilter, LearnsConstantsByDegrees) {
  Pendulum process(false, 0.0);
  MatrixXd P = Eigen::Vector3d(1.0, 1.0, 1.0).asDiagonal();
  P(0, 2) = P(2, 0) = 0.999999;  // an angle tells the constant
  ExtendedKalmanFilter filter(process, 0.0, start, P);
  filter.update({0}, VectorXd::Constant(1, 1.0));
  EXPECT_NEAR(filter.covariance()(2, 2), 0.25, 0.01);
  EXPECT_GE(filter.covariance()(2, 2), 0.25);
  for (int i = 0; i < 40; ++i) filter.update({0}, VectorXd::Constant(1, 1.0));
  EXPECT_LE(filter.covariance()(2, 2), 1e-3);
}

/// (1) of the smoother, linearised at a course, as one dense system: rows of standard deviations.
struct Dense {
  MatrixXd A;
  VectorXd left;
};
Dense dense_of(Pendulum& process, const std::vector<SmoothedPoint>& course, const VectorXd& prior,
               const MatrixXd& P, int first) {
  const auto count = static_cast<Index>(course.size());
  Dense all{MatrixXd::Zero(3 + 3 * (count - 1) + 2 * count, 3 * count),
            VectorXd::Zero(3 + 3 * (count - 1) + 2 * count)};
  const auto add = [&](Index row, Index rows, const MatrixXd& covariance, const VectorXd& left,
                       const std::vector<std::pair<Index, MatrixXd>>& blocks) {
    const MatrixXd root = MatrixXd(covariance.llt().matrixL()).inverse();
    all.left.segment(row, rows) = root * left;
    for (const auto& [k, block] : blocks) all.A.block(row, 3 * k, rows, 3) = root * block;
  };
  add(0, 3, P, prior - course[0].x, {{0, MatrixXd::Identity(3, 3)}});
  for (Index k = 0; k < count; ++k) {
    const SmoothedPoint& point = course[static_cast<std::size_t>(k)];
    VectorXd h;
    MatrixXd H;
    process.read(0.0, point.x, {0, 1}, h, &H);
    add(3 + 3 * (count - 1) + 2 * k, 2, MatrixXd(Eigen::Vector2d(0.01, 0.04).asDiagonal()),
        reading(first + static_cast<int>(k)) - h, {{k, H}});
    if (k + 1 == count) continue;
    VectorXd next = point.x;
    MatrixXd Q = MatrixXd::Zero(3, 3), A = MatrixXd::Identity(3, 3);
    process.predict(0.0, 0.1, next, {&Q, &A});
    Q(2, 2) = 1e-10;  // a constant does not move: nearly, for this oracle
    add(3 + 3 * k, 3, Q, next - course[static_cast<std::size_t>(k + 1)].x,
        {{k, -A}, {k + 1, MatrixXd::Identity(3, 3)}});
  }
  return all;
}

// At the most probable course nothing moves it, and its covariances are blocks of the inverse of the normal equations.
TEST(MovingHorizonSmoother, SolvesTheNormalEquations) {
  Pendulum process(false, 0.02);
  const MatrixXd P = Eigen::Vector3d(0.04, 0.09, 0.25).asDiagonal();
  MovingHorizonSmoother smoother(process, 0.1, start, P, {100, 50, 1e-10});
  for (int k = 1; k <= 30; ++k) EXPECT_FALSE(smoother.add(0.1 * k, {0, 1}, reading(k)));
  const std::vector<SmoothedPoint> course = smoother.window();
  ASSERT_EQ(course.size(), 30u);
  const Dense all = dense_of(process, course, start, P, 1);
  const MatrixXd normal = all.A.transpose() * all.A,
                 inverse = normal.ldlt().solve(MatrixXd::Identity(90, 90));
  const VectorXd step = inverse * (all.A.transpose() * all.left);
  for (Index k = 0; k < 30; ++k) {
    const SmoothedPoint& point = course[static_cast<std::size_t>(k)];
    for (Index i = 0; i < 3; ++i) {
      const double deviation = std::sqrt(point.covariance(i, i));
      EXPECT_LE(std::abs(step[3 * k + i]), 1e-6 * deviation) << k;
      EXPECT_NEAR(inverse(3 * k + i, 3 * k + i) / point.covariance(i, i), 1.0, 1e-6) << k;
    }
  }
}

// Its newest row is the filter's, however short its window, and what leaves it knows the readings of the window.
TEST(MovingHorizonSmoother, ForgetsNothingOfALinearProcess) {
  Pendulum process(true, 0.02);
  MovingHorizonSmoother narrow(process, 0.0, start, start_covariance, {5, 10, 1e-9}),
      wide(process, 0.0, start, start_covariance, {100, 10, 1e-9});
  ExtendedKalmanFilter filter(process, 0.0, start, start_covariance);
  std::vector<SmoothedPoint> gone;
  for (int k = 1; k <= 30; ++k) {
    if (auto point = narrow.add(0.1 * k, {0, 1}, reading(k))) gone.push_back(*point);
    if (k <= 20) wide.add(0.1 * k, {0, 1}, reading(k));
    filter.predict(0.1 * k);
    filter.update({0, 1}, reading(k));
    EXPECT_LE((narrow.window().back().x - filter.x()).norm(), 1e-10) << k;
    EXPECT_LE((narrow.window().back().covariance - filter.covariance()).norm(), 1e-10) << k;
  }
  // Row 16 left when the window had come to 20.
  ASSERT_EQ(gone.size(), 25u);
  EXPECT_LE((gone[15].x - wide.window()[15].x).norm(), 1e-10);
  EXPECT_LE((gone[15].covariance - wide.window()[15].covariance).norm(), 1e-10);
}

TEST(StateFilter, LooksAtWhatItIsTold) {
  Pendulum process(true, 0.0);
  EXPECT_THROW(ExtendedKalmanFilter(process, 0.0, VectorXd::Zero(2), start_covariance), InputError);
  EXPECT_THROW(ExtendedKalmanFilter(process, 0.0, start, MatrixXd::Zero(2, 2)), InputError);
  EXPECT_THROW(ExtendedKalmanFilter(process, 0.0, start, -MatrixXd::Identity(3, 3)), InputError);
  ExtendedKalmanFilter filter(process, 1.0, start, start_covariance);
  EXPECT_THROW(filter.predict(0.5), InputError);
  EXPECT_THROW(filter.predict(NAN), InputError);
  EXPECT_THROW(filter.update({0, 2}, VectorXd::Zero(2)), InputError);
  EXPECT_THROW(filter.update({0}, VectorXd::Zero(2)), InputError);
  EXPECT_THROW(filter.update({0}, VectorXd::Constant(1, NAN)), InputError);
  EXPECT_THROW(MovingHorizonSmoother(process, 0.0, start, start_covariance, {0, 1, 1.0}), InputError);
  MovingHorizonSmoother smoother(process, 1.0, start, start_covariance);
  EXPECT_THROW(smoother.add(0.5, {}, VectorXd()), InputError);
  smoother.add(1.0, {0}, VectorXd::Zero(1));
  EXPECT_THROW(smoother.add(1.0, {0}, VectorXd::Zero(1)), InputError);
}

}  // namespace
}  // namespace limber
