// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/linear_model.hpp"

#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include "limber/analysis/balanced.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void require_consistent(const char* function, const LinearModel& model) {
  const std::string place(function);
  detail::require_square((place + ": model").c_str(), "A", model.A);
  detail::require_extent((place + ": model").c_str(), "B", model.B, model.A.rows(), model.B.cols());
  detail::require_extent((place + ": model").c_str(), "C", model.C, model.C.rows(), model.A.rows());
  detail::require_extent((place + ": model").c_str(), "D", model.D, model.C.rows(), model.B.cols());
}

Eigen::VectorXcd poles(const LinearModel& model) { return balanced_eigenvalues(model.A); }

// With x = diag(d) Q z: H = Q^T diag(d)^-1 A diag(d) Q.
FrequencyResponse::FrequencyResponse(const LinearModel& model) : D_(model.D) {
  require_consistent("FrequencyResponse", model);
  const VectorXd d = balancing_scale(model.A);
  H_ = d.cwiseInverse().asDiagonal() * model.A * d.asDiagonal();
  B_ = d.cwiseInverse().asDiagonal() * model.B;
  C_ = model.C * d.asDiagonal();
  if (H_.rows() < 3) return;  // is of that form
  const Eigen::HessenbergDecomposition<MatrixXd> hessenberg(H_);
  const MatrixXd Q = hessenberg.matrixQ();
  H_ = hessenberg.matrixH();
  B_ = Q.transpose() * B_;
  C_ = C_ * Q;
}

// Elimination with row exchanges: below the diagonal stands one number a column.
MatrixXcd FrequencyResponse::at(double omega) const {
  const auto n = H_.rows();
  MatrixXcd U = -H_.cast<std::complex<double>>();
  U.diagonal().array() += std::complex<double>(0.0, omega);
  MatrixXcd X = B_.cast<std::complex<double>>();
  const double smallest = static_cast<double>(n) * std::numeric_limits<double>::epsilon() *
                          (n > 0 ? U.cwiseAbs().maxCoeff() : 0.0);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Index right = n - k;
    const bool below = k + 1 < n;
    if (below && std::abs(U(k + 1, k)) > std::abs(U(k, k))) {
      U.row(k).tail(right).swap(U.row(k + 1).tail(right));
      X.row(k).swap(X.row(k + 1));
    }
    if (std::abs(U(k, k)) <= smallest)
      throw ComputationError("no frequency response at " + std::to_string(omega) +
                             " rad/s: this is a pole (a motion that nothing pulls back has one at zero). "
                             "Choose another frequency");
    if (!below) continue;
    const std::complex<double> factor = U(k + 1, k) / U(k, k);
    U.row(k + 1).tail(right) -= factor * U.row(k).tail(right);
    X.row(k + 1) -= factor * X.row(k);
  }
  U.triangularView<Eigen::Upper>().solveInPlace(X);
  return C_ * X + D_;
}

MatrixXcd frequency_response(const LinearModel& model, double omega) {
  return FrequencyResponse(model).at(omega);
}

}  // namespace limber
