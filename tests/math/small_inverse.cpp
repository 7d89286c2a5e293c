// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/detail/small_inverse.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

constexpr int sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 4};  // also with one object for several  NOLINT

// A zero in the corner: the first pivot must be another.
template <typename Matrix>
Matrix random_matrix(int n) {
  Matrix A = Matrix::Random(n, n);
  if (n > 1) A(0, 0) = 0.0;
  return A;
}

TEST(SmallInverse, OfARealMatrixSolves) {
  std::srand(5);
  SmallInverse<1> inverse;
  for (const int n : sizes) {
    const auto A = random_matrix<MatrixXd>(n);
    const VectorXd x = VectorXd::Random(n), b = A * x;
    VectorXd found(n);
    inverse.resize(n);
    inverse.part(0) = A;
    inverse.invert();
    inverse.apply({b.data()}, {found.data()});
    EXPECT_LT((found - x).norm(), 1e-12 * A.norm() * A.inverse().norm() * x.norm()) << n;
  }
}

TEST(SmallInverse, OfAComplexMatrixSolves) {
  std::srand(6);
  SmallInverse<2> inverse;
  for (const int n : sizes) {
    const auto A = random_matrix<MatrixXcd>(n);
    const VectorXcd x = VectorXcd::Random(n), b = A * x;
    const VectorXd re = b.real(), im = b.imag();
    VectorXd found_re(n), found_im(n);
    inverse.resize(n);
    inverse.part(0) = A.real();
    inverse.part(1) = A.imag();
    inverse.invert();
    inverse.apply({re.data(), im.data()}, {found_re.data(), found_im.data()});
    const double bound = 1e-12 * A.norm() * A.inverse().norm() * x.norm();
    EXPECT_LT((found_re - x.real()).norm(), bound) << n;
    EXPECT_LT((found_im - x.imag()).norm(), bound) << n;
  }
}

TEST(SmallInverse, OfASingularMatrixIsNoNumber) {
  SmallInverse<1> inverse;
  inverse.resize(3);
  inverse.part(0).setOnes();
  inverse.invert();
  const VectorXd b = VectorXd::Ones(3);
  VectorXd found(3);
  inverse.apply({b.data()}, {found.data()});
  EXPECT_FALSE(found.allFinite());
  // The next one is not spoilt by it.
  inverse.resize(3);
  inverse.part(0).setIdentity();
  inverse.invert();
  inverse.apply({b.data()}, {found.data()});
  EXPECT_EQ(found, b);
}

}  // namespace
}  // namespace limber
