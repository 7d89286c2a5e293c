// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Vectors and matrices of a scalar, by the names that Limber has for them, and how they are handed to its functions.

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

///@{
/// Vectors and matrices of a scalar; `X`: of any size.
template <typename Scalar>
using Vector3 = Eigen::Matrix<Scalar, 3, 1>;
template <typename Scalar>
using Matrix3 = Eigen::Matrix<Scalar, 3, 3>;
template <typename Scalar>
using Vector6 = Eigen::Matrix<Scalar, 6, 1>;
template <typename Scalar>
using Matrix6 = Eigen::Matrix<Scalar, 6, 6>;
template <typename Scalar>
using VectorX = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
template <typename Scalar>
using MatrixX = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
template <typename Scalar>
using Matrix3X = Eigen::Matrix<Scalar, 3, Eigen::Dynamic>;
template <typename Scalar>
using Matrix6X = Eigen::Matrix<Scalar, 6, Eigen::Dynamic>;
///@}

/// Arguments of a scalar's algorithms. Vectors, parts of vectors (x.head(nq)), Maps and columns of matrices are taken as they are,
/// without a copy; what does not lie side by side in memory is copied where it is read, and does not compile where it would be written. An output must not
/// lie over an input.
template <typename Scalar>
struct Arguments {
  using Input = Eigen::Ref<const VectorX<Scalar>>;      ///< read: a vector
  using Output = Eigen::Ref<VectorX<Scalar>>;           ///< written: a vector, of the right size already
  using MatrixOutput = Eigen::Ref<MatrixX<Scalar>>;     ///< written: a matrix
  using JacobianOutput = Eigen::Ref<Matrix6X<Scalar>>;  ///< written: 6 x nv
};
// Nested in a class, so that the scalar is deduced from the workspace, and any vector of it converts.
///@{
/// How arguments are declared; see Arguments.
template <typename Scalar>
using Input = typename Arguments<Scalar>::Input;
template <typename Scalar>
using Output = typename Arguments<Scalar>::Output;
template <typename Scalar>
using MatrixOutput = typename Arguments<Scalar>::MatrixOutput;
template <typename Scalar>
using JacobianOutput = typename Arguments<Scalar>::JacobianOutput;
///@}

}  // namespace limber
