// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Forward derivatives: a number with its derivatives in a few directions at once. Functions of many variables
// are differentiated by sweeping over them `direction_count` at a time.

#include <cmath>

#include "limber/core/detail/inline.hpp"
#include "limber/core/export.hpp"
#include "limber/math/detail/four_doubles.hpp"
#include "limber/math/detail/sine_cosine.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// A number with its derivatives in direction_count directions: a scalar of the algorithms. Comparisons look at the value alone.
class Dual {
 public:
  static constexpr int direction_count = 4;                      ///< directions in one sweep
  using Derivatives = Eigen::Array<double, direction_count, 1>;  ///< one number a direction

  LIMBER_INLINE Dual() : Dual(0.0) {}
  /// A constant.
  LIMBER_INLINE Dual(double value) : Dual(value, Four(0.0)) {}  // NOLINT: constants convert
  /// With these derivatives.
  Dual(double value, const Derivatives& derivatives) : derivatives_(derivatives), value_(value) {}
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

  LIMBER_INLINE friend Dual operator+(const Dual& a, const Dual& b) {
    return {a.value_ + b.value_, a.four() + b.four()};
  }
  LIMBER_INLINE friend Dual operator-(const Dual& a, const Dual& b) {
    return {a.value_ - b.value_, a.four() - b.four()};
  }
  LIMBER_INLINE friend Dual operator*(const Dual& a, const Dual& b) {
    return {a.value_ * b.value_, b.four() * a.value_ + a.four() * b.value_};
  }
  LIMBER_INLINE friend Dual operator/(const Dual& a, const Dual& b) {
    const double inverse = 1.0 / b.value_, quotient = a.value_ / b.value_;
    return {quotient, (a.four() - b.four() * quotient) * inverse};
  }
  LIMBER_INLINE friend Dual operator-(const Dual& a) { return {-a.value_, -a.four()}; }
  // With constants, whose derivatives need no arithmetic.
  LIMBER_INLINE friend Dual operator+(const Dual& a, double b) { return {a.value_ + b, a.four()}; }
  LIMBER_INLINE friend Dual operator+(double a, const Dual& b) { return {a + b.value_, b.four()}; }
  LIMBER_INLINE friend Dual operator-(const Dual& a, double b) { return {a.value_ - b, a.four()}; }
  LIMBER_INLINE friend Dual operator-(double a, const Dual& b) { return {a - b.value_, -b.four()}; }
  LIMBER_INLINE friend Dual operator*(const Dual& a, double b) { return {a.value_ * b, a.four() * b}; }
  LIMBER_INLINE friend Dual operator*(double a, const Dual& b) { return {a * b.value_, b.four() * a}; }
  ///@{
  /// With derivatives of sums, products and quotients.
  LIMBER_INLINE Dual& operator+=(const Dual& b) { return *this = *this + b; }
  LIMBER_INLINE Dual& operator-=(const Dual& b) { return *this = *this - b; }
  LIMBER_INLINE Dual& operator*=(const Dual& b) { return *this = *this * b; }
  LIMBER_INLINE Dual& operator/=(const Dual& b) { return *this = *this / b; }
  ///@}
  friend bool operator<(const Dual& a, const Dual& b) { return a.value_ < b.value_; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.value_ > b.value_; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.value_ <= b.value_; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.value_ >= b.value_; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.value_ != b.value_; }
  friend bool operator==(const Dual& a, const Dual& b) { return a.value_ == b.value_; }
  friend Dual sin(const Dual& a) { return {std::sin(a.value_), a.four() * std::cos(a.value_)}; }
  friend Dual cos(const Dual& a) { return {std::cos(a.value_), a.four() * -std::sin(a.value_)}; }
  LIMBER_INLINE friend detail::SineAndCosine<Dual> sine_and_cosine(const Dual& a) {
    const auto [sine, cosine] = detail::sine_and_cosine(a.value_);
    return {{sine, a.four() * cosine}, {cosine, a.four() * -sine}};
  }
  friend Dual sqrt(const Dual& a) {
    const double root = std::sqrt(a.value_);
    return {root, a.four() * (0.5 / root)};
  }
  friend Dual abs(const Dual& a) { return a.value_ < 0 ? -a : a; }

 private:
  using Four = detail::FourDoubles;
  static_assert(direction_count == 4);

  LIMBER_INLINE Dual(double value, const Four& derivatives) : value_(value) {
    derivatives.store(derivatives_.data());
  }
  LIMBER_INLINE Four four() const { return Four::load(derivatives_.data()); }

  // Derivatives first: a copy by registers of four then leaves them whole, and who loads them need not wait for two stores.
  Derivatives derivatives_;
  double value_;
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
