// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// a + eps b with eps^2 = 0: what is of first order in some small quantities, and nothing of second. Sums and products of
// such numbers truncate at every step, so that any algorithm run with them gives the first two terms of its Taylor
// series: to begin with real + eps small and to take the result's `total` is to linearise in what is small.
//
// This is the algebra of Dual with one of its directions for eps.

#include "limber/core/export.hpp"
#include "limber/math/dual.hpp"

namespace limber LIMBER_EXPORT {

/// a + eps b: the value is a, the derivative in direction 0 is b.
using Truncated = Dual;

/// real + eps small
inline Truncated truncated(double real, double small) {
  Truncated x(real);
  x.derivatives()[0] = small;
  return x;
}

/// What stands beside eps.
inline double real_part(const Truncated& x) { return x.value(); }
/// What stands at eps.
inline double dual_part(const Truncated& x) { return x.derivatives()[0]; }
/// At eps = 1.
inline double total(const Truncated& x) { return x.value() + x.derivatives()[0]; }

}  // namespace limber
