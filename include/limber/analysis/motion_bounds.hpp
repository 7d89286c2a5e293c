// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The fastest and the slowest small motions of an arm, without a matrix of all its coordinates.
//
// Near a state the arm obeys
//
//   M x'' + C x' + K x = 0                                                                              (1)
//
// with x along v's components. What M^-1, C and K do to a vector takes a sweep or two of the recursion, O(n): M^-1 f is
// forward dynamics, beams and springs act link by link, and the forces that change with position and velocity are inverse
// dynamics of the dual scalar in one direction.
//
// Fastest. In the product x^T M y, Krylov's space of M^-1 K (of M^-1 C) gives the largest |kappa| (|delta|) among its
// eigenvalues; where K and C are symmetric this is Lanczos' process, and approaches them from below. A motion e^(st) x of
// (1) obeys s^2 + c s + k = 0 with c = x^T C x / x^T M x <= delta and k = x^T K x / x^T M x <= kappa. Either it swings, and
// |s|^2 = k, or it creeps, and |s| <= c:
//
//   |s| <= max(sqrt(kappa), delta)                                                                      (2)
//
// Slowest, joints held and without gravity. K is then made of one block per link, so that K^-1 M takes one sweep too, and
// its Krylov space begins with the lowest modes. It is made of blocks of vectors, since a round beam has equal frequencies
// in two planes.

#include <vector>

#include "limber/algorithms/forward_dynamics.hpp"
#include "limber/analysis/derivatives.hpp"
#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/math/types.hpp"

namespace limber LIMBER_EXPORT {

/// (1), by what its matrices do to vectors of nv numbers.
class MotionOperators {
 public:
  /// At a state, its accelerations and loads. Joints of `held` links do not move: their rows of forces are zero.
  MotionOperators(const Model& model, const Input<double>& q, const Input<double>& v, const Input<double>& a,
                  const std::vector<Load>& loads = {}, const std::vector<int>& held = {});

  /// What controllers add to K and C (nv x nv each).
  void add_gains(const Eigen::MatrixXd& to_K, const Eigen::MatrixXd& to_C);

  /// nv.
  int size() const { return model_.nv(); }
  /// K x
  void stiffness_forces(const Input<double>& x, Eigen::VectorXd& forces);
  /// C x
  void damping_forces(const Input<double>& x, Eigen::VectorXd& forces);
  /// M^-1 forces. Throws ComputationError, naming the coordinate, where M is singular.
  void accelerate(const Input<double>& forces, Eigen::VectorXd& x);
  /// Zero where nothing moves.
  void hold(Eigen::VectorXd& forces) const;

 private:
  Model model_;
  Eigen::VectorXd q_, v_, a_;
  std::vector<Load> loads_;
  std::vector<int> held_rows_;
  ForceDifferentiator differentiator_;
  Workspace<double> work_;
  Eigen::VectorXd zero_, elastic_, tau_;
  Eigen::MatrixXd gains_q_, gains_v_;
};

/// How fast an arm can move by itself.
struct FastestMotion {
  double rate = 0.0;    ///< (2) [1/s]; 0 where nothing swings or creeps
  int coordinate = -1;  ///< in v: the one with most of that motion's kinetic energy; -1 where there is none
  bool creeps = false;  ///< delta > sqrt(kappa): damping is what makes it fast
  double slowest =
      0.0;  ///< at most as slow as this is the slowest motion that is not rigid [1/s]: an estimate from above
};

/// To a percent or better, in O(n) per step of some dozens.
FastestMotion fastest_motion(MotionOperators& motions);
/// Of an arm without controllers at rest.
FastestMotion fastest_motion(const Model& model, const Input<double>& q);

/// The first `count` frequencies [rad/s] with all joints held, ascending, without gravity and loads, to rounding. Fewer
/// where fewer coordinates (or none) have inertia.
Eigen::VectorXd locked_frequencies(const Model& model, const Input<double>& q, int count);

}  // namespace limber
