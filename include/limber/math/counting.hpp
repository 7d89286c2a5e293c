// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A double that counts what is done with it: to compare algorithms by operations instead of by seconds.

#include <cmath>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// How many operations there were.
struct Operations {
  long multiplications = 0;  ///< and divisions
  long additions = 0;        ///< and subtractions
  long functions = 0;        ///< sin, cos, sqrt
  long divisions = 0;        ///< among the multiplications
};

/// A double that counts what is done with it: a scalar of the algorithms.
class Counting {
 public:
  Counting() = default;
  /// A number by itself counts nothing.
  Counting(double value) : value_(value) {}  // NOLINT: numbers become counting ones by themselves

  /// Without its history.
  double value() const { return value_; }
  /// Counted since the last reset, in this thread.
  static Operations& operations() {
    static thread_local Operations count;
    return count;
  }
  /// Begins to count anew, in this thread.
  static void reset() { operations() = {}; }

  friend Counting operator+(Counting a, Counting b) { return added(a.value_ + b.value_); }
  friend Counting operator-(Counting a, Counting b) { return added(a.value_ - b.value_); }
  friend Counting operator*(Counting a, Counting b) { return multiplied(a.value_ * b.value_); }
  friend Counting operator/(Counting a, Counting b) { return divided(a.value_ / b.value_); }
  friend Counting operator-(Counting a) { return -a.value_; }
  ///@{
  /// Counted as the operation that it contains.
  Counting& operator+=(Counting b) { return *this = *this + b; }
  Counting& operator-=(Counting b) { return *this = *this - b; }
  Counting& operator*=(Counting b) { return *this = *this * b; }
  Counting& operator/=(Counting b) { return *this = *this / b; }
  ///@}
  friend bool operator<(Counting a, Counting b) { return a.value_ < b.value_; }
  friend bool operator>(Counting a, Counting b) { return a.value_ > b.value_; }
  friend bool operator<=(Counting a, Counting b) { return a.value_ <= b.value_; }
  friend bool operator>=(Counting a, Counting b) { return a.value_ >= b.value_; }
  friend bool operator!=(Counting a, Counting b) { return a.value_ != b.value_; }
  friend bool operator==(Counting a, Counting b) { return a.value_ == b.value_; }
  friend Counting sin(Counting a) { return computed(std::sin(a.value_)); }
  friend Counting cos(Counting a) { return computed(std::cos(a.value_)); }
  friend Counting sqrt(Counting a) { return computed(std::sqrt(a.value_)); }
  friend Counting abs(Counting a) { return std::abs(a.value_); }

 private:
  static Counting added(double value) { return ++operations().additions, value; }
  static Counting multiplied(double value) { return ++operations().multiplications, value; }
  static Counting divided(double value) { return ++operations().divisions, multiplied(value); }
  static Counting computed(double value) { return ++operations().functions, value; }

  double value_ = 0.0;
};

}  // namespace limber

/// \cond
template <>
struct Eigen::NumTraits<limber::Counting> : Eigen::NumTraits<double> {
  using Real = limber::Counting;
  using NonInteger = limber::Counting;
  using Nested = limber::Counting;
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
/// \endcond
