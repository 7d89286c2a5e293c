// SPDX-License-Identifier: BSD-3-Clause
#include "limber/analysis/balanced.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "limber/core/computation_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "limber/model/detail/arguments.hpp"

namespace limber {

using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// (1): what remains of the indices when all that shows its eigenvalue is gone.
std::vector<int> take_off_isolated(const MatrixXd& A, std::vector<std::complex<double>>& found) {
  std::vector<int> rest(static_cast<std::size_t>(A.rows()));
  std::iota(rest.begin(), rest.end(), 0);
  const auto isolated = [&](int i) {
    bool column = true, row = true;
    for (const int k : rest) {
      if (k == i) continue;
      column = column && A(k, i) == 0.0;
      row = row && A(i, k) == 0.0;
    }
    return column || row;
  };
  for (auto next = std::find_if(rest.begin(), rest.end(), isolated); next != rest.end();
       next = std::find_if(rest.begin(), rest.end(), isolated)) {
    found.emplace_back(A(*next, *next), 0.0);
    rest.erase(next);
  }
  return rest;
}

}  // namespace

VectorXd balancing_scale(const MatrixXd& A) {
  detail::require_square("balancing_scale", "A", A);
  constexpr int most_sweeps = 100;
  constexpr double worth_while = 0.95;
  const auto n = A.rows();
  MatrixXd scaled = A.cwiseAbs();
  scaled.diagonal().setZero();
  VectorXd d = VectorXd::Ones(n);
  bool changed = true;
  for (int sweep = 0; sweep < most_sweeps && changed; ++sweep) {
    changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double column = scaled.col(i).sum(), row = scaled.row(i).sum();
      if (column == 0.0 || row == 0.0) continue;
      const double factor = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * factor + row / factor >= worth_while * (column + row)) continue;
      changed = true;
      d[i] *= factor;
      scaled.col(i) *= factor;
      scaled.row(i) /= factor;
    }
  }
  return d;
}

VectorXcd balanced_eigenvalues(const MatrixXd& A) {
  detail::require_square("balanced_eigenvalues", "A", A);
  if (!A.allFinite()) throw ComputationError("eigenvalues of a matrix that is not finite");
  std::vector<std::complex<double>> found;
  const std::vector<int> rest = take_off_isolated(A, found);
  if (!rest.empty()) {
    const MatrixXd part = A(rest, rest);
    const VectorXd d = balancing_scale(part);
    const Eigen::EigenSolver<MatrixXd> solver(MatrixXd(d.cwiseInverse().asDiagonal() * part * d.asDiagonal()),
                                              false);
    if (solver.info() != Eigen::Success)
      throw ComputationError("the iteration for eigenvalues did not converge");
    found.insert(found.end(), solver.eigenvalues().begin(), solver.eigenvalues().end());
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    const double first = std::abs(a), second = std::abs(b);
    return first != second ? first < second : a.imag() > b.imag();
  });
  return Eigen::Map<VectorXcd>(found.data(), static_cast<Eigen::Index>(found.size()));
}

}  // namespace limber
