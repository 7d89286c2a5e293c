// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Values between the ends of a step.

#include <Eigen/Core>

namespace limber {

/// A quantity at both ends of a step of length h, with its first and second derivatives, at s = 0 .. 1 of it: the
/// polynomial of degree 5 that has them all, and its rate.
struct Hermite {
  double x, rate;
};

inline Hermite quintic_hermite(double h, double s, double x0, double v0, double a0, double x1, double v1,
                               double a1) {
  // x0 + v0 h s + a0 h^2 s^2/2 + s^3 (c3 + c4 s + c5 s^2)
  const double d = x1 - x0 - h * (v0 + 0.5 * h * a0), e = h * (v1 - v0 - h * a0), f = h * h * (a1 - a0);
  const double c3 = 10.0 * d - 4.0 * e + 0.5 * f, c4 = -15.0 * d + 7.0 * e - f,
               c5 = 6.0 * d - 3.0 * e + 0.5 * f;
  const double s2 = s * s;
  return {x0 + h * s * (v0 + 0.5 * h * s * a0) + s2 * s * (c3 + s * (c4 + s * c5)),
          v0 + h * s * a0 + s2 * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)) / h};
}

/// Without second derivatives.
inline double cubic_hermite(double h, double s, double x0, double v0, double x1, double v1) {
  const double d = x1 - x0 - h * v0, e = h * (v1 - v0);
  return x0 + s * (h * v0 + s * (3.0 * d - e + s * (e - 2.0 * d)));
}

}  // namespace limber
