// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Small undamped motions about a state:
//
//   M x'' + G x' + K x = 0,   M symmetric and positive definite, G skew-symmetric, K any              (1)
//
// x = Re(X e^(st)). K is symmetric where all forces have a potential. Forces that follow the body they act on have none: then
// two frequencies may meet and leave the axis as a complex pair, of which one grows (flutter), although no stiffness is lost.
// Where stiffness is lost, s is real (divergence: buckling).
//
// With Phi the modes of K's symmetric part (Phi^T M Phi = 1, Phi^T K Phi = Lambda + N, N skew-symmetric) and x = Phi y:
//
//   G = 0, N = 0:  s^2 = -Lambda                                                                      (2)
//   G = 0:         s^2 = -eigenvalues of Lambda + N                                                   (3)
//   N = 0, Lambda > 0:  z = (sqrt(Lambda) y, y') obeys z' = S z, S skew-symmetric: all s imaginary    (4)
//   otherwise:     s are the eigenvalues of [0, 1; -(Lambda + N), -G]                                 (5)
//
// (3) and (5) leave complex numbers where there are real or imaginary ones but for rounding; resolved_eigenvalues.hpp decides.

#include <complex>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// What a small motion does as time goes on.
enum class MotionKind {
  vibration,   ///< swings on
  drift,       ///< nothing pulls it back: s = 0 to rounding
  divergence,  ///< moves away without swinging
  flutter      ///< one of two modes that have met: they swing with growing, and with falling amplitude
};

/// x = Re(shape e^(st)).
struct SmallMotion {
  std::complex<double> s;  ///< [1/s], imaginary part not negative
  Eigen::VectorXcd shape;  ///< of the coordinates of (1)
  MotionKind kind;         ///< what it does

  /// [rad/s]: Im s; of an unstable motion -|s|.
  double frequency() const;
};

/// As many as there are coordinates, in ascending order of their frequencies. G may be empty.
std::vector<SmallMotion> small_motions(const Eigen::MatrixXd& M, const Eigen::MatrixXd& G,
                                       const Eigen::MatrixXd& K);

/// Whether K is symmetric but for rounding.
bool is_symmetric(const Eigen::MatrixXd& K);

}  // namespace limber
