// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scalar of the algorithms that writes down what is done with it, so that one sweep back over the tape gives the derivatives of a result by all inputs at once:
// with y = f(a, b) and w_y = d(result)/dy,
//
//   w_a += w_y df/da,     w_b += w_y df/db,     from the last operation to the first                                             (1)
//
// Numbers that depend on no input are not written down: operations among them cost what they cost without a tape.

#include <cmath>
#include <cstdint>
#include <vector>

#include "limber/math/detail/inline.hpp"
#include "limber/math/eigen.hpp"

namespace limber::detail {

/// What was done, in this order.
class Tape {
 public:
  /// Number of what is not on the tape.
  static constexpr std::int32_t nothing = 0;

  /// Begins with this many inputs, of the numbers 1 to `inputs`.
  void begin(int inputs) {
    inputs_ = inputs;
    operations_.clear();
  }
  /// y = f(a, b), and df/da, df/db: the number of y.
  std::int32_t write(std::int32_t a, double by_a, std::int32_t b, double by_b) {
    operations_.push_back({a, b, by_a, by_b});
    return inputs_ + static_cast<std::int32_t>(operations_.size());
  }
  /// (1): `weights` has as many numbers as size(), those of results set; those of inputs are then the derivatives, from weights[1] on.
  void sweep_back(std::vector<double>& weights) const {
    for (std::size_t i = operations_.size(); i-- > 0;) {
      const Operation& one = operations_[i];
      const double w = weights[static_cast<std::size_t>(inputs_) + 1 + i];
      weights[static_cast<std::size_t>(one.a)] += w * one.by_a;
      weights[static_cast<std::size_t>(one.b)] += w * one.by_b;
    }
  }
  /// Numbers that there are: `nothing`, inputs, results.
  std::size_t size() const { return static_cast<std::size_t>(inputs_) + 1 + operations_.size(); }

  /// On which this thread writes.
  static Tape*& current() {
    static thread_local Tape* tape = nullptr;
    return tape;
  }

 private:
  struct Operation {
    std::int32_t a, b;
    double by_a, by_b;
  };

  std::int32_t inputs_ = 0;
  std::vector<Operation> operations_;
};

/// This thread writes on a tape as long as this lives.
class UseTape {
 public:
  explicit UseTape(Tape& tape) : before_(Tape::current()) { Tape::current() = &tape; }
  ~UseTape() { Tape::current() = before_; }
  UseTape(const UseTape&) = delete;
  UseTape& operator=(const UseTape&) = delete;

 private:
  Tape* before_;
};

/// A double on a tape.
class Taped {
 public:
  Taped() = default;
  /// A number by itself is not on the tape.
  Taped(double value) : value_(value) {}  // NOLINT: constants convert
  /// An input, or a result, of this number.
  Taped(double value, std::int32_t number) : value_(value), number_(number) {}

  double value() const { return value_; }
  std::int32_t number() const { return number_; }

  friend Taped operator+(const Taped& a, const Taped& b) {
    return of_two(a.value_ + b.value_, a, 1.0, b, 1.0);
  }
  friend Taped operator-(const Taped& a, const Taped& b) {
    return of_two(a.value_ - b.value_, a, 1.0, b, -1.0);
  }
  friend Taped operator*(const Taped& a, const Taped& b) {
    return of_two(a.value_ * b.value_, a, b.value_, b, a.value_);
  }
  friend Taped operator/(const Taped& a, const Taped& b) {
    const double y = a.value_ / b.value_;
    return of_two(y, a, 1.0 / b.value_, b, -y / b.value_);
  }
  friend Taped operator-(const Taped& a) { return of_one(-a.value_, a, -1.0); }
  Taped& operator+=(const Taped& b) { return *this = *this + b; }
  Taped& operator-=(const Taped& b) { return *this = *this - b; }
  Taped& operator*=(const Taped& b) { return *this = *this * b; }
  Taped& operator/=(const Taped& b) { return *this = *this / b; }

  friend bool operator<(const Taped& a, const Taped& b) { return a.value_ < b.value_; }
  friend bool operator>(const Taped& a, const Taped& b) { return a.value_ > b.value_; }
  friend bool operator<=(const Taped& a, const Taped& b) { return a.value_ <= b.value_; }
  friend bool operator>=(const Taped& a, const Taped& b) { return a.value_ >= b.value_; }
  friend bool operator!=(const Taped& a, const Taped& b) { return a.value_ != b.value_; }
  friend bool operator==(const Taped& a, const Taped& b) { return a.value_ == b.value_; }

  friend Taped sin(const Taped& a) { return of_one(std::sin(a.value_), a, std::cos(a.value_)); }
  friend Taped cos(const Taped& a) { return of_one(std::cos(a.value_), a, -std::sin(a.value_)); }
  friend Taped sqrt(const Taped& a) {
    const double y = std::sqrt(a.value_);
    return of_one(y, a, 0.5 / y);
  }
  friend Taped abs(const Taped& a) { return a.value_ < 0.0 ? -a : a; }

 private:
  LIMBER_INLINE static Taped of_two(double y, const Taped& a, double by_a, const Taped& b, double by_b) {
    if ((a.number_ | b.number_) == Tape::nothing) return y;
    return {y, Tape::current()->write(a.number_, by_a, b.number_, by_b)};
  }
  LIMBER_INLINE static Taped of_one(double y, const Taped& a, double by_a) {
    if (a.number_ == Tape::nothing) return y;
    return {y, Tape::current()->write(a.number_, by_a, Tape::nothing, 0.0)};
  }

  double value_ = 0.0;
  std::int32_t number_ = Tape::nothing;
};

}  // namespace limber::detail

template <>
struct Eigen::NumTraits<limber::detail::Taped> : Eigen::NumTraits<double> {
  using Real = limber::detail::Taped;
  using NonInteger = limber::detail::Taped;
  using Nested = limber::detail::Taped;
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
