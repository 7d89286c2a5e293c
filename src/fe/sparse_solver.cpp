// SPDX-License-Identifier: BSD-3-Clause
#include "sparse_solver.hpp"

#include <Spectra/SymGEigsShiftSolver.h>
#include <Eigen/CholmodSupport>
#include <algorithm>

#include "limber/core/computation_error.hpp"
#include "limber/fe/reduction.hpp"

namespace limber {

using Sparse = Eigen::SparseMatrix<double>;

struct SparseFactor::Solver {
  Eigen::CholmodSupernodalLLT<Sparse, Eigen::Lower> cholesky;
};

SparseFactor::SparseFactor(const Sparse& A) : solver_(std::make_unique<Solver>()), size_(A.rows()) {
  solver_->cholesky.cholmod().print = 0;  // what is wrong is ours to say
  solver_->cholesky.compute(A);
  if (solver_->cholesky.info() != Eigen::Success)
    throw ComputationError(
        "the stiffness matrix is not positive definite with the root held: is a part of the mesh not "
        "connected "
        "with it, or is there not enough memory?");
}

SparseFactor::~SparseFactor() = default;

Eigen::MatrixXd SparseFactor::solve(const Eigen::MatrixXd& B) const { return solver_->cholesky.solve(B); }

namespace {

// A map as Spectra wants it. The inverse of K is what it calls shift-and-invert, at shift 0.
class Operation {
 public:
  using Scalar = double;
  Operation(const LinearMap& map, Eigen::Index size) : map_(map), size_(size) {}
  Eigen::Index rows() const { return size_; }
  Eigen::Index cols() const { return size_; }
  void set_shift(const double&) const {}
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd>(y, size_) = map_(Eigen::Map<const Eigen::VectorXd>(x, size_));
  }

 private:
  const LinearMap& map_;
  Eigen::Index size_;
};

}  // namespace

Eigen::MatrixXd lowest_modes(const LinearMap& inverse_of_K, const LinearMap& M, Eigen::Index size,
                             int count) {
  Operation inverse(inverse_of_K, size), product(M, size);
  const Eigen::Index wanted = count;
  const Eigen::Index space =
      std::min<Eigen::Index>(size, std::max<Eigen::Index>(2 * wanted + 1, wanted + 20));
  Spectra::SymGEigsShiftSolver<Operation, Operation, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, product, wanted, space, 0.0);
  constexpr int most_restarts = 500;
  constexpr double tolerance = 1e-10;  // of omega^2
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, most_restarts, tolerance, Spectra::SortRule::SmallestAlge);
  if (solver.info() != Spectra::CompInfo::Successful)
    throw ComputationError("the modes did not converge: take fewer of them");
  return solver.eigenvectors();
}

bool can_reduce() { return true; }

}  // namespace limber
