// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/riccati.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "limber/analysis/balanced.hpp"
#include "limber/core/computation_error.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

constexpr double rounding = 1e-10;    // of matrices that somebody wrote, and of what solves the equation
constexpr double half_digits = 1e-7;  // to which multiple eigenvalues are known
constexpr double stable = 1e-13;      // of the closed loop's size: what is closer to the axis may lie on it
constexpr double quadratic =
    1e-2;  // changes below it are squared by every further iteration, without scaling

std::string size_of(const MatrixXd& matrix) {
  return std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols());
}

bool is_symmetric(const MatrixXd& matrix) {
  return (matrix - matrix.transpose()).cwiseAbs().maxCoeff() <= rounding * matrix.cwiseAbs().maxCoeff();
}

double smallest_eigenvalue(const MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

void require_valid(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  const auto n = A.rows(), m = B.cols();
  std::vector<Problem> problems;
  const auto require_size = [&](const char* name, const MatrixXd& matrix, Eigen::Index rows,
                                Eigen::Index cols) {
    if (matrix.rows() == rows && matrix.cols() == cols && matrix.size() > 0) {
      if (!matrix.allFinite())
        problems.push_back({name, "finite numbers", "a number that is not finite", ""});
      return;
    }
    problems.push_back(
        {name, std::to_string(rows) + " x " + std::to_string(cols) + " numbers", size_of(matrix), ""});
  };
  require_size("A", A, n, n);
  require_size("B", B, n, m);
  require_size("Q", Q, n, n);
  require_size("R", R, m, m);
  if (!problems.empty()) throw InputError(std::move(problems));
  if (!is_symmetric(Q) || smallest_eigenvalue(Q) < -rounding * Q.norm())
    problems.push_back({"Q", "a symmetric matrix without negative eigenvalues", "another one", ""});
  if (!is_symmetric(R) || smallest_eigenvalue(R) <= 0.0)
    problems.push_back({"R", "a symmetric matrix with positive eigenvalues", "another one", ""});
  if (!problems.empty()) throw InputError(std::move(problems));
}

// (1) and how well an X solves it.
struct Equation {
  MatrixXd A, F, Q;  // G = F F^T: where F^T X is small although X is large, X G X keeps its digits

  MatrixXd closed_loop(const MatrixXd& X) const { return A - F * (F.transpose() * X); }

  MatrixXd residual(const MatrixXd& X) const {
    const MatrixXd AX = A.transpose() * X, FX = F.transpose() * X;
    return AX + AX.transpose() - FX.transpose() * FX + Q;
  }
  // In parts of the terms of (1).
  double relative_residual(const MatrixXd& X) const {
    const MatrixXd FX = F.transpose() * X;
    return residual(X).norm() / (2.0 * (A.transpose() * X).norm() + (FX.transpose() * FX).norm() + Q.norm());
  }
};

// Step 1. Returns d.
VectorXd balance(Equation& e) {
  constexpr int most_sweeps = 100;
  constexpr double worth_while = 0.95;
  const auto n = e.A.rows();
  VectorXd d = VectorXd::Ones(n);
  bool changed = true;
  for (int sweep = 0; sweep < most_sweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double diagonal = std::abs(e.A(i, i));
      const double column = e.A.col(i).lpNorm<1>() - diagonal + e.Q.col(i).lpNorm<1>();
      const double row = e.A.row(i).lpNorm<1>() - diagonal + (e.F * e.F.row(i).transpose()).lpNorm<1>();
      if (!(column > 0.0 && row > 0.0)) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor >= worth_while * (column + row)) continue;
      changed = true;
      d[i] *= factor;
      e.A.col(i) *= factor;
      e.Q.col(i) *= factor;
      e.Q.row(i) *= factor;
      e.A.row(i) /= factor;
      e.F.row(i) /= factor;
    }
  }
  return d;
}

// Step 2. Nothing where the iteration does not converge: H has eigenvalues on (or at) the imaginary axis.
std::optional<MatrixXd> by_sign_function(const Equation& e) {
  constexpr int most_iterations = 100;
  const auto n = e.A.rows();
  MatrixXd Z(2 * n, 2 * n);
  Z << e.A, -e.F * e.F.transpose(), -e.Q, -e.A.transpose();
  bool scale = true, converged = false;
  for (int i = 0; i < most_iterations && !converged; ++i) {
    const Eigen::PartialPivLU<MatrixXd> factor(Z);
    double c = 1.0;
    if (scale) {
      const double log_determinant = factor.matrixLU().diagonal().array().abs().log().sum();
      c = std::exp(-log_determinant / static_cast<double>(2 * n));
    }
    const MatrixXd next = 0.5 * (c * Z + factor.inverse() / c);
    if (!next.allFinite()) return std::nullopt;
    const double change = (next - Z).norm() / next.norm();
    Z = next;
    if (change < quadratic) scale = false;
    converged = !scale && change < rounding;
  }
  if (!converged) return std::nullopt;
  MatrixXd left(2 * n, n), right(2 * n, n);  // (2)
  left << Z.topRightCorner(n, n), Z.bottomRightCorner(n, n) + MatrixXd::Identity(n, n);
  right << Z.topLeftCorner(n, n) + MatrixXd::Identity(n, n), Z.bottomLeftCorner(n, n);
  const MatrixXd X = left.colPivHouseholderQr().solve(-right);
  return 0.5 * (X + X.transpose());
}

// Step 3, as long as it helps.
MatrixXd refined(const Equation& e, MatrixXd X) {
  constexpr int most_iterations = 20;
  double before = e.relative_residual(X);
  for (int i = 0; i < most_iterations; ++i) {
    const MatrixXd next = X + solve_lyapunov(e.closed_loop(X), e.residual(X));
    const double after = e.relative_residual(next);
    if (!(after < before)) break;
    X = next;
    before = after;
  }
  return X;
}

bool is_solution(const Equation& e, const MatrixXd& X) {
  if (!X.allFinite() || e.relative_residual(X) > rounding) return false;
  const MatrixXd closed = e.closed_loop(X);
  return balanced_eigenvalues(closed).real().maxCoeff() < -stable * closed.norm();
}

// Is there a vector that all rows of `matrix` overlook? To half of the digits, as multiple eigenvalues are known.
bool overlooks(const MatrixXcd& matrix) {
  const Eigen::ColPivHouseholderQR<MatrixXcd> factor(matrix);
  const auto n = matrix.cols();
  return std::abs(factor.matrixQR()(n - 1, n - 1)) <= half_digits * std::abs(factor.matrixQR()(0, 0));
}

// [A - s; other] with both parts equally large.
MatrixXcd beside(const MatrixXd& A, Complex s, const MatrixXd& other) {
  MatrixXcd both(A.rows() + other.rows(), A.cols());
  both << A.cast<Complex>() - s * MatrixXcd::Identity(A.rows(), A.cols()),
      (A.norm() / std::max(other.norm(), std::numeric_limits<double>::min()) * other).cast<Complex>();
  return both;
}

std::string at(Complex s) {
  char text[80];  // NOLINT
  std::snprintf(text, sizeof text, "s = %.4g %c %.4gi 1/s", s.real(), s.imag() < 0 ? '-' : '+',
                std::abs(s.imag()));
  return text;
}

// Popov, Belevitch and Hautus: which motion has no stabilising feedback, or none of finite cost?
[[noreturn]] void explain(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q) {
  const double axis = half_digits * A.norm();
  for (const Complex s : balanced_eigenvalues(A)) {
    if (s.real() < -axis) continue;
    if (overlooks(beside(A.transpose(), s, B.transpose())))
      throw ComputationError(
          "(A, B) cannot be stabilised: the inputs do not act on the motion at " + at(s) +
          ", which does not die out by itself. Add an input, or damping, or take this motion "
          "out of the model");
    if (std::abs(s.real()) <= axis && overlooks(beside(A, s, Q)))
      throw ComputationError("no stabilising feedback: Q gives no weight to the undamped motion at " + at(s) +
                             ". Give it some");
  }
  throw ComputationError(
      "the Riccati equation was not solved to rounding: states, weights or inputs differ by too many orders. "
      "Scale them, or choose Q and R nearer to each other");
}

}  // namespace

MatrixXd solve_lyapunov(const MatrixXd& A, const MatrixXd& W) {
  detail::require_square("solve_lyapunov", "A", A);
  detail::require_extent("solve_lyapunov", "W", W, A.rows(), A.rows());
  // A = U S U^*, S upper triangular: S^* Y + Y S + U^* W U = 0, column by column of Y from the left.
  const Eigen::ComplexSchur<MatrixXd> schur(A);
  const MatrixXcd &S = schur.matrixT(), &U = schur.matrixU();
  const MatrixXcd F = U.adjoint() * W * U, lower = S.adjoint();
  MatrixXcd Y = MatrixXcd::Zero(A.rows(), A.cols());
  for (Eigen::Index k = 0; k < A.cols(); ++k) {
    MatrixXcd shifted = lower;
    shifted.diagonal().array() += S(k, k);
    Y.col(k) = -F.col(k) - Y.leftCols(k) * S.col(k).head(k);
    Y.col(k) = shifted.triangularView<Eigen::Lower>().solve(Y.col(k));
  }
  const MatrixXd X = (U * Y * U.adjoint()).real();
  return 0.5 * (X + X.transpose());
}

MatrixXd solve_riccati(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  require_valid(A, B, Q, R);
  const Eigen::LLT<MatrixXd> R_factor(R);
  Equation scaled{A, R_factor.matrixL().solve(B.transpose()).transpose(), 0.5 * (Q + Q.transpose())};
  const VectorXd d = balance(scaled), inverse = d.cwiseInverse();
  std::optional<MatrixXd> X = by_sign_function(scaled);
  if (X) X = refined(scaled, *X);
  if (!X || !is_solution(scaled, *X)) explain(scaled.A, inverse.asDiagonal() * B, scaled.Q);
  return inverse.asDiagonal() * *X * inverse.asDiagonal();
}

MatrixXd lqr_gain(const MatrixXd& A, const MatrixXd& B, const MatrixXd& Q, const MatrixXd& R) {
  const MatrixXd X = solve_riccati(A, B, Q, R);
  return R.llt().solve(B.transpose() * X);
}

}  // namespace limber
