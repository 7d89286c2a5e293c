// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How much of a measure's spread comes from which parameter: Sobol's indices, from the variants of any design.
//
// With independent parameters x_1 ... x_d the variance of y(x) is a sum over groups of parameters (Sobol, Math. Comput. Simul. 55 (2001), 271-280):
//
//   V = Sum V_i + Sum V_ij + ...,   S_i = V_i / V,   T_i = (all V with i among their indices) / V           (1)
//
// S_i is the part of V that would be gone if x_i alone were known, T_i what would be left if all but x_i were. Here y is expanded in
// polynomials that are orthonormal for the parameters' own distributions (Sudret, Reliab. Eng. Syst. Saf. 93 (2008), 964-979),
//
//   y = Sum c_a psi_a(x) + e,   psi_a = Prod psi_(a_i)(x_i),   |a| <= p                                     (2)
//
// Legendre's in u for what is uniform, Hermite's in z for normal and lognormal values, Gram's for what has levels. The sums of (1) are then sums of
// squares:
//
//   V_i = Sum c_a^2 over a with a_i > 0 and all others 0,   T_i V = Sum c_a^2 over all a with a_i > 0       (3)
//
// c is the least-squares solution, G = A^T A / n, G c = A^T y / n. With s^2 the mean square of what is left over (below) the variance of a coefficient is
// v_a = s^2 (G^-1)_aa / n; its square is too large by that on average, and (3) takes c_a^2 - v_a. The variance of a sum of them is
//
//   Sum (4 c_a^2 v_a + 2 v_a^2)                                                                             (4)
//
// The degree p is the one with the smallest error of prediction, each variant left out once: e_k / (1 - h_k) with h_k its leverage; its mean square is the part
// of the variance that (2) does not explain. The variance itself is that of the distributions, not of the sample:
//
//   V = Sum (c_a^2 - v_a) over a != 0 + what is not explained                                               (5)
//
// What is not explained may belong to anybody: bounds are 1.96 times the root of (4), and upwards that part besides.

#include <optional>
#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/study/design.hpp"

namespace limber LIMBER_EXPORT {

/// An index, and between which numbers it lies (95 %).
struct SensitivityIndex {
  double value = 0.0;  ///< S_i or T_i of (1)
  double lower = 0.0;  ///< >= 0
  double upper = 1.0;  ///< <= 1
};

/// Of one measure.
struct Sensitivity {
  std::vector<SensitivityIndex> first_order;  ///< of each parameter
  std::vector<SensitivityIndex> total;        ///< of each parameter
  double explained = 0.0;  ///< part of the variance that (2) predicts of variants that it has not seen
  int degree = 0;          ///< p of (2)
};

/// Of every column of `measures`, one row for each variant of the design; rows that are not finite (failed variants) are left out. None where parameters are
/// correlated, a measure does not vary, or there are fewer than three variants for each coefficient of degree 1.
std::vector<std::optional<Sensitivity>> sobol_indices(const Design& design, const VariantTable& measures);

/// How many variants are looked at: what more would tell is within the bounds.
inline constexpr long most_rows_of_indices = 20000;

}  // namespace limber
