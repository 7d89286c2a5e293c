// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What controllers remember, x, eliminated from the linear systems of implicit methods. With the slopes of System::memory_slopes and a change of the motion
// dq = alpha d, dv = beta d,
//
//   lambda dx = dq_x dq + dv_x dv + dx_x dx + r,     so     dx = S (r + (alpha dq_x + beta dv_x) d),   S = (lambda - dx_x)^-1        (1)
//
// and the forces that x makes are F dx: F S (alpha dq_x + beta dv_x) belongs into the matrix for d, F S r to its right side.

#include <Eigen/Core>
#include <Eigen/LU>

#include "limber/simulation/system.hpp"

namespace limber {

/// `Scalar`: of lambda, double or std::complex<double>.
template <typename Scalar>
class MemoryElimination {
 public:
  using Vector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

  /// Finds what d does. The slopes must outlive it; without memory it does nothing from then on.
  void factor(const System::MemorySlopes& slopes, Scalar lambda, Scalar alpha, Scalar beta) {
    slopes_ = &slopes;
    if (is_empty()) return;
    matrix_ = -slopes.dx.template cast<Scalar>();
    matrix_.diagonal().array() += lambda;
    lu_.compute(matrix_);
    force_ = slopes.force.template cast<Scalar>();
    motion_ = alpha * slopes.dq.template cast<Scalar>() + beta * slopes.dv.template cast<Scalar>();
    by_motion_ = lu_.solve(motion_);
    force_by_motion_.noalias() = force_ * by_motion_;
  }
  bool is_empty() const { return !slopes_ || slopes_->dx.size() == 0; }
  /// nv x nv: to be taken off the matrix for d.
  const Matrix& force_by_motion() const { return force_by_motion_; }
  const System::MemorySlopes& slopes() const { return *slopes_; }

  /// Keeps S r, and finds the forces that it makes.
  void begin(const Vector& r, Vector& forces) {
    own_ = lu_.solve(r);
    forces.noalias() = force_.lazyProduct(own_);
  }
  /// dx of (1), with the r of begin().
  template <typename Motion, typename Change>
  void finish(const Motion& d, Change&& dx) const {
    dx = own_;
    dx += by_motion_.lazyProduct(d);
  }

 private:
  const System::MemorySlopes* slopes_ = nullptr;
  Eigen::PartialPivLU<Matrix> lu_;
  Matrix matrix_, force_, motion_, by_motion_, force_by_motion_;
  Vector own_;
};

}  // namespace limber
