// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace limber {

/// The Radau IIA method with an odd number s of stages; radau.cpp says what they are for.
struct RadauTables {
  Eigen::VectorXd c;  ///< times of the stages
  Eigen::MatrixXd A;
  Eigen::VectorXd b;                         ///< the last row of A: weights of the quadrature
  Eigen::MatrixXd A_inverse;                 ///< h times the rates at the stages, from what the stages add
  double gamma = 0.0;                        ///< real eigenvalue of A^-1
  std::vector<std::complex<double>> lambda;  ///< one of each complex pair
  Eigen::MatrixXd T, T_inverse;              ///< columns: of gamma, then two of each lambda
  Eigen::VectorXd e;                         ///< of the error estimate
  Eigen::MatrixXd between;  ///< columns: powers of the Lagrange polynomials through 0 and the stages
};

RadauTables radau_tables(int s);

}  // namespace limber
