// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Exact arithmetic with polynomials in x: an oracle for shape integrals that integrates nothing numerically.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace reference {

struct Polynomial {
  std::vector<long double> c;  // c[k] x^k

  long double operator()(long double x) const {
    long double sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * x + c[k];
    return sum;
  }
  Polynomial derivative() const {
    Polynomial d;
    for (std::size_t k = 1; k < c.size(); ++k) d.c.push_back(static_cast<long double>(k) * c[k]);
    return d;
  }
  /// The integral from 0 to x.
  Polynomial integral() const {
    Polynomial i{{0}};
    for (std::size_t k = 0; k < c.size(); ++k) i.c.push_back(c[k] / static_cast<long double>(k + 1));
    return i;
  }
};

inline Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  Polynomial sum{std::vector<long double>(std::max(a.c.size(), b.c.size()), 0)};
  for (std::size_t k = 0; k < a.c.size(); ++k) sum.c[k] += a.c[k];
  for (std::size_t k = 0; k < b.c.size(); ++k) sum.c[k] += b.c[k];
  return sum;
}

inline Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.c.empty() || b.c.empty()) return {};
  Polynomial product{std::vector<long double>(a.c.size() + b.c.size() - 1, 0)};
  for (std::size_t i = 0; i < a.c.size(); ++i)
    for (std::size_t j = 0; j < b.c.size(); ++j) product.c[i + j] += a.c[i] * b.c[j];
  return product;
}

inline Polynomial operator*(long double factor, const Polynomial& a) { return Polynomial{{factor}} * a; }
inline Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + (-1.0L) * b; }

}  // namespace reference
