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
#include <array>
#include <complex>
#include <vector>

#include "limber/math/packets.hpp"
#include "limber/simulation/system.hpp"

namespace limber {

/// A square matrix, real (parts = 1) or complex (parts = 2; real and imaginary numbers lie apart), to be inverted in place
/// and applied. Columns are filled up to whole packets.
template <int parts>
class SmallInverse {
 public:
  using Number = std::array<double, parts>;

  /// To be filled: rows beyond the matrix are zero.
  void resize(Eigen::Index n) {
    size_ = n;
    const Eigen::Index rows = (n + Doubles::width - 1) / Doubles::width * Doubles::width;
    for (Eigen::MatrixXd& part : parts_)
      if (part.rows() != rows || part.cols() != n) part.setZero(rows, n);
    pivot_.resize(static_cast<std::size_t>(n));
  }
  auto part(int i) { return parts_[static_cast<std::size_t>(i)].topRows(size_); }

  /// Gauss and Jordan, with row pivots: column k becomes what eliminates it from all others.
  void invert() {
    for (Eigen::Index k = 0; k < size_; ++k) {
      const Eigen::Index row = largest_below(k);
      pivot_[static_cast<std::size_t>(k)] = row;
      if (row != k)
        for (Eigen::MatrixXd& part : parts_) part.row(k).swap(part.row(row));
      const Number inverse = reciprocal(at(k, k));
      set(k, k, negative_one());
      scale_column(k, negative(inverse));
      for (Eigen::Index j = 0; j < size_; ++j) {
        if (j == k) continue;
        const Number factor = at(k, j);
        set(k, j, Number{});
        add_column(k, factor, j);
      }
    }
    for (Eigen::Index k = size_ - 1; k >= 0; --k) {
      const Eigen::Index row = pivot_[static_cast<std::size_t>(k)];
      if (row != k)
        for (Eigen::MatrixXd& part : parts_) part.col(k).swap(part.col(row));
    }
  }

  /// y = inverse x
  void apply(const std::array<const double*, parts>& x, const std::array<double*, parts>& y) const {
    for (Eigen::Index i = 0; i < size_; i += Doubles::width) {
      std::array<Doubles, parts> sum;
      sum.fill(Doubles(0.0));
      for (Eigen::Index k = 0; k < size_; ++k) {
        Number factor;
        for (std::size_t p = 0; p < parts; ++p) factor[p] = x[p][k];
        add_product(packet(i, k), factor, sum);
      }
      for (std::size_t p = 0; p < parts; ++p)
        for (Eigen::Index l = 0; l < std::min<Eigen::Index>(Doubles::width, size_ - i); ++l)
          y[p][i + l] = sum[p][static_cast<int>(l)];
    }
  }

 private:
  using Packet = std::array<Doubles, parts>;

  static Number negative_one() {
    Number number{};
    number[0] = -1.0;
    return number;
  }
  static Number negative(Number number) {
    for (double& x : number) x = -x;
    return number;
  }
  static Number reciprocal(const Number& a) {
    double size = 0.0;
    for (const double x : a) size += x * x;
    Number result;
    for (std::size_t p = 0; p < parts; ++p) result[p] = (p == 0 ? a[p] : -a[p]) / size;
    return result;
  }
  LIMBER_INLINE static void add_product(const Packet& a, const Number& b, Packet& sum) {
    sum[0] = sum[0] + a[0] * Doubles(b[0]);
    if constexpr (parts == 2) {
      sum[0] = sum[0] - a[1] * Doubles(b[1]);
      sum[1] = sum[1] + a[0] * Doubles(b[1]) + a[1] * Doubles(b[0]);
    }
  }

  Number at(Eigen::Index i, Eigen::Index j) const {
    Number number;
    for (std::size_t p = 0; p < parts; ++p) number[p] = parts_[p](i, j);
    return number;
  }
  void set(Eigen::Index i, Eigen::Index j, const Number& number) {
    for (std::size_t p = 0; p < parts; ++p) parts_[p](i, j) = number[p];
  }
  LIMBER_INLINE Packet packet(Eigen::Index i, Eigen::Index j) const {
    Packet packet;
    for (std::size_t p = 0; p < parts; ++p) packet[p] = Doubles::load(&parts_[p](i, j));
    return packet;
  }
  LIMBER_INLINE void set_packet(Eigen::Index i, Eigen::Index j, const Packet& packet) {
    for (std::size_t p = 0; p < parts; ++p) packet[p].store(&parts_[p](i, j));
  }

  Eigen::Index largest_below(Eigen::Index k) const {
    Eigen::Index largest = k;
    double size = -1.0;
    for (Eigen::Index i = k; i < size_; ++i) {
      double sum = 0.0;
      for (const Eigen::MatrixXd& part : parts_) sum += std::abs(part(i, k));
      if (sum > size) {
        size = sum;
        largest = i;
      }
    }
    return largest;
  }
  void scale_column(Eigen::Index k, const Number& factor) {
    for (Eigen::Index i = 0; i < size_; i += Doubles::width) {
      Packet product;
      product.fill(Doubles(0.0));
      add_product(packet(i, k), factor, product);
      set_packet(i, k, product);
    }
  }
  void add_column(Eigen::Index from, const Number& factor, Eigen::Index to) {
    for (Eigen::Index i = 0; i < size_; i += Doubles::width) {
      Packet sum = packet(i, to);
      add_product(packet(i, from), factor, sum);
      set_packet(i, to, sum);
    }
  }

  Eigen::Index size_ = 0;
  std::array<Eigen::MatrixXd, parts> parts_;
  std::vector<Eigen::Index> pivot_;
};

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
