// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sums of rows of numbers, each times a weight: sums = Sum_a weights_a row_a, for one set of weights or several at once. It is a matrix times vectors; of doubles
// a block of each sum stays in registers while all rows go by, so that a row is loaded once for all weights, and nothing is stored before the end.

#include <algorithm>
#include <array>

#include "limber/algorithms/detail/with_sizes.hpp"

namespace limber::detail {

/// So many rows, one after the other, each `stride` numbers.
template <typename Scalar>
struct NumberRows {
  const Scalar* numbers;
  int count, stride;
};

/// The weights of the rows, and where their sum goes.
template <typename Scalar>
struct WeightedSum {
  const Scalar* weights;
  Scalar* sum;
};

template <int length, std::size_t sets>
LIMBER_INLINE void sum_block(const NumberRows<double>& rows, int first,
                             const std::array<WeightedSum<double>, sets>& wanted) {
  constexpr int packets = length / Doubles::width;
  Doubles sums[sets][packets];  // NOLINT: registers
  for (std::size_t s = 0; s < sets; ++s)
    for (int p = 0; p < packets; ++p) sums[s][p] = Doubles(0.0);
  const double* row = rows.numbers + first;
  for (int a = 0; a < rows.count; ++a, row += rows.stride)
    for (std::size_t s = 0; s < sets; ++s) {
      const Doubles weight(wanted[s].weights[a]);
      for (int p = 0; p < packets; ++p)
        sums[s][p] = sums[s][p] + Doubles::load(row + p * Doubles::width) * weight;
    }
  for (std::size_t s = 0; s < sets; ++s)
    for (int p = 0; p < packets; ++p) sums[s][p].store(wanted[s].sum + first + p * Doubles::width);
}

/// `length`: the numbers of a row, a multiple of widest_packet where they are doubles.
template <typename Scalar, typename Length, std::size_t sets>
LIMBER_INLINE void sum_rows(const NumberRows<Scalar>& rows, Length length,
                            const std::array<WeightedSum<Scalar>, sets>& wanted) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if constexpr (!std::is_same_v<Length, int>) {
      sum_block<Length::value>(rows, 0, wanted);
    } else {
      constexpr int longest = 4 * widest_packet;  // with two sets of weights half of AVX2's registers
      int first = 0;
      for (; first + longest <= length; first += longest) sum_block<longest>(rows, first, wanted);
      for (; first < length; first += widest_packet) sum_block<widest_packet>(rows, first, wanted);
    }
  } else {
    for (const auto& [weights, sum] : wanted) {
      std::fill(sum, sum + length, Scalar(0));
      for (int a = 0; a < rows.count; ++a)
        for (int b = 0; b < length; ++b) sum[b] += rows.numbers[a * rows.stride + b] * weights[a];
    }
  }
}

/// to -= from * factor, `count` numbers that do not overlap.
template <typename Scalar>
LIMBER_INLINE void subtract_row(Scalar* to, const Scalar* from, const Scalar& factor, int count) {
  int i = 0;
  if constexpr (std::is_same_v<Scalar, double>)
    for (const Doubles all(factor); i + Doubles::width <= count; i += Doubles::width)
      (Doubles::load(to + i) - Doubles::load(from + i) * all).store(to + i);
  for (; i < count; ++i) to[i] -= from[i] * factor;
}

}  // namespace limber::detail
