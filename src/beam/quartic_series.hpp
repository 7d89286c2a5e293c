// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The power series behind all functions of a vibrating beam (solutions of y'''' = +-y):
//
//   F_r(z; a) = Sum_j a^j z^(4j+r) / (4j+r)!                                                             (1)
//
//   cosh z + cos z = 2 F_0(z; 1)      cos z sinh z + sin z cosh z = 2 F_1(z; -4)
//   sinh z + sin z = 2 F_1(z; 1)      sin z sinh z                = 2 F_2(z; -4)
//   cosh z - cos z = 2 F_2(z; 1)      sin z cosh z - cos z sinh z = 4 F_3(z; -4)
//   sinh z - sin z = 2 F_3(z; 1)      1 - cos z cosh z            = 4 F_4(z; -4)
//
// The right column are real and imaginary parts of sin((1+i)z) and cos((1+i)z). For small z the left sides
// cancel and the series does not; for |a| z^4 << 840 it needs a few terms.

#include <cmath>
#include <limits>

namespace limber {

inline double quartic_series(int r, double z, double a) {
  double term = 1.0;
  for (int k = 1; k <= r; ++k) term *= z / k;
  double sum = term;
  const double factor = a * z * z * z * z;
  for (int n = r; std::abs(term) > std::numeric_limits<double>::epsilon() * std::abs(sum); n += 4) {
    term *= factor / ((n + 1.0) * (n + 2.0) * (n + 3.0) * (n + 4.0));
    sum += term;
  }
  return sum;
}

}  // namespace limber
