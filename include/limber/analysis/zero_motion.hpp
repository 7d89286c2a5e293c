// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The zero dynamics of the nonlinear arm: how it moves while its motors hold chosen outputs still.
//
// Outputs y(q) are places: coordinates, or world coordinates of points. Their motors' efforts u are what it takes,
//
//   [M  -B] [a]   [tau - bias - springs - dampers + loads     ]
//   [J   0] [u] = [-(dJ/dt) v - 2 r J v - r^2 (y - y at start)]                                      (1)
//
// (J = dy/dq; the terms with r keep y from drifting), integrated by the classical Runge-Kutta method. It starts with a small kick along that motion of the linear zero
// dynamics (zeros.hpp, (4)) which grows fastest, or where none grows, swings slowest. What comes of it is measured in the sense of the inertia,
//
//   size^2 = w^T M w + |s|^2 d^T M d,   d, w: displacement and velocity away from rest, s: that zero   (2)
//
// so that a motion exp(s t) has size exp(Re s t): its rate is the verdict of the linear zeros, seen.

#include <complex>
#include <string>
#include <vector>

#include "limber/analysis/zeros.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// How far to go.
struct ZeroMotionOptions {
  double kick = 1e-4;        ///< largest displacement of the start [rad or m]
  double duration = 0.0;     ///< [s]; 0: until 1000 times the kick would be reached, or ten periods
  double most_growth = 1e3;  ///< it ends where (2) is so many times what it was
  int samples = 400;         ///< that are kept
};

/// A motion with outputs held.
struct ZeroMotion {
  std::complex<double> zero;   ///< of the linear model, along whose motion the kick was [1/s]
  Eigen::VectorXd times;       ///< [s], samples
  Eigen::MatrixXd q;           ///< nq x samples
  Eigen::MatrixXd efforts;     ///< inputs x samples: what holds the outputs, beyond what the state had
  Eigen::VectorXd size;        ///< (2), in parts of the first
  double rate = 0.0;           ///< of growth [1/s]: slope of log size up to tenfold, or over all of it
  double largest_drift = 0.0;  ///< of the outputs
  bool ended_early = false;    ///< it grew too large, or (1) had no solution
};

/// About a state of rest, with as many inputs as outputs. Outputs: coordinates, end_effector.x y z, `LINK@AT.x` y z. Throws InputError for others, and ComputationError where the
/// linear zero dynamics have nothing that moves, or (1) has no solution at the start.
ZeroMotion zero_motion(Model model, const OperatingPoint& about, const std::vector<std::string>& outputs,
                       const std::vector<std::string>& inputs, const ZeroMotionOptions& options = {});

}  // namespace limber
