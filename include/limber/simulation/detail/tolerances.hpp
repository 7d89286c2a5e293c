// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What an error is compared with. Component by component would mean to follow the least important mode to as many digits as the motion itself.
// So numbers are compared by what they mean for the energy: with S^2 the largest M_ii v_i^2 or K_ii q_i^2 that has occurred, v_i counts as
// being of the size S/sqrt(M_ii), and an elastic (or sprung) q_i of the size S/sqrt(K_ii); joints without springs as the largest angle, or
// length, that has occurred in any of them. Prescribed joints are not unknown, and do not count.

#include <cmath>
#include <vector>

#include "limber/core/export.hpp"
#include "limber/math/types.hpp"
#include "limber/model/model.hpp"

namespace limber LIMBER_EXPORT {
namespace detail {

/// Of error control: rtol times the size of what a number is compared with, plus atol.
class Tolerances {
 public:
  /// `inertia`, `stiffness`: diagonals of M and K at the start. `is_prescribed`: of nv.
  Tolerances(const Model& model, const Eigen::VectorXd& inertia, const Eigen::VectorXd& stiffness,
             std::vector<char> is_prescribed, double rtol, double atol);

  /// They follow the largest positions, velocities and energies that were noted.
  void note_sizes(const Input<double>& q, const Input<double>& v);
  /// A method whose error estimate is not of its own order sets an rtol of its own.
  void use_rtol(double rtol) { rtol_ = rtol; }
  double rtol() const { return rtol_; }
  /// Of a number of this size that stands for itself.
  double of(double x) const { return atol_ + rtol_ * std::abs(x); }

  /// What has been noted, and what follows from it.
  struct State {
    double energy = 0.0, angle = 0.0, length = 0.0;  ///< the largest so far
    Eigen::VectorXd q, v, displacement;              ///< tolerances of q, of v, and of q along v's components
  };
  const State& state() const { return state_; }
  void set_state(const State& state) { state_ = state; }

 private:
  void follow_sizes();

  Model model_;
  Eigen::VectorXd sqrt_M_, sqrt_K_;  ///< of the diagonals
  std::vector<char> is_prescribed_;
  double rtol_, atol_;
  State state_;
};

}  // namespace detail
}  // namespace limber
