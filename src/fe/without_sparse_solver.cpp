// SPDX-License-Identifier: BSD-3-Clause
// In place of sparse_solver.cpp where the library is built without CHOLMOD and Spectra (LIMBER_WITH_FE).
#include "limber/core/computation_error.hpp"
#include "limber/fe/reduction.hpp"
#include "sparse_solver.hpp"

namespace limber {
namespace {

[[noreturn]] void refuse() {
  throw ComputationError(
      "this build has no sparse solver: install libsuitesparse-dev and libspectra-dev, and build with "
      "-DLIMBER_WITH_FE=ON");
}

}  // namespace

struct SparseFactor::Solver {};

SparseFactor::SparseFactor(const Eigen::SparseMatrix<double>& A) : size_(A.rows()) { refuse(); }
SparseFactor::~SparseFactor() = default;
Eigen::MatrixXd SparseFactor::solve(const Eigen::MatrixXd&) const { refuse(); }

Eigen::MatrixXd lowest_modes(const LinearMap&, const LinearMap&, Eigen::Index, int) { refuse(); }

bool can_reduce() { return false; }

}  // namespace limber
