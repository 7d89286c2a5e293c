// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Inverses of small matrices, for linear systems that are solved many times with one matrix. Substitution waits for one
// number after another; a product does not.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "limber/math/detail/packets.hpp"
#include "limber/math/eigen.hpp"

namespace limber::detail {

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

}  // namespace limber::detail
