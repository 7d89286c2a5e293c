// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The 3-vectors and 3x3 matrices that the algorithms compute with.
//
// For double a Vec3 is four lanes of one vector register, the fourth always zero: a matrix times a vector is
// three fused multiplications, and nothing depends on whether the compiler sees a way to vectorize nine numbers.
// For every other scalar, and for packets (packets.hpp), it is three numbers. Layout and results do not depend on the compiler's flags. At
// interfaces stand Eigen's Vector3 and Matrix3, to and from which these convert by themselves.

#include "limber/math/detail/inline.hpp"
#include "limber/math/spatial.hpp"

// What is compiled with and without AVX has names of its own: a program may hold both.
#if defined(__AVX__)
#define LIMBER_LANES four_lanes
#else
#define LIMBER_LANES two_lanes
#endif

namespace limber::detail {
inline namespace LIMBER_LANES {

template <typename Scalar>
class Vec3 {
 public:
  Vec3() = default;
  LIMBER_INLINE Vec3(const Scalar& x, const Scalar& y, const Scalar& z) : lanes_{x, y, z} {}
  LIMBER_INLINE Vec3(const Vector3<Scalar>& v) : lanes_{v[0], v[1], v[2]} {}  // NOLINT: converts by itself
  LIMBER_INLINE operator Vector3<Scalar>() const { return {lanes_[0], lanes_[1], lanes_[2]}; }  // NOLINT
  LIMBER_INLINE static Vec3 zero() { return {Scalar(0), Scalar(0), Scalar(0)}; }

  LIMBER_INLINE const Scalar& operator[](int i) const { return lanes_[i]; }
  LIMBER_INLINE void set(int i, const Scalar& value) { lanes_[i] = value; }

  LIMBER_INLINE friend Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  }
  LIMBER_INLINE friend Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  LIMBER_INLINE friend Vec3 operator-(const Vec3& a) { return {-a[0], -a[1], -a[2]}; }
  LIMBER_INLINE friend Vec3 operator*(const Vec3& a, const Scalar& s) {
    return {a[0] * s, a[1] * s, a[2] * s};
  }
  LIMBER_INLINE friend Scalar dot(const Vec3& a, const Vec3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  /// a.b + c.d
  LIMBER_INLINE friend Scalar dot(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return dot(a, b) + dot(c, d);
  }
  LIMBER_INLINE friend Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  LIMBER_INLINE Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  LIMBER_INLINE Vec3& operator-=(const Vec3& b) { return *this = *this - b; }

 private:
  Scalar lanes_[3];  // NOLINT: an array of constants' size
};

using Lanes2 [[gnu::vector_size(16)]] = double;

// Four doubles. With AVX a register; without it two, because g++ 12 takes registers of four that the machine
// does not have through memory.
#if defined(__AVX__)
using Lanes4 [[gnu::vector_size(32)]] = double;
LIMBER_INLINE void set_lane(Lanes4& a, int i, double value) { a[i] = value; }
#else
struct alignas(32) Lanes4 {
  Lanes2 xy, zw;

  Lanes4() = default;
  LIMBER_INLINE Lanes4(const Lanes2& first, const Lanes2& last) : xy(first), zw(last) {}
  LIMBER_INLINE Lanes4(double x, double y, double z, double w) : xy{x, y}, zw{z, w} {}
  LIMBER_INLINE double operator[](int i) const { return i < 2 ? xy[i] : zw[i - 2]; }
  LIMBER_INLINE friend Lanes4 operator+(const Lanes4& a, const Lanes4& b) {
    return {a.xy + b.xy, a.zw + b.zw};
  }
  LIMBER_INLINE friend Lanes4 operator-(const Lanes4& a, const Lanes4& b) {
    return {a.xy - b.xy, a.zw - b.zw};
  }
  LIMBER_INLINE friend Lanes4 operator-(const Lanes4& a) { return {-a.xy, -a.zw}; }
  LIMBER_INLINE friend Lanes4 operator*(const Lanes4& a, const Lanes4& b) {
    return {a.xy * b.xy, a.zw * b.zw};
  }
};
LIMBER_INLINE void set_lane(Lanes4& a, int i, double value) { (i < 2 ? a.xy : a.zw)[i % 2] = value; }
#endif

template <>
class Vec3<double> {
 public:
  using Lanes = Lanes4;

  Vec3() = default;
  LIMBER_INLINE explicit Vec3(const Lanes& lanes) : lanes_(lanes) {}
  LIMBER_INLINE Vec3(double x, double y, double z) : lanes_{x, y, z, 0.0} {}
  LIMBER_INLINE Vec3(const Vector3<double>& v) : lanes_{v[0], v[1], v[2], 0.0} {}               // NOLINT
  LIMBER_INLINE operator Vector3<double>() const { return {lanes_[0], lanes_[1], lanes_[2]}; }  // NOLINT
  LIMBER_INLINE static Vec3 zero() { return {0.0, 0.0, 0.0}; }

  LIMBER_INLINE double operator[](int i) const { return lanes_[i]; }
  LIMBER_INLINE void set(int i, double value) { set_lane(lanes_, i, value); }

  LIMBER_INLINE friend Vec3 operator+(const Vec3& a, const Vec3& b) { return Vec3(a.lanes_ + b.lanes_); }
  LIMBER_INLINE friend Vec3 operator-(const Vec3& a, const Vec3& b) { return Vec3(a.lanes_ - b.lanes_); }
  LIMBER_INLINE friend Vec3 operator-(const Vec3& a) { return Vec3(-a.lanes_); }
  LIMBER_INLINE friend Vec3 operator*(const Vec3& a, double s) { return Vec3(a.lanes_ * Lanes{s, s, s, s}); }
  LIMBER_INLINE friend double dot(const Vec3& a, const Vec3& b) { return Vec3(a.lanes_ * b.lanes_).sum(); }
  LIMBER_INLINE friend double dot(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return Vec3(a.lanes_ * b.lanes_ + c.lanes_ * d.lanes_).sum();
  }
  LIMBER_INLINE friend Vec3 cross(const Vec3& a, const Vec3& b) {
    return Vec3(a.lanes_ * b.yzx().lanes_ - a.yzx().lanes_ * b.lanes_).yzx();
  }
  LIMBER_INLINE Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  LIMBER_INLINE Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
  LIMBER_INLINE const Lanes& lanes() const { return lanes_; }

 private:
#if defined(__AVX__)
  LIMBER_INLINE Vec3 yzx() const { return Vec3(__builtin_shufflevector(lanes_, lanes_, 1, 2, 0, 3)); }
  LIMBER_INLINE double sum() const {
    const Lanes2 halves =
        __builtin_shufflevector(lanes_, lanes_, 0, 1) + __builtin_shufflevector(lanes_, lanes_, 2, 3);
    return halves[0] + halves[1];
  }
#else
  LIMBER_INLINE Vec3 yzx() const {
    return Vec3(Lanes(__builtin_shufflevector(lanes_.xy, lanes_.zw, 1, 2),
                      __builtin_shufflevector(lanes_.xy, lanes_.zw, 0, 3)));
  }
  LIMBER_INLINE double sum() const {
    const Lanes2 halves = lanes_.xy + lanes_.zw;
    return halves[0] + halves[1];
  }
#endif

  Lanes lanes_;
};

/// By columns.
template <typename Scalar>
struct Mat3 {
  Vec3<Scalar> columns[3];  // NOLINT

  Mat3() = default;
  LIMBER_INLINE Mat3(const Vec3<Scalar>& x, const Vec3<Scalar>& y, const Vec3<Scalar>& z)
      : columns{x, y, z} {}
  Mat3(const Matrix3<Scalar>& A)  // NOLINT: converts by itself
      : columns{Vector3<Scalar>(A.col(0)), Vector3<Scalar>(A.col(1)), Vector3<Scalar>(A.col(2))} {}
  operator Matrix3<Scalar>() const {  // NOLINT
    Matrix3<Scalar> A;
    A << Vector3<Scalar>(columns[0]), Vector3<Scalar>(columns[1]), Vector3<Scalar>(columns[2]);
    return A;
  }
  static Mat3 zero() { return {Vec3<Scalar>::zero(), Vec3<Scalar>::zero(), Vec3<Scalar>::zero()}; }
  /// a times the unit matrix.
  LIMBER_INLINE static Mat3 scaled_identity(const Scalar& a) {
    const Scalar o(0);
    return {{a, o, o}, {o, a, o}, {o, o, a}};
  }
  /// [a]x
  LIMBER_INLINE static Mat3 skew(const Vec3<Scalar>& a) {
    const Scalar o(0);
    return {{o, a[2], -a[1]}, {-a[2], o, a[0]}, {a[1], -a[0], o}};
  }

  LIMBER_INLINE const Vec3<Scalar>& operator[](int column) const { return columns[column]; }
  LIMBER_INLINE Vec3<Scalar>& operator[](int column) { return columns[column]; }

  LIMBER_INLINE friend Mat3 operator+(const Mat3& A, const Mat3& B) {
    return {A[0] + B[0], A[1] + B[1], A[2] + B[2]};
  }
  LIMBER_INLINE friend Mat3 operator-(const Mat3& A, const Mat3& B) {
    return {A[0] - B[0], A[1] - B[1], A[2] - B[2]};
  }
  LIMBER_INLINE friend Mat3 operator*(const Mat3& A, const Scalar& s) {
    return {A[0] * s, A[1] * s, A[2] * s};
  }
  LIMBER_INLINE friend Vec3<Scalar> operator*(const Mat3& A, const Vec3<Scalar>& b) {
    return A[0] * b[0] + A[1] * b[1] + A[2] * b[2];
  }
  LIMBER_INLINE friend Mat3 operator*(const Mat3& A, const Mat3& B) { return {A * B[0], A * B[1], A * B[2]}; }
  LIMBER_INLINE Mat3& operator+=(const Mat3& B) { return *this = *this + B; }
  LIMBER_INLINE Mat3& operator-=(const Mat3& B) { return *this = *this - B; }

  LIMBER_INLINE Mat3 transposed() const {
#if defined(__AVX__)
    if constexpr (std::is_same_v<Scalar, double>) {
      const auto &x = columns[0].lanes(), &y = columns[1].lanes(), &z = columns[2].lanes();
      const Lanes4 o{};
      const auto xy_even = __builtin_shufflevector(x, y, 0, 4, 2, 6),
                 xy_odd = __builtin_shufflevector(x, y, 1, 5, 3, 7);
      const auto z_even = __builtin_shufflevector(z, o, 0, 4, 2, 6),
                 z_odd = __builtin_shufflevector(z, o, 1, 5, 3, 7);
      return {Vec3<double>(__builtin_shufflevector(xy_even, z_even, 0, 1, 4, 5)),
              Vec3<double>(__builtin_shufflevector(xy_odd, z_odd, 0, 1, 4, 5)),
              Vec3<double>(__builtin_shufflevector(xy_even, z_even, 2, 3, 6, 7))};
    }
#endif
    const auto& c = columns;
    return {{c[0][0], c[1][0], c[2][0]}, {c[0][1], c[1][1], c[2][1]}, {c[0][2], c[1][2], c[2][2]}};
  }
  LIMBER_INLINE Scalar trace() const { return columns[0][0] + columns[1][1] + columns[2][2]; }
};

/// A^T b
template <typename Scalar>
LIMBER_INLINE Vec3<Scalar> transposed_times(const Mat3<Scalar>& A, const Vec3<Scalar>& b) {
  return {dot(A[0], b), dot(A[1], b), dot(A[2], b)};
}

/// a b^T
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> outer(const Vec3<Scalar>& a, const Vec3<Scalar>& b) {
  return {a * b[0], a * b[1], a * b[2]};
}

/// D A with D = [d]x.
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> cross_columns(const Vec3<Scalar>& d, const Mat3<Scalar>& A) {
  return {cross(d, A[0]), cross(d, A[1]), cross(d, A[2])};
}

/// A D with D = [d]x: its columns are combinations of A's.
template <typename Scalar>
LIMBER_INLINE Mat3<Scalar> times_skew(const Mat3<Scalar>& A, const Vec3<Scalar>& d) {
  return {A[1] * d[2] - A[2] * d[1], A[2] * d[0] - A[0] * d[2], A[0] * d[1] - A[1] * d[0]};
}

/// A rotation vector theta as it moves: (1) and (2) of rotation_series.hpp.
template <typename Scalar>
class RotationAt {
 public:
  RotationAt() = default;
  explicit RotationAt(const Vec3<Scalar>& theta)
      : theta_(theta), s_(dot(theta, theta)), c_(rotation_series::values(s_)) {}

  const Vec3<Scalar>& theta() const { return theta_; }
  /// exp(theta)
  Mat3<Scalar> exp() const { return quadratic(c_.c1, c_.c2); }
  /// Jl(theta)
  Mat3<Scalar> left_jacobian() const { return quadratic(c_.c2, c_.c3); }
  /// (d/dt Jl) thetadot. With X = theta x thetadot, and sdot = 2 theta . thetadot,
  ///   = dc2 sdot X + dc3 sdot theta x X + c3 thetadot x X
  Vec3<Scalar> left_jacobian_rate_times(const Vec3<Scalar>& rate) const {
    const Scalar s_rate = Scalar(2) * dot(theta_, rate);
    const Vec3<Scalar> X = cross(theta_, rate);
    return X * (c_.dc2 * s_rate) + cross(theta_ * (c_.dc3 * s_rate) + rate * c_.c3, X);
  }

 private:
  LIMBER_INLINE Mat3<Scalar> quadratic(const Scalar& a, const Scalar& b) const {
    using S = Scalar;
    return limber::quadratic_in_skew(theta_, s_, a, b,
                                     [](const S& xx, const S& xy, const S& xz, const S& yx, const S& yy,
                                        const S& yz, const S& zx, const S& zy, const S& zz) {
                                       return Mat3<S>{{xx, yx, zx}, {xy, yy, zy}, {xz, yz, zz}};
                                     });
  }

  Vec3<Scalar> theta_;
  Scalar s_;
  rotation_series::Values<Scalar> c_;
};

}  // namespace LIMBER_LANES

template <typename Number>
struct Algebra<Vec3<Number>> {
  using Scalar = Number;
  using Matrix = Mat3<Number>;
  LIMBER_INLINE static Vec3<Number> zero() { return Vec3<Number>::zero(); }
  LIMBER_INLINE static Matrix zeros() { return Matrix::zero(); }
  LIMBER_INLINE static Matrix scaled_identity(const Number& s) { return Matrix::scaled_identity(s); }
};

inline namespace LIMBER_LANES {

/// Twist, wrench and rigid inertia (spatial.hpp) that algorithms compute with.
template <typename Scalar>
using LaneTwist = TwistIn<Vec3<Scalar>>;
template <typename Scalar>
using LaneWrench = WrenchIn<Vec3<Scalar>>;
template <typename Scalar>
using LaneInertia = RigidInertiaIn<Vec3<Scalar>>;

/// The inertia that a body shows when what it carries may move: [vv, vw; vw^T, ww], vv and ww symmetric.
template <typename Scalar>
struct ArticulatedInertia {
  Mat3<Scalar> vv, vw, ww;

  ArticulatedInertia() = default;
  LIMBER_INLINE ArticulatedInertia(const Mat3<Scalar>& of_vv, const Mat3<Scalar>& of_vw,
                                   const Mat3<Scalar>& of_ww)
      : vv(of_vv), vw(of_vw), ww(of_ww) {}
  LIMBER_INLINE explicit ArticulatedInertia(const LaneInertia<Scalar>& body)
      : vv(Mat3<Scalar>::scaled_identity(body.mass)),
        vw(Mat3<Scalar>::skew(-body.moment)),
        ww(body.inertia) {}

  LIMBER_INLINE friend LaneWrench<Scalar> operator*(const ArticulatedInertia& M, const LaneTwist<Scalar>& V) {
    return {M.vv * V.linear + M.vw * V.angular, transposed_times(M.vw, V.linear) + M.ww * V.angular};
  }
  LIMBER_INLINE ArticulatedInertia& operator+=(const ArticulatedInertia& other) {
    vv += other.vv;
    vw += other.vw;
    ww += other.ww;
    return *this;
  }
  /// Minus s z z^T.
  LIMBER_INLINE void subtract(const LaneWrench<Scalar>& z, const Scalar& s) {
    const Vec3<Scalar> force = z.force * s, moment = z.moment * s;
    vv -= outer(z.force, force);
    vw -= outer(z.force, moment);
    ww -= outer(z.moment, moment);
  }
  LIMBER_INLINE ArticulatedInertia turned_by(const Mat3<Scalar>& R, const Mat3<Scalar>& R_transposed) const {
    return {R * vv * R_transposed, R * vw * R_transposed, R * ww * R_transposed};
  }
  /// About a point from which the old one lies at d: X^T M X with X = [1, -[d]x; 0, 1].
  LIMBER_INLINE ArticulatedInertia seen_from(const Vec3<Scalar>& d) const {
    const Mat3<Scalar> vw_there = vw - times_skew(vv, d);
    return {vv, vw_there, ww + cross_columns(d, vw_there) - times_skew(vw.transposed(), d)};
  }
};

}  // namespace LIMBER_LANES
}  // namespace limber::detail
