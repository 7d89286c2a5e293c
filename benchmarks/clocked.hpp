// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A double that knows when it can be known at the earliest, on a machine with as many units as one likes: an operation begins as soon as its operands are
// there, and takes its latency. The latest of an algorithm's results is the length of its longest path of operations that wait for each other: no processor that
// does these operations, with these latencies, is done sooner, however much it does at once.
//
// A product that goes into a sum is fused with it, if that is sooner:
//   a + b c is there at max(a, b, c) + fused, or at max(a, max(b, c) + multiplication) + addition
// so that a sum of n products, one added to the other as the code has it, is a path of n operations.

#include <algorithm>
#include <cmath>

#include "limber/math/eigen.hpp"
#include "processor_peak.hpp"

namespace limber::benchmarks {

/// A double with the time at which it can be known.
class Clocked {
 public:
  Clocked() = default;
  /// A number by itself is there from the beginning.
  Clocked(double value) : value_(value) {}  // NOLINT: numbers become clocked ones by themselves

  double value() const { return value_; }
  /// [s]
  double time() const { return time_; }
  /// Of all operations from now on, in this thread.
  static Latencies& latencies() {
    static thread_local Latencies all{1.0, 1.0, 1.0, 1.0, 1.0};
    return all;
  }

  friend Clocked operator+(const Clocked& a, const Clocked& b) { return sum(a.value_ + b.value_, a, b); }
  friend Clocked operator-(const Clocked& a, const Clocked& b) { return sum(a.value_ - b.value_, a, b); }
  friend Clocked operator*(const Clocked& a, const Clocked& b) {
    Clocked product(a.value_ * b.value_, std::max(a.time_, b.time_) + latencies().multiplication);
    product.factors_ = std::max(a.time_, b.time_);
    return product;
  }
  friend Clocked operator/(const Clocked& a, const Clocked& b) {
    return {a.value_ / b.value_, std::max(a.time_, b.time_) + latencies().division};
  }
  friend Clocked operator-(const Clocked& a) {
    Clocked negative = a;  // its sign goes along with whatever comes next
    negative.value_ = -a.value_;
    return negative;
  }
  Clocked& operator+=(const Clocked& b) { return *this = *this + b; }
  Clocked& operator-=(const Clocked& b) { return *this = *this - b; }
  Clocked& operator*=(const Clocked& b) { return *this = *this * b; }
  Clocked& operator/=(const Clocked& b) { return *this = *this / b; }
  friend bool operator<(const Clocked& a, const Clocked& b) { return a.value_ < b.value_; }
  friend bool operator>(const Clocked& a, const Clocked& b) { return a.value_ > b.value_; }
  friend bool operator<=(const Clocked& a, const Clocked& b) { return a.value_ <= b.value_; }
  friend bool operator>=(const Clocked& a, const Clocked& b) { return a.value_ >= b.value_; }
  friend bool operator!=(const Clocked& a, const Clocked& b) { return a.value_ != b.value_; }
  friend bool operator==(const Clocked& a, const Clocked& b) { return a.value_ == b.value_; }
  friend Clocked sin(const Clocked& a) { return {std::sin(a.value_), a.time_ + of_sine()}; }
  friend Clocked cos(const Clocked& a) { return {std::cos(a.value_), a.time_ + of_sine()}; }
  friend Clocked sqrt(const Clocked& a) { return {std::sqrt(a.value_), a.time_ + latencies().root}; }
  friend Clocked abs(const Clocked& a) { return {std::abs(a.value_), a.time_}; }

 private:
  Clocked(double value, double time) : value_(value), time_(time), factors_(time) {}

  // sine_cosine.hpp: seven operations that reduce the angle, its square, eight of the series by Horner's scheme, and two that put it together.
  static double of_sine() { return 18.0 * latencies().fused; }
  static Clocked sum(double value, const Clocked& a, const Clocked& b) {
    const Latencies& all = latencies();
    const double apart = std::max(a.time_, b.time_) + all.addition;
    const double a_fused = std::max(a.factors_, b.time_) + all.fused,
                 b_fused = std::max(a.time_, b.factors_) + all.fused;
    return {value, std::min({apart, a_fused, b_fused})};
  }

  double value_ = 0.0;
  double time_ = 0.0;
  double factors_ = 0.0;  // of a product: when its factors were there; of all else: time_
};

}  // namespace limber::benchmarks

template <>
struct Eigen::NumTraits<limber::benchmarks::Clocked> : Eigen::NumTraits<double> {
  using Real = limber::benchmarks::Clocked;
  using NonInteger = limber::benchmarks::Clocked;
  using Nested = limber::benchmarks::Clocked;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 1,
    AddCost = 3,
    MulCost = 3
  };
};
