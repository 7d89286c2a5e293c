// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/detail/lanes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace limber {

using namespace detail;

namespace {

// Eigen's answer to every operation, for a vector type with lanes and for one without.
template <typename Scalar>
class Lanes : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<Scalar, float> ? 1e-5 : 1e-14;
  using Vector = Vector3<Scalar>;
  using Matrix = Matrix3<Scalar>;

  void SetUp() override { std::srand(3); }
  static void expect_equal(const Vector& x, const Vector& y) { EXPECT_LT((x - y).norm(), tolerance); }
  static void expect_equal(const Matrix& x, const Matrix& y) { EXPECT_LT((x - y).norm(), tolerance); }

  Vector u = Vector::Random(), v = Vector::Random(), w = Vector::Random();
  Matrix X = Matrix::Random(), Y = Matrix::Random();
};
using Scalars = testing::Types<double, float>;
TYPED_TEST_SUITE(Lanes, Scalars);

TYPED_TEST(Lanes, ComputeWhatEigenComputes) {
  using Scalar = TypeParam;
  const Vec3<Scalar> a(this->u), b(this->v);
  const Mat3<Scalar> A(this->X), B(this->Y);
  this->expect_equal(a + b, this->u + this->v);
  this->expect_equal(a - b, this->u - this->v);
  this->expect_equal(-a, -this->u);
  this->expect_equal(cross(a, b), this->u.cross(this->v));
  EXPECT_NEAR(dot(a, b), this->u.dot(this->v), this->tolerance);
  this->expect_equal(A * a, this->X * this->u);
  this->expect_equal(A * B, this->X * this->Y);
  this->expect_equal(A.transposed(), this->X.transpose());
  this->expect_equal(transposed_times(A, a), this->X.transpose() * this->u);
  this->expect_equal(outer(a, b), this->u * this->v.transpose());
  this->expect_equal(Mat3<Scalar>::skew(a), skew<Scalar>(this->u));
  this->expect_equal(cross_columns(a, A), skew<Scalar>(this->u) * this->X);
  this->expect_equal(times_skew(A, a), this->X * skew<Scalar>(this->u));
  EXPECT_NEAR(A.trace(), this->X.trace(), this->tolerance);
}

TYPED_TEST(Lanes, TurnAndShiftInertias) {
  using Scalar = TypeParam;
  using Matrix6 = Eigen::Matrix<Scalar, 6, 6>;
  const auto dense = [](const ArticulatedInertia<Scalar>& M) {
    const Matrix3<Scalar> a = M.vv, b = M.vw, c = M.ww;
    Matrix6 result;
    result << a, b, b.transpose(), c;
    return result;
  };
  const LaneInertia<Scalar> body{Scalar(2), this->u, Matrix3<Scalar>(this->X * this->X.transpose())};
  const Matrix3<Scalar> R = Eigen::AngleAxis<Scalar>(Scalar(0.7), this->v.normalized()).toRotationMatrix();
  Matrix6 turn = Matrix6::Zero(), shift = Matrix6::Identity();
  turn.template topLeftCorner<3, 3>() = turn.template bottomRightCorner<3, 3>() = R;
  shift.template topRightCorner<3, 3>() = -skew<Scalar>(this->w);
  const Matrix6 M = dense(ArticulatedInertia<Scalar>(body));
  const Matrix6 expected = shift.transpose() * turn * M * turn.transpose() * shift;
  const Mat3<Scalar> lanes_R(R), lanes_Rt = lanes_R.transposed();
  const double limit = 10 * this->tolerance;
  EXPECT_LT(
      (dense(ArticulatedInertia<Scalar>(body).turned_by(lanes_R, lanes_Rt).seen_from(this->w)) - expected)
          .norm(),
      limit);
  EXPECT_LT(
      (dense(ArticulatedInertia<Scalar>(body.turned_by(lanes_R, lanes_Rt).seen_from(this->w))) - expected)
          .norm(),
      limit);
  Eigen::Matrix<Scalar, 6, 1> motion;
  motion << this->v, this->w;
  const Eigen::Matrix<Scalar, 6, 1> momentum = (body * LaneTwist<Scalar>::from(motion)).vector();
  EXPECT_LT((momentum - M * motion).norm(), limit);
}

TEST(RotationAt, AgreesWithTheMatrixFunctions) {
  std::srand(5);
  for (const double angle : {0.0, 1e-8, 1e-3, 0.1, 0.49, 0.51, 1.0, 2.5, 3.1}) {
    const Eigen::Vector3d theta = Eigen::Vector3d::Random().normalized() * angle,
                          rate = Eigen::Vector3d::Random();
    const RotationAt<double> rotation{Vec3<double>(theta)};
    EXPECT_LT((Eigen::Matrix3d(rotation.exp()) - exp_rotation<double>(theta)).norm(), 2e-15);
    EXPECT_LT((Eigen::Matrix3d(rotation.left_jacobian()) - left_jacobian<double>(theta)).norm(), 2e-15);
    const Eigen::Vector3d expected = left_jacobian_rate<double>(theta, rate) * rate;
    EXPECT_LT((Eigen::Vector3d(rotation.left_jacobian_rate_times(rate)) - expected).norm(), 2e-15);
  }
}

TEST(RotationSeriesValues, EqualTheSingleFunctions) {
  for (double s = 0.0; s < 9.8; s += s < 0.3 ? 0.001 : 0.1) {
    const auto values = rotation_series::values(s);
    EXPECT_NEAR(values.c1, rotation_series::c1(s), 1e-15);
    EXPECT_NEAR(values.c2, rotation_series::c2(s), 5e-16);
    EXPECT_NEAR(values.c3, rotation_series::c3(s), 2e-16);
    EXPECT_NEAR(values.dc2, rotation_series::dc2(s), 5e-17);
    EXPECT_NEAR(values.dc3, rotation_series::dc3(s), 2e-17);
  }
}

}  // namespace
}  // namespace limber
