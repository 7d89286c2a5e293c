#pragma once

// M = L D L^T of a symmetric matrix of a few dozen rows, column by column. Eigen's LLT of such a size, not known to the
// compiler, spends most of its time on the way to its kernels; and it does not say which pivot failed.

#include <Eigen/Core>
#include <vector>

namespace limber {

class SmallCholesky {
 public:
  /// Reads the lower triangle. Returns -1, or the row whose pivot is not positive; the factor is then of no use.
  int compute(const Eigen::MatrixXd& M);
  /// x with M x = b; x may be b.
  void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const;
  double pivot(int row) const { return pivots_[static_cast<std::size_t>(row)]; }

 private:
  int n_ = 0;
  int stride_ = 0;         ///< n, rounded up to a multiple of four
  std::vector<double> L_;  ///< by columns, below the diagonal
  std::vector<double> pivots_;
  mutable std::vector<double> x_;  ///< scratch of solve
};

}  // namespace limber
