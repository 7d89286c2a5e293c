// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/rotation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>
#include <unsupported/Eigen/AutoDiff>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "limber/math/rpy.hpp"
#include "limber/math/spatial.hpp"

namespace limber {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Zero, tiny, elastic, large, next to pi: along random axes.
std::vector<Vector3d> rotation_vectors() {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Vector3d> vectors{Vector3d::Zero()};
  for (const double angle : {1e-12, 1e-8, 1e-5, 1e-3, 0.1, 1.0, 1.58, 2.4, 2.9, 3.1415})
    for (int i = 0; i < 3; ++i)
      vectors.push_back(Vector3d(normal(random), normal(random), normal(random)).normalized() * angle);
  return vectors;
}

TEST(ExpRotation, EqualsTheMatrixExponential) {
  for (const Vector3d& theta : rotation_vectors()) {
    const Matrix3d exponential = skew(theta).exp();
    EXPECT_LT((exp_rotation(theta) - exponential).norm(), 3e-15);
    EXPECT_LT((exp_rotation(theta).transpose() * exp_rotation(theta) - Matrix3d::Identity()).norm(), 3e-15);
  }
}

// At and next to the pole, where roll and yaw are one, too.
TEST(RpyFromRotation, MakesTheSameRotationAgain) {
  const double pole = 1.5707963267948966;
  for (const double pitch : {0.0, 0.3, -1.5, pole, -pole, pole - 1e-9, 1e-7 - pole, pole - 1e-4})
    for (const double roll : {0.0, 0.7, -2.9, 3.141592653589793})
      for (const double yaw : {0.0, 1.1, -3.0}) {
        const Matrix3d R = rotation_from_rpy({roll, pitch, yaw});
        EXPECT_LT((rotation_from_rpy(rpy_from_rotation(R)) - R).norm(), 2e-15)
            << roll << " " << pitch << " " << yaw;
      }
}

TEST(LogRotation, InvertsExp) {
  for (const Vector3d& theta : rotation_vectors())
    EXPECT_LT((log_rotation(exp_rotation(theta)) - theta).norm(), 2e-15 + 1e-14 * theta.norm());
}

using AutoDiff = Eigen::AutoDiffScalar<Eigen::Matrix<double, 1, 1>>;

// theta + t thetadot, with d/dt carried by a dual number.
Vector3<AutoDiff> moving(const Vector3d& theta, const Vector3d& rate) {
  Vector3<AutoDiff> result;
  for (int i = 0; i < 3; ++i) {
    result[i].value() = theta[i];
    result[i].derivatives()[0] = rate[i];
  }
  return result;
}

TEST(LeftJacobian, TurnsRatesIntoAngularVelocity) {
  const Vector3d rate(0.3, -0.7, 0.2);
  for (const Vector3d& theta : rotation_vectors()) {
    Matrix3<AutoDiff> R = exp_rotation<AutoDiff>(moving(theta, rate));
    Matrix3d R_rate;
    for (int i = 0; i < 9; ++i) R_rate(i / 3, i % 3) = R(i / 3, i % 3).derivatives()[0];
    const Vector3d w = left_jacobian(theta) * rate;
    EXPECT_LT((R_rate - skew(w) * exp_rotation(theta)).norm(), 1e-14);
  }
}

TEST(LeftJacobian, RateIsItsTimeDerivative) {
  const Vector3d rate(0.3, -0.7, 0.2);
  for (const Vector3d& theta : rotation_vectors()) {
    const Matrix3<AutoDiff> J = left_jacobian<AutoDiff>(moving(theta, rate));
    Matrix3d J_rate;
    for (int i = 0; i < 9; ++i) J_rate(i / 3, i % 3) = J(i / 3, i % 3).derivatives()[0];
    EXPECT_LT((J_rate - left_jacobian_rate(theta, rate)).norm(), 1e-14);
  }
}

TEST(LeftJacobian, InverseIsItsInverse) {
  for (const Vector3d& theta : rotation_vectors())
    EXPECT_LT((left_jacobian(theta) * left_jacobian_inverse(theta) - Matrix3d::Identity()).norm(), 4e-15);
}

TEST(RotationFromRpy, IsYawTimesPitchTimesRoll) {
  const Vector3d rpy(0.3, -0.5, 1.1);
  const Matrix3d expected = exp_rotation<double>(rpy.z() * Vector3d::UnitZ()) *
                            exp_rotation<double>(rpy.y() * Vector3d::UnitY()) *
                            exp_rotation<double>(rpy.x() * Vector3d::UnitX());
  EXPECT_LT((rotation_from_rpy(rpy) - expected).norm(), 1e-15);
}

// Kinetic energy does not know in which frame a body was described.
TEST(RigidInertia, KineticEnergyIsTheSameInEveryFrame) {
  const auto energy = [](const RigidInertia& body, const Vector3d& v, const Vector3d& w) {
    return 0.5 * body.mass * v.squaredNorm() + v.dot(w.cross(body.moment)) + 0.5 * w.dot(body.inertia * w);
  };
  Matrix3d inertia;
  inertia << 2.0, 0.1, -0.2, 0.1, 3.0, 0.3, -0.2, 0.3, 4.0;
  const RigidInertia in_B = RigidInertia::about_com(5.0, Vector3d(0.1, -0.4, 0.7), inertia);
  const Pose X_AB{rotation_from_rpy(Vector3d(0.4, -1.0, 2.0)), Vector3d(1.0, 2.0, -3.0)};
  const Vector3d v_A(0.2, 0.5, -0.1);
  const Vector3d w_A(1.0, -2.0, 0.5);
  const Vector3d v_B = X_AB.R.transpose() * (v_A + w_A.cross(X_AB.p));
  const Vector3d w_B = X_AB.R.transpose() * w_A;
  EXPECT_NEAR(energy(in_B.expressed_in(X_AB), v_A, w_A), energy(in_B, v_B, w_B), 1e-12);
}

}  // namespace
}  // namespace limber
