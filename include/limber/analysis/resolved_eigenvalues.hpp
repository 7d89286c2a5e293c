// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eigenvalues that know what rounding can have done to them.
//
// A number z is an eigenvalue of some A + E with |E| <= delta exactly where
//
//   sigma_min(A - z) <= delta                                                                         (1)
//
// (the delta-pseudospectrum: Trefethen and Embree, Spectra and Pseudospectra, 2005). A simple, well-conditioned eigenvalue
// moves by about delta, a double one by the root of it, and (1) knows which is which. An eigenvalue s found by computation is
// told from a place p if an error of delta cannot carry it all the way there: if (1) fails somewhere between,
//
//   sigma_min(A - z) > delta for a z between s and p                                                  (2)
//
// Between, and at more than one place, so that another eigenvalue that stands at p, or on the way, does not answer for this one.
// After A = Q T Q^H with T triangular, the smallest singular value takes a few backward and forward substitutions, O(n^2).

#include <complex>
#include <limits>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// The eigenvalues of a real matrix, and what can be said of them in spite of rounding.
class ResolvedEigenvalues {
 public:
  /// `error`: of the matrix as it is given, in parts of its (Frobenius) norm. Throws ComputationError for a matrix that is
  /// not finite.
  explicit ResolvedEigenvalues(const Eigen::MatrixXd& A,
                               double error = std::numeric_limits<double>::epsilon());

  /// In ascending order of |s|, conjugate pairs with the positive imaginary part first.
  const Eigen::VectorXcd& values() const { return values_; }
  /// (2): s, one of the values, is not at p.
  bool is_apart(std::complex<double> s, std::complex<double> p) const;
  /// How many steps the longest chain of the eigenvalue 0 has (A x1 = 0, A x2 = x1, ...): with n of them something grows
  /// like t^(n-1). Zero where there is no such eigenvalue.
  int longest_chain_at_zero() const;

 private:
  double smallest_singular_value(std::complex<double> z) const;

  Eigen::MatrixXd A_;   ///< balanced
  Eigen::MatrixXcd T_;  ///< Schur
  Eigen::VectorXcd values_;
  double delta_ = 0.0;
};

}  // namespace limber
