// SPDX-License-Identifier: BSD-3-Clause
#include "table_shapes.hpp"

#include <Eigen/SparseCore>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <unsupported/Eigen/Splines>
#include <vector>

#include "energy_factors.hpp"
#include "limber/core/input_error.hpp"
#include "limber/math/detail/decompositions.hpp"
#include "message_number.hpp"
#include "piecewise_polynomial.hpp"

namespace limber {
namespace {

using Spline = Eigen::Spline<double, 1, Eigen::Dynamic>;

constexpr int fewest_rows = 4;
constexpr int largest_degree = 5;

[[noreturn]] void fail(const ModeTable& table, const std::string& expected, const std::string& found) {
  throw InputError({.path = "shape.table",
                    .expected = expected,
                    .found = found,
                    .hint = table.source.empty() ? "" : "in " + table.source});
}

void check(const ModeTable& table, int count, double length) {
  const Eigen::Index rows = table.x.size(), columns = table.values.cols();
  if (rows < fewest_rows || table.values.rows() != rows)
    fail(table, "at least " + std::to_string(fewest_rows) + " rows", std::to_string(table.values.rows()));
  if (columns < count)
    fail(table, "at least " + std::to_string(count) + " columns besides x, one for each mode",
         std::to_string(columns));
  for (Eigen::Index i = 0; i < rows; ++i)
    if (!std::isfinite(table.x[i]) || !table.values.row(i).allFinite())
      fail(table, "finite numbers", "none in row " + std::to_string(i + 1));
  for (Eigen::Index i = 1; i < rows; ++i)
    if (table.x[i] <= table.x[i - 1])
      fail(table, "x in ascending order",
           message_number(table.x[i - 1]) + " before " + message_number(table.x[i]) + " in row " +
               std::to_string(i + 1));
  constexpr double same_end = 1e-9;      // of the length: digits of a file
  constexpr double held_at_root = 1e-6;  // of a shape's largest value: a table's own rounding
  if (std::abs(table.x[0]) > same_end * length || std::abs(table.x[rows - 1] - length) > same_end * length)
    fail(table, "x from 0 to the beam's length " + message_number(length) + " [m]",
         message_number(table.x[0]) + " to " + message_number(table.x[rows - 1]));
  for (int j = 0; j < count; ++j) {
    const double largest = table.values.col(j).cwiseAbs().maxCoeff();
    const std::string name = "mode " + std::to_string(j + 1);
    if (largest == 0.0) fail(table, "a shape other than zero for " + name, "zeros");
    if (std::abs(table.values(0, j)) > held_at_root * largest)
      fail(table, "0 at the root for " + name + ", since a shape is the deflection from there",
           message_number(table.values(0, j)));
  }
}

// Interpolating splines in B-spline form on 0 <= u <= 1: a column of control points for each column of
// values.
struct SplineFit {
  Spline::KnotVectorType knots;
  Eigen::MatrixXd controls;
};

SplineFit fit(const Spline::KnotVectorType& u, const Eigen::MatrixXd& values, int degree) {
  SplineFit result;
  Eigen::KnotAveraging(u, degree, result.knots);
  Eigen::SparseMatrix<double> collocation(u.size(), u.size());
  std::vector<Eigen::Triplet<double>> entries;
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    const Eigen::Index span = Spline::Span(u[i], degree, result.knots);
    const Eigen::ArrayXd basis = Spline::BasisFunctions(u[i], degree, result.knots).transpose();
    for (int k = 0; k <= degree; ++k)
      entries.emplace_back(static_cast<int>(i), static_cast<int>(span - degree + k), basis(k));
  }
  collocation.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<double>> solver(collocation);
  result.controls = solver.solve(values);
  return result;
}

// The spline between its knots, by powers about each panel's left end.
Eigen::MatrixXd panel_powers(const Spline& spline, const std::vector<double>& knots, int degree) {
  Eigen::MatrixXd coefficients(degree + 1, knots.size() - 1);
  for (std::size_t panel = 0; panel + 1 < knots.size(); ++panel) {
    const double h = knots[panel + 1] - knots[panel];
    const Eigen::ArrayXd derivatives = spline.derivatives(knots[panel], degree).transpose();
    double factor = 1.0;
    for (int k = 0; k <= degree; ++k) {
      coefficients(k, static_cast<Eigen::Index>(panel)) = factor * derivatives[k];
      factor *= h / (k + 1);
    }
  }
  return coefficients;
}

// A shape without strain, or one that repeats others, would leave the stiffness matrix singular.
void check_strains(const ModeTable& table, const ShapeSet& set, Direction direction,
                   const SectionProfile& profile) {
  constexpr double no_strain =
      1e-6;  // of the shape, per length (bending: squared): what rounding of a table bends a straight line by
  constexpr double repeated = 1e-9;  // what is left of a strain when the others are taken off
  const int order = is_bending(direction) ? 2 : 1;
  for (std::size_t j = 0; j < set.modes.size(); ++j) {
    double value = 0.0, strain = 0.0;
    for (const double x : set.breakpoints) {
      value = std::max(value, std::abs(set.modes[j].at(x)[0]));
      strain = std::max(strain, std::abs(set.modes[j].at(x)[order]) * std::pow(profile.length(), order));
    }
    if (strain < no_strain * value)
      fail(table, "a shape that strains the beam for mode " + std::to_string(j + 1), "a rigid motion");
  }
  Eigen::MatrixXd strains = strain_factor(set, direction, profile);
  strains.colwise().normalize();
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(strains);
  qr.setThreshold(repeated);
  if (qr.rank() < strains.cols())
    fail(table, "modes with strains that are linearly independent", "one that follows from the others");
}

}  // namespace

ShapeSet table_shapes(const ModeTable& table, Direction direction, int count, const SectionProfile& profile) {
  check(table, count, profile.length());
  Spline::KnotVectorType u = table.x.transpose() / profile.length();
  u[0] = 0.0;
  u[u.size() - 1] = 1.0;
  const int degree = std::min(largest_degree, static_cast<int>(u.size()) - 1);
  const SplineFit splines = fit(u, table.values.leftCols(count), degree);

  std::vector<double> knots(splines.knots.begin(), splines.knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  ShapeSet set{{}, knots, 0.0};
  for (double& place : set.breakpoints) place *= profile.length();
  for (int j = 0; j < count; ++j) {
    const Spline spline(splines.knots, Spline::ControlPointVectorType(splines.controls.col(j).transpose()));
    set.modes.push_back(
        {std::make_shared<PiecewisePolynomial>(set.breakpoints, panel_powers(spline, knots, degree)), 1.0});
  }

  check_strains(table, set, direction, profile);
  return set;
}

}  // namespace limber
