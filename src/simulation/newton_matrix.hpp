// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Linear systems of implicit methods. All of them are
//
//   lambda dq - dv = r_q,     lambda dv + M^-1 (K dq + C dv) = r_v                                      (1)
//
// with lambda of the order of one over the step. Eliminating dv leaves half the size, and no inverse of M:
//
//   (lambda^2 M + lambda C + K) dq = M (r_v + lambda r_q) + C r_q,     dv = lambda dq - r_q              (2)
//
// What controllers remember has rows of its own, lambda dx - (by dq, dv and dx) = r_x, and is eliminated as well (memory_elimination.hpp, d = dq): with dv of (2),
//
//   (lambda^2 M + lambda C + K - F S (dq_x + lambda dv_x)) dq = ... + F S (r_x - dv_x r_q)                                             (3)
//
// The matrix is inverted rather than factored: every inverse is applied many times, and while substitution waits for one
// number after another, a product does not.

#include <Eigen/Core>
#include <complex>

#include "limber/math/detail/small_inverse.hpp"
#include "limber/simulation/system.hpp"
#include "memory_elimination.hpp"

namespace limber {

using namespace detail;

/// For real lambda.
class NewtonMatrix {
 public:
  /// Tangent and slopes must outlive it.
  void factor(const System::Tangent& tangent, const System::MemorySlopes& slopes, double lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    inverse_.resize(tangent.M.rows());
    inverse_.part(0) = (lambda * lambda) * tangent.M + lambda * tangent.C + tangent.K;
    memory_.factor(slopes, lambda, 1.0, lambda);
    if (!memory_.is_empty()) inverse_.part(0) -= memory_.force_by_motion();
    inverse_.invert();
  }

  /// (2) and (3). r_x: as many numbers as controllers remember.
  void solve(const Eigen::VectorXd& r_q, const Eigen::VectorXd& r_v, const Eigen::VectorXd& r_x,
             Eigen::VectorXd& dq, Eigen::VectorXd& dv) {
    sum_ = r_v + lambda_ * r_q;
    right_.noalias() = tangent_->M.lazyProduct(sum_);
    solve_for_dq(r_q, r_x, dq, dv);
  }

  /// The same with M r_v = forces.
  void solve_residual(const Eigen::VectorXd& r_q, const Eigen::VectorXd& forces, const Eigen::VectorXd& r_x,
                      Eigen::VectorXd& dq, Eigen::VectorXd& dv) {
    sum_ = lambda_ * r_q;
    right_ = forces;
    right_.noalias() += tangent_->M.lazyProduct(sum_);
    solve_for_dq(r_q, r_x, dq, dv);
  }

  /// Of what was solved last.
  template <typename Change>
  void memory_change(const Eigen::VectorXd& dq, Change&& dx) const {
    if (!memory_.is_empty()) memory_.finish(dq, dx);
  }

  /// The same with r_q = 0, r_x = 0 and M r_v = forces.
  void solve_forces(const Eigen::VectorXd& forces, Eigen::VectorXd& dq, Eigen::VectorXd& dv) {
    apply(forces, dq);
    dv = lambda_ * dq;
  }

 private:
  void apply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    y.resize(x.size());
    inverse_.apply({x.data()}, {y.data()});
  }

  // right_: M (r_v + lambda r_q).
  void solve_for_dq(const Eigen::VectorXd& r_q, const Eigen::VectorXd& r_x, Eigen::VectorXd& dq,
                    Eigen::VectorXd& dv) {
    right_.noalias() += tangent_->C.lazyProduct(r_q);
    if (!memory_.is_empty()) {
      r_memory_ = r_x;
      r_memory_.noalias() -= memory_.slopes().dv.lazyProduct(r_q);
      memory_.begin(r_memory_, forces_);
      right_ += forces_;
    }
    apply(right_, dq);
    dv = lambda_ * dq - r_q;
  }

  const System::Tangent* tangent_ = nullptr;
  double lambda_ = 0.0;
  SmallInverse<1> inverse_;
  MemoryElimination<double> memory_;
  Eigen::VectorXd sum_, right_, r_memory_, forces_;
};

/// Real and imaginary parts, side by side: numbers of one kind lie together, and products need no test for infinities.
struct ComplexVector {
  Eigen::VectorXd re, im;
};

/// For complex lambda.
class ComplexNewtonMatrix {
 public:
  /// Tangent and slopes must outlive it.
  void factor(const System::Tangent& tangent, const System::MemorySlopes& slopes,
              std::complex<double> lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    const std::complex<double> squared = lambda * lambda;
    inverse_.resize(tangent.M.rows());
    inverse_.part(0) = squared.real() * tangent.M + lambda.real() * tangent.C + tangent.K;
    inverse_.part(1) = squared.imag() * tangent.M + lambda.imag() * tangent.C;
    memory_.factor(slopes, lambda, 1.0, lambda);
    if (!memory_.is_empty()) {
      inverse_.part(0) -= memory_.force_by_motion().real();
      inverse_.part(1) -= memory_.force_by_motion().imag();
    }
    inverse_.invert();
  }

  /// (2) and (3), with r_x = 0.
  void solve(const ComplexVector& r_q, const ComplexVector& r_v, ComplexVector& dq, ComplexVector& dv) {
    const double a = lambda_.real(), b = lambda_.imag();
    sum_ = r_v.re + a * r_q.re - b * r_q.im;
    right_.re.noalias() = tangent_->M.lazyProduct(sum_);
    right_.re.noalias() += tangent_->C.lazyProduct(r_q.re);
    sum_ = r_v.im + a * r_q.im + b * r_q.re;
    right_.im.noalias() = tangent_->M.lazyProduct(sum_);
    right_.im.noalias() += tangent_->C.lazyProduct(r_q.im);
    if (!memory_.is_empty()) {
      r_memory_.resize(memory_.slopes().dv.rows());
      r_memory_.real() = -memory_.slopes().dv.lazyProduct(r_q.re);
      r_memory_.imag() = -memory_.slopes().dv.lazyProduct(r_q.im);
      memory_.begin(r_memory_, forces_);
      right_.re += forces_.real();
      right_.im += forces_.imag();
    }
    apply(right_, dq);
    dv.re = a * dq.re - b * dq.im - r_q.re;
    dv.im = a * dq.im + b * dq.re - r_q.im;
  }

  /// The same with r_q = 0, too, and M r_v = forces.
  void solve_forces(const ComplexVector& forces, ComplexVector& dq, ComplexVector& dv) {
    apply(forces, dq);
    dv.re = lambda_.real() * dq.re - lambda_.imag() * dq.im;
    dv.im = lambda_.real() * dq.im + lambda_.imag() * dq.re;
  }

 private:
  void apply(const ComplexVector& x, ComplexVector& y) const {
    y.re.resize(x.re.size());
    y.im.resize(x.im.size());
    inverse_.apply({x.re.data(), x.im.data()}, {y.re.data(), y.im.data()});
  }

  const System::Tangent* tangent_ = nullptr;
  std::complex<double> lambda_;
  SmallInverse<2> inverse_;
  MemoryElimination<std::complex<double>> memory_;
  ComplexVector right_;
  Eigen::VectorXd sum_;
  Eigen::VectorXcd r_memory_, forces_;
};

}  // namespace limber
