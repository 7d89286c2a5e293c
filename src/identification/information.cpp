// SPDX-License-Identifier: BSD-3-Clause
#include "information.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "limber/math/detail/decompositions.hpp"

namespace limber {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

double size_of_parameter(double value) {
  constexpr double smallest = 1e-6;
  return std::abs(value) > smallest ? std::abs(value) : 1.0;
}

Information information(const MatrixXd& slopes, const VectorXd& units, double variance) {
  constexpr double untold = std::numeric_limits<double>::infinity();
  const Index count = slopes.cols();
  // Rows of zeros change nothing, and give every direction a singular value.
  const MatrixXd triangle = condensed(slopes);
  MatrixXd all = MatrixXd::Zero(count, count);
  all.topRows(triangle.rows()) = triangle;
  const Eigen::JacobiSVD<MatrixXd> svd(all, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const VectorXd& w = svd.singularValues();
  constexpr double rounding = 1e-7;  // of slopes of runs, of their largest
  Information told;
  MatrixXd covariance = MatrixXd::Zero(count, count);
  VectorXd hidden = VectorXd::Zero(count);  // parts of directions that nothing tells
  for (Index i = 0; i < count; ++i) {
    const VectorXd direction = svd.matrixV().col(i);
    const bool is_told = w[i] > rounding * w[0];
    const double deviation = is_told ? std::sqrt(variance) / w[i] : untold;
    if (is_told)
      covariance += deviation * deviation * direction * direction.transpose();
    else
      hidden += direction.cwiseAbs2();
    told.log_determinant -= 2.0 * std::log(deviation);
    if (deviation > 1.0) told.unclear.push_back({deviation, direction});
  }
  told.covariance = units.asDiagonal() * covariance * units.asDiagonal();
  told.correlation.resize(count, count);
  told.standard_errors.resize(count);
  constexpr double part = 1e-6;
  for (Index i = 0; i < count; ++i) {
    told.standard_errors[i] = hidden[i] > part ? untold : std::sqrt(told.covariance(i, i));
    for (Index j = 0; j < count; ++j)
      told.correlation(i, j) = hidden[i] > part || hidden[j] > part ? std::numeric_limits<double>::quiet_NaN()
                               : i == j                             ? 1.0
                                        : covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j));
  }
  return told;
}

MatrixXd condensed(const MatrixXd& slopes) {
  if (slopes.rows() <= slopes.cols()) return slopes;
  const Eigen::HouseholderQR<MatrixXd> qr(slopes);
  return qr.matrixQR().topRows(slopes.cols()).triangularView<Eigen::Upper>();
}

std::string words(const UnclearDirection& one, const std::vector<std::string>& paths) {
  std::string sum;
  for (Index j = 0; j < one.direction.size(); ++j) {
    constexpr double small = 0.05;
    if (std::abs(one.direction[j]) < small) continue;
    sum += fmt::format(
        "{}{:.2f} `{}`",
        sum.empty() ? (one.direction[j] < 0.0 ? "-" : "") : (one.direction[j] < 0.0 ? " - " : " + "),
        std::abs(one.direction[j]), paths[static_cast<std::size_t>(j)]);
  }
  return fmt::format("the data do not tell {} (each in units of its size): {}", sum,
                     std::isfinite(one.standard_deviation)
                         ? fmt::format("its standard deviation is {:.3g}", one.standard_deviation)
                         : "it changes nothing");
}

}  // namespace limber
