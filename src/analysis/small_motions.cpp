// SPDX-License-Identifier: BSD-3-Clause
// Modes of a symmetric K. An eigensolver knows the square of each frequency to rounding of the largest square: of a hundred bending shapes,
// whose frequencies are 28,000 times apart, the first keeps ten digits. The matrices know more. Where K is positive definite, its factor
// and M's keep small numbers beside large ones (coordinates of all scales), and with Phi from that solver
//
//   K = R_K^T R_K,  M = R_M^T R_M,   strain = R_K Phi,  inertia = R_M Phi                              (6)
//
// have columns that are orthogonal but for what the solver lost. rayleigh_ritz turns that little away, and knows each frequency to rounding of
// itself.

#include "limber/analysis/small_motions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "limber/analysis/resolved_eigenvalues.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/math/detail/ritz_modes.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Motions = std::vector<SmallMotion>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// (2), of a square of a frequency that is known to `error`. What rounding may have made negative does not grow.
SmallMotion from_square(double square, double error, const VectorXcd& shape) {
  if (std::abs(square) <= error) return {{0.0, std::sqrt(std::max(0.0, square))}, shape, MotionKind::drift};
  if (square < 0.0) return {{std::sqrt(-square), 0.0}, shape, MotionKind::divergence};
  return {{0.0, std::sqrt(square)}, shape, MotionKind::vibration};
}

// Phi^T M Phi = 1, Phi^T K Phi = diag(squares).
struct Modes {
  VectorXd squares;
  MatrixXd Phi;
  bool are_positive;  ///< squares, beyond any doubt
};

// With coordinates in which its diagonal is 1: what is left of K's condition is not one of scales.
bool is_positive_definite(const MatrixXd& K) {
  if (!(K.diagonal().array() > 0.0).all()) return false;
  constexpr double operations = 100.0;  // in which K's numbers came about
  const VectorXd scale = K.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::LLT<MatrixXd> factor(MatrixXd(scale.asDiagonal() * K * scale.asDiagonal()));
  return factor.info() == Eigen::Success &&
         factor.rcond() > operations * static_cast<double>(K.rows()) * epsilon;
}

// (6)
Modes modes_of(const MatrixXd& K, const MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(K, M);
  const MatrixXd& Phi = solver.eigenvectors();
  if (!is_positive_definite(K)) return {solver.eigenvalues(), Phi, false};
  const Eigen::LLT<MatrixXd> strain(K), inertia(M);
  const detail::RitzModes found = detail::rayleigh_ritz(strain.matrixU() * Phi, inertia.matrixU() * Phi);
  return {found.frequencies.cwiseAbs2(), Phi * found.combinations * found.frequencies.asDiagonal(), true};
}

Motions conservative_motions(const VectorXd& squares, bool are_positive) {
  const Index n = squares.size();
  const double error = are_positive ? 0.0 : static_cast<double>(n) * epsilon * squares.cwiseAbs().maxCoeff();
  Motions found;
  for (Index k = 0; k < n; ++k) found.push_back(from_square(squares[k], error, VectorXcd::Unit(n, k)));
  return found;
}

// (3). A complex pair a +- bi that is one is two motions: s = +-sigma + i omega, s^2 = -(a +- bi).
Motions circulatory_motions(const MatrixXd& A) {
  const Index n = A.rows();
  const Eigen::EigenSolver<MatrixXd> solver(A);
  const ResolvedEigenvalues spectrum(A);
  const double error = static_cast<double>(n) * epsilon * A.norm();
  Motions found;
  for (Index k = 0; k < n; ++k) {
    const Complex square = solver.eigenvalues()[k];
    const VectorXcd shape = solver.eigenvectors().col(k);
    if (square.imag() == 0.0 || !spectrum.is_apart(square, square.real())) {
      // two frequencies that are the same to rounding: both parts of the pair's shape are shapes
      const VectorXd part = square.imag() < 0.0 ? VectorXd(shape.imag()) : VectorXd(shape.real());
      found.push_back(from_square(square.real(), error, part.cast<Complex>()));
      continue;
    }
    Complex s = std::sqrt(-square);
    if (s.imag() < 0.0) s = -s;
    found.push_back({s, shape, MotionKind::flutter});
  }
  return found;
}

// (4): i S is Hermitian, and its eigenvalue mu is i s: what belongs to s = i mu is the conjugate of what belongs to mu.
Motions stable_gyroscopic_motions(const VectorXd& squares, const MatrixXd& G) {
  const Index n = squares.size();
  const VectorXd roots = squares.cwiseSqrt();
  MatrixXcd H = MatrixXcd::Zero(2 * n, 2 * n);
  const Complex i(0.0, 1.0);
  H.topRightCorner(n, n) = i * roots.asDiagonal().toDenseMatrix().cast<Complex>();
  H.bottomLeftCorner(n, n) = -H.topRightCorner(n, n);
  H.bottomRightCorner(n, n) = -i * G.cast<Complex>();
  const Eigen::SelfAdjointEigenSolver<MatrixXcd> solver(H);
  Motions found;  // eigenvalues ascend and come in pairs: the upper half is positive
  for (Index k = n; k < 2 * n; ++k)
    found.push_back({{0.0, solver.eigenvalues()[k]},
                     solver.eigenvectors().col(k).head(n).conjugate().cwiseQuotient(roots.cast<Complex>()),
                     MotionKind::vibration});
  return found;
}

// (5). Of conjugate pairs the upper one counts; of real numbers those that grow; of zeros every second.
Motions general_motions(const MatrixXd& A, Index n) {
  constexpr double alike = 1e-6;
  const Eigen::EigenSolver<MatrixXd> solver(A);
  const VectorXcd& values = solver.eigenvalues();
  const ResolvedEigenvalues spectrum(A);
  const auto has = [&](const Complex& wanted) {
    return ((values.array() - wanted).abs() <= alike * std::abs(wanted)).any();
  };
  Motions found;
  int zeros = 0;
  for (Index k = 0; k < 2 * n; ++k) {
    const Complex s = values[k];
    const VectorXcd shape = solver.eigenvectors().col(k).head(n);
    if (!spectrum.is_apart(s, 0.0)) {
      if (++zeros % 2 == 0) found.push_back({0.0, shape, MotionKind::drift});
    } else if (s.imag() == 0.0) {
      if (s.real() > 0.0) found.push_back({s, shape, MotionKind::divergence});
    } else if (s.imag() > 0.0) {
      const bool swings_on = !spectrum.is_apart(s, Complex(0.0, s.imag()));
      const bool flutters = !swings_on && (s.real() > 0.0 || has(-std::conj(s)));
      found.push_back({swings_on ? Complex(0.0, s.imag()) : s, shape,
                       flutters ? MotionKind::flutter : MotionKind::vibration});
    }
  }
  return found;
}

Motions modal_motions(const Modes& modes, const MatrixXd& G, const MatrixXd& N) {
  const VectorXd& squares = modes.squares;
  const Index n = squares.size();
  const bool gyroscopic = G.size() > 0, circulatory = N.size() > 0;
  MatrixXd stiffness = squares.asDiagonal();
  if (circulatory) stiffness += N;
  if (!gyroscopic)
    return circulatory ? circulatory_motions(stiffness) : conservative_motions(squares, modes.are_positive);
  constexpr double certainly = 1e-14;
  if (!circulatory && (modes.are_positive || squares[0] > certainly * squares.cwiseAbs().maxCoeff()))
    return stable_gyroscopic_motions(squares, G);
  MatrixXd A = MatrixXd::Zero(2 * n, 2 * n);
  A.topRightCorner(n, n).setIdentity();
  A.bottomLeftCorner(n, n) = -stiffness;
  A.bottomRightCorner(n, n) = -G;
  return general_motions(A, n);
}

}  // namespace

double SmallMotion::frequency() const {
  const bool unstable = kind == MotionKind::divergence || kind == MotionKind::flutter;
  return unstable ? -std::abs(s) : s.imag();
}

bool is_symmetric(const MatrixXd& K) {
  if (K.rows() != K.cols()) return false;
  constexpr double operations = 100.0;  // in which K's numbers came about
  return (K - K.transpose()).norm() <= operations * static_cast<double>(K.rows()) * epsilon * K.norm();
}

Motions small_motions(const MatrixXd& M, const MatrixXd& G, const MatrixXd& K) {
  detail::require_square("small_motions", "M", M);
  if (G.size() > 0) detail::require_extent("small_motions", "G", G, M.rows(), M.rows());
  detail::require_extent("small_motions", "K", K, M.rows(), M.rows());
  if (M.rows() == 0) return {};
  const Modes modes = modes_of(0.5 * (K + K.transpose()), M);
  const MatrixXd& Phi = modes.Phi;
  const auto in_modes = [&](const MatrixXd& X) { return MatrixXd(Phi.transpose() * X * Phi); };
  const MatrixXd N = is_symmetric(K) ? MatrixXd() : in_modes(0.5 * (K - K.transpose()));
  Motions found = modal_motions(modes, G.size() > 0 ? in_modes(G) : MatrixXd(), N);
  for (SmallMotion& motion : found) motion.shape = Phi * motion.shape;
  std::stable_sort(found.begin(), found.end(), [](const SmallMotion& a, const SmallMotion& b) {
    const double first = a.frequency(), second = b.frequency();
    return first != second ? first < second : a.s.real() > b.s.real();
  });
  return found;
}

}  // namespace limber
