#include "limber/math/small_cholesky.hpp"

#include <algorithm>
#include <cassert>

#include "limber/math/packets.hpp"

namespace limber {
namespace {

// y -= a x, from the packet that holds `first` to the end.
LIMBER_INLINE void subtract(double* y, double a, const double* x, int first, int end) {
  for (int i = first / Doubles::width * Doubles::width; i < end; i += Doubles::width)
    (Doubles::load(y + i) - Doubles(a) * Doubles::load(x + i)).store(y + i);
}

}  // namespace

// After step j, columns k > j hold M - Sum_{i <= j} l_i d_i l_i^T below the diagonal; what stands above it is not looked at.
int SmallCholesky::compute(const Eigen::MatrixXd& M) {
  assert(M.rows() == M.cols());
  n_ = static_cast<int>(M.rows());
  stride_ = (n_ + 3) / 4 * 4;
  L_.resize(static_cast<std::size_t>(n_ * stride_), 0.0);
  pivots_.resize(static_cast<std::size_t>(n_));
  x_.resize(static_cast<std::size_t>(stride_), 0.0);
  for (int j = 0; j < n_; ++j) std::copy_n(M.data() + j * n_, n_, L_.data() + j * stride_);
  for (int j = 0; j < n_; ++j) {
    double* column = L_.data() + j * stride_;
    const double pivot = column[j];
    if (!(pivot > 0.0)) return j;
    pivots_[static_cast<std::size_t>(j)] = pivot;
    const double inverse = 1.0 / pivot;
    for (int k = j + 1; k < n_; ++k) {
      subtract(L_.data() + k * stride_, column[k] * inverse, column, k, n_);
    }
    for (int k = j + 1; k < n_; ++k) column[k] *= inverse;
  }
  return -1;
}

void SmallCholesky::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  assert(b.size() == n_);
  double* y = x_.data();
  std::copy_n(b.data(), n_, y);
  for (int j = 0; j < n_; ++j) {
    const double* column = L_.data() + j * stride_;
    const double y_j = y[j];
    for (int k = j + 1; k < n_; ++k) y[k] -= column[k] * y_j;
  }
  for (int j = n_ - 1; j >= 0; --j) {
    const double* column = L_.data() + j * stride_;
    double sum = y[j] / pivots_[static_cast<std::size_t>(j)];
    for (int k = j + 1; k < n_; ++k) sum -= column[k] * y[k];
    y[j] = sum;
  }
  x.resize(n_);
  std::copy_n(y, n_, x.data());
}

}  // namespace limber
