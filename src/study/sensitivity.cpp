// SPDX-License-Identifier: BSD-3-Clause
#include "limber/study/sensitivity.hpp"
#include "limber/math/detail/decompositions.hpp"

#include <algorithm>
#include <cmath>

namespace limber {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using MultiIndex = std::vector<std::pair<int, int>>;  // (parameter, degree > 0)

constexpr int highest_degree = 20;
constexpr std::size_t most_terms = 300;
constexpr long rows_per_term = 3;

// sqrt(2 n + 1) P_n(2 u - 1), n = 0 ... p.
VectorXd legendre(double u, int p) {
  const double x = 2.0 * u - 1.0;
  VectorXd values = VectorXd::Ones(p + 1);
  if (p > 0) values[1] = x;
  for (int n = 1; n < p; ++n) values[n + 1] = ((2 * n + 1) * x * values[n] - n * values[n - 1]) / (n + 1);
  for (int n = 1; n <= p; ++n) values[n] *= std::sqrt(2.0 * n + 1.0);
  return values;
}

// He_n(z) / sqrt(n!), n = 0 ... p.
VectorXd hermite(double z, int p) {
  VectorXd values = VectorXd::Ones(p + 1);
  if (p > 0) values[1] = z;
  for (int n = 1; n < p; ++n)
    values[n + 1] = (z * values[n] - std::sqrt(static_cast<double>(n)) * values[n - 1]) / std::sqrt(n + 1.0);
  return values;
}

// Gram's polynomials on `count` points of equal weight: row i, column n. By Stieltjes' recurrence.
MatrixXd gram(int count, int p) {
  MatrixXd values = MatrixXd::Ones(count, p + 1);
  const VectorXd x = VectorXd::LinSpaced(count, -1.0, 1.0);
  VectorXd before = VectorXd::Zero(count);
  double beta = 0.0;
  for (int n = 0; n < p; ++n) {
    VectorXd next = x.cwiseProduct(values.col(n)) - beta * before;  // on points of mirror symmetry alpha is 0
    next -= values.leftCols(n + 1) * (values.leftCols(n + 1).transpose() * next) / count;  // against rounding
    beta = std::sqrt(next.squaredNorm() / count);
    before = values.col(n);
    values.col(n + 1) = next / beta;
  }
  return values;
}

// psi_n of one parameter at all variants: n x (p + 1), fewer columns where there are fewer levels.
MatrixXd one_dimensional(const Design& design, std::size_t j, const std::vector<long>& rows, int p) {
  const int levels = design.levels[j];
  const int highest = levels > 0 ? std::min(p, levels - 1) : p;
  MatrixXd values(static_cast<Index>(rows.size()), highest + 1);
  const MatrixXd on_levels = levels > 0 ? gram(levels, highest) : MatrixXd();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const double u = design.points(rows[k], static_cast<Index>(j));
    const auto row = static_cast<Index>(k);
    if (levels > 0)
      values.row(row) = on_levels.row(std::min(levels - 1, static_cast<int>(u * levels)));
    else if (design.distributions[j].is_normal())
      values.row(row) = hermite(normal_quantile(u), highest).transpose();
    else
      values.row(row) = legendre(u, highest).transpose();
  }
  return values;
}

// All a with |a| = degree, as far as parameters have polynomials; false where they become more than `most`.
bool add_indices(int degree, const std::vector<int>& highest, std::size_t most, std::size_t from,
                 MultiIndex& begun, std::vector<MultiIndex>& all) {
  if (degree == 0) {
    all.push_back(begun);
    return all.size() <= most;
  }
  for (std::size_t j = from; j < highest.size(); ++j)
    for (int n = 1; n <= std::min(degree, highest[j]); ++n) {
      begun.emplace_back(static_cast<int>(j), n);
      const bool fits = add_indices(degree - n, highest, most, j + 1, begun, all);
      begun.pop_back();
      if (!fits) return false;
    }
  return true;
}

SensitivityIndex index_of(double sum, double variance_of_sum, double total, double unexplained) {
  constexpr double normal_95 = 1.96;
  const double value = std::clamp(sum / total, 0.0, 1.0),
               spread = normal_95 * std::sqrt(variance_of_sum) / total;
  return {value, std::clamp(value - spread, 0.0, 1.0), std::clamp(value + spread + unexplained, 0.0, 1.0)};
}

// (3), (4) and (5).
Sensitivity indices(const std::vector<MultiIndex>& terms, const VectorXd& c, const VectorXd& v,
                    std::size_t parameters, double sample_variance, double explained) {
  const double unexplained = std::clamp(1.0 - explained, 0.0, 1.0);
  double variance = unexplained * sample_variance;
  for (Index a = 1; a < c.size(); ++a) variance += std::max(0.0, c[a] * c[a] - v[a]);
  std::vector<double> first(parameters, 0.0), total(parameters, 0.0), first_spread(parameters, 0.0),
      total_spread(parameters, 0.0);
  for (std::size_t a = 0; a < terms.size(); ++a) {
    const double ca = c[static_cast<Index>(a)], va = v[static_cast<Index>(a)];
    const double square = ca * ca - va, spread = 4.0 * ca * ca * va + 2.0 * va * va;
    for (const auto& factor : terms[a]) {
      const auto j = static_cast<std::size_t>(factor.first);
      total[j] += square;
      total_spread[j] += spread;
      if (terms[a].size() > 1) continue;
      first[j] += square;
      first_spread[j] += spread;
    }
  }
  Sensitivity result;
  result.explained = explained;
  for (std::size_t j = 0; j < parameters; ++j) {
    result.first_order.push_back(index_of(first[j], first_spread[j], variance, unexplained));
    result.total.push_back(index_of(total[j], total_spread[j], variance, unexplained));
  }
  return result;
}

std::vector<long> finite_rows(const VariantTable& measures) {
  std::vector<long> rows;
  for (Index k = 0; k < measures.rows() && static_cast<long>(rows.size()) < most_rows_of_indices; ++k)
    if (measures.row(k).allFinite()) rows.push_back(static_cast<long>(k));
  return rows;
}

}  // namespace

std::vector<std::optional<Sensitivity>> sobol_indices(const Design& design, const VariantTable& measures) {
  std::vector<std::optional<Sensitivity>> best(static_cast<std::size_t>(measures.cols()));
  const std::vector<long> rows = finite_rows(measures);
  const auto n = static_cast<Index>(rows.size());
  const std::size_t parameters = design.levels.size();
  if (!design.is_independent || n < 2) return best;

  MatrixXd y(n, measures.cols());
  for (Index k = 0; k < n; ++k) y.row(k) = measures.row(rows[static_cast<std::size_t>(k)]);
  const VectorXd mean = y.colwise().mean().transpose();
  y.rowwise() -= mean.transpose();
  const VectorXd variance = y.colwise().squaredNorm().transpose() / static_cast<double>(n);

  const std::size_t most = std::min(most_terms, static_cast<std::size_t>(n / rows_per_term));
  std::vector<MatrixXd> psi;
  std::vector<int> highest;
  for (std::size_t j = 0; j < parameters; ++j) {
    psi.push_back(one_dimensional(design, j, rows, highest_degree));
    highest.push_back(static_cast<int>(psi.back().cols()) - 1);
  }
  std::vector<MultiIndex> terms = {{}};
  MatrixXd A = MatrixXd::Ones(n, 1), G = MatrixXd::Ones(1, 1);
  int without_gain = 0;
  for (int degree = 1; degree <= highest_degree; ++degree) {
    // Terms of this degree join those of lower ones.
    const std::size_t before = terms.size();
    MultiIndex begun;
    if (!add_indices(degree, highest, most, 0, begun, terms) || terms.size() == before) break;
    A.conservativeResize(Eigen::NoChange, static_cast<Index>(terms.size()));
    for (std::size_t a = before; a < terms.size(); ++a) {
      auto column = A.col(static_cast<Index>(a));
      column.setOnes();
      for (const auto& factor : terms[a])
        column.array() *= psi[static_cast<std::size_t>(factor.first)].col(factor.second).array();
    }
    const auto added = static_cast<Index>(terms.size() - before);
    G.conservativeResize(A.cols(), A.cols());
    G.bottomRows(added).noalias() = A.rightCols(added).transpose() * A / static_cast<double>(n);
    const Eigen::LLT<MatrixXd> factor(G.selfadjointView<Eigen::Lower>());
    if (factor.info() != Eigen::Success) break;
    const MatrixXd c = factor.solve(A.transpose() * y / static_cast<double>(n));
    const MatrixXd residual = y - A * c;
    const VectorXd leverage =
        factor.matrixL().solve(A.transpose()).colwise().squaredNorm().transpose() / static_cast<double>(n);
    const VectorXd inverse = factor.solve(MatrixXd::Identity(A.cols(), A.cols())).diagonal();
    bool has_gained = false;
    for (Index m = 0; m < y.cols(); ++m) {
      constexpr double rounding = 1e-24;  // of the squared size: what does not vary has no parts
      if (!(variance[m] > rounding * mean[m] * mean[m])) continue;
      const VectorXd unseen = residual.col(m).array() / (1.0 - leverage.array()).max(1e-12);
      const double explained = 1.0 - unseen.squaredNorm() / static_cast<double>(n) / variance[m];
      auto& kept = best[static_cast<std::size_t>(m)];
      if (kept && kept->explained >= explained) continue;
      const double noise = unseen.squaredNorm() / static_cast<double>(n);
      kept = indices(terms, c.col(m), inverse * (noise / static_cast<double>(n)), parameters, variance[m],
                     std::max(0.0, explained));
      kept->degree = degree;
      has_gained = true;
    }
    constexpr int patience = 2;  // an even function gains nothing from odd degrees
    without_gain = has_gained ? 0 : without_gain + 1;
    if (without_gain > patience) break;
  }
  return best;
}

}  // namespace limber
