// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The tables of radau_tables.hpp at their size, for loops of constant length.

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <complex>

#include "limber/math/detail/packets.hpp"
#include "radau_tables.hpp"

namespace limber {

using namespace detail;

template <int s>
struct RadauCoefficients {
  using Vector = Eigen::Matrix<double, s, 1>;
  using Matrix = Eigen::Matrix<double, s, s>;
  static constexpr int pairs = (s - 1) / 2;

  Vector c, b, e;
  Matrix A, A_inverse, T, T_inverse;
  Eigen::Matrix<double, s + 1, s + 1> between;
  double gamma;
  std::array<std::complex<double>, pairs> lambda;

  explicit RadauCoefficients(const RadauTables& tables)
      : c(tables.c),
        b(tables.b),
        e(tables.e),
        A(tables.A),
        A_inverse(tables.A_inverse),
        T(tables.T),
        T_inverse(tables.T_inverse),
        between(tables.between),
        gamma(tables.gamma) {
    std::copy(tables.lambda.begin(), tables.lambda.end(), lambda.begin());
  }
};

template <int s>
const RadauCoefficients<s>& radau() {
  static const RadauCoefficients<s> coefficients(radau_tables(s));
  return coefficients;
}

/// result = x M^T for few columns: whole packets of rows. The last packet overlaps the one before rather than to end
/// early; so `result` must be none of x.
template <int s>
void multiply_stages(const Eigen::Matrix<double, Eigen::Dynamic, s>& x, const Eigen::Matrix<double, s, s>& M,
                     Eigen::Matrix<double, Eigen::Dynamic, s>& result) {
  constexpr int width = Doubles::width;
  const Eigen::Index rows = x.rows();
  result.resize(rows, s);
  if (rows < width) {
    result.noalias() = x.lazyProduct(M.transpose());
    return;
  }
  for (Eigen::Index i = 0; i < rows; i += width) {
    const Eigen::Index at = std::min(i, rows - width);
    std::array<Doubles, s> columns;
    for (int k = 0; k < s; ++k) columns[static_cast<std::size_t>(k)] = Doubles::load(&x(at, k));
    for (int j = 0; j < s; ++j) {
      Doubles sum = columns[0] * Doubles(M(j, 0));
      for (int k = 1; k < s; ++k) sum = sum + columns[static_cast<std::size_t>(k)] * Doubles(M(j, k));
      sum.store(&result(at, j));
    }
  }
}

}  // namespace limber
