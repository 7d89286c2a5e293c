// SPDX-License-Identifier: BSD-3-Clause
// Derivation. With K = R^T R and M = Q^T Q, where the rows of R and Q are weighted samples of strain and
// deflection, K v = omega^2 M v asks for the singular values of
//
//   B = Q T^-1,   R = (orthogonal) T,  T triangular                                                      (1)
//
// namely 1 / omega, and v = T^-1 w for the right singular vectors w of B. Neither K nor M is formed, so
// ill-conditioned shapes (polynomials) cost half as many digits. One-sided Jacobi rotations find every
// singular value with a small error relative to itself if B is well-conditioned but for the scale of its
// columns (Demmel & Veselic, SIAM J. Matrix Anal. 13, 1992), which it is for shapes that resemble modes.

#include "limber/math/detail/ritz_modes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "limber/math/detail/decompositions.hpp"

namespace limber::detail {
namespace {

// Makes the columns of B orthogonal by rotating pairs of them; V collects the rotations.
void one_sided_jacobi(Eigen::MatrixXd& B, Eigen::MatrixXd& V) {
  constexpr int most_sweeps = 60;     // a handful are enough: convergence is quadratic
  constexpr double rounding = 1e-16;  // of the cosine of two columns, per column
  const double threshold = rounding * static_cast<double>(B.cols());
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (Eigen::Index i = 0; i < B.cols(); ++i)
      for (Eigen::Index j = i + 1; j < B.cols(); ++j) {
        const double a = B.col(i).squaredNorm(), b = B.col(j).squaredNorm(), c = B.col(i).dot(B.col(j));
        if (std::abs(c) <= threshold * std::sqrt(a) * std::sqrt(b)) continue;
        rotated = true;
        const double zeta = (b - a) / (2.0 * c);
        const double tangent = std::copysign(1.0, zeta) / (std::abs(zeta) + std::hypot(1.0, zeta));
        Eigen::JacobiRotation<double> rotation;
        rotation.c() = 1.0 / std::hypot(1.0, tangent);
        rotation.s() = tangent * rotation.c();
        B.applyOnTheRight(i, j, rotation);
        V.applyOnTheRight(i, j, rotation);
      }
  }
}

}  // namespace

RitzModes rayleigh_ritz(const Eigen::MatrixXd& strain, const Eigen::MatrixXd& inertia) {
  const Eigen::Index n = strain.cols();
  // Columns of unit strain energy first, so that the triangle in (1) shows the shapes' own dependence only.
  const Eigen::VectorXd scale = strain.colwise().norm().cwiseInverse();
  const Eigen::HouseholderQR<Eigen::MatrixXd> strain_qr(strain * scale.asDiagonal());
  const Eigen::MatrixXd triangle = strain_qr.matrixQR().topRows(n);
  const auto T = triangle.triangularView<Eigen::Upper>();
  const Eigen::MatrixXd B = T.solve<Eigen::OnTheRight>(inertia * scale.asDiagonal());

  // Long columns first: the rotations then have little to do. Rows are condensed to n.
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(B);
  Eigen::MatrixXd singular = Eigen::MatrixXd::Zero(n, n);
  singular.triangularView<Eigen::Upper>() = qr.matrixR().topRows(n).triangularView<Eigen::Upper>();
  Eigen::MatrixXd vectors = qr.colsPermutation() * Eigen::MatrixXd::Identity(n, n);
  one_sided_jacobi(singular, vectors);

  const Eigen::VectorXd sigma = singular.colwise().norm();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Eigen::Index a, Eigen::Index b) { return sigma[a] > sigma[b]; });
  RitzModes modes{Eigen::VectorXd(n), Eigen::MatrixXd(n, n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index column = order[static_cast<std::size_t>(i)];
    modes.frequencies[i] = 1.0 / sigma[column];
    modes.combinations.col(i) = scale.asDiagonal() * T.solve(vectors.col(column));
  }
  return modes;
}

}  // namespace limber::detail
