// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/detail/small_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

namespace limber {

using namespace detail;

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(SmallCholesky, SolvesAsEigensDoes) {
  SmallCholesky factor;
  std::srand(3);
  for (const int n : {1, 2, 3, 4, 5, 7, 8, 16, 15, 33, 4}) {  // also with one object for several sizes
    const MatrixXd A = MatrixXd::Random(n, n);
    MatrixXd M = A * A.transpose() + MatrixXd::Identity(n, n);
    const VectorXd b = VectorXd::Random(n);
    const VectorXd expected = M.llt().solve(b);
    M.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));  // not read, whatever stands there
    ASSERT_EQ(factor.compute(M), -1) << n;
    VectorXd x;
    factor.solve(b, x);
    EXPECT_LT((x - expected).norm(), 1e-13 * expected.norm()) << n;
    VectorXd in_place = b;
    factor.solve(in_place, in_place);
    EXPECT_EQ(in_place, x);
  }
}

TEST(SmallCholesky, SaysWhichPivotFails) {
  MatrixXd M = MatrixXd::Identity(6, 6);
  M(3, 3) = -1.0;
  SmallCholesky factor;
  EXPECT_EQ(factor.compute(M), 3);
  M(3, 3) = std::nan("");
  EXPECT_EQ(factor.compute(M), 3);
  M(3, 3) = 2.0;
  EXPECT_EQ(factor.compute(M), -1);
  EXPECT_EQ(factor.pivot(3), 2.0);
}

}  // namespace
}  // namespace limber
