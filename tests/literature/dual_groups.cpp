// SPDX-License-Identifier: BSD-3-Clause
// G1 and G2 against what defines them: matrix exponentials and logarithms, and the series of ad, all in long double and
// by plain sums. One suite of properties for both groups, over {identity, tiny, small, random} elements.

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "limber/literature/dual_groups.hpp"

namespace limber {
namespace {

using MatrixL = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;

// By the series of A / 2^k, squared k times.
MatrixL matrix_exponential(MatrixL A) {
  int squarings = 0;
  while (A.cwiseAbs().maxCoeff() > 0.05L) {
    A /= 2;
    ++squarings;
  }
  MatrixL sum = MatrixL::Identity(A.rows(), A.cols()), term = sum;
  for (int k = 1; k < 25; ++k) {
    term = term * A / k;
    sum += term;
  }
  for (; squarings > 0; --squarings) sum = sum * sum;
  return sum;
}

// By square roots until it is near 1 (Denman and Beavers), then the series.
MatrixL matrix_logarithm(MatrixL X) {
  const MatrixL one = MatrixL::Identity(X.rows(), X.cols());
  long double factor = 1;
  while ((X - one).cwiseAbs().maxCoeff() > 0.05L) {
    MatrixL root = X, inverse = one;
    for (int i = 0; i < 30; ++i) {
      const MatrixL next = (root + inverse.inverse()) / 2;
      inverse = (inverse + root.inverse()) / 2;
      root = next;
    }
    X = root;
    factor *= 2;
  }
  MatrixL sum = MatrixL::Zero(X.rows(), X.cols()), power = one;
  for (int k = 1; k < 40; ++k) {
    power = power * (X - one);
    sum += power * ((k % 2 == 1 ? 1.0L : -1.0L) / k);
  }
  return factor * sum;
}

// Sum ad^k / (k + 1)!
MatrixL jacobian_series(const MatrixL& ad) {
  MatrixL sum = MatrixL::Identity(ad.rows(), ad.cols()), term = sum;
  for (int k = 1; k < 60; ++k) {
    term = term * ad / (k + 1);
    sum += term;
  }
  return sum;
}

template <typename Group>
class DualGroup : public testing::Test {
 public:
  using Tangent = typename Group::Tangent;

  /// {zero, tiny (1e-12 .. 1e-2), of order 1}.
  static std::vector<Tangent> tangents() {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    std::vector<Tangent> all{Tangent::Zero()};
    for (const double size : {1e-12, 1e-9, 1e-8, 1e-6, 1e-4, 1e-3, 1e-2, 0.3, 1.0, 1.6})
      for (int i = 0; i < 4; ++i) all.push_back(Tangent::NullaryExpr([&] { return size * number(random); }));
    return all;
  }
  template <typename A, typename B>
  static double error(const A& a, const B& b) {
    const MatrixL exact = b.template cast<long double>();
    return static_cast<double>((a.template cast<long double>() - exact).cwiseAbs().maxCoeff() /
                               std::max(1.0L, exact.cwiseAbs().maxCoeff()));
  }
};
using Groups = testing::Types<G1, G2>;
TYPED_TEST_SUITE(DualGroup, Groups);

constexpr double tolerance = 1e-13;

TYPED_TEST(DualGroup, HasTheMatrixExponential) {
  for (const auto& u : TestFixture::tangents())
    EXPECT_LT(this->error(TypeParam::exp(u).matrix(),
                          matrix_exponential(TypeParam::hat(u).template cast<long double>())),
              tolerance);
}

TYPED_TEST(DualGroup, HasTheMatrixLogarithm) {
  for (const auto& u : TestFixture::tangents()) {
    const TypeParam X = TypeParam::exp(u);
    EXPECT_LT(this->error(X.log(), u), tolerance);
    EXPECT_LT(this->error(TypeParam::hat(X.log()), matrix_logarithm(X.matrix().template cast<long double>())),
              tolerance);
  }
}

TYPED_TEST(DualGroup, IsAGroupOfMatrices) {
  const auto all = TestFixture::tangents();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const TypeParam X = TypeParam::exp(all[i]), Y = TypeParam::exp(all[i + 1]);
    EXPECT_LT(this->error((X * Y).matrix(), X.matrix() * Y.matrix()), tolerance);
    EXPECT_LT(this->error(X.inverse().matrix() * X.matrix(), TypeParam().matrix()), tolerance);
    EXPECT_LT(this->error(TypeParam::from_matrix(X.matrix()).matrix(), X.matrix()), tolerance);
    EXPECT_LT(this->error(TypeParam::vee(TypeParam::hat(all[i])), all[i]), tolerance);
  }
}

TYPED_TEST(DualGroup, TurnsTangentsByAdAndAd) {
  const auto all = TestFixture::tangents();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const TypeParam X = TypeParam::exp(all[i]);
    const auto &a = all[i], &b = all[i + 1];
    const auto B = TypeParam::hat(b);
    EXPECT_LT(this->error(TypeParam::hat(X.Ad() * b), X.matrix() * B * X.inverse().matrix()), tolerance);
    EXPECT_LT(
        this->error(TypeParam::hat(TypeParam::ad(a) * b), TypeParam::hat(a) * B - B * TypeParam::hat(a)),
        tolerance);
    EXPECT_LT(this->error(X.Ad(), matrix_exponential(TypeParam::ad(a).template cast<long double>())),
              tolerance);
  }
}

TYPED_TEST(DualGroup, HasTheLeftJacobianOfTheSeriesAndItsInverse) {
  for (const auto& u : TestFixture::tangents()) {
    const auto J = TypeParam::left_jacobian(u);
    EXPECT_LT(this->error(J, jacobian_series(TypeParam::ad(u).template cast<long double>())), tolerance);
    EXPECT_LT(this->error(TypeParam::left_jacobian_inverse(u) * J, TypeParam::Jacobian::Identity()),
              tolerance);
  }
}

// Along exp(u + t rate): the left velocity is Jl rate, and the right one Ad^-1 of it.
TYPED_TEST(DualGroup, HasRightVelocities) {
  const auto all = TestFixture::tangents();
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const auto &u = all[i], &rate = all[i + 1];
    const TypeParam X = TypeParam::exp(u);
    const typename TypeParam::Tangent left = TypeParam::left_jacobian(u) * rate;
    const typename TypeParam::Matrix X_rate = TypeParam::hat(left) * X.matrix();
    EXPECT_LT(this->error(X.right_velocity(X_rate), X.inverse().Ad() * left), tolerance);
    EXPECT_LT(this->error(X.right_velocity(X_rate), TypeParam::left_jacobian(-u) * rate), tolerance);
    // ... which is a derivative: differences over 2 h are off by h^2 and by rounding / h.
    const double h = 1e-5;
    const typename TypeParam::Matrix difference =
        (TypeParam::exp(u + h * rate).matrix() - TypeParam::exp(u - h * rate).matrix()) / (2.0 * h);
    EXPECT_LT(this->error(X_rate, difference), 1e-9);
  }
}

// (8): A and theta x A.
TEST(G1, IsARotationAndASmallOne) {
  const Eigen::Matrix3d A = exp_rotation<double>({0.3, -0.7, 0.2});
  const Eigen::Vector3d theta(0.01, 0.02, -0.03);
  Matrix6d expected;
  expected << A, Eigen::Matrix3d::Zero(), skew<double>(theta) * A, A;
  EXPECT_LT((G1(A, theta).matrix() - expected).cwiseAbs().maxCoeff(), 1e-16);
}

// The paper's closed form (144) of the left Jacobian's lower block, where it has digits.
TEST(G1, HasThePapersQ) {
  const Eigen::Vector3d phi(0.5, -0.9, 0.7), gamma(0.2, 0.4, -0.3);
  const Eigen::Matrix3d P = skew<double>(phi), G = skew<double>(gamma);
  const double x = phi.norm();
  const double a = (x - std::sin(x)) / std::pow(x, 3), b = (1 - x * x / 2 - std::cos(x)) / std::pow(x, 4),
               c = (x - std::sin(x) - std::pow(x, 3) / 6) / std::pow(x, 5);
  const Eigen::Matrix3d Q = 0.5 * G + a * (P * G + G * P + P * G * P) -
                            b * (P * P * G + G * P * P - 3 * P * G * P) -
                            0.5 * (b - 3 * c) * (P * G * P * P + P * P * G * P);
  Vector6d u;
  u << phi, gamma;
  EXPECT_LT((G1::left_jacobian(u).bottomLeftCorner<3, 3>() - Q).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace limber
