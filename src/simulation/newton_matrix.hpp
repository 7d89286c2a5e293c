#pragma once

// Linear systems of implicit methods. All of them are
//
//   lambda dq - dv = r_q,     lambda dv + M^-1 (K dq + C dv) = r_v                                      (1)
//
// with lambda of the order of one over the step. Eliminating dv leaves half the size, and no inverse of M:
//
//   (lambda^2 M + lambda C + K) dq = M (r_v + lambda r_q) + C r_q,     dv = lambda dq - r_q              (2)

#include <Eigen/Core>
#include <Eigen/LU>
#include <complex>
#include <utility>
#include <vector>

#include "limber/simulation/system.hpp"

namespace limber {

/// For real lambda.
class NewtonMatrix {
 public:
  void factor(const System::Tangent& tangent, double lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    matrix_ = (lambda * lambda) * tangent.M + lambda * tangent.C + tangent.K;
    lu_.compute(matrix_);
  }

  /// (2).
  void solve(const Eigen::VectorXd& r_q, const Eigen::VectorXd& r_v, Eigen::VectorXd& dq,
             Eigen::VectorXd& dv) {
    sum_ = r_v + lambda_ * r_q;
    right_.noalias() = tangent_->M.lazyProduct(sum_);
    right_.noalias() += tangent_->C.lazyProduct(r_q);
    dq = lu_.solve(right_);
    dv = lambda_ * dq - r_q;
  }

  /// The same with M r_v = forces.
  void solve_residual(const Eigen::VectorXd& r_q, const Eigen::VectorXd& forces, Eigen::VectorXd& dq,
                      Eigen::VectorXd& dv) {
    sum_ = lambda_ * r_q;
    right_ = forces;
    right_.noalias() += tangent_->M.lazyProduct(sum_);
    right_.noalias() += tangent_->C.lazyProduct(r_q);
    dq = lu_.solve(right_);
    dv = lambda_ * dq - r_q;
  }

  /// The same with r_q = 0 and M r_v = forces.
  void solve_forces(const Eigen::VectorXd& forces, Eigen::VectorXd& dq, Eigen::VectorXd& dv) {
    dq = lu_.solve(forces);
    dv = lambda_ * dq;
  }

 private:
  const System::Tangent* tangent_ = nullptr;
  double lambda_ = 0.0;
  Eigen::MatrixXd matrix_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd sum_, right_;
};

/// Real and imaginary parts, side by side: numbers of one kind lie together, and products need no test for infinities.
struct ComplexVector {
  Eigen::VectorXd re, im;
};

/// For complex lambda. Eliminates with row pivots, column by column.
class ComplexNewtonMatrix {
 public:
  void factor(const System::Tangent& tangent, std::complex<double> lambda) {
    tangent_ = &tangent;
    lambda_ = lambda;
    const std::complex<double> squared = lambda * lambda;
    re_ = squared.real() * tangent.M + lambda.real() * tangent.C + tangent.K;
    im_ = squared.imag() * tangent.M + lambda.imag() * tangent.C;
    const Eigen::Index n = re_.rows();
    pivot_.resize(static_cast<std::size_t>(n));
    for (Eigen::Index k = 0; k < n; ++k) {
      Eigen::Index largest = 0;
      (re_.col(k).tail(n - k).cwiseAbs() + im_.col(k).tail(n - k).cwiseAbs()).maxCoeff(&largest);
      pivot_[static_cast<std::size_t>(k)] = k + largest;
      if (largest > 0) {
        re_.row(k).swap(re_.row(k + largest));
        im_.row(k).swap(im_.row(k + largest));
      }
      const double a = re_(k, k), b = im_(k, k), size = a * a + b * b;
      const double inverse_re = a / size, inverse_im = -b / size;
      re_(k, k) = inverse_re;
      im_(k, k) = inverse_im;
      const Eigen::Index rest = n - k - 1;
      auto l_re = re_.col(k).tail(rest), l_im = im_.col(k).tail(rest);
      column_ = l_re;
      l_re = column_ * inverse_re - l_im * inverse_im;
      l_im = column_ * inverse_im + l_im * inverse_re;
      for (Eigen::Index j = k + 1; j < n; ++j) {
        const double u_re = re_(k, j), u_im = im_(k, j);
        re_.col(j).tail(rest) -= l_re * u_re - l_im * u_im;
        im_.col(j).tail(rest) -= l_re * u_im + l_im * u_re;
      }
    }
  }

  /// (2).
  void solve(const ComplexVector& r_q, const ComplexVector& r_v, ComplexVector& dq, ComplexVector& dv) {
    const double a = lambda_.real(), b = lambda_.imag();
    sum_ = r_v.re + a * r_q.re - b * r_q.im;
    dq.re.noalias() = tangent_->M.lazyProduct(sum_);
    dq.re.noalias() += tangent_->C.lazyProduct(r_q.re);
    sum_ = r_v.im + a * r_q.im + b * r_q.re;
    dq.im.noalias() = tangent_->M.lazyProduct(sum_);
    dq.im.noalias() += tangent_->C.lazyProduct(r_q.im);
    substitute(dq);
    dv.re = a * dq.re - b * dq.im - r_q.re;
    dv.im = a * dq.im + b * dq.re - r_q.im;
  }

  /// The same with r_q = 0 and M r_v = forces.
  void solve_forces(const ComplexVector& forces, ComplexVector& dq, ComplexVector& dv) {
    dq = forces;
    substitute(dq);
    dv.re = lambda_.real() * dq.re - lambda_.imag() * dq.im;
    dv.im = lambda_.real() * dq.im + lambda_.imag() * dq.re;
  }

 private:
  void substitute(ComplexVector& x) const {
    const Eigen::Index n = re_.rows();
    for (Eigen::Index k = 0; k < n; ++k) {
      const Eigen::Index other = pivot_[static_cast<std::size_t>(k)];
      std::swap(x.re[k], x.re[other]);
      std::swap(x.im[k], x.im[other]);
    }
    for (Eigen::Index k = 0; k < n; ++k) eliminate(x, k, k + 1, n - k - 1);
    for (Eigen::Index k = n - 1; k >= 0; --k) {
      const double re = x.re[k], im = x.im[k];
      x.re[k] = re * re_(k, k) - im * im_(k, k);
      x.im[k] = re * im_(k, k) + im * re_(k, k);
      eliminate(x, k, 0, k);
    }
  }

  // Takes x_k times column k off the rows from `first` on.
  void eliminate(ComplexVector& x, Eigen::Index k, Eigen::Index first, Eigen::Index count) const {
    const double re = x.re[k], im = x.im[k];
    const auto l_re = re_.col(k).segment(first, count), l_im = im_.col(k).segment(first, count);
    x.re.segment(first, count) -= l_re * re - l_im * im;
    x.im.segment(first, count) -= l_re * im + l_im * re;
  }

  const System::Tangent* tangent_ = nullptr;
  std::complex<double> lambda_;
  Eigen::MatrixXd re_, im_;
  std::vector<Eigen::Index> pivot_;
  Eigen::VectorXd column_, sum_;
};

}  // namespace limber
