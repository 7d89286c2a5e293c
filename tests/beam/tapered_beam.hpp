// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reference for finite elements: the vibration of a beam whose stiffness k and inertia m are linear between
// stations, by power series in 50-digit arithmetic.
//
//   bending          (k phi'')'' =  omega^2 m phi,    state (phi, phi', k phi'', (k phi'')')              (1)
//   torsion, axial   (k phi')'   = -omega^2 m phi,    state (phi, k phi')                                 (2)
//
// In each interval phi = Sum c_j t^j about its left end, the recursion following from (1) or (2); the state
// is handed from interval to interval. A series ends after eight terms that do not matter, since most are
// zero on a uniform piece. omega is a frequency where the conditions at the tip have a zero determinant.
// Shares nothing with src/.

#include <algorithm>
#include <array>
#include <boost/math/tools/roots.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tapered {

using Real =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

struct Interval {
  double length, k_left, k_right, m_left, m_right;
};

struct Tip {
  double mass = 0.0, static_moment = 0.0, inertia = 0.0;
};

using State = std::array<Real, 4>;

/// The state at `x` from an interval's left end, bending, from the state there.
inline State bend(const Interval& interval, const State& left, const Real& omega, const Real& x) {
  const Real a0 = interval.k_left, a1 = (Real(interval.k_right) - interval.k_left) / interval.length;
  const Real b0 = interval.m_left, b1 = (Real(interval.m_right) - interval.m_left) / interval.length;
  // c: coefficients of phi; d: of the moment k phi''.
  std::vector<Real> c{left[0], left[1]}, d{left[2], left[3]};
  State sum{left[0] + left[1] * x, left[1], left[2] + left[3] * x, left[3]};
  Real power = 1;  // x^j
  int small_terms = 0;
  for (int j = 0; small_terms < 8; ++j) {
    // d_j = a0 (j+2)(j+1) c_{j+2} + a1 (j+1) j c_{j+1}  and  (j+2)(j+1) d_{j+2} = omega^2 (b0 c_j + b1
    // c_{j-1})
    if (j > 3000) throw std::runtime_error("the series does not converge");
    c.push_back((d[j] - a1 * (j + 1) * j * c[j + 1]) / (a0 * (j + 2) * (j + 1)));
    d.push_back(omega * omega * (b0 * c[j] + (j > 0 ? Real(b1 * c[j - 1]) : Real(0))) / ((j + 2) * (j + 1)));
    const Real slope = power * x * (j + 2), value = power * x * x;
    const State term{c[j + 2] * value, c[j + 2] * slope, d[j + 2] * value, d[j + 2] * slope};
    bool small = true;
    for (int i = 0; i < 4; ++i) {
      sum[i] += term[i];
      small = small && abs(term[i]) < Real("1e-42") * (abs(sum[i]) + Real("1e-30"));
    }
    small_terms = small ? small_terms + 1 : 0;
    power *= x;
  }
  return sum;
}

/// The same for torsion and axial motion: (phi, k phi').
inline State stretch(const Interval& interval, const State& left, const Real& omega, const Real& x) {
  const Real a0 = interval.k_left, a1 = (Real(interval.k_right) - interval.k_left) / interval.length;
  const Real b0 = interval.m_left, b1 = (Real(interval.m_right) - interval.m_left) / interval.length;
  std::vector<Real> c{left[0]}, d{left[1]};
  State sum{left[0], left[1], 0, 0};
  Real power = x;  // x^(j+1)
  int small_terms = 0;
  for (int j = 0; small_terms < 8; ++j) {
    // d_j = a0 (j+1) c_{j+1} + a1 j c_j  and  (j+1) d_{j+1} = -omega^2 (b0 c_j + b1 c_{j-1})
    if (j > 3000) throw std::runtime_error("the series does not converge");
    c.push_back((d[j] - a1 * j * c[j]) / (a0 * (j + 1)));
    d.push_back(-omega * omega * (b0 * c[j] + (j > 0 ? Real(b1 * c[j - 1]) : Real(0))) / (j + 1));
    const Real value = c[j + 1] * power, force = d[j + 1] * power;
    sum[0] += value;
    sum[1] += force;
    const bool small = abs(value) < Real("1e-42") * (abs(sum[0]) + Real("1e-30")) &&
                       abs(force) < Real("1e-42") * (abs(sum[1]) + Real("1e-30"));
    small_terms = small ? small_terms + 1 : 0;
    power *= x;
  }
  return sum;
}

class Beam {
 public:
  Beam(bool bends, std::vector<Interval> intervals, Tip tip)
      : bends_(bends), intervals_(std::move(intervals)), tip_(tip) {}

  /// Zero where omega is a frequency.
  Real determinant(const Real& omega) const {
    if (!bends_) return tip_residuals(at_tip({0, 1, 0, 0}, omega), omega)[0];
    const auto u = tip_residuals(at_tip({0, 0, 1, 0}, omega), omega);
    const auto v = tip_residuals(at_tip({0, 0, 0, 1}, omega), omega);
    return u[0] * v[1] - u[1] * v[0];
  }

  /// The frequency that is `estimate` to within 1e-10 of itself.
  Real frequency(double estimate) const {
    std::uintmax_t steps = 100;
    const auto function = [this](const Real& omega) { return determinant(omega); };
    return boost::math::tools::toms748_solve(function, Real(estimate) * (1 - Real("1e-10")),
                                             Real(estimate) * (1 + Real("1e-10")),
                                             boost::math::tools::eps_tolerance<Real>(120), steps)
        .first;
  }

  /// The mode of this frequency, not normalised: phi and phi' (bending) or phi and k phi'.
  State mode(const Real& omega, double x) const {
    if (!bends_) return at({0, 1, 0, 0}, omega, x);
    const auto u = tip_residuals(at_tip({0, 0, 1, 0}, omega), omega);
    const auto v = tip_residuals(at_tip({0, 0, 0, 1}, omega), omega);
    return at({0, 0, v[0], -u[0]}, omega, x);
  }

 private:
  State at(State state, const Real& omega, double x) const {
    for (const Interval& interval : intervals_) {
      const double inside = std::min(x, interval.length);
      state = bends_ ? bend(interval, state, omega, inside) : stretch(interval, state, omega, inside);
      x -= inside;
      if (x <= 0.0) break;
    }
    return state;
  }
  State at_tip(const State& root, const Real& omega) const { return at(root, omega, 1e300); }

  // Moment and shear (or torque, force) that the tip body leaves unbalanced.
  std::array<Real, 2> tip_residuals(const State& s, const Real& omega) const {
    const Real w2 = omega * omega;
    if (!bends_) return {s[1] - w2 * tip_.mass * s[0], 0};
    return {s[2] - w2 * (tip_.static_moment * s[0] + tip_.inertia * s[1]),
            s[3] + w2 * (tip_.mass * s[0] + tip_.static_moment * s[1])};
  }

  bool bends_;
  std::vector<Interval> intervals_;
  Tip tip_;
};

}  // namespace tapered
