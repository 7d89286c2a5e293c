// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How many operations an algorithm takes: those of Limber, counted by running them with a number that counts, and the polynomials of Mohan and Saha's Table 1
// for n revolute links with m shapes in each of two planes.
//
// Differs from the paper: Cyril's additions have +251 m/3 in place of -251 m/6, with which they give the 12683 of the table (10675 as printed).

#include <string>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/counting.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {

/// Of one evaluation.
struct AlgorithmCount {
  std::string name;       ///< recursive, dense, inverse_dynamics, ...
  std::string meaning;    ///< what it computes
  Operations operations;  ///< at a bent state in motion
};

/// Limber's algorithms on an arm. `dense` is composite bodies, Newton-Euler and Cholesky, as one would write it; products with zeros count.
std::vector<AlgorithmCount> count_algorithms(const Model& model);

/// Of a chain of n links with m shapes per plane: what a polynomial of the paper says.
struct PublishedCount {
  double multiplications = 0.0, additions = 0.0;  ///< divisions are among the first
};
///@{
/// Table 1 of the paper, forward dynamics: their own, Jain and Rodriguez's, Cyril's (corrected).
PublishedCount mohan_saha_count(int n, int m);
PublishedCount jain_rodriguez_count(int n, int m);
PublishedCount cyril_count(int n, int m);
///@}

}  // namespace limber
