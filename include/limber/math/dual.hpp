// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Forward derivatives: a number with its derivatives in a few directions at once. Functions of many variables
// are differentiated by sweeping over them `direction_count` at a time.

#include <cmath>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A number with its derivatives in direction_count directions: a scalar of the algorithms. Comparisons look at the value alone.
class Dual {
 public:
  static constexpr int direction_count = 4;                      ///< directions in one sweep
  using Derivatives = Eigen::Array<double, direction_count, 1>;  ///< one number a direction

  Dual() : Dual(0.0) {}
  /// A constant.
  Dual(double value) : value_(value), derivatives_(Derivatives::Zero()) {}  // NOLINT: constants convert
  /// With these derivatives.
  Dual(double value, const Derivatives& derivatives) : value_(value), derivatives_(derivatives) {}
  /// A variable: derivative 1 in one direction.
  static Dual variable(double value, int direction) {
    Dual x(value);
    x.derivatives_[direction] = 1.0;
    return x;
  }

  /// Without derivatives.
  double value() const { return value_; }
  /// In all directions.
  const Derivatives& derivatives() const { return derivatives_; }
  /// To set them.
  Derivatives& derivatives() { return derivatives_; }

  friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value_ + b.value_, a.derivatives_ + b.derivatives_};
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value_ - b.value_, a.derivatives_ - b.derivatives_};
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value_ * b.value_, a.value_ * b.derivatives_ + b.value_ * a.derivatives_};
  }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const double quotient = a.value_ / b.value_;
    return {quotient, (a.derivatives_ - quotient * b.derivatives_) / b.value_};
  }
  friend Dual operator-(const Dual& a) { return {-a.value_, -a.derivatives_}; }
  // With constants, whose derivatives need no arithmetic.
  friend Dual operator+(const Dual& a, double b) { return {a.value_ + b, a.derivatives_}; }
  friend Dual operator+(double a, const Dual& b) { return {a + b.value_, b.derivatives_}; }
  friend Dual operator-(const Dual& a, double b) { return {a.value_ - b, a.derivatives_}; }
  friend Dual operator-(double a, const Dual& b) { return {a - b.value_, -b.derivatives_}; }
  friend Dual operator*(const Dual& a, double b) { return {a.value_ * b, a.derivatives_ * b}; }
  friend Dual operator*(double a, const Dual& b) { return {a * b.value_, a * b.derivatives_}; }
  ///@{
  /// With derivatives of sums, products and quotients.
  Dual& operator+=(const Dual& b) { return *this = *this + b; }
  Dual& operator-=(const Dual& b) { return *this = *this - b; }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }
  ///@}
  friend bool operator<(const Dual& a, const Dual& b) { return a.value_ < b.value_; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value_ > b.value_; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value_ <= b.value_; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value_ >= b.value_; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value_ != b.value_; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend Dual sin(const Dual& a) { return {std::sin(a.value_), std::cos(a.value_) * a.derivatives_}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.value_), -std::sin(a.value_) * a.derivatives_}; }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value_);
    return {root, a.derivatives_ / (2.0 * root)};
  }
  friend Dual abs(const Dual& a) { return a.value_ < 0 ? -a : a; }

 private:
  double value_;
  Derivatives derivatives_;
};

}  // namespace limber

/// \cond
template <>
struct Eigen::NumTraits<limber::Dual> : Eigen::NumTraits<double> {
  using Real = limber::Dual;
  using NonInteger = limber::Dual;
  using Nested = limber::Dual;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 5,
    AddCost = 5,
    MulCost = 10
  };
};
/// \endcond
