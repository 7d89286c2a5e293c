// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Jl(theta) as theta moves: its first and second rates, and how Jl^T n changes with theta. Once for the algorithms' own vectors and once for packets: who calls says
// how nine elements become a matrix, as in quadratic_in_skew.hpp.
//
// With x = c2 theta and the dyads A = c3 theta theta^T,
//
//   Jl = 1 + [x] + A - tr(A) 1                                                                      (1)
//
// so that every rate is of this form, without the 1. With y = 1/2 cdot3 theta + c3 thetadot and z = 1/2 cddot3 theta + 2 cdot3 thetadot + c3 thetaddot
//
//   d/dt   x = cdot2 theta + c2 thetadot,                            A -> theta y^T + y theta^T       (2)
//   d^2/dt^2 x = cddot2 theta + 2 cdot2 thetadot + c2 thetaddot,     A -> theta z^T + z theta^T + 2 c3 thetadot thetadot^T   (3)
//
// and from Jl^T n = n - c2 theta x n + c3 theta x (theta x n), with t = -dc2 theta x n + dc3 theta x (theta x n)
//
//   d(Jl^T n)/dtheta = 2 t theta^T + c2 [n] + c3 (theta . n 1 + theta n^T - 2 n theta^T)             (4)

#include "limber/math/detail/packets.hpp"
#include "limber/math/rotation_series_second.hpp"

namespace limber::rotation_series {

/// second_values() of every number by itself where they are not all small.
LIMBER_INLINE SecondValues<Doubles> second_values(const Doubles& s) {
  if (all_below(s, small)) [[likely]]
    return second_values_at_small(s);
  SecondValues<Doubles> result;
  for (int i = 0; i < Doubles::width; ++i) {
    const auto one = second_values(s[i]);
    result.d2c2.set(i, one.d2c2);
    result.d2c3.set(i, one.d2c3);
  }
  return result;
}

}  // namespace limber::rotation_series

namespace limber::detail {

/// a . b
template <typename Scalar, typename Vector>
LIMBER_INLINE Scalar inner(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// theta, and the rates of c2 and c3 along its motion.
template <typename Scalar, typename Vector>
class RotationJet {
 public:
  LIMBER_INLINE RotationJet(const Vector& theta, const Vector& rate, const Vector& second)
      : theta_(theta), rate_(rate), second_(second), s_(inner<Scalar>(theta, theta)) {
    c_ = rotation_series::values(s_);
    const auto cc = rotation_series::second_values(s_);
    const Scalar s_rate = Scalar(2.0) * inner<Scalar>(theta, rate);
    const Scalar s_second = Scalar(2.0) * (inner<Scalar>(rate, rate) + inner<Scalar>(theta, second));
    c2_rate_ = c_.dc2 * s_rate;
    c3_rate_ = c_.dc3 * s_rate;
    c2_second_ = c_.dc2 * s_second + cc.d2c2 * s_rate * s_rate;
    c3_second_ = c_.dc3 * s_second + cc.d2c3 * s_rate * s_rate;
  }

  LIMBER_INLINE const rotation_series::Values<Scalar>& values() const { return c_; }
  LIMBER_INLINE const Scalar& s() const { return s_; }

  /// (2): make(xx, xy, xz, yx, ..) by rows.
  template <typename Make>
  LIMBER_INLINE auto first(const Make& make) const {
    Scalar x[3], y[3];  // NOLINT
    const Scalar half(0.5);
    for (int i = 0; i < 3; ++i) {
      x[i] = c2_rate_ * theta_[i] + c_.c2 * rate_[i];
      y[i] = half * c3_rate_ * theta_[i] + c_.c3 * rate_[i];
    }
    return assembled(x, y, Scalar(0.0), make);
  }
  /// (3)
  template <typename Make>
  LIMBER_INLINE auto second(const Make& make) const {
    Scalar x[3], z[3];  // NOLINT
    const Scalar half(0.5), two(2.0);
    for (int i = 0; i < 3; ++i) {
      x[i] = c2_second_ * theta_[i] + two * c2_rate_ * rate_[i] + c_.c2 * second_[i];
      z[i] = half * c3_second_ * theta_[i] + two * c3_rate_ * rate_[i] + c_.c3 * second_[i];
    }
    return assembled(x, z, two * c_.c3, make);
  }
  /// (4)
  template <typename Make>
  LIMBER_INLINE auto of_transposed_times(const Vector& n, const Make& make) const {
    const Vector& a = theta_;
    const Scalar X[3] = {a[1] * n[2] - a[2] * n[1], a[2] * n[0] - a[0] * n[2],  // theta x n  NOLINT
                         a[0] * n[1] - a[1] * n[0]};
    const Scalar along = inner<Scalar>(a, n);
    Scalar left[3], right[3];  // what multiplies theta^T from the left, and theta from the right  NOLINT
    for (int i = 0; i < 3; ++i) {
      const Scalar XX = a[i] * along - n[i] * s_;  // theta x (theta x n)
      left[i] = Scalar(2.0) * (c_.dc3 * XX - c_.dc2 * X[i] - c_.c3 * n[i]);
      right[i] = c_.c3 * n[i];
    }
    const Scalar d = c_.c3 * along, nx = c_.c2 * n[0], ny = c_.c2 * n[1], nz = c_.c2 * n[2];
    const auto at = [&](int i, int j) { return left[i] * a[j] + a[i] * right[j]; };
    return make(at(0, 0) + d, at(0, 1) - nz, at(0, 2) + ny,  //
                at(1, 0) + nz, at(1, 1) + d, at(1, 2) - nx,  //
                at(2, 0) - ny, at(2, 1) + nx, at(2, 2) + d);
  }

 private:
  // [x] + A - tr(A) 1 with A = theta y^T + y theta^T + k thetadot thetadot^T
  template <typename Make>
  LIMBER_INLINE auto assembled(const Scalar* x, const Scalar* y, const Scalar& k, const Make& make) const {
    const auto A = [&](int i, int j) -> Scalar {
      return theta_[i] * y[j] + y[i] * theta_[j] + k * rate_[i] * rate_[j];
    };
    const Scalar xx = A(0, 0), yy = A(1, 1), zz = A(2, 2), xy = A(0, 1), xz = A(0, 2), yz = A(1, 2);
    const Scalar o(0.0);
    return make(o - yy - zz, xy - x[2], xz + x[1],  //
                xy + x[2], o - xx - zz, yz - x[0],  //
                xz - x[1], yz + x[0], o - xx - yy);
  }

  Vector theta_, rate_, second_;
  Scalar s_;
  rotation_series::Values<Scalar> c_;
  Scalar c2_rate_, c3_rate_, c2_second_, c3_second_;
};

}  // namespace limber::detail
