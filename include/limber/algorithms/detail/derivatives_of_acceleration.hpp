// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (9) of limber/algorithms/derivatives.hpp: with M inverted once, the rest is two products.

#include <algorithm>

#include "limber/algorithms/detail/derivative_work.hpp"

namespace limber::detail {
inline namespace LIMBER_LANES {

// As many numbers as the widest register holds: all of this is rows of whole matrices, which gain by 64 bytes where the sweeps over links lose.
#if defined(__AVX512F__)
class Wide {
  using Lanes [[gnu::vector_size(64)]] = double;

 public:
  static constexpr int width = 8;
  static constexpr int columns = 8;  // of a product at once: 3 x 8 of 32 registers are sums
  LIMBER_INLINE explicit Wide(double value = 0.0) : lanes_(value - Lanes{}) {}
  LIMBER_INLINE static Wide load(const double* data) {
    Wide result(0.0);
    __builtin_memcpy(&result.lanes_, data, sizeof(Lanes));
    return result;
  }
  LIMBER_INLINE void store(double* data) const { __builtin_memcpy(data, &lanes_, sizeof(Lanes)); }
  LIMBER_INLINE double operator[](int i) const { return lanes_[i]; }
  LIMBER_INLINE friend Wide operator+(const Wide& a, const Wide& b) { return Wide(a.lanes_ + b.lanes_); }
  LIMBER_INLINE friend Wide operator-(const Wide& a, const Wide& b) { return Wide(a.lanes_ - b.lanes_); }
  LIMBER_INLINE friend Wide operator*(const Wide& a, const Wide& b) { return Wide(a.lanes_ * b.lanes_); }

 private:
  LIMBER_INLINE explicit Wide(const Lanes& lanes) : lanes_(lanes) {}
  Lanes lanes_;
};
#else
class Wide : public Doubles {
 public:
  static constexpr int columns = 4;
  LIMBER_INLINE explicit Wide(double value = 0.0) : Doubles(value) {}
  LIMBER_INLINE Wide(const Doubles& numbers) : Doubles(numbers) {}  // NOLINT: converts by itself
};
#endif

// A, symmetric and positive definite, becomes -A^-1 of its first `n` rows; both triangles.
inline void sweep_block(double (&A)[swept_together][swept_together], int n) {  // NOLINT
  for (int k = 0; k < n; ++k) {
    const double inverse = 1.0 / A[k][k];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (i != k && j != k) A[i][j] -= A[i][k] * A[k][j] * inverse;
    for (int i = 0; i < n; ++i)
      if (i != k) A[k][i] = A[i][k] *= inverse;
    A[k][k] = -inverse;
  }
}

// A becomes -A^-1, A symmetric and positive definite, of which the lower triangle is read: blocks of rows p are swept (Gauss and Jordan) without pivots,
//
//   A_ij -= A_ip A_pp^-1 A_pj,   A_ip <- A_ip A_pp^-1,   A_pp <- -A_pp^-1.
//
// Columns are `stride` apart and filled up to whole packets; `columns` has room for 2 x swept_together of them.
inline void sweep_all_rows(double* A, int n, int stride, double* columns) {
  double *column[swept_together], *factor[swept_together];  // NOLINT: A_ip, and A_ip A_pp^-1
  for (int c = 0; c < swept_together; ++c) {
    column[c] = columns + c * stride;
    factor[c] = column[c] + swept_together * stride;
  }
  for (int first = 0; first < n; first += swept_together) {
    const int count = std::min(swept_together, n - first);
    double block[swept_together][swept_together] = {};  // NOLINT
    for (int c = 0; c < count; ++c) {
      const int k = first + c;
      for (int i = 0; i < k; ++i) column[c][i] = A[k + i * stride];
      for (int i = k; i < n; ++i) column[c][i] = A[i + k * stride];
      for (int d = 0; d < count; ++d) {
        block[c][d] = column[c][first + d];
        column[c][first + d] = 0.0;  // rows and columns of the block are set below
      }
    }
    for (int c = count; c < swept_together; ++c) std::fill_n(column[c], n, 0.0);
    sweep_block(block, count);
    for (int c = 0; c < swept_together; ++c)
      for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int d = 0; d < swept_together; ++d) sum -= column[d][i] * block[d][c];
        factor[c][i] = sum;
      }
    for (int j = 0; j < n; ++j) {
      double* to = A + j * stride;
      const Wide f0(factor[0][j]), f1(factor[1][j]), f2(factor[2][j]), f3(factor[3][j]);
      for (int i = j / Wide::width * Wide::width; i < n; i += Wide::width) {
        const Wide first_two = Wide::load(column[0] + i) * f0 + Wide::load(column[1] + i) * f1;
        const Wide last_two =
            Wide::load(to + i) - Wide::load(column[2] + i) * f2 - Wide::load(column[3] + i) * f3;
        Wide(last_two - first_two).store(to + i);
      }
    }
    for (int c = 0; c < count; ++c) {
      const int k = first + c;
      for (int i = 0; i < first; ++i) A[k + i * stride] = factor[c][i];
      for (int i = first + count; i < n; ++i) A[i + k * stride] = factor[c][i];
      for (int d = c; d < count; ++d) A[first + d + k * stride] = block[d][c];
    }
  }
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) A[j + i * stride] = A[i + j * stride];
}

// `packets` registers of rows of Wide::columns columns of A B, at once.
template <int packets>
LIMBER_INLINE void multiply_block(const double* A, int stride, const double* const* b, int n, int row,
                                  int columns, double* const* to) {
  Wide sums[packets][Wide::columns];  // NOLINT
  const double* a = A + row;
  for (int k = 0; k < n; ++k, a += stride)
    for (int c = 0; c < Wide::columns; ++c) {
      const Wide factor(b[c][k]);
      for (int p = 0; p < packets; ++p) sums[p][c] = sums[p][c] + Wide::load(a + p * Wide::width) * factor;
    }
  for (int c = 0; c < columns; ++c)
    for (int p = 0; p < packets; ++p) {
      const int first = row + p * Wide::width;
      if (first + Wide::width <= n)
        sums[p][c].store(to[c] + first);
      else
        for (int l = 0; first + l < n; ++l) to[c][first + l] = sums[p][c][l];
    }
}

// to = A B, n x n; A's columns are `stride` apart, filled up to whole registers.
inline void multiply(const double* A, int stride, const Eigen::MatrixXd& B, Eigen::MatrixXd& to) {
  const int n = static_cast<int>(B.rows());
  constexpr int width = Wide::width, together = Wide::columns;
  for (int first = 0; first < n; first += together) {
    const int columns = std::min(together, n - first);
    const double* b[together];  // NOLINT: of a block that is not full, the last column again
    double* results[together];  // NOLINT
    for (int c = 0; c < together; ++c) {
      b[c] = B.data() + (first + std::min(c, columns - 1)) * n;
      results[c] = to.data() + (first + std::min(c, columns - 1)) * n;
    }
    int row = 0;
    for (; row + 2 * width < n; row += 3 * width) multiply_block<3>(A, stride, b, n, row, columns, results);
    for (; row < n; row += width) multiply_block<1>(A, stride, b, n, row, columns, results);
  }
}

inline void solve(DerivativeWork& work, DynamicsDerivatives& result) {
  const int n = static_cast<int>(work.mass_matrix.rows());
  Eigen::Map<Eigen::MatrixXd, 0, Eigen::OuterStride<>> inverse(work.inverse.data(), n, n,
                                                               Eigen::OuterStride<>(work.stride));
  inverse = work.mass_matrix;
  sweep_all_rows(work.inverse.data(), n, work.stride, work.factors.data());
  multiply(work.inverse.data(), work.stride, result.dforce_dq, result.dacceleration_dq);
  multiply(work.inverse.data(), work.stride, result.dforce_dv, result.dacceleration_dv);
  result.dacceleration_dtau = -inverse;
}

}  // namespace LIMBER_LANES
}  // namespace limber::detail
