// SPDX-License-Identifier: BSD-3-Clause
#include "limber/math/detail/small_cholesky.hpp"

#include <algorithm>
#include <cassert>

#include "limber/math/detail/packets.hpp"

namespace limber::detail {
namespace {

constexpr int width = Doubles::width;

// y -= a x, over the packets that hold elements from `first` up to `end`.
LIMBER_INLINE void subtract(double* y, double a, const double* x, int first, int end) {
  for (int i = first / width * width; i < end; i += width)
    (Doubles::load(y + i) - Doubles(a) * Doubles::load(x + i)).store(y + i);
}

// y -= a x + b z
LIMBER_INLINE void subtract(double* y, double a, const double* x, double b, const double* z, int first,
                            int end) {
  for (int i = first / width * width; i < end; i += width)
    (Doubles::load(y + i) - Doubles(a) * Doubles::load(x + i) - Doubles(b) * Doubles::load(z + i))
        .store(y + i);
}

}  // namespace

bool SmallCholesky::take_pivot(int j) {
  const double pivot = column(j)[j];
  pivots_[static_cast<std::size_t>(j)] = pivot;
  inverses_[static_cast<std::size_t>(j)] = 1.0 / pivot;
  return pivot > 0.0;
}

// Two columns a time, which halves what is loaded and stored. After step j, columns k > j hold M - Sum_{i <= j} l_i d_i l_i^T below the diagonal; what stands above it is not looked at.
int SmallCholesky::compute(const Eigen::MatrixXd& M) {
  assert(M.rows() == M.cols());
  if (M.rows() != n_) {
    n_ = static_cast<int>(M.rows());
    stride_ = (n_ + width - 1) / width * width;
    columns_.assign(static_cast<std::size_t>(n_ * stride_), 0.0);
    rows_.assign(columns_.size(), 0.0);
    pivots_.assign(static_cast<std::size_t>(n_), 0.0);
    inverses_ = pivots_;
    x_.assign(static_cast<std::size_t>(stride_), 0.0);
  }
  for (int j = 0; j < n_; ++j) {
    const int first = j / width * width;
    std::copy_n(M.data() + j * n_ + first, n_ - first, column(j) + first);
  }
  for (int j = 0; j < n_; j += 2) {
    if (!take_pivot(j)) return j;
    double* first = column(j);
    if (j + 1 == n_) {
      std::fill(first + n_ / width * width, first + n_, 0.0);
      break;
    }
    const double first_inverse = inverses_[static_cast<std::size_t>(j)];
    double* second = column(j + 1);
    const double between = first[j + 1] * first_inverse;
    row(j + 1)[j] = between;
    subtract(second, between, first, j + 1, n_);
    if (!take_pivot(j + 1)) return j + 1;
    const double second_inverse = inverses_[static_cast<std::size_t>(j + 1)];
    for (int k = j + 2; k < n_; ++k) {
      const double a = first[k] * first_inverse, b = second[k] * second_inverse;
      row(k)[j] = a;
      row(k)[j + 1] = b;
      subtract(column(k), a, first, b, second, k, n_);
    }
    // What a packet holds besides must not disturb `solve`.
    for (int i = (j + 1) / width * width; i <= j; ++i) first[i] = 0.0;
    for (int i = (j + 2) / width * width; i <= j + 1; ++i) second[i] = 0.0;
  }
  return -1;
}

// Forward with unscaled columns (l_j d_j), so that y_j / d_j is what a step multiplies by; then back along rows.
void SmallCholesky::solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) const {
  assert(b.size() == n_);
  double* y = x_.data();
  std::copy_n(b.data(), n_, y);
  for (int j = 0; j < n_; ++j) {
    const double scaled = y[j] * inverses_[static_cast<std::size_t>(j)];
    subtract(y, scaled, column(j), j + 1, n_);
    y[j] = scaled;
  }
  for (int j = n_ - 1; j > 0; --j) subtract(y, y[j], row(j), 0, j);
  x.resize(n_);
  std::copy_n(y, n_, x.data());
}

}  // namespace limber::detail
