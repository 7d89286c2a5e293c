// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reference for integrals of products of many shapes: sums of c x^p e^(s x) with complex c and s, which can be multiplied,
// differentiated and integrated in closed form. All shapes of uniform beams are such sums. With 170 digits their cancellation
// (e^314 beside 1 for the hundredth mode) does not matter. Shares nothing with src/.

#include <boost/multiprecision/complex_adaptor.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_complex.hpp>
#include <utility>
#include <vector>

#include "beam/textbook_beam.hpp"

namespace textbook {

using Complex = boost::multiprecision::number<
    boost::multiprecision::complex_adaptor<boost::multiprecision::cpp_bin_float<170>>,
    boost::multiprecision::et_off>;

class ExponentialSum {
 public:
  struct Term {
    Complex factor;
    int power;
    Complex exponent;
  };

  ExponentialSum() = default;
  explicit ExponentialSum(std::vector<Term> terms) : terms_(std::move(terms)) {}

  /// a cosh(b x) + c sinh(b x) + d cos(b x) + e sin(b x)
  static ExponentialSum vibration(const Real& b, const Real& a, const Real& c, const Real& d, const Real& e) {
    const Complex i(Real(0), Real(1)), half(Real(1) / 2);
    return ExponentialSum({{half * (a + c), 0, Complex(b)},
                           {half * (a - c), 0, Complex(-b)},
                           {half * (Complex(d) - i * e), 0, i * b},
                           {half * (Complex(d) + i * e), 0, -i * b}});
  }
  /// Sum of coefficients[p] x^p
  static ExponentialSum polynomial(const std::vector<Real>& coefficients) {
    ExponentialSum sum;
    for (std::size_t p = 0; p < coefficients.size(); ++p)
      if (coefficients[p] != 0)
        sum.terms_.push_back({Complex(coefficients[p]), static_cast<int>(p), Complex(0)});
    return sum;
  }

  ExponentialSum operator*(const ExponentialSum& other) const {
    ExponentialSum product;
    for (const Term& a : terms_)
      for (const Term& b : other.terms_)
        product.add({a.factor * b.factor, a.power + b.power, a.exponent + b.exponent});
    return product;
  }
  ExponentialSum operator*(double factor) const {
    ExponentialSum result = *this;
    for (Term& term : result.terms_) term.factor *= factor;
    return result;
  }
  ExponentialSum derivative() const {
    ExponentialSum result;
    for (const Term& term : terms_) {
      if (is_exponential(term)) result.add({term.factor * term.exponent, term.power, term.exponent});
      if (term.power > 0) result.add({term.factor * term.power, term.power - 1, term.exponent});
    }
    return result;
  }
  /// From 0 to x. Int x^p e^sx = e^sx Sum_k (-1)^k p!/(p-k)! x^(p-k) / s^(k+1)
  ExponentialSum integral() const {
    ExponentialSum result;
    for (const Term& term : terms_) {
      if (!is_exponential(term)) {
        result.add({term.factor / (term.power + 1), term.power + 1, Complex(0)});
        continue;
      }
      Complex factor = term.factor / term.exponent;
      for (int power = term.power; power >= 0; --power) {
        result.add({factor, power, term.exponent});
        if (power == 0) result.add({-factor, 0, Complex(0)});
        factor *= -Real(power) / term.exponent;
      }
    }
    return result;
  }
  double at(const Real& x) const {
    Complex sum(0);
    for (const Term& term : terms_) {
      Complex value = term.factor * exp(term.exponent * x);
      for (int k = 0; k < term.power; ++k) value *= x;
      sum += value;
    }
    return static_cast<double>(sum.real());
  }

 private:
  static bool is_exponential(const Term& term) { return abs(term.exponent) > Real("1e-100"); }
  // Like terms are one.
  void add(const Term& term) {
    for (Term& other : terms_)
      if (other.power == term.power && abs(other.exponent - term.exponent) < Real("1e-100")) {
        other.factor += term.factor;
        return;
      }
    terms_.push_back(term);
  }

  std::vector<Term> terms_;
};

}  // namespace textbook
