// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points in the unit cube: where variants lie before they are spread.
//
// All of them are functions of (count, dimensions, seed) and of nothing else: the same on every machine, whatever computes them.
//
// Sobol's sequence with the direction numbers of Joe and Kuo (SIAM J. Sci. Comput. 30 (2008), 2635-2654; by Boost.Random, up to 3667
// dimensions). Point 0 is the origin. Of the first 2^m points every dimension has one in each interval [k, k+1) 2^-m.
//
// Owen's scrambling (Monte Carlo and Quasi-Monte Carlo Methods 106 (1995), 299-317) keeps that, and makes every point uniform in the cube: bit i
// of a coordinate is turned over where a random bit says so that belongs to the bits before it,
//
//   y_i = x_i xor h(dimension, x_1 ... x_(i-1))                                                          (1)
//
// with h a hash of the seed: nothing needs to be stored.

#include <cstdint>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// Rows are variants.
using VariantTable = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Dimensions of Sobol's sequence.
inline constexpr int most_sobol_dimensions = 3667;

/// Coordinates in (0, 1): multiples of 2^-53, and half of that.
VariantTable sobol_points(long count, int dimensions, std::uint64_t seed, bool scramble);
/// Independent ones.
VariantTable random_points(long count, int dimensions, std::uint64_t seed);
/// In every dimension one point in each of `count` equal intervals, in random order.
VariantTable latin_hypercube_points(long count, int dimensions, std::uint64_t seed);

}  // namespace limber
