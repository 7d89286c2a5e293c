// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// (9) of limber/algorithms/derivatives.hpp: with M inverted once, the rest is two products.

#include <algorithm>

#include "limber/algorithms/detail/derivative_work.hpp"

namespace limber::detail {

// A becomes -A^-1, A symmetric and positive definite, of which the lower triangle is read: every row is swept (Gauss and Jordan) without pivots,
//
//   A_ij -= A_ik A_jk / A_kk,   A_ik /= A_kk,   A_kk = -1 / A_kk.
//
// Columns are `stride` apart and filled up to whole packets; `column` has room for one.
inline void sweep_all_rows(double* A, int n, int stride, double* column) {
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < k; ++i) column[i] = A[k + i * stride];
    for (int i = k; i < n; ++i) column[i] = A[i + k * stride];
    const double inverse = 1.0 / column[k];
    column[k] = 0.0;  // row and column k are set below
    for (int j = 0; j < n; ++j) {
      const Doubles factor(column[j] * inverse);
      double* to = A + j * stride;
      for (int i = j / Doubles::width * Doubles::width; i < n; i += Doubles::width)
        (Doubles::load(to + i) - Doubles::load(column + i) * factor).store(to + i);
    }
    for (int i = 0; i < k; ++i) A[k + i * stride] = column[i] * inverse;
    for (int i = k + 1; i < n; ++i) A[i + k * stride] = column[i] * inverse;
    A[k + k * stride] = -inverse;
  }
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) A[j + i * stride] = A[i + j * stride];
}

// `packets` packets of rows of four columns of A B, at once.
template <int packets>
LIMBER_INLINE void multiply_block(const double* A, int stride, const double* const* b, int n, int row,
                                  int columns, double* const* to) {
  Doubles sums[packets][4];  // NOLINT
  for (auto& sums_of_packet : sums)
    for (Doubles& sum : sums_of_packet) sum = Doubles(0.0);
  const double* a = A + row;
  for (int k = 0; k < n; ++k, a += stride)
    for (int c = 0; c < 4; ++c) {
      const Doubles factor(b[c][k]);
      for (int p = 0; p < packets; ++p)
        sums[p][c] = sums[p][c] + Doubles::load(a + p * Doubles::width) * factor;
    }
  for (int c = 0; c < columns; ++c)
    for (int p = 0; p < packets; ++p) {
      const int first = row + p * Doubles::width;
      if (first + Doubles::width <= n)
        sums[p][c].store(to[c] + first);
      else
        for (int l = 0; first + l < n; ++l) to[c][first + l] = sums[p][c][l];
    }
}

// to = A B, n x n; A's columns are `stride` apart, filled up to whole packets.
inline void multiply(const double* A, int stride, const Eigen::MatrixXd& B, Eigen::MatrixXd& to) {
  const int n = static_cast<int>(B.rows());
  constexpr int width = Doubles::width;
  for (int first = 0; first < n; first += 4) {
    const int columns = std::min(4, n - first);
    const double* b[4];  // NOLINT: of a block that is not full, the last column again
    double* results[4];  // NOLINT
    for (int c = 0; c < 4; ++c) {
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

}  // namespace limber::detail
