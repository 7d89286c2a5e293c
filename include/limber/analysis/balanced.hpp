// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eigenvalues of matrices whose numbers differ by many orders, as those of an arm do: its states are metres,
// radians and their rates, its frequencies range from hertz to kilohertz, and a joint that nothing pulls back
// stands for an eigenvalue that is exactly zero.
//
// Eigenvalues are found to about eps |A|. Two similarity transformations bring |A| down first (Parlett and
// Reinsch, Numer. Math. 13 (1969), 293-304):
//
//   a column, or a row, that is zero beside the diagonal shows an eigenvalue: it is taken off             (1)
//   diag(d)^-1 A diag(d), d powers of two, with rows and columns of like size                             (2)

#include "limber/core/export.hpp"
#include "limber/math/eigen.hpp"

namespace limber LIMBER_EXPORT {

/// d of (2): all ones where the matrix is well scaled.
Eigen::VectorXd balancing_scale(const Eigen::MatrixXd& A);

/// Eigenvalues in ascending order of |s|, conjugate pairs with the positive imaginary part first. Throws
/// ComputationError for a matrix that is not finite.
Eigen::VectorXcd balanced_eigenvalues(const Eigen::MatrixXd& A);

}  // namespace limber
