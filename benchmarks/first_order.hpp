// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// a + eps b with eps^2 = 0, as Truncated is, but made to be fast: two numbers, not five, and on lanes wherever the algorithms compute with
// 3-vectors and with sections. It is here to be measured beside LinearArm (first_order_study.cpp).

#include <cmath>

#include "limber/math/detail/lanes.hpp"
#include "limber/math/detail/packets.hpp"

namespace limber::benchmarks {

/// real + eps small
struct FirstOrder {
  double real = 0.0, small = 0.0;

  FirstOrder() = default;
  FirstOrder(double value) : real(value) {}  // NOLINT: constants convert
  FirstOrder(double value, double first) : real(value), small(first) {}
  double total() const { return real + small; }

  friend FirstOrder operator+(const FirstOrder& a, const FirstOrder& b) {
    return {a.real + b.real, a.small + b.small};
  }
  friend FirstOrder operator-(const FirstOrder& a, const FirstOrder& b) {
    return {a.real - b.real, a.small - b.small};
  }
  friend FirstOrder operator*(const FirstOrder& a, const FirstOrder& b) {
    return {a.real * b.real, a.real * b.small + a.small * b.real};
  }
  friend FirstOrder operator/(const FirstOrder& a, const FirstOrder& b) {
    const double quotient = a.real / b.real;
    return {quotient, (a.small - quotient * b.small) / b.real};
  }
  friend FirstOrder operator-(const FirstOrder& a) { return {-a.real, -a.small}; }
  friend FirstOrder operator+(const FirstOrder& a, double b) { return {a.real + b, a.small}; }
  friend FirstOrder operator+(double a, const FirstOrder& b) { return b + a; }
  friend FirstOrder operator-(const FirstOrder& a, double b) { return {a.real - b, a.small}; }
  friend FirstOrder operator-(double a, const FirstOrder& b) { return {a - b.real, -b.small}; }
  friend FirstOrder operator*(const FirstOrder& a, double b) { return {a.real * b, a.small * b}; }
  friend FirstOrder operator*(double a, const FirstOrder& b) { return b * a; }
  FirstOrder& operator+=(const FirstOrder& b) { return *this = *this + b; }
  FirstOrder& operator-=(const FirstOrder& b) { return *this = *this - b; }
  FirstOrder& operator*=(const FirstOrder& b) { return *this = *this * b; }
  FirstOrder& operator/=(const FirstOrder& b) { return *this = *this / b; }
  friend bool operator<(const FirstOrder& a, const FirstOrder& b) { return a.real < b.real; }
  friend bool operator>(const FirstOrder& a, const FirstOrder& b) { return a.real > b.real; }
  friend bool operator<=(const FirstOrder& a, const FirstOrder& b) { return a.real <= b.real; }
  friend bool operator>=(const FirstOrder& a, const FirstOrder& b) { return a.real >= b.real; }
  friend bool operator==(const FirstOrder& a, const FirstOrder& b) { return a.real == b.real; }
  friend bool operator!=(const FirstOrder& a, const FirstOrder& b) { return a.real != b.real; }
  friend FirstOrder sin(const FirstOrder& a) { return {std::sin(a.real), std::cos(a.real) * a.small}; }
  friend FirstOrder cos(const FirstOrder& a) { return {std::cos(a.real), -std::sin(a.real) * a.small}; }
  friend FirstOrder sqrt(const FirstOrder& a) {
    const double root = std::sqrt(a.real);
    return {root, a.small / (2.0 * root)};
  }
  friend FirstOrder abs(const FirstOrder& a) { return a.real < 0.0 ? -a : a; }
};

/// As many as Doubles: the real parts, and the small ones.
class FirstOrders {
  using Doubles = limber::detail::Doubles;

 public:
  static constexpr int width = Doubles::width;

  FirstOrders() = default;
  LIMBER_INLINE FirstOrders(double value) : real_(value), small_(0.0) {}          // NOLINT: constants convert
  LIMBER_INLINE FirstOrders(const Doubles& value) : real_(value), small_(0.0) {}  // NOLINT
  LIMBER_INLINE FirstOrders(const FirstOrder& x) : real_(x.real), small_(x.small) {}  // NOLINT
  LIMBER_INLINE FirstOrders(const Doubles& real, const Doubles& small) : real_(real), small_(small) {}
  /// Real parts, then the small ones, `stride` numbers apart.
  LIMBER_INLINE static FirstOrders load(const double* data, int stride) {
    return {Doubles::load(data), Doubles::load(data + stride)};
  }
  LIMBER_INLINE void store(double* data, int stride) const {
    real_.store(data);
    small_.store(data + stride);
  }
  FirstOrder operator[](int i) const { return {real_[i], small_[i]}; }
  void set(int i, const FirstOrder& x) {
    real_.set(i, x.real);
    small_.set(i, x.small);
  }
  LIMBER_INLINE FirstOrder sum() const { return {real_.sum(), small_.sum()}; }
  LIMBER_INLINE friend bool all_below(const FirstOrders& a, double bound) {
    return all_below(a.real_, bound);
  }

  LIMBER_INLINE friend FirstOrders operator+(const FirstOrders& a, const FirstOrders& b) {
    return {a.real_ + b.real_, a.small_ + b.small_};
  }
  LIMBER_INLINE friend FirstOrders operator-(const FirstOrders& a, const FirstOrders& b) {
    return {a.real_ - b.real_, a.small_ - b.small_};
  }
  LIMBER_INLINE friend FirstOrders operator*(const FirstOrders& a, const FirstOrders& b) {
    return {a.real_ * b.real_, a.real_ * b.small_ + a.small_ * b.real_};
  }
  LIMBER_INLINE friend FirstOrders operator-(const FirstOrders& a) { return {-a.real_, -a.small_}; }
  LIMBER_INLINE friend FirstOrders operator+(const FirstOrders& a, const Doubles& b) {
    return {a.real_ + b, a.small_};
  }
  LIMBER_INLINE friend FirstOrders operator+(const Doubles& a, const FirstOrders& b) { return b + a; }
  LIMBER_INLINE friend FirstOrders operator-(const FirstOrders& a, const Doubles& b) {
    return {a.real_ - b, a.small_};
  }
  LIMBER_INLINE friend FirstOrders operator-(const Doubles& a, const FirstOrders& b) { return -b + a; }
  LIMBER_INLINE friend FirstOrders operator*(const FirstOrders& a, const Doubles& b) {
    return {a.real_ * b, a.small_ * b};
  }
  LIMBER_INLINE friend FirstOrders operator*(const Doubles& a, const FirstOrders& b) { return b * a; }
  LIMBER_INLINE friend FirstOrders operator+(const FirstOrders& a, double b) { return a + Doubles(b); }
  LIMBER_INLINE friend FirstOrders operator+(double a, const FirstOrders& b) { return b + Doubles(a); }
  LIMBER_INLINE friend FirstOrders operator-(const FirstOrders& a, double b) { return a - Doubles(b); }
  LIMBER_INLINE friend FirstOrders operator-(double a, const FirstOrders& b) { return Doubles(a) - b; }
  LIMBER_INLINE friend FirstOrders operator*(const FirstOrders& a, double b) { return a * Doubles(b); }
  LIMBER_INLINE friend FirstOrders operator*(double a, const FirstOrders& b) { return b * Doubles(a); }

 private:
  Doubles real_, small_;
};

}  // namespace limber::benchmarks

template <>
struct Eigen::NumTraits<limber::benchmarks::FirstOrder> : Eigen::NumTraits<double> {
  using Real = limber::benchmarks::FirstOrder;
  using NonInteger = limber::benchmarks::FirstOrder;
  using Nested = limber::benchmarks::FirstOrder;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 3
  };
};

namespace limber::detail {
inline namespace LIMBER_LANES {

/// Two registers of lanes.
template <>
class Vec3<benchmarks::FirstOrder> {
  using Number = benchmarks::FirstOrder;
  using Part = Vec3<double>;

 public:
  Vec3() = default;
  LIMBER_INLINE Vec3(const Part& real, const Part& small) : real_(real), small_(small) {}
  LIMBER_INLINE Vec3(const Number& x, const Number& y, const Number& z)
      : real_(x.real, y.real, z.real), small_(x.small, y.small, z.small) {}
  LIMBER_INLINE Vec3(const Vector3<Number>& v) : Vec3(v[0], v[1], v[2]) {}  // NOLINT: converts by itself
  LIMBER_INLINE operator Vector3<Number>() const { return {(*this)[0], (*this)[1], (*this)[2]}; }  // NOLINT
  LIMBER_INLINE static Vec3 zero() { return {Part::zero(), Part::zero()}; }

  LIMBER_INLINE Number operator[](int i) const { return {real_[i], small_[i]}; }
  LIMBER_INLINE void set(int i, const Number& value) {
    real_.set(i, value.real);
    small_.set(i, value.small);
  }

  LIMBER_INLINE friend Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.real_ + b.real_, a.small_ + b.small_};
  }
  LIMBER_INLINE friend Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.real_ - b.real_, a.small_ - b.small_};
  }
  LIMBER_INLINE friend Vec3 operator-(const Vec3& a) { return {-a.real_, -a.small_}; }
  LIMBER_INLINE friend Vec3 operator*(const Vec3& a, const Number& s) {
    return {a.real_ * s.real, a.real_ * s.small + a.small_ * s.real};
  }
  LIMBER_INLINE friend Number dot(const Vec3& a, const Vec3& b) {
    return {dot(a.real_, b.real_), dot(a.real_, b.small_, a.small_, b.real_)};
  }
  LIMBER_INLINE friend Number dot(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return {dot(a.real_, b.real_, c.real_, d.real_),
            dot(a.real_, b.small_, a.small_, b.real_) + dot(c.real_, d.small_, c.small_, d.real_)};
  }
  LIMBER_INLINE friend Vec3 cross(const Vec3& a, const Vec3& b) {
    return {cross(a.real_, b.real_), cross(a.real_, b.small_) + cross(a.small_, b.real_)};
  }
  LIMBER_INLINE Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  LIMBER_INLINE Vec3& operator-=(const Vec3& b) { return *this = *this - b; }

 private:
  Part real_, small_;
};

template <>
struct PacketTraits<benchmarks::FirstOrders> {
  using Number = double;
  using Sum = benchmarks::FirstOrder;
  using Packet = benchmarks::FirstOrders;
  static constexpr int width = Packet::width, numbers = 2;
  LIMBER_INLINE static Packet load(const double* data, int stride) { return Packet::load(data, stride); }
  LIMBER_INLINE static void store(const Packet& x, double* data, int stride) { x.store(data, stride); }
  LIMBER_INLINE static Sum sum(const Packet& x) { return x.sum(); }
};
template <>
struct PacketsOf<benchmarks::FirstOrder> {
  using Moving = benchmarks::FirstOrders;
  using Constant = Doubles;
};

}  // namespace LIMBER_LANES
}  // namespace limber::detail

namespace limber::rotation_series {

LIMBER_INLINE Values<benchmarks::FirstOrders> values(const benchmarks::FirstOrders& s) {
  return values_of_each(s);
}

}  // namespace limber::rotation_series
