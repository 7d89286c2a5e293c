// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The sparse solvers that a reduction needs, and nothing else does.

#include <functional>
#include <memory>

#include "limber/math/eigen.hpp"
// after eigen.hpp
#include <Eigen/SparseCore>

namespace limber {

/// A symmetric positive definite matrix, factorised.
class SparseFactor {
 public:
  /// Throws ComputationError where it is not positive definite.
  explicit SparseFactor(const Eigen::SparseMatrix<double>& A);
  ~SparseFactor();
  SparseFactor(const SparseFactor&) = delete;
  SparseFactor& operator=(const SparseFactor&) = delete;

  /// A^-1 B
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B) const;
  Eigen::Index size() const { return size_; }

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
  Eigen::Index size_;
};

/// x -> A x of a matrix that nobody has to write down.
using LinearMap = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

/// The shapes of the `count` lowest solutions of K x = omega^2 M x, M-orthonormal, by Lanczos on K^-1 M.
Eigen::MatrixXd lowest_modes(const LinearMap& inverse_of_K, const LinearMap& M, Eigen::Index size, int count);

}  // namespace limber
