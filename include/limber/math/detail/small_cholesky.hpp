// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// M = L D L^T of a symmetric matrix of a few dozen rows, column by column. Eigen's LLT of such a size, not known to the
// compiler, spends most of its time on the way to its kernels; and it does not say which pivot failed.

#include <vector>

#include "limber/math/eigen.hpp"

namespace limber::detail {

class SmallCholesky {
 public:
  /// Reads the lower triangle. Returns -1, or the row whose pivot is not positive; the factor is then of no use.
  int compute(const Eigen::MatrixXd& M);
  /// x with M x = b; x may be b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
  double pivot(int row) const { return pivots_[static_cast<std::size_t>(row)]; }

 private:
  bool take_pivot(int j);
  double* column(int j) { return columns_.data() + j * stride_; }
  const double* column(int j) const { return columns_.data() + j * stride_; }
  double* row(int j) { return rows_.data() + j * stride_; }
  const double* row(int j) const { return rows_.data() + j * stride_; }

  int n_ = 0;
  int stride_ = 0;               ///< n, rounded up to full packets
  std::vector<double> columns_;  ///< column j of L times its pivot, below the diagonal
  std::vector<double> rows_;     ///< L by rows, left of the diagonal
  std::vector<double> pivots_, inverses_;
  mutable std::vector<double> x_;  ///< scratch of solve
};

}  // namespace limber::detail
