// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds an arm on its way: the arm settles at places along the targets of its joints, and what is found there is
// interpolated in time.
//
// Between two corners of the targets all is smooth, and Chebyshev polynomials converge fast: with x in [-1, 1] for such a piece of
// time and values f_k at x_k = cos(pi k/n),
//
//   f(x) = Sum_j c_j T_j(x),   c_j = 2/n Sum''_k f_k cos(pi j k/n)   (first and last term of k, and of j, halved)          (1)
//
// n is doubled until the last coefficients are small. The result is as smooth as the motion itself, so that steps need not look at it.

#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"
#include "limber/model/model.hpp"
#include "limber/simulation/controller.hpp"

namespace limber LIMBER_EXPORT {

/// What holds an arm at every time of its way, interpolated between places where it was settled.
class HoldingPath {
 public:
  /// `moving`: joints whose position is known at every time from 0 to `duration`; all others are held where q has them, but for passive ones. Throws
  /// ComputationError where the arm finds no equilibrium on the way.
  HoldingPath(const Model& model, const Eigen::VectorXd& q, const std::vector<JointTarget>& moving,
              double duration);

  /// Finds value() and rate().
  void go_to(double t, double within);
  /// nv numbers: of joints the effort that holds the settled arm; of what finds its place by itself, that place.
  const Eigen::VectorXd& value() const { return value_; }
  /// Its derivative with respect to time.
  const Eigen::VectorXd& rate() const { return rate_; }
  /// Elastic coordinates, and joints on springs that nothing else moves.
  const std::vector<int>& placed() const { return placed_; }

 private:
  struct Piece {
    double begin, end;
    Eigen::MatrixXd c;  ///< (1): nv x (n + 1)
  };
  std::vector<Piece> pieces_;
  std::vector<int> placed_;
  Eigen::VectorXd value_, rate_, T_, T_rate_;
};

}  // namespace limber
