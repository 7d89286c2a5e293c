// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reference for the tests of mode shapes: the textbook's formulas, as they stand, with so many digits that
// their cancellation does not matter. Shares nothing with src/.

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <vector>

namespace textbook {

using Real =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<170>, boost::multiprecision::et_off>;
using RealJet = std::array<Real, 4>;

enum class Ends { clamped_free, clamped_pinned, clamped_clamped, pinned_pinned, pinned_free };

/// Dimensionless tip body: mass, static moment, inertia. Only for clamped_free.
struct Tip {
  double mu = 0.0, s = 0.0, iota = 0.0;
};

/// The characteristic function in bending, divided by cosh l.
inline Real characteristic(Ends ends, const Real& l, const Tip& tip = {}) {
  const Real c = cos(l), s = sin(l), ch = cosh(l), sh = sinh(l);
  switch (ends) {
    case Ends::clamped_free: {
      const Real mu = tip.mu, iota = tip.iota, moment = tip.s;
      return (1 + c * ch + l * mu * (c * sh - s * ch) - l * l * l * iota * (c * sh + s * ch) -
              2 * l * l * moment * s * sh + l * l * l * l * (mu * iota - moment * moment) * (1 - c * ch)) /
             ch;
    }
    case Ends::clamped_clamped:
      return (1 - c * ch) / ch;
    case Ends::pinned_pinned:
      return s;
    case Ends::clamped_pinned:
    case Ends::pinned_free:
      return (s * ch - c * sh) / ch;
  }
  return 0;
}

/// The root next to `start`, by the secant method.
template <typename Function>
Real refined_root(const Function& function, double start) {
  Real a = start, b = a * (1 + Real("1e-30"));
  Real f_a = function(a), f_b = function(b);
  for (int step = 0; step < 200 && f_b != f_a; ++step) {
    const Real next = b - f_b * (b - a) / (f_b - f_a);
    a = b;
    f_a = f_b;
    b = next;
    f_b = function(b);
    if (abs(b - a) < abs(b) * Real("1e-120")) break;
  }
  return b;
}

inline Real refined_root(Ends ends, double start, const Tip& tip = {}) {
  return refined_root([&](const Real& l) { return characteristic(ends, l, tip); }, start);
}

/// A bending shape: clamped at the root  cosh - cos - sigma (sinh - sin),  pinned at the root  sin + g sinh.
class Shape {
 public:
  Shape(Ends ends, const Real& root, double length, const Tip& tip = {})
      : clamped_(ends != Ends::pinned_pinned && ends != Ends::pinned_free), beta_(root / length) {
    const Real s = sin(root), c = cos(root), sh = sinh(root), ch = cosh(root);
    if (!clamped_) {
      factor_ = ends == Ends::pinned_free ? Real(s / sh) : Real(0);
    } else if (ends == Ends::clamped_free) {
      // EI phi'' = omega^2 (static moment phi + inertia phi') at the tip, for both parts of the shape.
      const Real moment = root * root * tip.s, inertia = root * root * root * tip.iota;
      factor_ = (ch + c - moment * (ch - c) - inertia * (sh + s)) /
                (sh + s - moment * (sh - s) - inertia * (ch - c));
    } else {
      factor_ = (ch - c) / (sh - s);
    }
  }

  RealJet at(double x) const {
    const Real z = beta_ * x;
    const Real s = sin(z), c = cos(z), e = exp(z), ch = (e + 1 / e) / 2, sh = (e - 1 / e) / 2;
    const Real b = beta_, b2 = b * b, b3 = b2 * b, f = factor_;
    if (clamped_)
      return {ch - c - f * (sh - s), b * (sh + s - f * (ch - c)), b2 * (ch + c - f * (sh + s)),
              b3 * (sh - s - f * (ch + c))};
    return {s + f * sh, b * (c + f * ch), b2 * (f * sh - s), b3 * (f * ch - c)};
  }

 private:
  bool clamped_;
  Real beta_, factor_;
};

}  // namespace textbook
