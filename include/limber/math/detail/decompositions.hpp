// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eigen's decompositions of matrices of any size, compiled once (src/math/decompositions.cpp). Whoever includes this instead of Eigen's own headers
// calls what is there: a source that asks for eigenvalues takes 10 s to compile, not 35. Kernels do not include it: what they call is compiled for
// their level of processors.

#include "limber/math/eigen.hpp"
// after eigen.hpp
#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

/// `LIMBER_DECOMPOSITION(which)` for each of them.
#define LIMBER_DECOMPOSITIONS                                       \
  LIMBER_DECOMPOSITION(LLT<MatrixXd>)                               \
  LIMBER_DECOMPOSITION(LDLT<MatrixXd>)                              \
  LIMBER_DECOMPOSITION(PartialPivLU<MatrixXd>)                      \
  LIMBER_DECOMPOSITION(FullPivLU<MatrixXd>)                         \
  LIMBER_DECOMPOSITION(HouseholderQR<MatrixXd>)                     \
  LIMBER_DECOMPOSITION(ColPivHouseholderQR<MatrixXd>)               \
  LIMBER_DECOMPOSITION(ColPivHouseholderQR<MatrixXcd>)              \
  LIMBER_DECOMPOSITION(CompleteOrthogonalDecomposition<MatrixXd>)   \
  LIMBER_DECOMPOSITION(JacobiSVD<MatrixXd>)                         \
  LIMBER_DECOMPOSITION(SelfAdjointEigenSolver<Matrix3d>)            \
  LIMBER_DECOMPOSITION(SelfAdjointEigenSolver<MatrixXd>)            \
  LIMBER_DECOMPOSITION(SelfAdjointEigenSolver<MatrixXcd>)           \
  LIMBER_DECOMPOSITION(GeneralizedSelfAdjointEigenSolver<MatrixXd>) \
  LIMBER_DECOMPOSITION(HessenbergDecomposition<MatrixXd>)           \
  LIMBER_DECOMPOSITION(RealSchur<MatrixXd>)                         \
  LIMBER_DECOMPOSITION(EigenSolver<MatrixXd>)                       \
  LIMBER_DECOMPOSITION(ComplexSchur<MatrixXd>)

/// `LIMBER_COMPUTATION(which, of, arguments)` for the work of those whose work is a template by itself: give them a matrix, not an expression.
#define LIMBER_COMPUTATIONS                                                                          \
  LIMBER_COMPUTATION(LLT<MatrixXd>, MatrixXd, const EigenBase<MatrixXd>&)                            \
  LIMBER_COMPUTATION(LDLT<MatrixXd>, MatrixXd, const EigenBase<MatrixXd>&)                           \
  LIMBER_COMPUTATION(SelfAdjointEigenSolver<Matrix3d>, Matrix3d, const EigenBase<Matrix3d>&, int)    \
  LIMBER_COMPUTATION(SelfAdjointEigenSolver<MatrixXd>, MatrixXd, const EigenBase<MatrixXd>&, int)    \
  LIMBER_COMPUTATION(SelfAdjointEigenSolver<MatrixXcd>, MatrixXcd, const EigenBase<MatrixXcd>&, int) \
  LIMBER_COMPUTATION(RealSchur<MatrixXd>, MatrixXd, const EigenBase<MatrixXd>&, bool)                \
  LIMBER_COMPUTATION(EigenSolver<MatrixXd>, MatrixXd, const EigenBase<MatrixXd>&, bool)              \
  LIMBER_COMPUTATION(ComplexSchur<MatrixXd>, MatrixXd, const EigenBase<MatrixXd>&, bool)

/// `LIMBER_PRODUCT(of, by)` for products of matrices by the order of their numbers.
#define LIMBER_PRODUCTS              \
  LIMBER_PRODUCT(ColMajor, ColMajor) \
  LIMBER_PRODUCT(ColMajor, RowMajor) \
  LIMBER_PRODUCT(RowMajor, ColMajor) \
  LIMBER_PRODUCT(RowMajor, RowMajor)

#ifndef LIMBER_DECOMPOSITION
namespace Eigen {
#define LIMBER_DECOMPOSITION(which) extern template class which;
#define LIMBER_COMPUTATION(which, of, ...) extern template which& which::compute<of>(__VA_ARGS__);
#define LIMBER_PRODUCT(of, by)                                                                         \
  extern template struct internal::general_matrix_matrix_product<Index, double, of, false, double, by, \
                                                                 false, ColMajor, 1>;
LIMBER_DECOMPOSITIONS
LIMBER_COMPUTATIONS
LIMBER_PRODUCTS
#undef LIMBER_DECOMPOSITION
#undef LIMBER_COMPUTATION
#undef LIMBER_PRODUCT
}  // namespace Eigen
#endif
