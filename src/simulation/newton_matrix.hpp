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
// The matrix is inverted rather than factored: every inverse is applied many times, and while substitution waits for one
// number after another, a product does not.

#include <Eigen/Core>
#include <complex>

#include "limber/math/detail/small_inverse.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

using namespace detail;

/// For real lambda.
class NewtonMatrix {
 public:
  void factor(const System::Tangent& tangent, double lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    inverse_.resize(tangent.M.rows());
    inverse_.part(0) = (lambda * lambda) * tangent.M + lambda * tangent.C + tangent.K;
    inverse_.invert();
  }

  /// (2).
  void solve(const Eigen::VectorXd& r_q, const Eigen::VectorXd& r_v, Eigen::VectorXd& dq,
             Eigen::VectorXd& dv) {
    sum_ = r_v + lambda_ * r_q;
    right_.noalias() = tangent_->M.lazyProduct(sum_);
    right_.noalias() += tangent_->C.lazyProduct(r_q);
    apply(right_, dq);
    dv = lambda_ * dq - r_q;
  }

  /// The same with M r_v = forces.
  void solve_residual(const Eigen::VectorXd& r_q, const Eigen::VectorXd& forces, Eigen::VectorXd& dq,
                      Eigen::VectorXd& dv) {
    sum_ = lambda_ * r_q;
    right_ = forces;
    right_.noalias() += tangent_->M.lazyProduct(sum_);
    right_.noalias() += tangent_->C.lazyProduct(r_q);
    apply(right_, dq);
    dv = lambda_ * dq - r_q;
  }

  /// The same with r_q = 0 and M r_v = forces.
  void solve_forces(const Eigen::VectorXd& forces, Eigen::VectorXd& dq, Eigen::VectorXd& dv) {
    apply(forces, dq);
    dv = lambda_ * dq;
  }

 private:
  void apply(const Eigen::VectorXd& x, Eigen::VectorXd& y) const {
    y.resize(x.size());
    inverse_.apply({x.data()}, {y.data()});
  }

  const System::Tangent* tangent_ = nullptr;
  double lambda_ = 0.0;
  SmallInverse<1> inverse_;
  Eigen::VectorXd sum_, right_;
};

/// Real and imaginary parts, side by side: numbers of one kind lie together, and products need no test for infinities.
struct ComplexVector {
  Eigen::VectorXd re, im;
};

/// For complex lambda.
class ComplexNewtonMatrix {
 public:
  void factor(const System::Tangent& tangent, std::complex<double> lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    const std::complex<double> squared = lambda * lambda;
    inverse_.resize(tangent.M.rows());
    inverse_.part(0) = squared.real() * tangent.M + lambda.real() * tangent.C + tangent.K;
    inverse_.part(1) = squared.imag() * tangent.M + lambda.imag() * tangent.C;
    inverse_.invert();
  }

  /// (2).
  void solve(const ComplexVector& r_q, const ComplexVector& r_v, ComplexVector& dq, ComplexVector& dv) {
    const double a = lambda_.real(), b = lambda_.imag();
    sum_ = r_v.re + a * r_q.re - b * r_q.im;
    right_.re.noalias() = tangent_->M.lazyProduct(sum_);
    right_.re.noalias() += tangent_->C.lazyProduct(r_q.re);
    sum_ = r_v.im + a * r_q.im + b * r_q.re;
    right_.im.noalias() = tangent_->M.lazyProduct(sum_);
    right_.im.noalias() += tangent_->C.lazyProduct(r_q.im);
    apply(right_, dq);
    dv.re = a * dq.re - b * dq.im - r_q.re;
    dv.im = a * dq.im + b * dq.re - r_q.im;
  }

  /// The same with r_q = 0 and M r_v = forces.
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
  ComplexVector right_;
  Eigen::VectorXd sum_;
};

}  // namespace limber
